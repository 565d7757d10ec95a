// Shared by the tests of whole mechanisms: a mechanism with its solver and state, read and set by
// names.

#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "mechanics/motion.h"
#include "mechanics/system.h"
#include "solver/solver.h"
#include "tests/solver/runs.h"

namespace mechfmu::tests {

/// A mechanism, its solver and the state of a run, ready to step.
struct MechanismRun {
  using Settings = std::vector<std::pair<std::string, double>>;

  mechanics::MechanismSystem system;
  Solver solver;
  Point seen;  // by read()
  State state;

  explicit MechanismRun(const mechanics::Mechanism& mechanism, const Options& options,
                        const Settings& settings = {})
      : system(mechanism), solver(system, options) {
    Vector u(system.sizes().u);
    system.get_inputs(u);
    for (const auto& [name, value] : settings) u[system.variables().input_index(name)] = value;
    system.set_inputs(u);
    const Result result = solver.initialize(state, 0);
    EXPECT_TRUE(result.ok()) << result.message;
  }
  void step(double h) {
    const Result result = solver.step(state, h);
    ASSERT_TRUE(result.ok()) << result.message;
  }
  /// `count` steps of equal size from here to t.
  void steps(int count, double t) {
    const double begin = state.point.t;
    for (int i = 0; i < count; ++i) ASSERT_NO_FATAL_FAILURE(step((t - begin) / count));
  }
  /// `count` pairs of steps h/3, 2h/3.
  void alternate(int count, double h) {
    for (int i = 0; i < count; ++i) {
      ASSERT_NO_FATAL_FAILURE(step(h / 3));
      ASSERT_NO_FATAL_FAILURE(step(2 * h / 3));
    }
  }
  void advance(double t) {
    const Result result = solver.advance(state, t);
    ASSERT_TRUE(result.ok()) << result.message;
  }
  void set(const std::string& name, double value) {
    Vector u = state.input.value;
    u[system.variables().input_index(name)] = value;
    solver.set_inputs(state, u);
  }

  /// The point that users see, with accelerations.
  Point point() {
    Point p;
    p.resize(system.sizes());
    const Result result = solver.output(state, p);
    EXPECT_TRUE(result.ok()) << result.message;
    return p;
  }
  const mechanics::Motion& motion() { return system.motion(point()); }
  double read(const std::string& output) {
    const auto& all = system.variables().outputs();
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].name() == output) {
        seen = point();
        system.at(seen);
        return system.read(i);
      }
    ADD_FAILURE() << "there is no output '" << output << "'";
    return 0;
  }
  Vector read(const std::vector<std::string>& outputs) {
    Vector values(static_cast<Index>(outputs.size()));
    for (std::size_t i = 0; i < outputs.size(); ++i)
      values[static_cast<Index>(i)] = read(outputs[i]);
    return values;
  }
  /// Largest residual of the position constraints, and of the velocity constraints.
  std::pair<double, double> residuals() {
    std::pair<double, double> largest;
    solver.constraint_residuals(state, largest.first, largest.second);
    return largest;
  }
};

/// The limit h → 0 of a method of order 2, from runs with h and h/2.
inline Vector extrapolated(const Vector& coarse, const Vector& fine) {
  return fine + (fine - coarse) / 3;
}

inline Options adaptive(double tolerance) {
  Options o;
  o.tolerance = tolerance;
  return o;
}

}  // namespace mechfmu::tests
