// Modified Newton for a step of the generalized-α family, (14) in step.cpp.
//
// With δy''₁ as unknown (δa = δy''₁/s, s = (1−αm)/(1−αf)), the 2(n+m+k) unknowns split into two
// systems of size n+m+k: the differences w = δã − δa, δμ̃ − δμ from the mass KKT matrix, then
// δy''₁, δμ, δx' from the Newton KKT matrix (solver/kkt.h). Position rows are scaled by 1/(βh²),
// velocity rows by 1/(γh).

#include "solver/newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/no_allocation.h"
#include "solver/norms.h"
#include "solver/pass.h"
#include "solver/tuning.h"

namespace mechfmu {

namespace {

using tuning::epsilon;
using limit = tuning::newton;
template <int Size>
using Numbers = typename Part<Size>::Numbers;

/// Weights of z₀, of a_α, and of a or ã in z₁ and in the increment of y.
struct Reach {
  double h, z_alpha, z_now, y_alpha, y_now;
  explicit Reach(const Workspace& w)
      : h(w.h),
        z_alpha(h * (1 - w.c.gamma)),
        z_now(h * w.c.gamma),
        y_alpha(h * h / 2 * (1 - 2 * w.c.beta)),
        y_now(h * h * w.c.beta) {}

  /// Computes z₁, the increment of y, and ã − a, for some of the coordinates.
  template <int Size>
  void end(Workspace& w, const Point& start, Part<Size> part, const Numbers<Size>& a,
           const Numbers<Size>& a_tilde) const {
    const Numbers<Size> z = part.of(start.z);
    const Numbers<Size> a_alpha = part.of(w.a_alpha);
    part.of(w.delta) = h * z + y_alpha * a_alpha + y_now * a_tilde;
    part.of(w.end.z) = z + z_alpha * a_alpha + z_now * a;
    part.of(w.apart) = a_tilde - a;
  }
};

/// Computes y₁, z̃₁, x₁ from the results of Reach, and accelerations and rates if model functions
/// depend on them.
void finish_end(Workspace& w, const State& s) {
  const Coefficients& c = w.c;
  const Point& start = s.point;
  const Sizes& size = w.system.sizes();
  w.system.displace(start.y, w.delta, w.end.y);
  if (size.k > 0) {
    const Reach reach(w);
    w.z_tilde = start.z + reach.z_alpha * w.a_alpha + reach.z_now * w.now.a_tilde;
  }
  if (size.x > 0) w.end.x = start.x + w.h * ((1 - c.gamma) * w.xd_alpha + c.gamma * w.now.xd);
  if (size.x > 0 || w.method.equilibrium) form_rates(w, s);
}

}  // namespace

void form_rates(Workspace& w, const State& s) {
  const Coefficients& c = w.c;
  const double now = (1 - c.alpha_m) / (1 - c.alpha_f);
  const double alpha = c.alpha_m / (1 - c.alpha_f);
  const double before = c.alpha_f / (1 - c.alpha_f);
  w.end.a = now * w.now.a + alpha * w.a_alpha - before * s.point.a;
  w.end.xdot = now * w.now.xd + alpha * w.xd_alpha - before * s.point.xdot;
}

void form_end(Workspace& w, const State& s) {
  const Reach reach(w);
  pass(w.now.a.size(),
       [&](auto part) { reach.end(w, s.point, part, part.of(w.now.a), part.of(w.now.a_tilde)); });
  finish_end(w, s);
}

void multiply_mass(Workspace& w) {
  if (w.method.mass_at_end) w.system.mass(w.t1, w.end.y, w.mass);
  w.system.multiply_mass(w.mass, w.method.equilibrium ? w.end.a : w.now.a, w.Mv);
}

namespace {

/// Computes the increments from the values at the iterate: of a, μ, x' in w.rhs, of ã − a and
/// μ̃ − μ in w.apart_change.
void newton_increment(Workspace& w, State& s) {
  const Sizes& size = w.system.sizes();
  const double scale = w.c.end_weight();
  const double per_position = 1 / (w.c.beta * w.h * w.h);
  const double per_velocity = 1 / (w.c.gamma * w.h);
  const Balance balance(w);
  const bool two = two_sets(w);
  multiply_mass(w);
  if (two) {
    w.system.tilde(w.z_tilde, w.now.mu_tilde, w.f_difference, w.k_tilde);
    w.system.multiply_mass(w.mass, w.apart, w.apart_change.head(size.n));
  }

  // Equations of motion: the residual
  Largest force;
  pass(size.n, [&](auto part) {
    using N = Numbers<decltype(part)::size>;
    const N f = part.of(w.values.f);
    const N inertia = balance.mass * part.of(w.Mv) + balance.known * part.of(w.known);
    part.of(w.rhs) = f - inertia;
    force.add(f);
    if (two) part.of(w.apart_change) = part.of(w.f_difference) - scale * part.of(w.apart_change);
  });
  w.force = force.value();

  // Constraints. 1/h² would magnify the roundoff of g: it is not corrected.
  const double unresolved = limit::unresolved * w.roundoff;
  double* __restrict g = w.values.position.data();
  const double* __restrict velocity = w.values.velocity.data();
  const double* __restrict of_scale = s.constraint_scale.data();
  double* __restrict right = w.rhs.data() + size.n;
  double* __restrict apart = w.apart_change.data() + size.n;
  for (Index i = 0; i < size.m; ++i) {
    const double resolved = std::abs(g[i]) <= unresolved * of_scale[i] ? 0 : g[i];
    g[i] = resolved;
    right[i] = two ? -scale * per_velocity * velocity[i] : -scale * per_position * resolved;
    apart[i] = scale * (per_velocity * velocity[i] - per_position * resolved);
  }
  for (Index i = 0; i < size.k; ++i) {
    const double k = velocity[size.m + i];
    right[size.m + i] = -scale * per_velocity * k;
    if (two) apart[size.m + i] = scale * per_velocity * (k - w.k_tilde[i]);
  }
  if (size.x > 0) w.rhs.tail(size.x) = -w.values.d;
  if (two) {
    w.apart_change.tail(size.x).setZero();
    w.kkt->solve_mass(w.apart_change);
    w.kkt->subtract_tilde(w.apart_change.head(size.n), w.rhs);
  }
  w.kkt->solve_newton(w.rhs);
}

/// Size of a Newton increment: of y, z, x and of the multipliers, each in units of the stopping
/// test; and the former in units of roundoff.
struct Increment {
  double motion = 0, multipliers = 0, roundoffs = 0;
  // Change of y and x, relative to their scales
  double displacement = 0;
  bool finite = true;
};

/// Norms of an increment and its results: of accelerations in the scales, root mean squares except
/// the two largest ones.
struct Sweep {
  double change = 0, largest_change = 0;  // a − a_α after the increment
  double da = 0, da_tilde = 0;            // increments of a and ã
  double largest_a = 0;                   // a after the increment
  // Largest increment of a multiplier, largest multiplier after it.
  double dmu = 0, mu = 0;
  bool finite = true;
};

/// Adds the increment to a, ã, μ, μ̃, and computes z₁ and the increment of y, in one pass over the
/// coordinates.
template <bool two>
Sweep add_increment(Workspace& w, const State& s) {
  const Sizes& size = w.system.sizes();
  const double per_weight = 1 / w.c.end_weight();
  const Reach reach(w);
  Sum change_2, da_2, da_tilde_2, all;
  Largest largest_change, largest_a, dmu, mu;
  pass(size.n, [&](auto part) {
    using N = Numbers<decltype(part)::size>;
    const N per_scale = part.of(w.per_scale);
    N a = part.of(w.now.a);
    N a_tilde = part.of(w.now.a_tilde);
    N da = per_weight * part.of(w.rhs);
    N da_tilde = da;
    if constexpr (two) da_tilde += per_weight * part.of(w.apart_change);
    a += da;
    a_tilde += da_tilde;
    const N change = per_scale * (a - part.of(w.a_alpha));
    part.of(w.now.a) = a;
    part.of(w.now.a_tilde) = a_tilde;
    change_2.add(change * change);
    largest_change.add(change);
    da *= per_scale;
    da_2.add(da * da);
    if constexpr (two) da_tilde_2.add((per_scale * da_tilde) * (per_scale * da_tilde));
    largest_a.add(per_scale * a);
    reach.end(w, s.point, part, a, a_tilde);
  });
  pass(size.mu(), [&](auto part) {
    using N = Numbers<decltype(part)::size>;
    const N increment = part.of(w.rhs, size.n);
    const N sum = part.of(w.end.mu) + increment;
    part.of(w.end.mu) = sum;
    if constexpr (two) part.of(w.now.mu_tilde) += part.of(w.apart_change, size.n);
    part.of(w.now.mu_tilde) += increment;
    dmu.add(increment);
    mu.add(sum);
    all.add(increment);
  });
  const double per_n = size.n > 0 ? 1 / static_cast<double>(size.n) : 0;
  Sweep sweep;
  sweep.change = std::sqrt(per_n * change_2.value());
  sweep.da = std::sqrt(per_n * da_2.value());
  sweep.da_tilde = two ? std::sqrt(per_n * da_tilde_2.value()) : sweep.da;
  sweep.largest_change = largest_change.value();
  sweep.largest_a = largest_a.value();
  sweep.dmu = dmu.value();
  sweep.mu = mu.value();
  sweep.finite = std::isfinite(sweep.da + all.value());
  return sweep;
}

/// The iteration error as a part of the step error. The iteration error of one step acts like an
/// additional force. Modes that only the method damps accumulate it over all steps during which
/// they ring.
double newton_fraction(const Workspace& w) {
  const double ringing = w.c.alpha() / limit::damping;
  return w.options.experiments.newton_fraction *
         (w.method.velocity_constraints ? std::clamp(ringing * ringing, limit::undamped, 1.0)
                                        : limit::index_3);
}

/// Adds the increment to the iterate, and computes the end of the step from it.
Increment update(Workspace& w, const State& s) {
  const Sizes& size = w.system.sizes();
  const Coefficients& c = w.c;
  const double scale = c.end_weight();
  const double h = w.h;
  const double constant = c.error_bound();
  // The iteration error is a fraction of the step error (39), which is far below the tolerance if
  // steps are short for another reason: fixed steps, communication points.
  const bool two = two_sets(w);
  const Sweep sweep = two ? add_increment<true>(w, s) : add_increment<false>(w, s);
  const double tolerance = w.options.tolerance;
  const double least = limit::least_error * tolerance;
  const double step_error = std::clamp(constant * h * h * sweep.change, least, tolerance);
  const double worst_error = std::clamp(constant * h * h * sweep.largest_change, least, tolerance);
  const double fraction = newton_fraction(w);
  const double allowed = fraction * step_error;
  const double da = sweep.da;
  const double da_tilde = sweep.da_tilde;

  double dxd = 0;
  if (size.x > 0) {
    w.now.xd += w.rhs.tail(size.x) / scale;
    dxd = counted_rms(w.rhs.tail(size.x), s.x_scale) / scale;
  }
  finish_end(w, s);

  // (45) and (46): the change of y and x that corresponds to the increment. ã moves positions
  // alone, and a roundoff of these is not an error.
  Increment increment;
  increment.finite = sweep.finite && std::isfinite(dxd);
  const double to_y = constant * h * h;
  const double rest = std::max(to_y * da, c.gamma * h * dxd);
  const double resolved = two ? w.roundoff * constant / c.beta : 0;
  increment.displacement = std::max(rest, to_y * da_tilde);
  increment.motion = std::max(rest / allowed, to_y * da_tilde / std::max(allowed, resolved));
  w.newton_residual = increment.displacement / tolerance;

  // Multipliers: relative, with the accuracy of accelerations at their largest change, never below
  // roundoff.
  if (size.mu() > 0) {
    const double a_size = std::max(sweep.largest_a, tuning::tiny);
    const double relative = fraction * worst_error / (constant * h * h * a_size);
    const double noise =
        two ? epsilon / (c.gamma * h * a_size) * w.speed : epsilon / (c.beta * h * h * a_size);
    const double accuracy = std::clamp(limit::multiplier_margin * relative, limit::multiplier_least,
                                       limit::multiplier_most);
    // Vanishing multipliers contain the roundoff of nonzero forces.
    const double mu_size = sweep.mu;
    const double force = w.force;
    const double mu_allowed =
        std::max({accuracy * mu_size, accuracy * limit::multiplier_of_force * force,
                  limit::multiplier_noise * noise * std::max(mu_size, force),
                  limit::multiplier_least * limit::multiplier_floor});
    increment.multipliers = sweep.dmu / mu_allowed;
  }

  // Velocities of index-3 methods contain roundoff of order 1/h; positions determine convergence
  // there.
  const double dz = w.method.velocity_constraints ? c.gamma * h * da / std::max(1.0, w.speed) : 0;
  increment.roundoffs =
      std::max(c.beta * h * h * da_tilde / w.roundoff, std::max(dz, c.gamma * h * dxd) / epsilon);
  return increment;
}

/// Contraction from one increment to the next.
double contraction(double increment, double previous) {
  return previous > 0 ? increment / previous : (increment > 0 ? 1 : 0);
}

/// The convergence rate assumed after an increment. A single ratio is unreliable: if the matrix has
/// its stiff directions rotated by θ, an increment in soft directions leaves θ in the stiff ones,
/// and an increment in stiff directions leaves θ·(ratio of stiffnesses) in the soft ones.
/// Increments then fall by much and by little in turn.
double measured_rate(int iteration, double increment, double previous) {
  const double ratio = contraction(increment, previous);
  return iteration == 2 && ratio < 1 ? std::sqrt(ratio) : ratio;
}

/// Remaining error after an increment if the iteration continues to contract at this rate: (42).
double rest_of(double increment, double rate) {
  if (increment == 0) return 0;
  return rate < 1 ? std::max(rate, limit::best_rate) / (1 - rate) * increment
                  : std::numeric_limits<double>::infinity();
}

/// Whether the equations of motion and the constraints had only roundoff left before the last
/// increment. The increment of the multipliers is then noise, however large the masses make it.
bool at_roundoff(const Workspace& w, const State& s) {
  const Balance balance(w);
  double force = 0;
  double left = 0;
  for (Index i = 0; i < w.Mv.size(); ++i) {
    const double inertia = balance.mass * w.Mv[i] + balance.known * w.known[i];
    force = std::max({force, std::abs(w.values.f[i]), std::abs(w.Mv[i])});
    left = std::max(left, std::abs(w.values.f[i] - inertia));
  }
  if (left > limit::residual * epsilon * force) return false;
  const Vector& velocity = w.values.velocity;
  for (Index i = 0; i < velocity.size(); ++i)
    if (std::abs(velocity[i]) > limit::residual * epsilon * w.speed * s.constraint_scale[i])
      return false;
  return w.values.position.isZero(0);  // residuals below roundoff have been set to zero
}

/// Whether the last iteration, with another rate, would have ended after so many increments; (42).
bool over_after(int count, const Workspace& w, double rate) {
  if (count == 1)
    return limit::care * std::max(limit::best_remembered_rate, rate) * w.first_motion <= 1 - rate &&
           limit::care * rate * w.first_multipliers <= 1 - rate;
  double rest = std::max(w.first_motion, w.first_multipliers);
  for (; count > 0; --count) rest *= rate;
  return rest <= 1 - rate;
}

/// Rate with derivatives at the predicted end, if those at the end of the previous step contract by
/// `aging`: near a singular position neither is small.
double fresh_rate(double aging) {
  return std::max(limit::fresh_rate, limit::predicted_part * aging);
}

/// Whether new derivatives at the end of the next step reduce the cost. A matrix that has served
/// for s steps and contracts by ρ will contract by (s + 1)/s ρ in the next one, because its error
/// is proportional to the displacement of the system. New derivatives contract by k/s ρ after k
/// steps. They pay if there is a k for which the mean cost of a step up to k, including the cost of
/// the derivatives, is less than the cost of the next step with the old ones.
bool renewal_pays(const Workspace& w, const State& s) {
  const double served = s.kkt.served;
  if (!(served > 0)) return false;
  const double aging = w.rate / served;
  const auto count_at = [&](double age, int least) {
    const int most = w.options.experiments.max_iterations;
    while (least < most && !over_after(least, w, age * aging)) ++least;
    return least;
  };
  const int next = count_at(served + 1, 1);
  const bool at_once =
      limit::care * fresh_rate(aging) * std::max(w.first_motion, w.first_multipliers) <= 1;
  double spent = w.kkt->cost_of_renewal() + (at_once ? 1 : 2);
  int count = 1;
  for (int age = 1; age <= served; ++age) {
    count = count_at(age, count);
    if (count >= next) return false;
    spent += count;
    if (spent < next * (age + 1)) return true;
  }
  return false;
}

/// The rate in the next step, if that does not measure its own: it grows in proportion to the
/// displacement since the derivatives were computed.
double aged_rate(const State& s) {
  const double served = s.kkt.served;
  return served > 0 ? std::min(1.0, (served + 1) / served * s.rate) : s.rate;
}

}  // namespace

bool renewal_is_due(const Workspace& w, const State& s) {
  return w.rate_measured && (w.rate > w.options.experiments.slow_rate || renewal_pays(w, s));
}

// Motion and multipliers have separate tests: if constraints determine the accelerations, these
// converge at once, and λ, ψ do not.
Newton iterate(Workspace& w, State& s, bool fresh) {
  const NoAllocation guard;
  Increment previous;
  w.rate_measured = false;
  form_end(w, s);
  for (int iteration = 1; iteration <= w.options.experiments.max_iterations; ++iteration) {
    w.system.at(w.end);
    w.system.values(w.values);
    ++s.statistics.evaluations;
    // A non-finite value appears in the increment, unless it is in rows that are left out.
    if (s.kkt.redundant && !all_finite(w, w.values)) return Newton::broken;
    newton_increment(w, s);
    const Increment now = update(w, s);
    ++s.statistics.newton_iterations;
    const double together = std::max(now.motion, now.multipliers);
    if (!now.finite || !std::isfinite(now.motion + now.multipliers)) {
      if (all_finite(w, w.values)) w.trouble = {Failure::newton};
      return Newton::broken;
    }

    // A rate measured in an earlier step needs a margin, and so does the contraction of Newton's
    // method itself, for small increments.
    const bool first = iteration == 1;
    const double remembered = fresh ? fresh_rate(s.rate) : s.rate;
    const double motion_rate = !first  ? measured_rate(iteration, now.motion, previous.motion)
                               : fresh ? remembered
                                       : std::max(remembered, limit::best_remembered_rate);
    const double multiplier_rate =
        first ? remembered : contraction(now.multipliers, previous.multipliers);
    const bool known = !first || (w.options.experiments.min_iterations <= 1 &&
                                  remembered < limit::worst_remembered_rate);
    const double care = first ? limit::care : 1;
    const double motion_rest = care * rest_of(now.motion, motion_rate);
    const double multiplier_rest = care * rest_of(now.multipliers, multiplier_rate);
    const bool stalled =
        !first && motion_rate > limit::stalled && now.roundoffs <= limit::roundoffs_stalled;
    const bool motion_done =
        now.roundoffs <= limit::roundoffs_done || (known && motion_rest <= 1) || stalled;
    const bool multipliers_done =
        now.multipliers <= limit::multipliers_done || (known && multiplier_rest <= 1) ||
        (!first && now.multipliers <= 1) || (motion_done && at_roundoff(w, s));
    if (first) {
      w.first_motion = now.motion;
      w.first_multipliers = now.multipliers;
      w.rate = aged_rate(s);
    } else {
      // One rate for both: the larger one of the previous increments bounds the remaining error of
      // either. Roundoff gives no information.
      const double rated =
          std::max(now.roundoffs <= limit::roundoffs_stalled ? 0 : now.motion,
                   now.multipliers <= limit::multipliers_rated ? 0 : now.multipliers);
      const double rate = contraction(rated, std::max(previous.motion, previous.multipliers));
      w.rate = w.rate_measured ? std::max(w.rate, rate) : rate;
      w.rate_measured = true;
    }
    if (motion_done && multipliers_done) return Newton::converged;
    if (!first) {
      // Divergence is detected from both together: one may grow while the other, much larger,
      // falls.
      const double rate = contraction(together, std::max(previous.motion, previous.multipliers));
      if (rate > limit::divergence) return Newton::slow;
      // Close to singular positions multipliers contract slowly at best: the reached accuracy is
      // accepted.
      const int left = w.options.experiments.max_iterations - iteration;
      if (motion_done && left == 0) {
        ++s.statistics.unconverged_multipliers;
        return Newton::converged;
      }
      const bool hopeless = rate > limit::hopeless
                                ? iteration > 2
                                : rest_of(together, rate) * std::pow(rate, left) > 1;
      if (!motion_done && hopeless) return Newton::slow;
    }
    previous = now;
  }
  return Newton::slow;
}

bool iterate_in_real_time(Workspace& w, State& s) {
  const NoAllocation guard;
  w.rate_measured = false;
  double first = 0;
  double last = 0;
  form_end(w, s);
  for (int iteration = 0; iteration < w.options.real_time; ++iteration) {
    w.system.at(w.end);
    w.system.values(w.values);
    ++s.statistics.evaluations;
    if (!all_finite(w, w.values)) return false;
    newton_increment(w, s);
    const Increment now = update(w, s);
    ++s.statistics.newton_iterations;
    last = now.displacement;
    if (iteration == 0) first = last;
    if (!std::isfinite(now.motion + now.multipliers))
      last = std::numeric_limits<double>::infinity();
  }
  const bool diverges = w.newton_residual > 1 && last > limit::divergence * first;
  if (diverges || !(last <= limit::unsolved)) {
    w.trouble = {Failure::newton};
    w.trouble.size = last;
    return false;
  }
  return true;
}

}  // namespace mechfmu
