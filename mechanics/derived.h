// A row with its derivatives with respect to the velocities of its two bodies.
//
// A velocity moves a body along an axis of the world, or turns it about one of the axes of its
// frame. Velocities that turn the frame also change the directions of the rotations
// (Freedom::turning). With poses of duals the template of rows.h gives everything. Rows of joints
// in space, springs and bushings are differentiated by hand, by rotations δ_i, δ_j of the bodies:
//
//   alignment      B_j = (0, b × a)    (δ_j × b) × a = b (δ_j·a) − δ_j (a·b)
//                                      b × (δ_i × a) = δ_i (a·b) − a (δ_i·b)
//   displacement   B_j = (n, s × n)    δn = δ_i × n,   δs = δ_j × s
//   angle          B_j = (0, m(a, c, b))    δm = δ_i × m + m_b ((δ_j − δ_i) × b)

#pragma once

#include <vector>

#include "mechanics/bodies/pool.h"
#include "mechanics/instant.h"
#include "mechanics/rows.h"

namespace mechfmu::mechanics {

/// A pose whose derivative `first` + k is the one with respect to the body's k-th velocity.
template <class D>
Pose<D> seeded(const Freedom& freedom, const BodyMotion& now, const Mat3& axes, int first) {
  Pose<D> pose;
  for (int r = 0; r < 3; ++r) {
    pose.r[r] = D(now.r[r]);
    for (int c = 0; c < 3; ++c) pose.R(r, c) = D(now.R(r, c));
  }
  for (int k = 0; k < freedom.translations; ++k) pose.r[k].d[first + k] = 1;
  for (int k = 0; k < freedom.rotations; ++k)
    for (int c = 0; c < 3; ++c) {
      const Vec3 change = Vec3(axes.col(k)).cross(Vec3(now.R.col(c)));
      for (int r = 0; r < 3; ++r) pose.R(r, c).d[first + freedom.translations + k] = change[r];
    }
  return pose;
}

/// The axes of the body's rotations, likewise.
template <class D>
Mat<D, 3> seeded_axes(const Freedom& freedom, const Mat3& axes, int first) {
  Mat<D, 3> seeded;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) seeded(r, c) = D(axes(r, c));
  for (int k = 0; k < freedom.turning; ++k)
    for (int c = 0; c < freedom.rotations; ++c) {
      const Vec3 change = Vec3(axes.col(k)).cross(Vec3(axes.col(c)));
      for (int r = 0; r < 3; ++r) seeded(r, c).d[first + freedom.translations + k] = change[r];
    }
  return seeded;
}

/// The components of a wrench that act on the body's velocities.
template <class T>
void components(const Freedom& freedom, const Mat<T, 3>& axes, const Wrench<T>& w, T* out) {
  for (int k = 0; k < freedom.translations; ++k) out[k] = w.force[k];
  for (int k = 0; k < freedom.rotations; ++k)
    out[freedom.translations + k] =
        axes(0, k) * w.moment[0] + axes(1, k) * w.moment[1] + axes(2, k) * w.moment[2];
}

/// B and its derivatives at the instant, whose bodies have moved and whose axes are known. Also
/// writes φ, B and the rate to `motion`; φ without whole turns.
void derive(const Row& row, const std::vector<BodyPlace>& places, const Instant& now, Derived& d,
            RowMotion& motion);

}  // namespace mechfmu::mechanics
