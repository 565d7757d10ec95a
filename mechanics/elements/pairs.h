// Forces between two bodies by a function of their motion: contact (mechanics/wrench.h,
// contact.cpp).

#pragma once

#include "mechanics/elements/pool.h"

namespace mechfmu::mechanics {

inline const Moving<double>& moving(const BodyMotion& b) { return b; }

inline PairContext context_of(const Parts& q, std::size_t k) {
  return {q.now.p->t, q.g.pairs[k].vectors.data(), q.g.pairs[k].constants.data(), q.now.u};
}

/// The square of the distance of PairReach; for a plane the signed distance.
inline double beyond(const Parts& q, const ReachGeometry& r) {
  const Vec3 d = q.now.anchors[ix(r.b)] - q.now.anchors[ix(r.a)];
  if (r.kind == PairReach::Kind::ball) return d.squaredNorm();
  const double along = (q.now.bodies[ix(q.g.anchors[ix(r.a)].body)].R * r.e).dot(d);
  return r.kind == PairReach::Kind::plane ? along : d.squaredNorm() - along * along;
}
/// Whether the distance exceeds the reach by more than `more`.
inline bool farther(const Parts& q, const ReachGeometry& r, double more) {
  if (r.kind == PairReach::Kind::everywhere) return false;
  const double limit = r.reach + more;
  return beyond(q, r) > (r.kind == PairReach::Kind::plane ? limit : limit * limit);
}
/// Whether the bodies of pair k are so far apart that nothing acts.
inline bool far(const Parts& q, std::size_t k) { return farther(q, q.g.reaches[k], 0); }

/// The wrenches of pair k on its two bodies with these motions.
inline void wrenches(const Parts& q, std::size_t k, const Moving<double>& a,
                     const Moving<double>& b, Wrench<double>& on_a, Wrench<double>& on_b) {
  on_a = on_b = {Vec3::Zero(), Vec3::Zero()};
  if (far(q, k)) return;
  q.d.pairs[k].function.value(a, b, context_of(q, k), on_a, on_b);
}

}  // namespace mechfmu::mechanics
