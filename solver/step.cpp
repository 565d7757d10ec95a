// One step (t₀,y₀,z₀,μ₀,a_α) → (t₁,y₁,z₁,μ₁,a₁₊α) of the generalized-α family.
//
//   y₁ = y₀ ⊕ (h z₀ + h²/2 ((1−2β) a_α + 2β ã))          z₁ = z₀ + h ((1−γ) a_α + γ a)
//   (1−αm) M a + αm (M a)_α = (1−αf) f(t₁,y₁,z₁,μ₁,x₁) + αf f₀
//   (1−αm) M ã + αm (M a)_α = (1−αf) f(t₁,y₁,z₁,μ̃,x₁) + αf f₀
//   0 = g(t₁,y₁)   0 = g_t + G z₁   0 = k(t₁,y₁,z₁)   0 = k(t₁,y₁,z̃₁)      Jay & Negrut (14)
//   x₁ = x₀ + h ((1−γ) x'_α + γ x'₁₊α)               0 = d(x'(t₁), x₁, y₁, z₁, y''₁, μ₁, t₁)
//
// Index-3 methods have ã = a, μ̃ = μ and no velocity constraints. Arnold & Brüls balance
// M(y₁) y''₁ = f₁ instead, with y''₁ from (1−αm) a + αm a_α = (1−αf) y''₁ + αf y''₀. The same
// relation defines x'(t₁), and the acceleration in d, in every method.
//
// Newton's method for these equations: newton.cpp. a_α, (M a)_α: history.cpp.

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/newton.h"
#include "solver/no_allocation.h"
#include "solver/norms.h"
#include "solver/tuning.h"

