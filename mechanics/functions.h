// The functions of mechanism files that <cmath> does not have, on doubles and duals alike. The
// interpreter of expressions and the C++ made from expressions use them.
//
//   step(x, x₀, y₀, x₁, y₁) = y₀ + (y₁ − y₀) ξ²(3 − 2ξ)   C¹; ξ = (x − x₀)/(x₁ − x₀) within 0 … 1
//   smooth_abs(x, w)    = √(x² + w²)                      above |x|: by w at 0, elsewhere by less
//                                                         than w²/2|x|
//   smooth_max(a, b, w) = (a + b + √((a − b)² + w²))/2    above the larger, by w/2 where a = b
//   smooth_min(a, b, w) = (a + b − √((a − b)² + w²))/2    below the smaller
//
// The width w > 0 has the unit of the values. Arguments may be of different scalars, as in
// minimum(dual, 0.0).

#pragma once

#include <cmath>
#include <concepts>
#include <utility>

#include "model/dual_number.h"

namespace mechfmu::functions {

/// Three numbers with the operators of a vector.
template <class T>
struct Vector3 {
  T x{}, y{}, z{};

  Vector3() = default;
  Vector3(T x_, T y_, T z_) : x(std::move(x_)), y(std::move(y_)), z(std::move(z_)) {}
  template <class U>
  requires(!std::same_as<T, U> && std::convertible_to<U, T>) Vector3(const Vector3<U>& v)
      : x(v.x), y(v.y), z(v.z) {}  // NOLINT(google-explicit-constructor)
};

template <class A, class B, class C>
auto vec(const A& x, const B& y, const C& z) {
  using T = decltype(x + y + z);
  return Vector3<T>(T(x), T(y), T(z));
}
template <class A>
Vector3<A> operator-(const Vector3<A>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class A, class B>
auto operator+(const Vector3<A>& a, const Vector3<B>& b) {
  return vec(a.x + b.x, a.y + b.y, a.z + b.z);
}
template <class A, class B>
auto operator-(const Vector3<A>& a, const Vector3<B>& b) {
  return vec(a.x - b.x, a.y - b.y, a.z - b.z);
}
template <class A, class B>
auto operator*(const A& a, const Vector3<B>& b) {
  return vec(a * b.x, a * b.y, a * b.z);
}
template <class A, class B>
auto operator*(const Vector3<A>& a, const B& b) {
  return vec(a.x * b, a.y * b, a.z * b);
}
template <class A, class B>
auto operator/(const Vector3<A>& a, const B& b) {
  return vec(a.x / b, a.y / b, a.z / b);
}
template <class A, class B>
auto dot(const Vector3<A>& a, const Vector3<B>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class A, class B>
auto cross(const Vector3<A>& a, const Vector3<B>& b) {
  return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
/// The root of a sum of squares. Its derivative at 0 is set to 0, so that |v| v is right there.
template <class A>
A root_of_squares(const A& sum) {
  return value(sum) > 0 ? A(sqrt(sum)) : A(0.0);
}
template <class A>
A norm(const Vector3<A>& a) {
  return root_of_squares(dot(a, a));
}

/// −1, 0 or 1; its derivative is 0.
template <class T>
T sign(const T& x) {
  return T(static_cast<double>(value(x) > 0) - static_cast<double>(value(x) < 0));
}

using std::floor;
/// Its derivative is 0.
template <class T, int N>
Dual<T, N> floor(const Dual<T, N>& x) {
  return std::floor(value(x));
}

/// A number as a condition.
template <class T>
bool holds(const T& x) {
  return value(x) != 0;
}

/// One of two numbers; both are already computed.
template <class A, class B>
auto pick(bool condition, const A& yes, const B& no) {
  using T = decltype(yes + no);
  return condition ? T(yes) : T(no);
}
inline bool pick(bool condition, bool yes, bool no) { return condition ? yes : no; }

template <class A, class B>
auto minimum(const A& a, const B& b) {
  using T = decltype(a + b);
  return b < a ? T(b) : T(a);
}
template <class A, class B, class... C>
auto minimum(const A& a, const B& b, const C&... c) {
  return minimum(minimum(a, b), c...);
}
template <class A, class B>
auto maximum(const A& a, const B& b) {
  using T = decltype(a + b);
  return a < b ? T(b) : T(a);
}
template <class A, class B, class... C>
auto maximum(const A& a, const B& b, const C&... c) {
  return maximum(maximum(a, b), c...);
}

/// Whether a scalar has a derivative that is not 0.
inline bool varies(double /*x*/) { return false; }
template <class T, int N>
bool varies(const Dual<T, N>& x) {
  if (varies(x.v)) return true;
  for (const T& d : x.d)
    if (value(d) != 0 || varies(d)) return true;
  return false;
}

/// xⁿ by multiplication: all derivatives are right also at x = 0.
template <class T>
T whole_power(const T& x, int n) {
  if (n < 0) return T(1.0) / whole_power(x, -n);
  T power(1.0);
  T square = x;
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) power = power * square;
    if (n > 1) square = square * square;
  }
  return power;
}

/// aᵇ. The base may be negative where the exponent is a whole number that does not vary.
template <class A>
A power(const A& a, double b) {
  constexpr double largest = 16;
  if (b == std::floor(b) && std::abs(b) <= largest) return whole_power(a, static_cast<int>(b));
  return pow(a, b);
}
template <class A, class T, int N>
Dual<T, N> power(const A& a, const Dual<T, N>& b) {
  const Dual<T, N> base(a);
  return varies(b) ? pow(base, b) : power(base, value(b));
}

template <class X, class A, class B, class C, class D>
auto step(const X& x, const A& x0, const B& y0, const C& x1, const D& y1) {
  using T = decltype(x + x0 + y0 + x1 + y1);
  const bool up = value(x1) >= value(x0);
  if (up ? value(x) >= value(x1) : value(x) <= value(x1)) return T(y1);
  if (up ? value(x) <= value(x0) : value(x) >= value(x0)) return T(y0);
  const T xi = (T(x) - x0) / (T(x1) - x0);
  return T((T(y1) - y0) * xi * xi * (3.0 - 2.0 * xi) + y0);
}

template <class X, class W>
auto smooth_abs(const X& x, const W& width) {
  return sqrt(x * x + width * width);
}
template <class A, class B, class W>
auto smooth_max(const A& a, const B& b, const W& width) {
  return (a + b + smooth_abs(a - b, width)) * 0.5;
}
template <class A, class B, class W>
auto smooth_min(const A& a, const B& b, const W& width) {
  return (a + b - smooth_abs(a - b, width)) * 0.5;
}

}  // namespace mechfmu::functions
