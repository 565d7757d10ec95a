// Rotations of bodies in space as unit quaternions w x y z, turned by the exponential map:  q ← q ∘
// exp(φ/2).

#pragma once

#include <Eigen/Geometry>
#include <cmath>

#include "mechanics/number.h"

namespace mechfmu::mechanics {

inline Mat3 hat(const Vec3& v) {
  Mat3 m;
  m << 0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0;
  return m;
}

/// cos(|φ|/2) and sin(|φ|/2)/|φ|, from u = |φ|²/4: by their series where eight terms are exact.
inline void half_angle(double u, double& c, double& s) {
  if (u < 0.25) {
    constexpr int terms = 8;
    c = s = 0;
    for (int k = terms; k > 0; --k) {
      c = (1 + c) * -u / ((2 * k) * (2 * k - 1));
      s = (1 + s) * -u / ((2 * k + 1) * (2 * k));
    }
    c += 1;
    s = (1 + s) / 2;
    return;
  }
  const double half = std::sqrt(u);
  c = std::cos(half);
  s = std::sin(half) / (2 * half);
}

inline Mat3 matrix_of(const double* q) {
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
}

inline void put(const Eigen::Quaterniond& q, double* to) {
  to[0] = q.w();
  to[1] = q.x();
  to[2] = q.y();
  to[3] = q.z();
}

/// q1 = q0 ∘ exp(φ/2), normalized.
inline void turn(const double* q0, const Vec3& phi, double* q1) {
  double c = 0;
  double s = 0;
  half_angle(phi.squaredNorm() / 4, c, s);
  const Eigen::Quaterniond step(c, s * phi[0], s * phi[1], s * phi[2]);
  put((Eigen::Quaterniond(q0[0], q0[1], q0[2], q0[3]) * step).normalized(), q1);
}

/// Whether ∫ r rᵀ dm = ½ tr(J) − J is positive semidefinite, as for every real body.
inline bool realizable(const Mat3& J) {
  const Mat3 S = J.trace() / 2 * Mat3::Identity() - J;
  const double slack = 1e-9 * J.cwiseAbs().maxCoeff();
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    if (!(S(i, i) >= -slack) ||
        !(S(i, i) * S(j, j) - S(i, j) * S(i, j) >= -slack * slack - slack * (S(i, i) + S(j, j))))
      return false;
  }
  return S.determinant() >= -slack * (slack + S.trace()) * (slack + S.trace());
}

}  // namespace mechfmu::mechanics