namespace mechfmu {

namespace {

using tuning::epsilon;
using limit = tuning::newton;

[[nodiscard]] bool matrices_at_end(Workspace& w, State& s) {
  form_end(w, s);
  form_rates(w, s);
  return take_derivatives(w, s, w.end) && ensure_newton(w, s);
}

/// Redundant constraints: a new choice of rows leaves out other rows, whose multipliers no longer
/// change. Multipliers of rows that were close to dependent are large and nearly cancel each other.
/// They are replaced by the smallest ones with the same forces.
void spread_multipliers(Workspace& w, State& s) {
  w.system.at(s.point);
  w.kkt->smallest_multipliers(s.point.mu);
  hold_multipliers(s.point.mu, s);
  predict(w, s);
}

/// Prepares the matrices for a step of size h, with new derivatives at its predicted end if `anew`.
[[nodiscard]] bool prepare_matrices(Workspace& w, State& s, bool anew) {
  if (!anew && s.kkt.valid) return ensure_newton(w, s);
  const int searches = w.kkt->searches();
  if (!matrices_at_end(w, s)) return false;
  if (!s.kkt.redundant || w.kkt->searches() == searches) return true;
  spread_multipliers(w, s);
  return w.options.real_time > 0 || matrices_at_end(w, s);
}

/// Redundant constraints: rows that are left out must also hold. False: w.trouble names the
/// violated one.
[[nodiscard]] bool all_constraints_hold(Workspace& w, State& s) {
  const Sizes& size = w.system.sizes();
  const double allowed = std::max(limit::left_out * w.options.tolerance, limit::left_out_least);
  const auto off = [&](Index i) {
    const double displacement = i < size.m ? w.values.position[i] : w.h * w.values.velocity[i];
    return std::abs(displacement) / std::max(s.constraint_scale[i], tuning::tiny);
  };
  Index worst = 0;
  const auto hold = [&] {
    for (Index i = 1; i < size.mu(); ++i)
      if (off(i) > off(worst)) worst = i;
    return off(worst) <= allowed;
  };
  if (hold()) return true;  // they held before the last increment
  w.system.at(w.end);
  w.system.values(w.values);
  ++s.statistics.evaluations;
  if (hold()) return true;
  w.trouble = {Failure::contradiction, "", worst};
  w.trouble.size = std::abs(worst < size.m ? w.values.position[worst] : w.values.velocity[worst]);
  return false;
}

/// Real time: derivatives at the predicted end and a fixed number of Newton iterations, with any
/// remaining error (w.newton_residual). False: w.trouble; the result is not a solution.
[[nodiscard]] bool step_in_real_time(Workspace& w, State& s) {
  predict(w, s);
  return prepare_matrices(w, s, true) && iterate_in_real_time(w, s) &&
         (!s.kkt.redundant || all_constraints_hold(w, s));
}

/// (C h² (a₁₊α − a_α), C_x h³ x‴), in the scales and in units of the tolerance.
double size_of_error(const Workspace& w, const State& s) {
  const double of_y = scaled_rms(w.delta, w.per_scale);
  return std::max(of_y, counted_rms(w.x_error, s.x_scale)) / w.options.tolerance;
}

/// Local error of y and x in units of the tolerance.
///
/// Accelerations of modes that are faster than the steps are large, change from step to step, and
/// move nothing. If they would shorten the step, the estimate e is replaced by ẽ in
///
///   (Newton KKT) ẽ = (mass KKT) e,   e as accelerations and rates: e_y/p, e_x/v    (p, v of kkt.h)
///
/// This divides a mode ω by 1 + pω² and leaves slow modes and prescribed motions unchanged.
double estimate_error(Workspace& w, const State& s) {
  const Coefficients& c = w.c;
  const Sizes& size = w.system.sizes();
  const double h = w.h;
  w.delta = std::abs(c.error_constant()) * h * h * (w.now.a - w.a_alpha);
  if (size.x > 0) {
    // x‴ from the change of slope of x'.
    const double distance = (c.alpha() + 0.5) * h - s.history.slope_at;
    w.x_error = c.state_error_bound() * h * h * h / distance *
                ((w.now.xd - w.xd_alpha) / h - s.history.dxd / s.history.span);
  }
  const double error = size_of_error(w, s);
  if (w.options.fixed_step > 0 || !(error > tuning::control::shortening)) return error;
  const double position = s.kkt.weights.position;
  const double velocity = s.kkt.weights.velocity;
  w.direction.head(size.n) = w.delta / position;
  w.direction.segment(size.n, size.mu()).setZero();
  w.direction.tail(size.x) = w.x_error / velocity;
  w.kkt->multiply_mass(w.direction, w.rhs);
  w.kkt->solve_newton(w.rhs);
  w.delta = position * w.rhs.head(size.n);
  w.x_error = velocity * w.rhs.tail(size.x);
  const double filtered = size_of_error(w, s);
  return filtered < error ? filtered : error;  // also if `filtered` is NaN
}

/// Twice the kinetic energy of velocities v.
double mass_norm(Workspace& w, In v) {
  w.system.multiply_mass(w.mass, v, w.Mv);
  return v.dot(w.Mv);
}

/// Energy that a step creates, in units of the allowed energy, for tolerances at which no other
/// test would detect it:
///
///   E₁ − E₀ − h (P₀ + P₁)/2,   P = supplied power less dissipated power
///
/// A loose tolerance may be inaccurate, but not absurd: steps over a hard contact would throw
/// bodies up like an explosion. Forces that change by Δ in a step create at most zᵀ h M Δa. If that
/// is below the limit, the energies are not computed.
double energy_made(Workspace& w, State& s) {
  w.energies = {};
  w.energies_known = false;
  w.most_kinetic = s.most_kinetic;
  const Options& o = w.options;
  if (o.fixed_step > 0 || o.real_time > 0 || o.tolerance <= tuning::control::watched_tolerance)
    return 0;
  const auto allowed = [&] { return tuning::control::energy_made * w.most_kinetic; };
  w.most_kinetic = std::max(w.most_kinetic, mass_norm(w, w.end.z) / 2);
  w.delta = w.h * (w.now.a - w.a_alpha);
  if (2 * w.most_kinetic * mass_norm(w, w.delta) <= allowed() * allowed()) return 0;
  if (!s.energies_known) {
    w.system.at(s.point);
    s.energies_known = w.system.energies(s.energies);
    w.system.at(w.end);
    if (!s.energies_known) return 0;
    w.most_kinetic = std::max(w.most_kinetic, s.energies.kinetic);
  }
  w.energies_known = w.system.energies(w.energies);
  const Energies& before = s.energies;
  const Energies& after = w.energies;
  const double made = after.kinetic + after.potential - before.kinetic - before.potential -
                      w.h / 2 * (before.power + after.power);
  return made > 0 && allowed() > 0 ? made / allowed() : 0;
}

}  // namespace

bool try_step(Workspace& w, State& s, double h, double t1) {
  const Coefficients& c = w.c;
  w.h = h;
  w.t1 = w.end.t = t1;
  w.end.memory = s.point.memory;
  // This comes first: the last inputs of the system may be those of another state.
  apply_inputs(w, s, t1);
  w.roundoff = epsilon * w.system.resolution(s.point.y, s.y_scale);
  rescale(w, s);
  if (!w.method.mass_at_end) {
    const double to_mass = (1 + c.alpha()) * h;
    w.delta = to_mass * s.point.z;
    w.system.displace(s.point.y, w.delta, w.end.y);
    w.system.mass(s.point.t + to_mass, w.end.y, w.mass);
  }

  const bool real_time = w.options.real_time > 0;
  if (real_time && !step_in_real_time(w, s)) return false;
  bool anew = s.refresh;
  bool chosen_anew = false;  // rows of redundant constraints
  while (!real_time) {
    predict(w, s);
    const auto jacobians = s.statistics.jacobians;
    if (!prepare_matrices(w, s, anew)) return false;
    const bool current = s.statistics.jacobians != jacobians;
    const Newton outcome = iterate(w, s, current);
    if (outcome == Newton::converged) {
      if (!s.kkt.redundant || all_constraints_hold(w, s)) break;
      if (chosen_anew) return false;
      chosen_anew = anew = true;  // rows that initially depended on others may not do so here
      s.kkt.forget_orders(w.system.sizes());
      continue;
    }
    if (outcome == Newton::broken) return false;
    if (current) {
      w.trouble = {Failure::newton};
      return false;
    }
    anew = true;  // once more with derivatives computed here
  }
  s.refresh = !anew && renewal_is_due(w, s);

  form_rates(w, s);
  w.system.at(w.end);
  multiply_mass(w);
  const Balance balance(w);
  w.values.f = balance.mass * w.Mv + balance.known * w.known;
  if (w.method.equilibrium)
    w.system.multiply_mass(w.mass, w.now.a, w.Ma);
  else
    w.Ma.swap(w.Mv);
  w.error = std::max(estimate_error(w, s), energy_made(w, s));
  return true;
}

void accept(Workspace& w, State& s, bool clipped) {
  const NoAllocation guard;
  History& history = s.history;
  const double at = w.c.alpha() * w.h;
  // A tiny step, caused by the end time, would leave two points too close to define a line: keep
  // the previous line until enough time has passed.
  const double short_step = tuning::history::short_step * history.span;
  const bool tiny = clipped && w.h < short_step;
  if (tiny && history.age + w.h < short_step) {
    history.offset -= w.h;
    history.slope_at -= w.h;
    history.age += w.h;
  } else {
    if (tiny) {
      w.a_alpha = history.a;
      if (!history.fresh) w.Ma_alpha = history.Ma;
      w.xd_alpha = history.xd;
      history.span = at + w.h - history.offset;
    } else {
      history.span = w.h;
    }
    remember(w, s);
    // Data that the workspace computes anew for the next step are exchanged, not copied.
    history.da = w.now.a - w.a_alpha;
    history.dMa = w.Ma - w.Ma_alpha;
    history.dxd = w.now.xd - w.xd_alpha;
    history.a.swap(w.now.a);
    history.Ma.swap(w.Ma);
    history.xd.swap(w.now.xd);
    history.offset = at;
    history.slope_at = at - history.span / 2;
    history.age = 0;
    history.fresh = false;
  }
  w.system.remember(w.end.memory);
  std::swap(s.point, w.end);
  s.f.swap(w.values.f);
  s.energies = w.energies;
  s.energies_known = w.energies_known;
  s.most_kinetic = w.most_kinetic;
  w.system.grow_scales(s.point.y, s.y_scale);
  s.x_scale = s.x_scale.cwiseMax(s.point.x.cwiseAbs());
  s.last_h = w.h;
  s.error = w.error;
  s.residual = w.newton_residual;
  s.rate = w.rate;
  ++s.kkt.served;
  ++s.statistics.steps;
}

}  // namespace mechfmu
