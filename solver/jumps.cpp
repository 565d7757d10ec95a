// Jumps of inputs and parameters since the last step.
//
// y, z and x are continuous; a, μ, x' and their rates jump with the inputs. A jump that is not
// large is added to the memory of the method as a line,
//
//   M Δa = Δf,   C Δa = 0,   d(x' + Δx', …, a + Δa, μ + Δμ) = 0        the jump, until it converges
//   [M −f_μ 0; C 0 0; d_a d_μ d_x'] (Δa', Δμ', Δx'') =
//     (f_z Δa + f_x Δx'; −C_y Δa, of g three times; −d_z Δa − d_x Δx')   its rate
//   a(τ) ← a(τ) + Δa + (τ − t) Δa',   likewise x' and μ
//
// The rate uses the present derivatives and omits the change of M and f_μ with the motion. It is an
// estimate for the line, and decides whether a line suffices. If not, a fresh history is made
// (consistent.cpp). If the last jump whose rate was computed with these derivatives hardly changed
// within a step, a small jump is added as a constant.

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/no_allocation.h"
#include "solver/norms.h"
#include "solver/tuning.h"
#include "solver/workspace.h"

namespace mechfmu {

namespace {

using limit = tuning::jump;

/// The jump in units of the tolerance: its contribution to the error estimate of a step, if it were
/// added entirely.
double error_of(const Workspace& w, const State& s, In a, In xdot, double h) {
  const double y = w.c.error_bound() * h * h * rms(a, s.y_scale);
  const double x = w.c.state_error_bound() * h * counted_rms(xdot, s.x_scale);
  return std::max(y, x) / w.options.tolerance;
}

/// Largest jump and rate for a shift, in units of the tolerance.
struct Most {
  double jump, rate;
};
constexpr double any = std::numeric_limits<double>::infinity();

/// A matrix that has served for s steps and contracted by ρ contracts by (s + 1)/s ρ after the next
/// one.
void note_contraction(KktRecord& kkt, double contraction) {
  kkt.jump_aging = std::max(contraction, limit::best_contraction) / (kkt.served + 1);
}
/// Expected contraction of the iteration, before it begins; 1: unknown.
double contraction(const KktRecord& kkt) {
  return kkt.jump_aging < 0 ? 1 : std::min(1.0, limit::care * kkt.jump_aging * (kkt.served + 1));
}

/// Ratio of this jump to the last one, estimated from the jumps of the inputs; 0: not similar.
double times_the_last(const InputJump& jump) {
  double both = 0;
  double last = 0;
  for (Index i = 0; i < jump.u.size(); ++i) {
    const double now = jump.u[i];
    const double before = jump.last_u[i];
    if (now == 0 && before == 0) continue;
    // Inputs have different units: each has a weight by the similarity of its two jumps.
    const double weight = 1 / (now * now + before * before);
    both += weight * now * before;
    last += weight * before * before;
  }
  return last > 0 ? both / last : 0;
}

/// Adds the jump to the memory of the method: an evaluation and a solve with the present mass KKT
/// matrix, repeated until the remaining change is less than `accuracy` of the jump, or the fixed
/// number of times in real time. Jumps of sampled inputs are similar to the previous ones, which
/// the first evaluation assumes: one iteration then suffices. False: nothing was done; the jump is
/// larger, or affects more than f and d.
[[nodiscard]] bool shift(Workspace& w, State& s, double h, const Most& most, double accuracy) {
  const NoAllocation guard;
  const Sizes& size = w.system.sizes();
  Point& p = s.point;
  const int count = w.options.real_time;  // iterations; 0: until convergence
  if (count == 0 && (!s.kkt.valid || !s.kkt.mass || s.parameters_jumped)) return false;
  apply_inputs(w, s, p.t);
  w.system.mass(p.t, p.y, w.mass);
  // In real time parameters are treated like inputs, and may include masses.
  if (s.parameters_jumped) {
    w.system.multiply_mass(w.mass, p.a, s.f);
    w.system.multiply_mass(w.mass, s.history.a, s.history.Ma);
    w.system.multiply_mass(w.mass, s.history.da, s.history.dMa);
  }
  const double times = times_the_last(s.jump);
  w.jump = times * s.jump.last;
  const auto a = w.jump.head(size.n);
  const auto mu = w.jump.segment(size.n, size.mu());
  const auto xdot = w.jump.tail(size.x);
  w.probe = p;
  double previous = 0;
  for (int iteration = 1;; ++iteration) {
    // Residuals of the three equations. f is known at the multipliers assumed first, and so is its
    // change with them.
    if (iteration == 1 || size.x > 0) {
      w.probe.a = p.a + a;
      w.probe.mu = p.mu + mu;
      w.probe.xdot = p.xdot + xdot;
      w.system.at(w.probe, iteration == 1 ? Moved::anywhere : Moved::accelerations);
      w.system.values(w.values);
      ++s.statistics.evaluations;
      if (!all_finite(w, w.values)) return false;
      const double off = largest(w.values.position, s.constraint_scale.head(size.m));
      if (count == 0 && off > tuning::projection::left_to_the_step)
        return false;  // an input moves a constraint
      w.f_difference.setZero();
    } else {
      w.c_rate = p.mu + mu;
      w.system.tilde(p.z, w.c_rate, w.f_difference, w.k_tilde);
    }
    w.delta = a;
    w.system.multiply_mass(w.mass, w.delta, w.Mv);
    w.system.multiply_constraints(w.delta, w.c_rate);
    w.rhs.head(size.n) = w.values.f + w.f_difference - s.f - w.Mv;
    w.rhs.segment(size.n, size.mu()) = -w.c_rate;
    w.rhs.tail(size.x) = -w.values.d;
    w.kkt->solve_mass(w.rhs);
    w.jump += w.rhs;

    const double whole = error_of(w, s, a, xdot, h);
    if (!(whole <= most.jump)) return false;
    const double change = error_of(w, s, w.rhs.head(size.n), w.rhs.tail(size.x), h);
    const double rate = iteration > 1 ? change / previous : contraction(s.kkt);
    if (iteration > 1 && previous > 0) note_contraction(s.kkt, rate);
    if (count > 0 ? iteration == count
                  : change <= limit::accuracy || rate * change <= accuracy * whole)
      break;
    if (count == 0 && ((iteration > 1 && rate > limit::stalled) || iteration == limit::iterations))
      return false;  // the matrix is outdated
    previous = change;
  }

  const auto a_rate = w.rates.head(size.n);
  const auto xdot_rate = w.rates.tail(size.x);
  const double whole = error_of(w, s, a, xdot, h);
  const bool slow = count == 0 && whole <= limit::unrated && s.kkt.jump_rate >= 0 &&
                    h * s.kkt.jump_rate <= limit::slow;
  if (!slow) {
    w.rates.setZero();
    w.kkt->subtract_rates_of(w.jump, w.rates);
    if (s.kkt.newton)
      w.kkt->solve_newton(w.rates);
    else
      w.kkt->solve_mass(w.rates);
    const double rate = error_of(w, s, a_rate, xdot_rate, h);
    if (!(h * rate <= most.rate)) return false;
    if (whole > 0) s.kkt.jump_rate = rate / whole;
  }

  p.a += a;
  p.mu += mu;
  p.xdot += xdot;
  // The residual of the equations of motion counts as zero: Δf is M Δa.
  w.delta = a;
  w.system.multiply_mass(w.mass, w.delta, w.Mv);
  s.f += w.Mv;
  History& history = s.history;
  history.xd += xdot;
  history.a += a;
  history.Ma += w.Mv;
  if (!slow) {
    history.xd += history.offset * xdot_rate;
    history.dxd += history.span * xdot_rate;
    history.a += history.offset * a_rate;
    history.da += history.span * a_rate;
    w.delta = a_rate;
    w.system.multiply_mass(w.mass, w.delta, w.Mv);
    history.Ma += history.offset * w.Mv;
    history.dMa += history.span * w.Mv;
  }
  shift_memory(w, s, !slow);
  s.jump.last = w.jump;
  s.jump.last_u = s.jump.u;
  return true;
}

/// Real time: shifts the memory by a jump of any size. False: w.trouble.
[[nodiscard]] bool shift_at_once(Workspace& w, State& s, double h) {
  if (shift(w, s, h, {any, any}, 0)) return true;
  if (w.trouble.failure == Failure::none) w.trouble = {Failure::singular_matrix};
  return false;
}

}  // namespace

void apply_inputs(Workspace& w, const State& s, double t) {
  const InputSignal& in = s.input;
  if (in.constant) {
    w.system.set_inputs(in.value);
    return;
  }
  in.at(t, w.u);
  w.system.set_inputs(w.u);
}

bool treat_jump(Workspace& w, State& s, double h, double span) {
  const auto anew = [&](bool with_slope) {
    return fresh_history(w, s, span, with_slope, history_accuracy(w, s, span));
  };
  const JumpTreatment treatment = w.options.experiments.jump;
  if (w.options.real_time > 0 && treatment != JumpTreatment::carry)
    return ensure_mass(w, s, s.point) && shift_at_once(w, s, h);
  // Fixed steps may have errors of many tolerances: a jump is small if it adds no more than that.
  const double step_error = std::max(1.0, s.error);
  switch (treatment) {
    case JumpTreatment::treat:
      // A history without a following step, as after initialization, can be replaced without loss.
      return (!s.history.fresh &&
              shift(w, s, h, {limit::largest * step_error, step_error}, limit::accuracy)) ||
             anew(true);
    case JumpTreatment::always_shift: return shift(w, s, h, {any, any}, exactly) || anew(true);
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
