// The integrator: a System, Options and a State in, the State at a later time out.
//
//   ModelSystem<Pendulum> system;
//   Solver solver(system, {.tolerance = 1e-6});
//   State state;
//   if (Result r = solver.initialize(state, 0); !r.ok()) …
//   if (Result r = solver.advance(state, 1.0); !r.ok()) …      // state = last accepted step
//   Point p = …; solver.output(state, p);                      // with accelerations at t
//
// After initialize() nothing allocates (but for the text of a failure). A Solver serves one thread
// at a time; there are no globals. Several States may take turns on one Solver.

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

/// Is told of every step of advance(); may change inputs (Solver::set_inputs) or end the call.
class StepObserver {
 public:
  virtual ~StepObserver() = default;
  /// A step from state.point.t to t_end is going to be tried: time for inputs that change on the way.
  virtual void trying(State& /*state*/, double /*t_end*/) {}
  /// False: return to the caller of advance() now.
  virtual bool accepted(State& state) = 0;
};

class Solver {
 public:
  /// With linear algebra of one's own, or (null) with what fits the system.
  explicit Solver(System& system, const Options& options = {},
                  std::unique_ptr<KktMatrices> matrices = nullptr);
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) = delete;

  const Options& options() const { return *options_; }
  System& system() const { return system_; }

  /// Consistent y, z, a, λ, ψ, x' at t0 from the model's own start values, where its experiment says, or from the given ones. The
  /// system's inputs and parameters must have been set.
  Result initialize(State& state, double t0);
  Result initialize(State& state, double t0, const Start& given,
                    StartPosition where = StartPosition::placed);
  /// Remarks of initialize(): first on start velocities that were changed, then on redundant constraints.
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// Rows of C that initialize() found to depend on others.
  const std::vector<Index>& redundant() const { return redundant_; }
  /// A start velocity that was given and contradicts the constraints: the most changed ones come first.
  struct ChangedVelocity {
    Index coordinate = 0;
    double given = 0, used = 0;
  };
  const std::vector<ChangedVelocity>& changed_velocities() const { return changed_velocities_; }

  /// As many steps as needed, ending exactly at t_end (or where the observer says).
  Result advance(State& state, double t_end, StepObserver* observer = nullptr);
  /// One step of size h with no error control.
  Result step(State& state, double h);

  /// New inputs (and parameters) from the state's time on, with optional time derivatives. Jumps
  /// are found and treated by the next step.
  void set_inputs(State& state, In value) const;
  void set_inputs(State& state, In value, In slope, In curvature) const;

  /// The point a user sees: as in the state, with the accelerations that solve M a = f there. The system is at p then. Like all
  /// that follows, it leaves the state as it is: looking does not change a run.
  Result output(const State& state, Point& p);

  /// How the point of output() goes on: a', μ', x'' one after the other.
  Result rates(const State& state, const Point& p, Vector& rates);
  /// How a, μ, x' of output() change along a change of t, y, z, x and u, exactly: one solve. Where the system does not know all of its
  /// derivatives, exact is false, and nothing is found. Multipliers of redundant constraints are no numbers where y, z or x change.
  Result sensitivity(const State& state, const Point& p, Change& along, bool& exact);
  /// … with inputs and parameters, by differences of the equations: dp for a change du of u.
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
