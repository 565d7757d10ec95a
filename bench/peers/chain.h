// The planar chain of the comparison of solvers: n uniform rods, hinged end to end.
//
//   (0,0) ●━━━━━○━━━━━○━━━━━○━━━━━      rod i: from joint i to joint i+1, angle θ_i to the x axis
//         joint 0     2     3            at rest on the x axis at t = 0, gravity along −y
//
// With u = (cos θ, sin θ) along a rod, n = (−sin θ, cos θ) across it, ω = θ' and F_i the force that
// joint i exerts on rod i (and −F_i on rod i−1), the Newton-Euler equations of the centre c and the
// angle are
//
//   m c_i'' = F_i − F_{i+1} + m g,      J θ_i'' = −(l/2) n_i·(F_i + F_{i+1}),      F_n = 0.
//
// The two ends at joint i have the same acceleration. With A = I/m + κ n nᵀ, B = I/m − κ n nᵀ,
// κ = l²/(4J), for i > 0 and for i = 0:
//
//   −B_{i−1} F_{i−1} + (A_{i−1} + A_i) F_i − B_i F_{i+1} = −(l/2) (u_{i−1} ω²_{i−1} + u_i ω²_i),
//                               A_0 F_0 − B_0 F_1       = −g − (l/2) u_0 ω²_0.
//
// This is symmetric, positive definite and block tridiagonal: accelerations cost O(n).

#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace mechfmu::bench::peers {

constexpr double mass = 1;                               // m [kg]
constexpr double length = 1;                             // l [m]
constexpr double inertia = mass * length * length / 12;  // J about the centre [kg m²]
constexpr double gravity = 9.81;                         // |g|, along −y [m/s²]

template <class T>
struct Vec2 {
  T x{}, y{};

  friend Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
  friend Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
  friend Vec2 operator*(T s, Vec2 a) { return {s * a.x, s * a.y}; }
  friend T dot(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }
};

/// Symmetric 2×2 matrix.
template <class T>
struct Sym2 {
  T xx{}, xy{}, yy{};

  friend Sym2 operator+(Sym2 a, Sym2 b) { return {a.xx + b.xx, a.xy + b.xy, a.yy + b.yy}; }
  friend Sym2 operator-(Sym2 a, Sym2 b) { return {a.xx - b.xx, a.xy - b.xy, a.yy - b.yy}; }
  friend Vec2<T> operator*(Sym2 a, Vec2<T> v) {
    return {a.xx * v.x + a.xy * v.y, a.xy * v.x + a.yy * v.y};
  }
};

template <class T>
Sym2<T> inverse(Sym2<T> a) {
  const T d = a.xx * a.yy - a.xy * a.xy;
  return {a.yy / d, -a.xy / d, a.xx / d};
}

/// B P B for symmetric B and P.
template <class T>
Sym2<T> sandwich(Sym2<T> B, Sym2<T> P) {
  const Vec2<T> first = B * (P * Vec2<T>{B.xx, B.xy});
  const Vec2<T> second = B * (P * Vec2<T>{B.xy, B.yy});
  return {first.x, first.y, second.y};
}

template <class T>
Vec2<T> along(T theta) {
  using std::cos, std::sin;
  return {cos(theta), sin(theta)};
}

/// Forces in the joints and accelerations of the rods; its vectors are the workspace of `solve`.
template <class T>
class Accelerations {
 public:
  explicit Accelerations(std::size_t n) : u_(n), pivot_(n), F(n + 1), alpha(n) {}

  /// From the angles θ and their rates ω, both of size n.
  void solve(const T* theta, const T* omega) {
    const std::size_t n = alpha.size();
    constexpr T half = T(length) / 2;
    constexpr T kappa = T(length) * T(length) / (4 * T(inertia));
    const auto across = [&](std::size_t i) { return Vec2<T>{-u_[i].y, u_[i].x}; };
    const auto A = [&](std::size_t i) { return plus(kappa, across(i)); };
    const auto B = [&](std::size_t i) { return plus(-kappa, across(i)); };
    const auto pull = [&](std::size_t i) { return (half * omega[i] * omega[i]) * u_[i]; };

    // Block elimination from the pin to the free end: (pivot_i)⁻¹ = D_i − B_{i−1} pivot_{i−1}
    // B_{i−1}
    for (std::size_t i = 0; i < n; ++i) {
      u_[i] = along(theta[i]);
      if (i == 0) {
        pivot_[0] = inverse(A(0));
        F[0] = Vec2<T>{0, T(gravity)} - pull(0);
      } else {
        pivot_[i] = inverse(A(i - 1) + A(i) - sandwich(B(i - 1), pivot_[i - 1]));
        F[i] = B(i - 1) * (pivot_[i - 1] * F[i - 1]) - (pull(i - 1) + pull(i));
      }
    }
    F[n] = {};
    for (std::size_t i = n; i-- > 0;) F[i] = pivot_[i] * (F[i] + B(i) * F[i + 1]);
    for (std::size_t i = 0; i < n; ++i)
      alpha[i] = -half / T(inertia) * dot(across(i), F[i] + F[i + 1]);
  }

 private:
  static Sym2<T> plus(T kappa, Vec2<T> n) {
    constexpr T w = 1 / T(mass);
    return {w + kappa * n.x * n.x, kappa * n.x * n.y, w + kappa * n.y * n.y};
  }

  std::vector<Vec2<T>> u_;      // u_i
  std::vector<Sym2<T>> pivot_;  // inverses of the eliminated diagonal blocks

 public:
  std::vector<Vec2<T>> F;  // force of joint i on rod i; F[n] = 0
  std::vector<T> alpha;    // θ_i''
};

}  // namespace mechfmu::bench::peers
