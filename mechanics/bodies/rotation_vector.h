// Rotation vectors χ and how they change:  E = exp(χ̂),  E' = E ν̂ = φ̂ E.
//
//   χ' = Jᵣ⁻¹ν = Jₗ⁻¹φ,   Jₗ⁻¹ = 1 − ½χ̂ + k χ̂²,   Jᵣ⁻¹ = 1 + ½χ̂ + k χ̂²
//   k = (1 − (x/2)cot(x/2))/x²,   x = |χ| < 2π

#pragma once

#include <cmath>

#include "mechanics/bodies/rotation.h"
#include "mechanics/rows.h"
#include "model/dual.h"

namespace mechfmu::mechanics {

/// k and dk/d(x²) of s = x²: by the series Σ |B₂ₙ₊₂| sⁿ/(2n+2)! where eight terms are exact.
template <class T>
void rotation_coefficients(const T& s, T& k, T& k_s) {
  if (value(s) < 0.25) {
    constexpr double c[] = {1.0 / 12,          1.0 / 720,
                            1.0 / 30240,       1.0 / 1209600,
                            1.0 / 47900160,    691.0 / 1307674368000,
                            1.0 / 74724249600, 3617.0 / 10670622842880000};
    k = T(0.0);
    k_s = T(0.0);
    for (int n = 7; n >= 0; --n) {
      k = k * s + c[n];
      if (n > 0) k_s = k_s * s + n * c[n];
    }
    return;
  }
  const T x = sqrt(s);
  const T sine = sin(x * 0.5);
  const T cotangent = cos(x * 0.5) / sine;
  k = (T(1.0) - x * 0.5 * cotangent) / s;
  k_s = (T(1.0) / (sine * sine * 8.0) + cotangent / (x * 4.0) - T(1.0) / s) / s;
}

/// Jₗ⁻¹(χ) and Jᵣ⁻¹(χ) = Jₗ⁻¹(χ)ᵀ times vectors, and how the products change with χ.
template <class T>
class RotationRate {
 public:
  using V = Vec<T, 3>;
  explicit RotationRate(const V& chi) : chi_(chi) {
    rotation_coefficients<T>(dot<T>(chi, chi), k_, k_s_);
  }
  V left(const V& v) const { return times(v, -0.5); }
  V right(const V& v) const { return times(v, 0.5); }
  /// (Jₗ⁻¹v)_χ δ and (Jᵣ⁻¹v)_χ δ.
  V left_change(const V& v, const V& delta) const { return change(v, delta, -0.5); }
  V right_change(const V& v, const V& delta) const { return change(v, delta, 0.5); }

 private:
  V times(const V& v, double half) const {
    const V c = cross<T>(chi_, v);
    return v + c * T(half) + cross<T>(chi_, c) * k_;
  }
  V change(const V& v, const V& delta, double half) const {
    const V c = cross<T>(chi_, v);
    const V d = cross<T>(delta, v);
    return d * T(half) + (cross<T>(delta, c) + cross<T>(chi_, d)) * k_ +
           cross<T>(chi_, c) * (k_s_ * dot<T>(chi_, delta) * 2.0);
  }

  V chi_;
  T k_{}, k_s_{};
};

/// χ of a rotation E, |χ| ≤ π.
inline Vec3 rotation_vector(const Mat3& E) {
  const Eigen::Quaterniond q(E);
  const Vec3 v = q.w() < 0 ? Vec3(-q.vec()) : Vec3(q.vec());
  const double sine = v.norm();
  const double w = std::abs(q.w());
  return v * (sine < 1e-8 ? 2 / w : 2 * std::atan2(sine, w) / sine);
}
/// … that carries derivatives: δχ = Jᵣ⁻¹ ν,  ν̂ = Eᵀ δE
inline Vec<Along, 3> rotation_vector(const Mat<Along, 3>& E) {
  Mat3 at;
  Mat3 slope;
  for (int i = 0; i < 9; ++i) {
    at(i) = E(i).v;
    slope(i) = E(i).d[0];
  }
  const Mat3 turn = at.transpose() * slope;
  const Vec3 chi = rotation_vector(at);
  const Vec3 d = RotationRate<double>(chi).right({turn(2, 1), turn(0, 2), turn(1, 0)});
  return {along(chi[0], d[0]), along(chi[1], d[1]), along(chi[2], d[2])};
}

}  // namespace mechfmu::mechanics
