// Forces between two bodies by a function of their motion: contact (mechanics/wrench.h, contact.cpp).

#pragma once

#include "mechanics/elements/pool.h"

namespace mechfmu::mechanics {

inline Moving<double> moving(const BodyMotion& b) { return {b.r, b.R, b.v, b.w}; }

inline PairContext context_of(const Parts& q, std::size_t k) {
  return {q.now.p->t, q.g.pairs[k].vectors.data(), q.g.pairs[k].constants.data(), q.now.u};
}

/// What pair k does to its two bodies when they move like that.
inline void wrenches(const Parts& q, std::size_t k, const Moving<double>& a,
                     const Moving<double>& b, Wrench<double>& on_a, Wrench<double>& on_b) {
  on_a = on_b = {Vec3::Zero(), Vec3::Zero()};
  q.d.pairs[k].function.value(a, b, context_of(q, k), on_a, on_b);
}

}  // namespace mechfmu::mechanics
