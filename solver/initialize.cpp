// Consistent start: position, velocity, then accelerations, multipliers and rates.
//
//   y:  smallest change with g(t,y) = 0                          projection.cpp
//   z:  smallest change with g_t + G z = 0, k(t,y,z) = 0
//   y, x, z = 0: to rest, on request                             equilibrium.cpp
//   a, λ, ψ, x':                                                 consistent.cpp
//
// Coordinates that the model holds keep their start values. Given velocities keep their values if
// possible; otherwise a warning reports the change. Redundant constraints are found by rank and
// named; they do not affect the motion.

#include <algorithm>
#include <cmath>

#include "model/format.h"
#include "model/variables.h"
#include "solver/norms.h"
#include "solver/solver.h"
#include "solver/tuning.h"
#include "solver/workspace.h"

namespace mechfmu {

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

using Changed = std::vector<Solver::ChangedVelocity>;

/// Given start velocities that were changed, the most changed ones first.
Changed changed_velocities(const State& s, const Vector& given, const std::vector<bool>& wanted) {
  const double size = largest(given, s.y_scale);
  const auto change = [&](Index i) { return std::abs(s.point.z[i] - given[i]) / s.y_scale[i]; };
  Changed changed;
  for (Index i = 0; i < given.size(); ++i)
    if (wanted[ix(i)] && change(i) > tuning::consistent::contradiction * size)
      changed.push_back({i, given[i], s.point.z[i]});
  std::stable_sort(changed.begin(), changed.end(), [&](const auto& a, const auto& b) {
    return change(a.coordinate) > change(b.coordinate);
  });
  return changed;
}

std::string describe_changed(const System& system, const Changed& changed) {
  std::string text = "the start velocities contradict the constraints and were changed: ";
  for (std::size_t k = 0; k < std::min<std::size_t>(3, changed.size()); ++k) {
    const auto& [i, given, used] = changed[k];
    const std::string unit = " " + system.variables().coordinates()[ix(i)].unit + "/s";
    text += (k == 0 ? "'" : ", '") + system.coordinate_name(i) + "' from " + format(given, 6) +
            " to " + format(used, 6) + unit;
  }
  if (changed.size() > 3) text += ", and " + std::to_string(changed.size() - 3) + " more";
  return text + "; omit values that follow from the others";
}

/// Computes missing velocities from the given ones; if that fails, all of them may change.
Projection project_start_velocities(Workspace& w, State& s, const std::vector<bool>& mask,
                                    Changed& changed) {
  const Vector given = s.point.z;
  const auto wanted = held(w.system.variables(), &Coordinate::given_velocity);
  auto both = mask;
  for (std::size_t i = 0; i < both.size(); ++i) both[i] = both[i] || wanted[i];
  if (both != mask && project_start(w, s, false, both) == Projection::done) return Projection::done;
  s.point.z = given;
  const Projection outcome = project_start(w, s, false, mask);
  if (outcome == Projection::done) changed = changed_velocities(s, given, wanted);
  return outcome;
}

std::string describe_redundant(const System& system, const Redundancy& redundancy) {
  std::string text =
      "constraint '" + system.constraint_name(redundancy.row) + "' is redundant at t = 0: ";
  if (redundancy.of.empty()) return text + "it restricts no coordinate";
  text += "it follows from ";
  for (std::size_t i = 0; i < redundancy.of.size(); ++i)
    text += (i == 0 ? "'" : ", '") + system.constraint_name(redundancy.of[i]) + "'";
  return text + "; the motion is not affected, the multipliers are the smallest possible ones";
}

std::string describe_singular(const Workspace& w) {
  const Sizes& size = w.system.sizes();
  const Index unknown = w.kkt->undetermined_unknown();
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

Result Solver::initialize(State& s, double t0) {
  return initialize(s, t0, system_.start(), system_.variables().experiment().start);
}

/// Projects the start values: positions, and velocities if `level` includes them.
Result Solver::place(State& s, double t0, const Start& start, StartLevel level) {
  Workspace& w = *work_;
  const Variables& model = system_.variables();
  const Sizes& size = system_.sizes();
  system_.check();
  s.resize(size);
  w.trouble = {};
  w.kkt->set_redundant(false);

  Point& p = s.point;
  p.t = s.input.t = t0;
  system_.get_inputs(s.input.value);
  system_.start_memory(t0, p.memory);
  fill(p.y, start.y);
  fill(p.z, start.z);
  fill(p.x, start.x);
  fill(p.xdot, start.xdot);
  fill(p.mu.head(size.m), start.lambda);
  fill(p.mu.tail(size.k), start.psi);

  if (!(p.y.allFinite() && p.z.allFinite() && p.x.allFinite() && p.mu.allFinite() &&
        p.xdot.allFinite()))
    return {Failure::non_finite, t0,
            "a start value is NaN or infinite; check the start values of the model"};

  // Uses the scales of the start values, which may be far off.
  system_.scales(s.y_scale, s.x_scale);
  system_.grow_scales(p.y, s.y_scale);
  measure_constraints(w, s);
  for (const bool positions : {true, false}) {
    if (!positions && level == StartLevel::positions) break;
    const auto mask =
        held(model, positions ? &Coordinate::hold_position : &Coordinate::hold_velocity);
    switch (positions ? project_start(w, s, true, mask)
                      : project_start_velocities(w, s, mask, changed_velocities_)) {
      case Projection::done: break;
      case Projection::failed: return {w.trouble.failure, t0, describe(w, s, w.trouble)};
      case Projection::stuck: return describe_stuck(w, s, positions, mask);
    }
  }
  return {Failure::none, t0, {}};
}

/// Finds coordinates for start values of other quantities: a second system holds these quantities
/// and returns the coordinates.
Result Solver::meet_start_values(double t0, Start& start) {
  const auto take = [](std::vector<double>& to, const Vector& from) {
    to.assign(from.begin(), from.end());
  };
  for (const StartLevel level : {StartLevel::positions, StartLevel::velocities}) {
    // Positions move in small steps, so that parts are carried along rather than pulled into place.
    const int parts = level == StartLevel::positions ? tuning::consistent::start_parts : 1;
    System* other = system_.with_start_values(level, 1.0 / parts);
    if (other == nullptr) continue;
    Solver solver(*other, *options_);
    State there;
    for (int k = 1; k <= parts; ++k) {
      if (k > 1) system_.with_start_values(level, static_cast<double>(k) / parts);
      if (Result result = solver.place(there, t0, start, level); !result.ok()) {
        result.message = "with the start values of its joints, " + result.message;
        return result;
      }
      take(start.y, there.point.y);
    }
    if (level == StartLevel::positions) continue;
    take(start.z, there.point.z);
    changed_velocities_ = solver.changed_velocities_;
  }
  return {Failure::none, t0, {}};
}

/// Determines the rank of the constraints at the state's point.
void Solver::find_redundant(State& s) {
  Workspace& w = *work_;
  warnings_.clear();
  redundant_.clear();
  system_.at(s.point);
  w.kkt->evaluate(0);
  for (const Redundancy& redundancy : w.kkt->find_redundant()) {
    warnings_.push_back(describe_redundant(system_, redundancy));
    redundant_.push_back(redundancy.row);
  }
  s.kkt.redundant = !redundant_.empty();
  w.kkt->set_redundant(s.kkt.redundant);
}

/// Moves the state to a static equilibrium near it.
Result Solver::come_to_rest(State& s, const Start& start) {
  Workspace& w = *work_;
  const double t = s.point.t;
  fill(w.delta, start.z);
  Index row = 0;
  if (w.delta.size() > 0 &&
      (w.delta.cwiseAbs().cwiseQuotient(s.y_scale)).maxCoeff(&row) > tuning::equilibrium::slow)
    return {Failure::no_equilibrium, t,
            "'" + system_.coordinate_name(row) + "' starts with a velocity of " +
                format(w.delta[row], 5) + " " + system_.variables().coordinates()[ix(row)].unit +
                "/s, but start=\"equilibrium\" requires rest; remove the start velocity or "
                "start=\"equilibrium\""};
  s.point.z.setZero();
  // Twice: the target of a driver may depend on the position.
  for (const bool there : {false, true}) {
    system_.at(s.point);
    system_.values(w.values);
    if (!all_finite(w, w.values)) return {w.trouble.failure, t, describe(w, s, w.trouble)};
    const Vector& moves = w.values.velocity;
    if (moves.size() > 0 && moves.cwiseAbs().cwiseQuotient(s.constraint_scale).maxCoeff(&row) >
                                tuning::equilibrium::slow)
      return {Failure::no_equilibrium, t,
              "there is no equilibrium at rest: constraint '" + system_.constraint_name(row) +
                  "' moves with " + format(moves[row], 5) + " at the start; let it begin at rest"};
    if (there) break;
    find_redundant(s);
    w.kkt->set_orders(s.kkt.orders);
    if (!settle(w, s)) return {w.trouble.failure, t, describe(w, s, w.trouble)};
    w.kkt->set_redundant(false);
    measure_constraints(w, s);
    switch (project_start(w, s, true, std::vector<bool>(ix(system_.sizes().n), false))) {
      case Projection::done: break;
      case Projection::failed: return {w.trouble.failure, t, describe(w, s, w.trouble)};
      case Projection::stuck: return describe_stuck(w, s, true, {});
    }
    system_.begin_memory(s.point.memory);
  }
  return {Failure::none, t, {}};
}

Result Solver::initialize(State& s, double t0, const Start& given, StartPosition where) {
  Workspace& w = *work_;
  const Variables& model = system_.variables();
  changed_velocities_.clear();
  Start start = given;
  if (Result result = meet_start_values(t0, start); !result.ok()) return result;
  if (Result result = place(s, t0, start, StartLevel::velocities); !result.ok()) return result;
  Point& p = s.point;
  if (where == StartPosition::equilibrium)
    if (Result result = come_to_rest(s, start); !result.ok()) return result;
  system_.at(p);
  system_.remember(p.memory);
  system_.scales(s.y_scale, s.x_scale);
  system_.grow_scales(p.y, s.y_scale);
  s.x_scale = s.x_scale.cwiseMax(p.x.cwiseAbs());
  measure_constraints(w, s);

  find_redundant(s);
  if (!changed_velocities_.empty())
    warnings_.insert(warnings_.begin(), describe_changed(system_, changed_velocities_));

  // Accelerations, multipliers, rates and the history. The slope a' is a difference over a part of
  // the first step, which in turn depends on the slope. The difference must not exceed the time
  // scale of the motion, however long the run is.
  double span = options_->fixed_step > 0 ? options_->fixed_step
                                         : tuning::consistent::first_span * model.experiment().stop;
  const bool with_slope = options_->experiments.start == StartTreatment::fresh;
  for (int round = 0; round < tuning::consistent::start_rounds; ++round) {
    if (!fresh_history(w, s, span, with_slope, exactly)) {
      if (w.trouble.failure != Failure::singular_matrix)
        return {w.trouble.failure, t0, describe(w, s, w.trouble)};
      system_.at(p);
      w.kkt->evaluate(0);
      return {Failure::singular_matrix, t0, describe_singular(w)};
    }
    const double first = first_step(w, s, span);
    if (!with_slope || first > tuning::consistent::span_found * span) break;
    span = first;
  }
  prepare_steps(w, s, first_step(w, s, span));
  prepare_looks(w, s);
  s.statistics.restarts = 0;
  return {Failure::none, t0, {}};
}

}  // namespace mechfmu
