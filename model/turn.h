// The rotation that turns one direction into another by the shortest way.
//
//   q = (s/2, a × b/s),  s = |a + b|   for unit vectors a, b
//
// Eigen's Quaternion::FromTwoVectors computes the same, but finds the axis of a half turn by a
// singular value decomposition, whose templates take seconds to compile in every file.

#pragma once

#include <Eigen/Geometry>

namespace mechfmu {

/// Directions of any length above zero; if they are opposite, half a turn about any axis across.
inline Eigen::Quaterniond turn_between(const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
  const Eigen::Vector3d a = from.normalized(), b = to.normalized();
  const double s = (a + b).norm();
  Eigen::Quaterniond q(0, 0, 0, 0);
  if (s < 1e-8) {
    q.vec() = a.unitOrthogonal();
    return q;
  }
  q.w() = s / 2;
  q.vec() = a.cross(b) / s;
  return q.normalized();
}

}  // namespace mechfmu
