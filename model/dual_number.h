// Forward duals: numbers that carry their derivatives, exact to rounding.
//
//   x = v + d₁ε₁ + … + d_N ε_N,   ε_i ε_j = 0   ⇒   φ(x) = φ(v) + φ'(v)(d₁ε₁ + … + d_N ε_N)
//
// A function written as a template on its scalar T is evaluated once with T = Dual<double,N>,
// each argument y_i seeded with d_i = 1, and hands back its value and its gradient together:
//
//        y₁ = 3 │1 0          y₁·y₂ = 6 │ 2 3
//        y₂ = 2 │0 1   ──►      value ──┘ └── ∂/∂y₁ ∂/∂y₂
//
// Duals nest: Dual<Dual<double,1>,N> has second derivatives in its d[i].d[0]; that is how
// (Gᵀλ)_y and the terms of the acceleration constraints come from g alone.
//
// Where a function has no derivative, the result is the one-sided one. A constant stays constant:
//
//   √x, x^b with b < 1, asin, acos   slope ∞ at the end of their range; ∞ · 0 = 0
//   x^b at 0                         b x^(b−1): 0 for b > 1, 1 for b = 1; x^0 = 1, derivative 0
//   x^b with b not constant, at 0    0 for b > 0, the limit of x^b log x; a constant b needs no
//                                    log x, and x may be negative
//   √(x² + y²), hypot(x, y) at 0     0, the mean of the slopes −1 and 1 of the two sides

#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

namespace mechfmu {

// The same unqualified name serves doubles here and duals by argument-dependent lookup.
using std::abs;
using std::acos;
using std::asin;
using std::atan;
using std::atan2;
using std::cos;
using std::cosh;
using std::exp;
using std::hypot;
using std::isfinite;
using std::log;
using std::pow;
using std::sin;
using std::sinh;
using std::sqrt;
using std::tan;
using std::tanh;

template <class T, int N>
struct Dual;

/// The value of a scalar without derivatives, at any depth of nesting.
inline double value(double x) { return x; }
template <class T, int N>
double value(const Dual<T, N>& x) {
  return value(x.v);
}

/// a·b where zero times infinity is zero.
inline double steep_product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }
/// Whether x is zero and all its derivatives are zero.
inline bool is_zero(double x) { return x == 0; }

template <class T, int N>
struct Dual {
  T v{};        // value
  T d[N] = {};  // ∂v/∂(seed i)

  /// The depth of nesting: the order of the highest derivative.
  static constexpr int orders = [] {
    if constexpr (std::is_same_v<T, double>)
      return 1;
    else
      return T::orders + 1;
  }();

  Dual() = default;
  Dual(double value) : v(value) {}  // NOLINT(google-explicit-constructor): numbers are duals too

  /// The i-th independent variable at `value`.
  static Dual seed(const T& value, int i) {
    Dual x;
    x.v = value;
    x.d[i] = T(1.0);
    return x;
  }

  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
  Dual& operator/=(const Dual& b) { return *this = *this / b; }

  /// φ(a) by the chain rule, from φ(a.v) and φ'(a.v).
  static Dual chain(const Dual& a, const T& value, const T& slope) {
    Dual x;
    x.v = value;
    for (int i = 0; i < N; ++i) x.d[i] = slope * a.d[i];
    return x;
  }
  /// φ(a, b) by the chain rule, from its value and its two partial derivatives.
  static Dual chain(const Dual& a, const Dual& b, const T& value, const T& da, const T& db) {
    Dual x;
    x.v = value;
    for (int i = 0; i < N; ++i) x.d[i] = da * a.d[i] + db * b.d[i];
    return x;
  }

  /// φ(a) as above where φ'(a.v) may be infinite.
  static Dual steep_chain(const Dual& a, const T& value, const T& slope) {
    if (isfinite(slope)) return chain(a, value, slope);
    Dual x;
    x.v = value;
    for (int i = 0; i < N; ++i) x.d[i] = steep_product(slope, a.d[i]);
    return x;
  }

