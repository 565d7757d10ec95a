// Search for a static equilibrium: 0 = f(t₀,y,0,μ,x,u), 0 = g(t₀,y), 0 = d(0,x,y,0,0,μ,t₀,u).
//
// The system sinks as in syrup: steps of implicit Euler, each from rest, at the time t₀,
//
//   M α = f(t₀, y₁, hα, μ, x₁, u)        y₁ = y ⊕ h²α        g(t₀,y₁) = 0,  k(t₀,y₁,hα) = 0
//   d(ξ, x₁, y₁, hα, α, μ, t₀, u) = 0    x₁ = x + hξ
//
// Newton's method solves each step with the Newton KKT matrix of the weights v = h, p = h²
// (solver/kkt.h). If forces have a potential V, y₁ minimizes V(y) + |y − y₀|²/2h² in the norm of M:
// V falls in every step, contacts are met from outside, and coordinates without force do not move.
// With h → ∞ the step is Newton's method for the equilibrium itself. So h is small while the
// mechanism is far from the equilibrium, and grows near it. The idea is that of pseudo-transient
// continuation (Kelley & Keyes 1998) and of proximal points (Rockafellar 1976).
//
// A step against the forces, α·f(y₀) < 0, has not found a minimum: h was too large. So the result
// is stable, unless the start is already an unstable equilibrium, up to a thousandth of its size.
//
// States that depend on others without affecting them (infinite scale) keep their values.

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/norms.h"
#include "solver/tuning.h"
#include "solver/workspace.h"

