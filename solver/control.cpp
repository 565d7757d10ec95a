// Step-size control: as many steps as the tolerance requires, ending exactly at the requested time.
//
//   accept when e ≤ 1, e = error/tolerance;   h_new = 0.9 h e^(−1/3)      Negrut et al. (34)–(38)
//
// within [0.2 h, 2 h]: growth beyond 2 would leave the stability range of (15). A step that could
// grow by less than a fifth keeps its size, so that the Newton matrix can be kept. The rest of the
// interval is divided evenly, which avoids a tiny last step. Failures shrink the step. A failure at
// h_min is reported, and the state is the last accepted one.

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/cube_root.h"
#include "solver/norms.h"
#include "solver/solver.h"
#include "solver/tuning.h"
#include "solver/workspace.h"

namespace mechfmu {

using limit = tuning::control;

double first_step(const Workspace& w, const State& s, double interval) {
  const double tolerance = w.options.tolerance;
  const double C = w.c.error_bound();
  const double jerk = rms(s.history.da, s.y_scale) / s.history.span;
  const double acceleration = rms(s.point.a, s.y_scale);
  const double speed = rms(s.point.z, s.y_scale);
  const double x_rate = counted_rms(s.point.xdot, s.x_scale);
  double h = interval;
  if (jerk > 0) h = std::min(h, limit::safety * cube_root(tolerance / (C * jerk)));
  if (acceleration > 0)
    h = std::min(h, std::sqrt(2 * cube_root(tolerance * tolerance) / acceleration));
  if (speed > 0) h = std::min(h, cube_root(tolerance) / speed);
  if (x_rate > 0) h = std::min(h, cube_root(tolerance) / x_rate);
  return h;
}

namespace {

double resolution(double a, double b) {
  return limit::roundoffs_of_time * tuning::epsilon * std::max(std::abs(a), std::abs(b));
}

/// Step proposed after an accepted step that was tried with h while the controller wanted `wanted`.
double next_step(const State& s, double h, double wanted) {
  const double ideal = s.error > 0 ? limit::safety * h / cube_root(s.error)
                                   : std::numeric_limits<double>::infinity();
  // A step shortened by the end time gives little information about the affordable size.
  if (h < limit::cut * wanted)
    return std::min(wanted, std::max(ideal, limit::most_shrinkage * wanted));
  const double base = std::max(h, wanted);
  if (ideal < h) return std::max(ideal, limit::most_shrinkage * h);
  if (s.after_rejection || ideal < limit::dead_band * base) return base;
  return std::min(ideal, limit::most_growth * base);
}

void count_rejection(State& s, const Trouble& trouble) {
  switch (trouble.failure) {
    case Failure::singular_matrix: ++s.statistics.rejected_singular; break;
    case Failure::non_finite: ++s.statistics.rejected_non_finite; break;
    default: ++s.statistics.rejected_newton; break;
  }
}

Result fail(const Workspace& w, const State& s, const Trouble& trouble) {
  return {trouble.failure, s.point.t, describe(w, s, trouble)};
}

}  // namespace

Result Solver::step(State& s, double h) {
  Workspace& w = *work_;
  restore_matrices(w, s);
  apply_inputs(w, s, s.point.t);
  w.trouble = {};
  if (prepare_history(w, s, h, h, false) && try_step(w, s, h, s.point.t + h)) {
    accept(w, s, true);
    return {Failure::none, s.point.t, {}};
  }
  count_rejection(s, w.trouble);
  return fail(w, s, w.trouble);
}

Result Solver::advance(State& s, double t_end, StepObserver* observer) {
  Workspace& w = *work_;
  const Options& o = *options_;
  const bool real_time = o.real_time > 0;  // one step, one attempt
  const bool fixed = o.fixed_step > 0 || real_time;
  const long most = most_substeps(o, w.system.sizes());
  restore_matrices(w, s);
  apply_inputs(w, s, s.point.t);
  w.trouble = {};

  // An interval below the resolution of time is not a step.
  const double unit = std::max(limit::least_interval, resolution(s.point.t, t_end));
  if (std::abs(t_end - s.point.t) <= unit) s.point.t = t_end;

  for (long taken = 0; t_end - s.point.t > resolution(s.point.t, t_end);) {
    const double rest = t_end - s.point.t;
    if (s.h <= 0) s.h = o.h_init > 0 ? o.h_init : first_step(w, s, rest);
    double wanted = std::min(fixed ? std::min(o.fixed_step, rest) : s.h, o.h_max);
    if (real_time) wanted = rest;

    // Try and shrink until a step succeeds. After a few failures a fresh history is made.
    for (int failures = 0;; ++failures) {
      if (taken++ >= most) return fail(w, s, {Failure::too_many_steps});
      const double slack = fixed ? limit::fixed_stretch : limit::stretch;
      const double pieces = std::max(1.0, std::ceil(rest / (wanted * slack)));
      const bool last = pieces == 1;
      const double t1 = last ? t_end : s.point.t + rest / pieces;
      // At large t, time is coarse: the step is the difference of two representable times.
      double h = rest / pieces;
      if (std::abs(t1 - s.point.t - h) > limit::coarse_time * h) h = t1 - s.point.t;
      if (observer != nullptr) observer->trying(s, t1);

      const bool suspicious = failures == limit::suspicious_failures;
      const bool solved = prepare_history(w, s, h, wanted, suspicious) && try_step(w, s, h, t1);
      if (solved && (fixed || w.error <= 1)) {
        accept(w, s, h < wanted || last);
        if (!fixed) s.h = next_step(s, h, wanted);
        s.after_rejection = false;
        if (observer != nullptr && !observer->accepted(s)) return {Failure::none, s.point.t, {}};
        break;
      }
      s.after_rejection = true;
      double factor = limit::after_failure;
      if (solved) {
        ++s.statistics.rejected_error;
        factor = std::max(limit::most_shrinkage, limit::safety / cube_root(w.error));
      } else {
        count_rejection(s, w.trouble);
      }
      // A smaller step would only come closer to the point of contradiction.
      if (!solved && (real_time || w.trouble.failure == Failure::contradiction))
        return fail(w, s, w.trouble);
      wanted = h * factor;
      if (!fixed) s.h = wanted;
      if (wanted < std::max(o.h_min, resolution(s.point.t, t_end))) {
        if (solved) w.trouble = {Failure::step_too_small};
        return fail(w, s, w.trouble);
      }
    }
  }
  return {Failure::none, s.point.t, {}};
}

}  // namespace mechfmu
