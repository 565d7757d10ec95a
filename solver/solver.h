// The integrator: takes a System, Options and a State, and advances the State in time.
//
//   ModelSystem<Pendulum> system;
//   Solver solver(system, {.tolerance = 1e-6});
//   State state;
//   if (Result r = solver.initialize(state, 0); !r.ok()) …
//   if (Result r = solver.advance(state, 1.0); !r.ok()) …      // state = last accepted step
//   Point p = …; solver.output(state, p);                      // with accelerations at t
//
// After initialize() nothing allocates, except the text of a failure. A Solver serves one thread at
// a time; there are no globals. Several States may take turns on one Solver.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/variables.h"
#include "solver/options.h"
#include "solver/result.h"
#include "solver/state.h"

namespace mechfmu {

struct Workspace;

/// advance() calls it for every step. It may change inputs (Solver::set_inputs) or end the call.
class StepObserver {
 public:
  virtual ~StepObserver() = default;
  /// The solver is about to try a step from state.point.t to t_end: inputs that change on the way
  /// can be set here.
  virtual void trying(State& /*state*/, double /*t_end*/) {}
  /// False: advance() returns to its caller now.
  virtual bool accepted(State& state) = 0;
};

class Solver {
 public:
  /// With user-supplied linear algebra; null selects the one that fits the system.
  explicit Solver(System& system, const Options& options = {},
                  std::unique_ptr<KktMatrices> matrices = nullptr);
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) = delete;

  const Options& options() const { return *options_; }
  System& system() const { return system_; }

  /// Finds consistent y, z, a, λ, ψ, x' at t0. Start values come from the model, at the position
  /// its experiment selects, or from the caller. The inputs and parameters of the system must have
  /// been set.
  Result initialize(State& state, double t0);
  Result initialize(State& state, double t0, const Start& given,
                    StartPosition where = StartPosition::placed);
  /// Warnings of initialize(): first about changed start velocities, then about redundant
  /// constraints.
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// Rows of C that depend on others, found by initialize().
  const std::vector<Index>& redundant() const { return redundant_; }
  /// A given start velocity that contradicts the constraints. The most changed ones come first.
  struct ChangedVelocity {
    Index coordinate = 0;
    double given = 0, used = 0;
  };
  const std::vector<ChangedVelocity>& changed_velocities() const { return changed_velocities_; }

  /// Takes as many steps as needed and ends exactly at t_end, or where the observer ends the call.
  Result advance(State& state, double t_end, StepObserver* observer = nullptr);
  /// Takes one step of size h without error control.
  Result step(State& state, double h);

  /// Sets inputs (and parameters) from the state's time on, with optional time derivatives. The
  /// next step detects and treats jumps.
  void set_inputs(State& state, In value) const;
  void set_inputs(State& state, In value, In slope, In curvature) const;

  /// The point for outputs: as in the state, with the accelerations that solve M a = f there. The
  /// system is at p afterwards. This and the following functions leave the state unchanged: reading
  /// outputs does not affect a run.
  Result output(const State& state, Point& p);

  /// Time derivatives at the point of output(): a', μ', x'', one after the other.
  Result rates(const State& state, const Point& p, Vector& rates);
  /// Exact change of a, μ, x' of output() along a change of t, y, z, x and u, by one solve. If the
  /// system does not provide all of its derivatives, `exact` is false and nothing is computed.
  /// Multipliers of redundant constraints are NaN if y, z or x change.
  Result sensitivity(const State& state, const Point& p, Change& along, bool& exact);
  /// The change with inputs and parameters, by differences of the equations: dp for a change du of
  /// u.
  Result input_sensitivity(const State& state, const Point& p, In du, Point& dp);

  /// Largest residuals of g and of (g_t + G z, k).
  void constraint_residuals(const State& state, double& position, double& velocity);

 private:
  Result place(State& state, double t0, const Start& start, StartLevel level);
  Result meet_start_values(double t0, Start& start);
  Result come_to_rest(State& state, const Start& start);
  void find_redundant(State& state);
  State& scratch(const State& state);
  Result outcome(bool done, const State& state) const;

  System& system_;
  std::unique_ptr<Options> options_;
  std::unique_ptr<Workspace> work_;
  std::vector<std::string> warnings_;
  std::vector<Index> redundant_;
  std::vector<ChangedVelocity> changed_velocities_;
};

}  // namespace mechfmu
