// Inputs and parameters that have jumped since the last step.
//
// y, z and x go on continuously; a, μ and x' jump with them. A jump that is small is added to the memory of the method,
//
//   M Δa = Δf,   C Δa = 0,   d(x' + Δx', …, a + Δa, μ + Δμ) = 0,       a_α ← a_α + Δa,   x'_α ← x'_α + Δx',
//
// which neglects αh times the jumps of a' and x''. A larger one makes the memory anew (consistent.cpp).

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/norms.h"
#include "solver/tuning.h"
#include "solver/workspace.h"

namespace mechfmu {

namespace {

using limit = tuning::jump;

/// The jump in units of the tolerance: what it would add, as a whole, to the error estimate of a step.
double error_of(const Workspace& w, const State& s, In a, In xdot, double h) {
  const double y = w.c.error_bound() * h * h * rms(a, s.y_scale);
  const double x = w.c.state_error_bound() * h * rms(xdot, s.x_scale);
  return std::max(y, x) / w.options.tolerance;
}

/// Adds the jump to the memory of the method where it is `most` tolerances at most: one evaluation, and solves with the mass KKT
/// matrix there is, repeated where that is old, to `accuracy` of the jump. With states, a repetition is an evaluation, too.
/// False: nothing was done; the jump is larger, or more than f and d has changed.
[[nodiscard]] bool shift(Workspace& w, State& s, double h, double most, double accuracy) {
  const Sizes& size = w.system.sizes();
  Point& p = s.point;
  if (!s.kkt.valid || !s.kkt.mass || s.parameters_jumped) return false;
  apply_inputs(w, s, p.t);
  w.system.at(p);
  w.system.values(w.values);
  ++s.statistics.evaluations;
  if (!all_finite(w, w.values)) return false;
  const double off = largest(w.values.position, s.constraint_scale.head(size.m));
  if (off > tuning::projection::left_to_the_step) return false;  // an input moves a constraint
  w.system.mass(p.t, p.y, w.mass);
  Point& jump = w.jump;
  jump.a.setZero();
  jump.mu.setZero();
  jump.xdot.setZero();
  w.rhs.setZero();
  w.rhs.head(size.n) = w.values.f - s.f;
  w.rhs.tail(size.x) = -w.values.d;
  w.f_jumped = w.values.f;
  double previous = std::numeric_limits<double>::infinity();
  for (int iteration = 1;; ++iteration) {
    w.kkt->solve_mass(w.rhs);
    w.delta = w.rhs.head(size.n);
    jump.a += w.delta;
    jump.mu += w.rhs.segment(size.n, size.mu());
    jump.xdot += w.rhs.tail(size.x);
    const double whole = error_of(w, s, jump.a, jump.xdot, h);
    if (!(whole <= most)) return false;
    w.c_rate = p.mu + jump.mu;
    w.system.tilde(p.z, w.c_rate, w.f_difference, w.k_tilde);
    const double change = error_of(w, s, w.delta, w.rhs.tail(size.x), h);
    // A rate from another step is not trusted here: with short steps a fraction of the tolerance is a large acceleration.
    if (change <= limit::accuracy || change <= accuracy * whole) break;
    if (change > limit::stalled * previous || iteration == limit::iterations)
      return false;  // the matrix is too old
    previous = change;
    // What is left of the three equations
    w.system.multiply_mass(w.mass, jump.a, w.Mv);
    w.rhs.head(size.n) = w.f_jumped + w.f_difference - s.f - w.Mv;
    w.delta = p.a + jump.a;
    w.system.constraint_acceleration(p.a, w.rhs.segment(size.n, size.mu()));
    w.system.constraint_acceleration(w.delta, w.c_rate);
    w.rhs.segment(size.n, size.mu()) -= w.c_rate;
    if (size.x > 0) {
      w.probe = p;
      w.probe.a += jump.a;
      w.probe.mu += jump.mu;
      w.probe.xdot += jump.xdot;
      w.system.at(w.probe, Moved::accelerations);
      w.system.values(w.values);
      ++s.statistics.evaluations;
      if (!all_finite(w, w.values)) return false;
      w.rhs.tail(size.x) = -w.values.d;
      w.system.at(p, Moved::accelerations);
    }
  }
  p.a += jump.a;
  p.mu += jump.mu;
  p.xdot += jump.xdot;
  s.f = w.f_jumped + w.f_difference;
  s.history.a += jump.a;
  s.history.xd += jump.xdot;
  w.system.multiply_mass(w.mass, jump.a, w.Mv);
  s.history.Ma += w.Mv;
  shift_memory(s, jump);
  return true;
}

}  // namespace

bool treat_jump(Workspace& w, State& s, double span) {
  const auto anew = [&](bool with_slope) {
    return fresh_history(w, s, span, with_slope, history_accuracy(w, s, span));
  };
  switch (w.options.experiments.jump) {
    case JumpTreatment::treat:
      // A history that no step has followed, as at the start, is no loss.
      return (!s.history.fresh && shift(w, s, span, 1, limit::accuracy)) || anew(true);
    case JumpTreatment::always_shift:
      return shift(w, s, span, std::numeric_limits<double>::infinity(), exactly) || anew(true);
    case JumpTreatment::restart: return anew(false);
    case JumpTreatment::carry: break;
  }
  apply_inputs(w, s, s.point.t);
  w.system.at(s.point);
  w.system.values(w.values);
  ++s.statistics.evaluations;
  if (!all_finite(w, w.values)) return false;
  s.f = w.values.f;
  return true;
}

}  // namespace mechfmu