  friend Dual operator+(const Dual& a) { return a; }
  friend Dual operator-(const Dual& a) {
    Dual x;
    x.v = -a.v;
    for (int i = 0; i < N; ++i) x.d[i] = -a.d[i];
    return x;
  }
  friend Dual operator+(const Dual& a, const Dual& b) {
    Dual x;
    x.v = a.v + b.v;
    for (int i = 0; i < N; ++i) x.d[i] = a.d[i] + b.d[i];
    return x;
  }
  friend Dual operator-(const Dual& a, const Dual& b) {
    Dual x;
    x.v = a.v - b.v;
    for (int i = 0; i < N; ++i) x.d[i] = a.d[i] - b.d[i];
    return x;
  }
  friend Dual operator*(const Dual& a, const Dual& b) { return chain(a, b, a.v * b.v, b.v, a.v); }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const T inverse = T(1.0) / b.v;
    const T quotient = a.v * inverse;
    return chain(a, b, quotient, inverse, -quotient * inverse);
  }

  friend Dual operator+(Dual a, double b) {
    a.v = a.v + b;
    return a;
  }
  friend Dual operator+(double a, Dual b) {
    b.v = a + b.v;
    return b;
  }
  friend Dual operator-(Dual a, double b) {
    a.v = a.v - b;
    return a;
  }
  friend Dual operator-(double a, const Dual& b) { return -b + a; }
  friend Dual operator*(Dual a, double b) {
    a.v = a.v * b;
    for (int i = 0; i < N; ++i) a.d[i] = a.d[i] * b;
    return a;
  }
  friend Dual operator*(double a, const Dual& b) { return b * a; }
  friend Dual operator/(const Dual& a, double b) { return a * (1.0 / b); }
  friend Dual operator/(double a, const Dual& b) { return Dual(a) / b; }

  friend bool operator==(const Dual& a, const Dual& b) { return a.v == b.v; }
  friend bool operator!=(const Dual& a, const Dual& b) { return a.v != b.v; }
  friend bool operator<(const Dual& a, const Dual& b) { return a.v < b.v; }
  friend bool operator>(const Dual& a, const Dual& b) { return a.v > b.v; }
  friend bool operator<=(const Dual& a, const Dual& b) { return a.v <= b.v; }
  friend bool operator>=(const Dual& a, const Dual& b) { return a.v >= b.v; }

  friend Dual sin(const Dual& a) { return chain(a, sin(a.v), cos(a.v)); }
  friend Dual cos(const Dual& a) { return chain(a, cos(a.v), -sin(a.v)); }
  friend Dual tan(const Dual& a) {
    const T y = tan(a.v);
    return chain(a, y, T(1.0) + y * y);
  }
  friend Dual asin(const Dual& a) {
    return steep_chain(a, asin(a.v), T(1.0) / sqrt(T(1.0) - a.v * a.v));
  }
  friend Dual acos(const Dual& a) {
    return steep_chain(a, acos(a.v), T(-1.0) / sqrt(T(1.0) - a.v * a.v));
  }
  friend Dual atan(const Dual& a) { return chain(a, atan(a.v), T(1.0) / (T(1.0) + a.v * a.v)); }
  friend Dual atan2(const Dual& y, const Dual& x) {
    const T r2 = x.v * x.v + y.v * y.v;
    return chain(y, x, atan2(y.v, x.v), x.v / r2, -y.v / r2);
  }
  friend Dual exp(const Dual& a) {
    const T y = exp(a.v);
    return chain(a, y, y);
  }
  friend Dual log(const Dual& a) { return chain(a, log(a.v), T(1.0) / a.v); }
  friend Dual sqrt(const Dual& a) {
    const T y = sqrt(a.v);
    return steep_chain(a, y, value(y) == 0 ? T(0.5 * pow(a.v, -0.5)) : T(0.5) / y);
  }
  friend Dual sinh(const Dual& a) { return chain(a, sinh(a.v), cosh(a.v)); }
  friend Dual cosh(const Dual& a) { return chain(a, cosh(a.v), sinh(a.v)); }
  friend Dual tanh(const Dual& a) {
    const T y = tanh(a.v);
    return chain(a, y, T(1.0) - y * y);
  }
  friend Dual abs(const Dual& a) { return a.v < T(0.0) ? -a : a; }
  friend Dual hypot(const Dual& a, const Dual& b) {
    const T r = hypot(a.v, b.v);
    return value(r) == 0 ? Dual(0.0) : chain(a, b, r, a.v / r, b.v / r);
  }
  friend Dual pow(const Dual& a, double b) {
    return steep_chain(a, pow(a.v, b), b == 0 ? T(0.0) : T(b * pow(a.v, b - 1.0)));
  }
  friend Dual pow(const Dual& a, const Dual& b) {
    const T y = pow(a.v, b.v);
    const T by_a = is_zero(b.v) ? T(0.0) : T(steep_product(b.v, pow(a.v, b.v - T(1.0))));
    Dual x = steep_chain(a, y, by_a);
    bool constant = true;
    for (int i = 0; i < N; ++i) constant = constant && is_zero(b.d[i]);
    if (constant) return x;
    // x^b log x and its derivatives, as many as T has, vanish with x.
    const bool vanishes = value(a) == 0 && value(b) > orders - 1;
    const T by_b = vanishes ? T(0.0) : T(y * log(a.v));
    for (int i = 0; i < N; ++i) x.d[i] = x.d[i] + steep_product(by_b, b.d[i]);
    return x;
  }

  friend bool isfinite(const Dual& a) {
    bool finite = isfinite(a.v);
    for (int i = 0; i < N; ++i) finite = finite && isfinite(a.d[i]);
    return finite;
  }
  friend bool is_zero(const Dual& a) {
    bool zero = is_zero(a.v);
    for (int i = 0; i < N; ++i) zero = zero && is_zero(a.d[i]);
    return zero;
  }
  friend Dual steep_product(const Dual& a, const Dual& b) {
    Dual x;
    x.v = steep_product(a.v, b.v);
    for (int i = 0; i < N; ++i) x.d[i] = steep_product(a.v, b.d[i]) + steep_product(b.v, a.d[i]);
    return x;
  }
};

/// A number with its derivative along one change of all that it depends on.
using Along = Dual<double, 1>;
inline Along along(double value, double slope) {
  Along made(value);
  made.d[0] = slope;
  return made;
}

}  // namespace mechfmu
