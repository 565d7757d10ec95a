// A row with its derivatives by the velocities of its two bodies.
//
// Rotations are varied in body axes, R ← R exp(φ), so that the columns belong to z.

#pragma once

#include <vector>

#include "mechanics/facts.h"
#include "mechanics/rows.h"

namespace mechfmu::mechanics {

/// A pose whose derivative `first` + k is that by the body's k-th velocity coordinate.
template <class D>
Pose<D> seeded(const BodyFacts& facts, const BodyMotion& now, int first) {
  Pose<D> pose;
  for (int r = 0; r < 3; ++r) {
    pose.r[r] = D(now.r[r]);
    for (int c = 0; c < 3; ++c) pose.R(r, c) = D(now.R(r, c));
  }
  if (facts.n == 0) return pose;
  const bool flat = facts.type == BodyType::planar || facts.type == BodyType::planar_point;
  for (int r = 0; r < (flat ? 2 : 3); ++r) pose.r[r].d[first + r] = 1;
  const auto rotate = [&](int seed, const Vec3& axis) {  // δR = axis × R, in world axes
    for (int c = 0; c < 3; ++c) {
      const Vec3 change = axis.cross(Vec3(now.R.col(c)));
      for (int r = 0; r < 3; ++r) pose.R(r, c).d[seed] = change[r];
    }
  };
  if (facts.type == BodyType::planar) rotate(first + 2, Vec3::UnitZ());
  if (facts.type == BodyType::spatial)
    for (int k = 0; k < 3; ++k) rotate(first + 3 + k, now.R.col(k));
  return pose;
}

/// The components of a wrench that act on the body's velocities.
template <class T>
void components(const BodyFacts& facts, const Mat<T, 3>& R, const Wrench<T>& w, T* out) {
  if (facts.n == 0) return;
  out[0] = w.force[0];
  out[1] = w.force[1];
  switch (facts.type) {
    case BodyType::spatial:
      out[2] = w.force[2];
      for (int k = 0; k < 3; ++k)
        out[3 + k] = R(0, k) * w.moment[0] + R(1, k) * w.moment[1] + R(2, k) * w.moment[2];
      break;
    case BodyType::planar: out[2] = w.moment[2]; break;
    case BodyType::point: out[2] = w.force[2]; break;
    case BodyType::planar_point: break;
  }
}

/// A row with its derivatives: components by the velocities of i, then those of j.
struct Derived {
  int body[2] = {0, 0};   // i, j
  int first[2] = {0, 0};  // of their components
  int size[2] = {0, 0};
  double B[12] = {};
  double B_y[12][12] = {};
  double rate_y[12] = {};  // (B z)_y
  double rate = 0;

  void at_point(const Row& row, const std::vector<BodyFacts>& facts,
                const std::vector<BodyMotion>& now, In z);

 private:
  template <int N>
  void derive(const Row& row, const BodyFacts& fi, const BodyFacts& fj, const BodyMotion& i,
              const BodyMotion& j);
};

}  // namespace mechfmu::mechanics
