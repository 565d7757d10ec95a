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

#include "solver/options.h"
#include "solver/result.h"
#include "solver/state.h"

namespace mechfmu {

struct Workspace;

class Solver {
 public:
  explicit Solver(System& system, const Options& options = {});
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) = delete;

  const Options& options() const { return *options_; }
  System& system() const { return system_; }

  /// Consistent y, z, a, λ, ψ, x' at t0 from the model's start values. The system's inputs and
  /// parameters must have been set.
  Result initialize(State& state, double t0);
  /// Remarks of initialize(): redundant constraints.
  const std::vector<std::string>& warnings() const { return warnings_; }

  /// As many steps as needed, ending exactly at t_end.
  Result advance(State& state, double t_end);
  /// One step of size h with no error control.
  Result step(State& state, double h);

  /// New inputs (and parameters) from the state's time on, with optional time derivatives. Jumps
  /// are found and treated by the next step.
  void set_inputs(State& state, In value) const;
  void set_inputs(State& state, In value, In slope, In curvature) const;

  /// The point a user sees: as in the state, with the accelerations that solve M a = f there.
  Result output(State& state, Point& p);

  /// Largest residuals of g and of (g_t + G z, k).
  void constraint_residuals(State& state, double& position, double& velocity);

 private:
  System& system_;
  std::unique_ptr<Options> options_;
  std::unique_ptr<Workspace> work_;
  std::vector<std::string> warnings_;
};

}  // namespace mechfmu
