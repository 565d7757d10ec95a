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

  template <int N>
  void derive(const Row& row, const BodyFacts& fi, const BodyFacts& fj, const BodyMotion& i,
              const BodyMotion& j) {
    using D = Dual<double, N>;
    const Pose<D> pi = seeded<D>(fi, i, 0);
    const Pose<D> pj = seeded<D>(fj, j, fi.n);
    D phi;
    Wrench<D> on_i;
    Wrench<D> on_j;
    evaluate_row<D>(row, pi, pj, phi, on_i, on_j);
    D all[12];
    components<D>(fi, pi.R, on_i, all);
    components<D>(fj, pj.R, on_j, all + fi.n);
    const int n = fi.n + fj.n;
    for (int r = 0; r < n; ++r) {
      B[r] = all[r].v;
      for (int c = 0; c < n; ++c) B_y[r][c] = all[r].d[c];
    }
  }

  void at_point(const Row& row, const std::vector<BodyFacts>& facts,
                const std::vector<BodyMotion>& now, In z) {
    const BodyFacts& fi = facts[static_cast<std::size_t>(row.i)];
    const BodyFacts& fj = facts[static_cast<std::size_t>(row.j)];
    body[0] = row.i;
    body[1] = row.j;
    first[1] = size[0] = fi.n;
    size[1] = fj.n;
    const BodyMotion& i = now[static_cast<std::size_t>(row.i)];
    const BodyMotion& j = now[static_cast<std::size_t>(row.j)];
    const int n = fi.n + fj.n;
    if (n <= 6)
      derive<6>(row, fi, fj, i, j);
    else
      derive<12>(row, fi, fj, i, j);
    double velocities[12];
    for (int k = 0; k < fi.n; ++k) velocities[k] = z[fi.z + k];
    for (int k = 0; k < fj.n; ++k) velocities[fi.n + k] = z[fj.z + k];
    rate = 0;
    for (int c = 0; c < n; ++c) {
      rate += B[c] * velocities[c];
      rate_y[c] = 0;
      for (int r = 0; r < n; ++r) rate_y[c] += velocities[r] * B_y[r][c];
    }
  }
};

}  // namespace mechfmu::mechanics
