// Accelerations, multipliers and rates at given positions and velocities, and their change.
//
//   R(a, μ, x') = ( M a − f(t,y,z,μ,x);  d²g/dt², dk/dt with a;  d(x',x,y,z,a,μ,t) ) = 0
//
// is solved by Newton's method with the mass KKT matrix. Along the motion
// y(s) = y ⊕ (s z + s²/2 a), z(s) = z + s a, x(s) = x + s x', the rates a', μ', x'' satisfy
// dR/ds = 0 at s = 0. With both, a_α = a₀ + αh a₀' starts the method with order 2 without any
// history: at t = 0, after a jump of the inputs, and if a step is too large for (15).

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/differences.h"
#include "solver/norms.h"
#include "solver/tuning.h"
#include "solver/workspace.h"

namespace mechfmu {

namespace {

using limit = tuning::consistent;

/// Computes R at p, into r; f, g, k and M at p are then in w.values and w.mass.
[[nodiscard]] bool consistency(Workspace& w, State& s, const Point& p, Vector& r,
                               Moved how = Moved::anywhere) {
  const Sizes& size = w.system.sizes();
  w.system.at(p, how);
  w.system.values(w.values);
  ++s.statistics.evaluations;
  if (!all_finite(w, w.values)) return false;
  w.system.mass(p.t, p.y, w.mass);
  w.system.multiply_mass(w.mass, p.a, w.Mv);
  w.system.constraint_acceleration(p.a, w.c_rate);
  r.head(size.n) = w.Mv - w.values.f;
  r.segment(size.n, size.mu()) = w.c_rate;
  r.tail(size.x) = w.values.d;
  if (r.allFinite()) return true;
  w.trouble = {Failure::non_finite, "M or a second derivative of g", -1};
  return false;
}

/// Whether the residual of M a − f is roundoff of the reactions in f. Both are measured by their
/// work when coordinates move by their scales, because the unit of a multiplier is that of its row,
/// which a user may choose.
bool forces_balance(const Workspace& w, const State& s, const Point& p) {
  const auto work = [](In force, In way) {
    return force.size() == 0 ? 0 : force.cwiseProduct(way).cwiseAbs().maxCoeff();
  };
  const double reactions = std::max(work(p.mu, s.constraint_scale), work(w.values.f, s.y_scale));
  return work(w.residual.head(p.a.size()), s.y_scale) <= limit::residual * reactions;
}

/// Sets w.probe to the point s later along the motion, with linear accelerations and multipliers
/// (a_rate, mu_rate, xd_rate) and the inputs at that time.
void follow(Workspace& w, const State& state, const Point& p, const Vector& rates, double s) {
  const Sizes& size = w.system.sizes();
  w.probe.t = p.t + s;
  w.probe.memory = p.memory;
  w.delta = s * p.z + (s * s / 2) * p.a;
  w.system.displace(p.y, w.delta, w.probe.y);
  w.probe.z = p.z + s * p.a;
  w.probe.x = p.x + s * p.xdot;
  w.probe.a = p.a + s * rates.head(size.n);
  w.probe.mu = p.mu + s * rates.segment(size.n, size.mu());
  w.probe.xdot = p.xdot + s * rates.tail(size.x);
  apply_inputs(w, state, w.probe.t);
}

/// Computes (a', μ', x'') at p, into w.rates, which contains a first guess; R vanishes along the
/// resulting motion. One-sided differences suffice if the rates are multiplied by a step (R = 0 at
/// p then); two-sided ones have an error of O(step²).
[[nodiscard]] bool solve_rates(Workspace& w, State& s, const Point& p, double span,
                               bool two_sided) {
  const double step = std::max(limit::difference * span, limit::difference_of_time * std::abs(p.t));
  double previous = 0;
  for (int iteration = 0; iteration < limit::rate_iterations; ++iteration) {
    if (two_sided) {
      follow(w, s, p, w.rates, -step);
      if (!consistency(w, s, w.probe, w.residual_minus)) return false;
    }
    follow(w, s, p, w.rates, step);
    if (!consistency(w, s, w.probe, w.residual)) return false;
    if (two_sided)
      w.rhs = (w.residual_minus - w.residual) / (2 * step);
    else
      w.rhs = -w.residual / step;
    w.kkt->solve_mass(w.rhs);
    w.rates += w.rhs;
    const double change = largest(w.rhs);
    const double allowed = limit::rates * largest(w.rates);
    const double rate = iteration > 0 ? change / previous : 1;
    const bool stalled = iteration > 0 && rate >= limit::stalled;
    if (change <= allowed || stalled ||
        (iteration > 0 && change * rate <= limit::rates_left * allowed))
      break;
    previous = change;
  }
  apply_inputs(w, s, p.t);
  return true;
}

}  // namespace

bool all_finite(Workspace& w, const Values& values) {
  // A sum is not finite if one of its terms is not.
  if (std::isfinite(values.f.sum() + values.position.sum() + values.velocity.sum() +
                    values.d.sum()))
    return true;
  const auto finite = [&](const Vector& v, const char* name) {
    if (v.allFinite()) return true;
    Index row = 0;
    while (std::isfinite(v[row])) ++row;
    w.trouble = {Failure::non_finite, name, row};
    return false;
  };
  return finite(values.f, "f") && finite(values.position, "g") &&
         finite(values.velocity, "g_t + G z or k") &&
         finite(values.d, "d");  // otherwise the sum overflowed
}

bool solve_accelerations(Workspace& w, State& s, Point& p, double accuracy) {
  const Sizes& size = w.system.sizes();
  if (!ensure_mass(w, s, p)) return false;
  bool renewed = false;
  bool renewed_now = false;
  double previous = 0;
  // In real time, looks between steps have the same bound as steps.
  const int count = &s == &w.scratch ? w.options.real_time : 0;
  for (int iteration = 0; iteration < limit::iterations; ++iteration) {
    const Moved how = iteration > 0 && !renewed_now ? Moved::accelerations : Moved::anywhere;
    if (!consistency(w, s, p, w.residual, how)) return false;
    renewed_now = false;
    w.rhs = -w.residual;
    w.kkt->solve_mass(w.rhs);
    if (!w.rhs.allFinite()) break;
    p.a += w.rhs.head(size.n);
    p.mu += w.rhs.segment(size.n, size.mu());
    p.xdot += w.rhs.tail(size.x);
    if (iteration + 1 == count) return true;
    if (count > 0) continue;

    const auto relative = [](double change, double of) {
      return change > limit::nothing ? change / std::max(of, tuning::tiny) : 0;
    };
    const double of_accelerations = relative(largest(w.rhs.head(size.n)), largest(p.a));
    const double of_rates = relative(largest(w.rhs.tail(size.x)), largest(p.xdot));
    const auto of_multipliers = [&](double part_of_force) {
      return relative(largest(w.rhs.segment(size.n, size.mu())),
                      std::max(largest(p.mu), part_of_force * largest(w.values.f)));
    };
    const double change =
        std::max({of_accelerations, of_rates, of_multipliers(tuning::newton::multiplier_of_force)});
    const double rate = iteration > 0 ? change / previous : 1;
    const bool stalled = iteration > 0 && rate >= limit::stalled;
    if (change <= accuracy || (iteration > 0 && !stalled && change * rate <= accuracy)) return true;
    // Vanishing multipliers are roundoff of forces, accelerations at rest are roundoff of
    // reactions. The same may hold for rates that depend on accelerations: with derivatives
    // computed here, nothing else makes them stall.
    if (stalled && of_multipliers(limit::of_force) <= limit::roundoff) {
      const bool balanced = forces_balance(w, s, p);
      if ((balanced || of_accelerations <= limit::roundoff) &&
          ((balanced && renewed) || of_rates <= limit::roundoff))
        return true;
    }
    if (iteration > 0 && rate > w.options.experiments.slow_rate &&
        (!renewed || iteration % limit::renewal == 0)) {
      if (!renew_mass(w, s, p)) return false;
      renewed = renewed_now = true;
    }
    previous = change;
  }
  w.trouble = {Failure::singular_matrix};
  return false;
}

namespace {

/// Slopes between the two newest solutions, as a first guess of (a', μ', x'').
void guess_rates(Workspace& w, const State& s) {
  const Sizes& size = w.system.sizes();
  const Predictions& p = s.predictions;
  w.rates.setZero();
  if (p.count < 2) return;
  const auto newest = static_cast<std::size_t>(p.newest);
  const auto before = static_cast<std::size_t>((p.newest + 1) % Predictions::capacity);
  const double shifted = p.shifted[newest] - p.shifted[before];
  const double passed = p.time[newest] - p.time[before];
  if (!(shifted > 0 && passed > 0)) return;
  const auto u = p.u.col(static_cast<Index>(newest));
  const auto v = p.u.col(static_cast<Index>(before));
  w.rates.head(size.n) = (u.head(size.n) - v.head(size.n)) / shifted;
  w.rates.tail(size.x) = (u.segment(2 * size.n, size.x) - v.segment(2 * size.n, size.x)) / shifted;
  const Index first = 2 * size.n + size.x;
  w.rates.segment(size.n, size.mu()) =
      (u.segment(first, size.mu()) - v.segment(first, size.mu())) / passed;
}

}  // namespace

double history_accuracy(const Workspace& w, const State& s, double span) {
  const double a = std::max(rms(s.point.a, s.y_scale), tuning::tiny);
  return std::clamp(tuning::history::accuracy * w.options.tolerance / (span * span * a), exactly,
                    tuning::history::least_accuracy);
}

bool fresh_history(Workspace& w, State& s, double span, bool with_slope, double accuracy) {
  const Sizes& size = w.system.sizes();
  Point& p = s.point;
  History& history = s.history;
  apply_inputs(w, s, p.t);
  if (s.parameters_jumped) measure_constraints(w, s);
  if (!project_onto_constraints(w, s, left_to_the_step(w), span)) return false;
  if (!solve_accelerations(w, s, p, accuracy)) return false;
  w.system.multiply_mass(w.mass, p.a, w.Ma);
  guess_rates(w, s);
  if (!with_slope) w.rates.setZero();
  if (with_slope && !solve_rates(w, s, p, span, accuracy <= exactly)) return false;
  // No failure is possible below this line.
  s.f = w.Ma;  // f = M a
  history.a = p.a;
  history.xd = p.xdot;
  history.offset = history.slope_at = history.age = 0;
  history.span = span;
  history.fresh = true;
  history.da = span * w.rates.head(size.n);
  history.dxd = span * w.rates.tail(size.x);
  forget(s);
  remember_line(w, s, span);
  ++s.statistics.restarts;
  return true;
}

bool local_rates(Workspace& w, State& s, const Point& p, double span) {
  w.rates.setZero();
  return ensure_mass(w, s, p) && solve_rates(w, s, p, span, true);
}

bool sensitivity(Workspace& w, State& s, const Point& p, Change& along, bool& exact) {
  const Sizes& size = w.system.sizes();
  exact = false;
  const bool moves = !(along.y.isZero(0) && along.z.isZero(0) && along.x.isZero(0));
  // The smallest multipliers change with the directions of constraints; this function does not
  // compute that.
  const bool unknown_mu = s.kkt.redundant && moves;
  along.a.setZero();
  along.mu.setConstant(unknown_mu ? std::numeric_limits<double>::quiet_NaN() : 0);
  along.xdot.setZero();
  w.rhs.resize(size.kkt());
  w.system.at(p);
  if (!w.system.vary(along, w.rhs)) return true;
  if (!ensure_mass_at(w, s, p)) return false;
  if (moves) w.kkt->add_change(along, w.rhs);
  // Refinement: light bodies cause small pivots.
  w.direction = w.rhs;
  w.rates.setZero();
  double previous = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < limit::sensitivity_iterations; ++iteration) {
    w.kkt->multiply_mass(w.rates, w.rhs);
    w.rhs = -w.direction - w.rhs;
    w.kkt->solve_mass(w.rhs);
    const double change = largest(w.rhs);
    if (change > limit::stalled * previous) break;
    w.rates += w.rhs;
    if (change <= limit::sensitivity * largest(w.rates)) break;
    previous = change;
  }
  along.a = w.rates.head(size.n);
  if (!unknown_mu) along.mu = w.rates.segment(size.n, size.mu());
  along.xdot = w.rates.tail(size.x);
  exact = true;
  return true;
}

