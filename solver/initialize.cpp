// Consistent start: position, velocity, then accelerations, multipliers and rates.
//
//   y:  smallest change with g(t,y) = 0          δy = −G⁺ g            (Gauss–Newton, damped)
//   z:  smallest change with g_t + G z = 0, k(t,y,z) = 0
//   a, λ, ψ, x':  consistent.cpp
//
// Coordinates that the model holds keep their start values. Constraints that depend on others are
// found by rank and named; the motion is not affected by them.

#include <algorithm>
#include <cmath>

#include "solver/format.h"
#include "solver/norms.h"
#include "solver/solver.h"
#include "solver/variables.h"
#include "solver/workspace.h"

namespace mechfmu {

void Unknowns::resize(const Sizes& s) {
  a = a_tilde = Vector::Zero(s.n);
  xd = Vector::Zero(s.x);
  mu = mu_tilde = Vector::Zero(s.mu());
}

Workspace::Workspace(System& system_, const Options& options_)
    : system(system_),
      options(options_),
      c(options_.coefficients),
      method(traits(options_.method)),
      linear(system_.make_linearization()) {
  const Sizes& s = system.sizes();
  end.resize(s);
  probe.resize(s);
  before.resize(s);
  now.resize(s);
  values.resize(s);
  a_alpha = Ma_alpha = z_tilde = known = Ma = w = delta = Mv = f_difference = Vector::Zero(s.n);
  xd_alpha = xd_third = Vector::Zero(s.x);
  k_tilde = Vector::Zero(s.k);
  c_rate = Vector::Zero(s.mu());
  rhs = residual = residual_minus = rates = direction = Vector::Zero(s.kkt());
  u = Vector::Zero(s.u);
  predicted_a = Matrix::Zero(s.n, Predictions::capacity);
  factored.at.resize(s);
  factored.u = Vector::Zero(s.u);
  scratch.resize(s);
}

Solver::Solver(System& system, const Options& options)
    : system_(system),
      options_(std::make_unique<Options>(options)),
      work_(std::make_unique<Workspace>(system, *options_)) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;

namespace {

void fill(Out to, const std::vector<double>& from) {
  to.setZero();
  const Index size = std::min(to.size(), static_cast<Index>(from.size()));
  for (Index i = 0; i < size; ++i) to[i] = from[static_cast<std::size_t>(i)];
}

std::vector<bool> held(const Variables& model, bool Coordinate::*which) {
  std::vector<bool> mask;
  for (const Coordinate& c : model.coordinates()) mask.push_back(c.*which);
  return mask;
}

std::string held_names(const System& system, const std::vector<bool>& mask) {
  std::string names;
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (mask[i])
      names += (names.empty() ? "" : ", ") + system.coordinate_name(static_cast<Index>(i));
  return names;
}

enum class Projection { done, non_finite, stuck };

/// Newton's method y ← y ⊕ δ (or z ← z + δ) for the residuals in `values`, with the smallest δ.
Projection project(Workspace& w, State& s, bool positions, const std::vector<bool>& mask) {
  Point& p = s.point;
  Vector& moving = positions ? p.y : p.z;
  const Vector& r = positions ? w.values.position : w.values.velocity;
  if (r.size() == 0) return Projection::done;
  Vector before;
  double size_before = 0;
  for (int iteration = 0; iteration < 100; ++iteration) {
    w.system.evaluate(p, w.values);
    if (!all_finite(w, w.values)) return Projection::non_finite;
    w.linear->evaluate(p, 0);
    if (!w.linear->finite()) {
      w.trouble = {Failure::non_finite, "a derivative of f, g, k or d", -1};
      return Projection::non_finite;
    }
    Vector delta = w.linear->project(-r, mask);
    before = moving;
    size_before = r.norm();
    // Halve until the residual falls, and is a number at all.
    for (int halvings = 0;; ++halvings) {
      if (halvings == 60 || !delta.allFinite()) {
        moving = before;
        w.system.evaluate(p, w.values);
        return Projection::stuck;
      }
      if (positions)
        w.system.displace(before, delta, moving);
      else
        moving = before + delta;
      w.system.evaluate(p, w.values);
      if (r.allFinite() && (r.norm() <= size_before || halvings >= 10)) break;
      delta /= 2;
    }
    if (largest(delta) <= 1e-14 * std::max(1.0, largest(moving))) break;
  }
  return largest(r) <= 1e-9 ? Projection::done : Projection::stuck;
}

Result describe_stuck(const Workspace& w, const State& s, bool positions,
                      const std::vector<bool>& mask) {
  const std::string held = held_names(w.system, mask);
  if (positions)
    return {Failure::cannot_assemble, s.point.t,
            "the mechanism cannot be assembled: " + w.system.describe_violation(w.values.position) +
                "; change dimensions or start values" +
                (held.empty() ? "" : ", or hold fewer coordinates (held: " + held + ")")};
  Index row = 0;
  const double size = w.values.velocity.cwiseAbs().maxCoeff(&row);
  return {Failure::inconsistent_velocity, s.point.t,
          "the start velocities contradict constraint '" + w.system.constraint_name(row) + "' by " +
              format(size) + "; change them" +
              (held.empty() ? "" : ", or hold fewer velocities (held: " + held + ")")};
}

std::string describe_redundant(const System& system, const Redundancy& redundancy) {
  std::string text =
      "constraint '" + system.constraint_name(redundancy.row) + "' is redundant at the start: ";
  if (redundancy.of.empty()) return text + "it restricts no coordinate";
  text += "it follows from ";
  for (std::size_t i = 0; i < redundancy.of.size(); ++i)
    text += (i == 0 ? "'" : ", '") + system.constraint_name(redundancy.of[i]) + "'";
  return text + "; the motion is not affected, the multipliers are the smallest possible ones";
}

std::string describe_singular(const Workspace& w) {
  const Sizes& size = w.system.sizes();
  const Index unknown = w.linear->undetermined_unknown();
  std::string what;
  if (unknown < size.n)
    what = "the acceleration of coordinate '" + w.system.coordinate_name(unknown) +
           "' is not determined; give it mass or inertia, or a constraint";
  else if (unknown < size.n + size.mu())
    what = "the multiplier of constraint '" + w.system.constraint_name(unknown - size.n) +
           "' is not determined; it acts on no force, or contradicts others";
  else
    what = "the rate of state '" + w.system.state_name(unknown - size.n - size.mu()) +
           "' is not determined by d(x', x, ...) = 0";
  return "the matrix of accelerations and multipliers is singular: " + what;
}

}  // namespace

Result Solver::initialize(State& s, double t0) { return initialize(s, t0, system_.start()); }

Result Solver::initialize(State& s, double t0, const Start& start) {
  Workspace& w = *work_;
  const Variables& model = system_.variables();
  const Sizes& size = system_.sizes();
  warnings_.clear();
  redundant_.clear();
  system_.check();
  s.resize(size);
  w.trouble = {};
  w.linear->set_redundant(false);

  Point& p = s.point;
  p.t = s.input.t = t0;
  system_.get_inputs(s.input.value);
  fill(p.y, start.y);
  fill(p.z, start.z);
  fill(p.x, start.x);
  fill(p.xdot, start.xdot);
  fill(p.mu.head(size.m), start.lambda);
  fill(p.mu.tail(size.k), start.psi);
  for (Index i = 0; i < size.n; ++i)
    s.y_scale[i] = model.coordinates()[static_cast<std::size_t>(i)].nominal;

  if (!(p.y.allFinite() && p.z.allFinite() && p.x.allFinite() && p.mu.allFinite() &&
        p.xdot.allFinite()))
    return {Failure::non_finite, t0,
            "a start value is NaN or infinite; check the start values of the model"};

  // Position, then velocity
  for (const bool positions : {true, false}) {
    const auto mask =
        held(model, positions ? &Coordinate::hold_position : &Coordinate::hold_velocity);
    switch (project(w, s, positions, mask)) {
      case Projection::done: break;
      case Projection::non_finite: return {w.trouble.failure, t0, describe(w, s, w.trouble)};
      case Projection::stuck: return describe_stuck(w, s, positions, mask);
    }
  }
  system_.grow_scales(p.y, s.y_scale);
  s.x_scale = s.x_scale.cwiseMax(p.x.cwiseAbs());

  // Rank of the constraints at the start
  w.linear->evaluate(p, 0);
  for (const Redundancy& redundancy : w.linear->find_redundant()) {
    warnings_.push_back(describe_redundant(system_, redundancy));
    redundant_.push_back(redundancy.row);
  }
  s.linearization.redundant = !redundant_.empty();
  w.linear->set_redundant(s.linearization.redundant);

  // Accelerations, multipliers, rates and the history
  const double span =
      options_->fixed_step > 0 ? options_->fixed_step : 1e-4 * model.experiment().stop;
  if (!fresh_history(w, s, span, options_->start == StartTreatment::fresh, exactly)) {
    if (w.trouble.failure != Failure::singular_matrix)
      return {w.trouble.failure, t0, describe(w, s, w.trouble)};
    w.linear->evaluate(p, 0);
    return {Failure::singular_matrix, t0, describe_singular(w)};
  }
  s.statistics.restarts = 0;
  return {Failure::none, t0, {}};
}

void Solver::set_inputs(State& s, In value) const {
  InputSignal& in = s.input;
  const double dt = s.point.t - in.t;
  const double unit = 1e-13;
  for (Index i = 0; i < value.size(); ++i) {
    const double now = in.value[i] + dt * (in.slope[i] + dt / 2 * in.curvature[i]);
    // A slope arrives with the rounding of where it came from and of the time it took.
    const double size = std::max({std::abs(now), std::abs(value[i]), std::abs(in.value[i])});
    const double rounding = unit * size + 1e-15 * std::abs(s.point.t * in.slope[i]);
    if (!(std::abs(value[i] - now) <= rounding)) s.jumped = true;
  }
  in.t = s.point.t;
  in.value = value;
  in.slope.setZero();
  in.curvature.setZero();
  in.constant = true;
}

void Solver::set_inputs(State& s, In value, In slope, In curvature) const {
  set_inputs(s, value);
  s.input.slope = slope;
  s.input.curvature = curvature;
  s.input.constant = slope.isZero(0) && curvature.isZero(0);
}

/// A copy of the state to work on, with the matrices it was saved with.
State& Solver::scratch(const State& s) {
  Workspace& w = *work_;
  w.scratch = s;
  w.trouble = {};
  restore_linearization(w, w.scratch);
  apply_inputs(w, w.scratch, s.point.t);
  return w.scratch;
}

Result Solver::outcome(bool done, const State& s) const {
  if (done) return {Failure::none, s.point.t, {}};
  return {work_->trouble.failure, s.point.t, describe(*work_, s, work_->trouble)};
}

Result Solver::output(const State& s, Point& p) {
  p = s.point;
  const bool done = solve_accelerations(*work_, scratch(s), p, exactly);
  // λ and ψ stay those of the method, unless inputs have jumped since.
  if (!s.jumped || !done) p.mu = s.point.mu;
  if (!done) p.a = s.point.a;
  if (s.linearization.redundant) work_->linear->smallest_multipliers(p, p.mu);
  return outcome(done, s);
}

Result Solver::rates(const State& s, const Point& p, Vector& rates) {
  const double span = s.h > 0 ? s.h : s.history.span;
  const bool done = local_rates(*work_, scratch(s), p, span);
  rates = work_->rates;
  return outcome(done, s);
}

Result Solver::input_sensitivity(const State& s, const Point& p, In du, Point& dp) {
  const bool done = mechfmu::input_sensitivity(*work_, scratch(s), p, du, dp);
  if (done && s.linearization.redundant) work_->linear->smallest_multipliers(p, dp.mu);
  return outcome(done, s);
}

void Solver::constraint_residuals(const State& s, double& position, double& velocity) {
  Workspace& w = *work_;
  apply_inputs(w, s, s.point.t);
  system_.evaluate(s.point, w.values);
  position = largest(w.values.position);
  velocity = largest(w.values.velocity);
}

}  // namespace mechfmu
