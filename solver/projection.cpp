// Projection onto the constraints: the position, then the velocity.
//
//   y ← y ⊕ δ with g(t,y) = 0,   z ← z + δ with g_t + G z = 0, k(t,y,z) = 0   (damped Newton)
//
// At the start, δ is the smallest one that leaves held coordinates unchanged. In a run, δ is
// weighted by the mass KKT matrix, without allocation. The unit of a residual of g depends on the
// model. So g is measured by the displacement that it requires,
//
//   |g_i| / Γ_i,     Γ_i = change of g_i when the coordinates move by their scales,
//
// which is compared with the roundoff of positions, System::resolution.

#include <algorithm>
#include <cmath>

#include "solver/norms.h"
#include "solver/tuning.h"
#include "solver/workspace.h"

namespace mechfmu {

namespace {

using tuning::epsilon;
using limit = tuning::projection;

[[nodiscard]] bool evaluate(Workspace& w, State& s) {
  w.system.at(s.point);
  w.system.values(w.values);
  ++s.statistics.evaluations;
  return all_finite(w, w.values);
}

/// Largest displacement, or velocity, that the constraints require.
double asked(const Workspace& w, const State& s, bool positions) {
  const Vector& r = positions ? w.values.position : w.values.velocity;
  return largest(r, s.constraint_scale.head(r.size()));
}

/// Newton's method from the values at the state's point; `increment(asked, previous)` computes the
/// increments, into w.delta. If it returns false, the projection failed, with its reason in
/// w.trouble.
template <class Increment>
[[nodiscard]] Projection project(Workspace& w, State& s, bool positions, Increment&& increment) {
  const Vector& r = positions ? w.values.position : w.values.velocity;
  if (r.size() == 0) return Projection::done;
  Vector& moving = positions ? s.point.y : s.point.z;
  Vector& before = positions ? w.probe.y : w.probe.z;
  double previous = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < limit::iterations; ++iteration) {
    // Velocities contain the roundoff of positions in G, and their own.
    const double roundoff = epsilon * w.system.resolution(s.point.y, s.y_scale);
    const double unit = positions ? 1 : largest(s.point.z, s.y_scale);
    const double size = asked(w, s, positions);
    if (size <= limit::met * roundoff * unit) return Projection::done;
    if (size > limit::stalled * previous && size <= limit::assembled * unit)
      return Projection::done;
    if (!increment(size, previous)) return Projection::failed;
    previous = size;
    before = moving;
    const double norm = r.norm();
    for (int halvings = 0;; ++halvings) {
      if (halvings == limit::most_halvings || !w.delta.allFinite()) {
        moving = before;
        return evaluate(w, s) ? Projection::stuck : Projection::failed;
      }
      if (positions)
        w.system.displace(before, w.delta, moving);
      else
        moving = before + w.delta;
      const bool finite = evaluate(w, s);
      if (finite && (r.norm() <= norm || halvings >= limit::halvings ||
                     asked(w, s, positions) <= limit::assembled * unit))
        break;
      w.delta /= 2;
    }
    // The increments no longer move anything: the residual cannot be reduced.
    if (largest(w.delta, s.y_scale) <= roundoff * unit) break;
  }
  const double unit = positions ? 1 : largest(s.point.z, s.y_scale);
  return asked(w, s, positions) <= limit::assembled * unit ? Projection::done : Projection::stuck;
}

}  // namespace

void measure_constraints(Workspace& w, State& s) {
  // g_t + G z and k for two velocities of the size of the scales, without any regularity:
  // Γ = |G z|.
  const Sizes& size = w.system.sizes();
  if (size.mu() == 0) return;
  w.probe = s.point;
  w.probe.z.setZero();
  w.system.at(w.probe);
  w.system.values(w.values);
  ++s.statistics.evaluations;
  w.c_rate = w.values.velocity;
  s.constraint_scale.setZero();
  for (const double number : {0.754877666, 0.569840291}) {
    for (Index i = 0; i < size.n; ++i) {
      const double part = std::fmod(number * static_cast<double>(i + 1), 1.0);
      w.probe.z[i] = (part < 0.5 ? -1 : 1) * (0.5 + part) * s.y_scale[i];
    }
    w.system.at(w.probe);
    w.system.values(w.values);
    ++s.statistics.evaluations;
    s.constraint_scale = s.constraint_scale.cwiseMax((w.values.velocity - w.c_rate).cwiseAbs());
  }
  for (double& scale : s.constraint_scale)
    if (!(scale > 0 && std::isfinite(scale))) scale = 1;
}

Projection project_start(Workspace& w, State& s, bool positions, const std::vector<bool>& held) {
  if (!evaluate(w, s)) return Projection::failed;
  return project(w, s, positions, [&](double, double) {
    const Index rows = positions ? w.values.position.size() : w.values.velocity.size();
    w.residual.head(rows) = positions ? -w.values.position : -w.values.velocity;
    w.system.at(s.point);
    w.kkt->evaluate(0);
    if (!w.kkt->finite()) {
      w.trouble = {Failure::non_finite, "a derivative of f, g, k or d", -1};
      return false;
    }
    w.delta = w.kkt->project(w.residual.head(rows), held);
    // Far from the constraints, G differs from G on the constraints.
    measure_constraints(w, s);
    return evaluate(w, s);
  });
}

bool project_onto_constraints(Workspace& w, State& s, double accepted, double span) {
  const Sizes& size = w.system.sizes();
  if (!evaluate(w, s)) return false;
  // Limit of the displacement: a position with another motion, close to a singular one, is not an
  // error of the last step.
  const bool free = s.jumped || s.parameters_jumped || !w.method.velocity_constraints;
  const double most =
      free ? std::numeric_limits<double>::infinity() : limit::tolerances * w.options.tolerance;
  for (const bool positions : {true, false}) {
    if (asked(w, s, positions) * (positions ? 1 : span) <= accepted) continue;
    if (!ensure_mass(w, s, s.point)) return false;
    double moved = 0;
    const Projection outcome = project(w, s, positions, [&](double now, double previous) {
      if (now > limit::slow * previous && !renew_mass(w, s, s.point)) return false;
      const Vector& r = positions ? w.values.position : w.values.velocity;
      w.rhs.setZero();
      w.rhs.segment(size.n, r.size()) = -r;
      w.kkt->solve_mass(w.rhs);
      w.delta = w.rhs.head(size.n);
      moved += largest(w.delta, s.y_scale) * (positions ? 1 : std::max(span, s.last_h));
      if (moved <= most) return true;
      w.trouble = {Failure::singular_matrix};
      return false;
    });
    if (outcome == Projection::stuck) w.trouble = {Failure::cannot_assemble};
    if (outcome != Projection::done) return false;
  }
  return true;
}

double left_to_the_step(const Workspace& w) {
  if (!w.method.velocity_constraints) return 0;
  return std::min(limit::left_to_the_step, limit::part_of_tolerance * w.options.tolerance);
}

}  // namespace mechfmu
