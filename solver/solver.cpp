// Requests between steps: new inputs, outputs with accelerations, rates, sensitivities, residuals.

#include "solver/solver.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/norms.h"
#include "solver/tuning.h"
#include "solver/workspace.h"

namespace mechfmu {

void Unknowns::resize(const Sizes& s) {
  a = a_tilde = Vector::Zero(s.n);
  xd = Vector::Zero(s.x);
  mu_tilde = Vector::Zero(s.mu());
}

Workspace::Workspace(System& system_, const Options& options_,
                     std::unique_ptr<KktMatrices> matrices)
    : system(system_),
      options(options_),
      c(options_.coefficients),
      method(traits(options_.method)),
      kkt(matrices ? std::move(matrices) : make_kkt(system_)) {
  const Sizes& s = system.sizes();
  end.resize(s);
  probe.resize(s);
  before.resize(s);
  now.resize(s);
  values.resize(s);
  a_alpha = Ma_alpha = z_tilde = apart = known = Ma = per_scale = delta = Mv = f_difference =
      Vector::Zero(s.n);
  xd_alpha = x_error = Vector::Zero(s.x);
  k_tilde = Vector::Zero(s.k);
  c_rate = Vector::Zero(s.mu());
  rhs = apart_change = residual = residual_minus = rates = jump = direction = Vector::Zero(s.kkt());
  u = Vector::Zero(s.u);
  predicted_a = predicted_apart = Matrix::Zero(s.n, Predictions::capacity);
  mass = Vector::Zero(s.mass);
  scratch.resize(s);
}

Solver::Solver(System& system, const Options& options, std::unique_ptr<KktMatrices> matrices)
    : system_(system),
      options_(std::make_unique<Options>(options)),
      work_(std::make_unique<Workspace>(system, *options_, std::move(matrices))) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;

void Solver::set_inputs(State& s, In value) const {
  using limit = tuning::jump;
  InputSignal& in = s.input;
  const std::vector<Variable>& variables = system_.variables().inputs();
  const double dt = s.point.t - in.t;
  for (Index i = 0; i < value.size(); ++i) {
    const double now = in.value[i] + dt * (in.slope[i] + dt / 2 * in.curvature[i]);
    // A slope contains the roundoff of its origin and of its time interval.
    const double size = std::max({std::abs(now), std::abs(value[i]), std::abs(in.value[i])});
    const double rounding =
        limit::rounding * size + limit::rounding_of_slope * std::abs(s.point.t * in.slope[i]);
    if (std::abs(value[i] - now) <= rounding) continue;
    s.jumped = true;
    s.jump.u[i] += value[i] - now;
    s.energies_known = false;
    if (variables[ix(i)].kind() == Variable::Kind::parameter) s.parameters_jumped = true;
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

/// A copy of the state to work on, with the matrices of its record.
State& Solver::scratch(const State& s) {
  Workspace& w = *work_;
  w.scratch = s;
  w.trouble = {};
  restore_matrices(w, w.scratch);
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
  end_look(*work_);
  if (!done) {
    p.a = s.point.a;
    p.mu = s.point.mu;
  }
  system_.at(p);
  if (s.kkt.redundant) {
    work_->kkt->smallest_multipliers(p.mu);
    system_.at(p, Moved::accelerations);
  }
  return outcome(done, s);
}

Result Solver::rates(const State& s, const Point& p, Vector& rates) {
  const double span = s.h > 0 ? s.h : s.history.span;
  const bool done = local_rates(*work_, scratch(s), p, span);
  end_look(*work_);
  rates = work_->rates;
  return outcome(done, s);
}

Result Solver::sensitivity(const State& s, const Point& p, Change& along, bool& exact) {
  const bool done = mechfmu::sensitivity(*work_, scratch(s), p, along, exact);
  end_look(*work_);
  system_.at(p);
  if (done && exact && s.kkt.redundant && along.mu.allFinite())
    work_->kkt->smallest_multipliers(along.mu);
  return outcome(done, s);
}

Result Solver::input_sensitivity(const State& s, const Point& p, In du, Point& dp) {
  const bool done = mechfmu::input_sensitivity(*work_, scratch(s), p, du, dp);
  end_look(*work_);
  if (done && s.kkt.redundant) {
    system_.at(p);
    work_->kkt->smallest_multipliers(dp.mu);
  }
  return outcome(done, s);
}

void Solver::constraint_residuals(const State& s, double& position, double& velocity) {
  Workspace& w = *work_;
  apply_inputs(w, s, s.point.t);
  system_.at(s.point);
  system_.values(w.values);
  position = largest(w.values.position);
  velocity = largest(w.values.velocity);
}

}  // namespace mechfmu