namespace mechfmu {

namespace {

using limit = tuning::equilibrium;

enum class Sink {
  done,
  too_far,   // or not solved: a shorter step may succeed
  singular,  // this h does not separate neutral directions from stiff ones
  failed     // w.trouble
};

struct SinkStep {
  Sink outcome = Sink::done;
  double way = 0;  // displacement of y and x
};

/// Sets w.end to the end of a step h with the accelerations w.now.a, rates w.now.xd and multipliers
/// w.end.mu.
void place_end(Workspace& w, const State& s, double h) {
  const Point& p = s.point;
  w.delta = h * h * w.now.a;
  w.system.displace(p.y, w.delta, w.end.y);
  w.end.z = h * w.now.a;
  w.end.a = w.now.a;
  w.end.x = p.x + h * w.now.xd;
  w.end.xdot = w.now.xd;
}

double way(const State& s, double h, In a, In xd) {
  return std::max(h * h * largest(a, s.y_scale), h * largest(xd, s.x_scale));
}

/// One step of size h from the state's point, into w.end.
SinkStep sink(Workspace& w, State& s, double h) {
  const Sizes& size = w.system.sizes();
  w.end = s.point;
  w.now.a.setZero();
  w.now.xd.setZero();
  SinkStep step;
  double previous = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < limit::iterations; ++iteration) {
    place_end(w, s, h);
    w.system.at(w.end);
    w.system.values(w.values);
    ++s.statistics.evaluations;
    if (!all_finite(w, w.values)) return {iteration > 0 ? Sink::too_far : Sink::failed};
    if (iteration == 0) w.known = w.values.f;
    w.system.mass(w.end.t, w.end.y, w.mass);
    w.system.multiply_mass(w.mass, w.now.a, w.Ma);
    w.rhs.head(size.n) = w.values.f - w.Ma;
    w.rhs.segment(size.n, size.m) = w.values.position / (-h * h);
    w.rhs.segment(size.n + size.m, size.k) = w.values.velocity.tail(size.k) / -h;
    w.rhs.tail(size.x) = -w.values.d;
    w.kkt->evaluate(0);
    ++s.statistics.jacobians;
    if (!w.kkt->finite()) {
      w.trouble = {Failure::non_finite, "a derivative of f, g, k or d", -1};
      return {iteration > 0 ? Sink::too_far : Sink::failed};
    }
    ++s.statistics.factorizations;
    if (!w.kkt->factor_newton({h, h * h, 0, 0})) return {Sink::singular};
    w.kkt->solve_newton(w.rhs);
    w.now.a += w.rhs.head(size.n);
    w.end.mu += w.rhs.segment(size.n, size.mu());
    w.now.xd += w.rhs.tail(size.x);
    for (Index i = 0; i < size.x; ++i)
      if (std::isinf(s.x_scale[i])) w.now.xd[i] = 0;
    step.way = way(s, h, w.now.a, w.now.xd);
    const double increment = way(s, h, w.rhs.head(size.n), w.rhs.tail(size.x));
    if (!(h * h * largest(w.now.a, s.y_scale) <= limit::passing * limit::longest))
      return {Sink::too_far};
    if (increment <= std::max(limit::solved * step.way, limit::nothing)) {
      const bool too_far = h * h * largest(w.now.a, s.y_scale) > limit::longest;
      const bool uphill = step.way > limit::uphill && w.now.a.dot(w.known) < 0;
      if (too_far || uphill) return {Sink::too_far};
      place_end(w, s, h);
      return step;
    }
    if (iteration > 2 && increment > limit::divergence * previous) break;
    previous = increment;
  }
  // Roundoff may exceed the limit that counts as zero.
  if (!(previous <= limit::at_rest)) return {Sink::too_far};
  place_end(w, s, h);
  return step;
}

void accept_step(Workspace& w, State& s) {
  Point& p = s.point;
  p.y = w.end.y;
  p.x = w.end.x;
  p.mu = w.end.mu;
  w.system.at(p);
  w.system.remember(p.memory);
}

/// Records the accelerations from rest, for the message about parts that do not stay there.
void note_what_moves(Workspace& w, State& s) {
  const Sizes& size = w.system.sizes();
  const Trouble trouble{Failure::no_equilibrium};
  s.kkt.valid = false;
  if (!solve_accelerations(w, s, s.point, tuning::history::least_accuracy)) {
    s.point.a = w.now.a;
    s.point.xdot = w.now.xd;
  }
  w.trouble = trouble;
  double most = 0;
  for (Index i = 0; i < size.n + size.x; ++i) {
    const double value = i < size.n ? s.point.a[i] : s.point.xdot[i - size.n];
    const double relative = std::abs(value) / (i < size.n ? s.y_scale[i] : s.x_scale[i - size.n]);
    if (!(relative > most)) continue;
    most = relative;
    w.trouble.row = i;
    w.trouble.size = value;
  }
}

/// The step size for the intended displacement.
double suited(double h, double moved) {
  const double factor = moved > 0 ? std::sqrt(limit::way / moved) : limit::growth;
  return h * std::clamp(factor, limit::shrinkage, limit::growth);
}

}  // namespace

bool settle(Workspace& w, State& s) {
  double h = limit::first;
  double most_h = limit::last;
  double before = std::numeric_limits<double>::infinity();
  int stalls = 0;
  s.point.z.setZero();
  s.point.a.setZero();
  s.point.xdot.setZero();
  w.system.at(s.point);
  w.system.remember(s.point.memory);
  for (int i = 0; i < limit::steps && h > limit::shortest; ++i) {
    const SinkStep step = sink(w, s, h);
    if (step.outcome == Sink::failed) return false;
    if (step.outcome == Sink::singular) most_h = limit::shrinkage * h;
    if (step.outcome != Sink::done) {
      h *= limit::shrinkage;
      continue;
    }
    accept_step(w, s);
    // Displacement in a second, if the step was shorter
    const double moves = step.way * std::max(1.0, 1 / (h * h));
    if (moves <= limit::at_rest) return true;
    stalls = moves > limit::stalled * before ? stalls + 1 : 0;
    if (moves <= limit::roundoff && stalls >= limit::stalls) return true;
    before = moves;
    h = std::min(suited(h, step.way), most_h);
  }
  note_what_moves(w, s);
  return false;
}

}  // namespace mechfmu