bool input_sensitivity(Workspace& w, State& s, const Point& p, In du, Point& dp) {
  const Sizes& size = w.system.sizes();
  if (!ensure_mass(w, s, p)) return false;
  // R_u du by a difference of sixth order, then R_(a,μ,x') (da, dμ, dx') = −R_u du, refined until
  // the derivative of R along the whole change vanishes.
  double step = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < du.size(); ++i) {
    const double size_of_u = s.input.value[i] == 0 ? 1 : std::abs(s.input.value[i]);
    if (du[i] != 0) step = std::min(step, limit::difference_of_input * size_of_u / std::abs(du[i]));
  }
  if (!std::isfinite(step)) step = 1;
  w.rates.setZero();
  double previous = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < limit::sensitivity_iterations; ++iteration) {
    w.direction.setZero();
    bool finite = true;
    difference(step, [&](double by, double weight) {
      w.probe = p;
      w.probe.a += by * w.rates.head(size.n);
      w.probe.mu += by * w.rates.segment(size.n, size.mu());
      w.probe.xdot += by * w.rates.tail(size.x);
      apply_inputs(w, s, p.t);
      w.system.get_inputs(w.u);
      w.u += by * du;
      w.system.set_inputs(w.u);
      finite = finite && consistency(w, s, w.probe, w.residual);
      if (finite) w.direction += weight * w.residual;
    });
    if (!finite) return false;
    w.rhs = -w.direction;
    w.kkt->solve_mass(w.rhs);
    w.rates += w.rhs;
    const double change = largest(w.rhs);
    if (change <= limit::sensitivity * largest(w.rates) || change > limit::stalled * previous)
      break;
    previous = change;
  }
  apply_inputs(w, s, p.t);
  dp.a = w.rates.head(size.n);
  dp.mu = w.rates.segment(size.n, size.mu());
  dp.xdot = w.rates.tail(size.x);
  return true;
}

}  // namespace mechfmu
