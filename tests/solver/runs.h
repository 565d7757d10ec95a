// Shared by the tests of the solver: a model with its solver and state, and order tables.

#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "model/model.h"
#include "solver/solver.h"

namespace mechfmu::tests {

/// A model, its solver and the state of a run, ready to step.
template <class ModelT>
struct ModelRun {
  ModelSystem<ModelT> system;
  Solver solver;
  State state;

  explicit ModelRun(const Options& options, const ModelT& model = {})
      : system(model), solver(system, options) {
    const Result result = solver.initialize(state, 0);
    EXPECT_TRUE(result.ok()) << result.message;
  }
  void step(double h) {
    const Result result = solver.step(state, h);
    ASSERT_TRUE(result.ok()) << result.message;
  }
  void advance(double t) {
    const Result result = solver.advance(state, t);
    ASSERT_TRUE(result.ok()) << result.message;
  }
  /// `count` pairs of steps h/3, 2h/3.
  void alternate(int count, double h) {
    for (int i = 0; i < count; ++i) {
      step(h / 3);
      step(2 * h / 3);
    }
  }
  /// Sets one input or parameter, as a master does between two steps.
  void set(const std::string& name, double value) {
    Vector u = state.input.value;
    u[system.variables().input_index(name)] = value;
    solver.set_inputs(state, u);
  }
  double t() const { return state.point.t; }
  const Vector& y() const { return state.point.y; }
  const Vector& z() const { return state.point.z; }
};

/// Options of an order table: equations of a step solved to roundoff.
inline Options converged(double rho_inf) {
  Options o;
  o.coefficients = Coefficients::from_rho(rho_inf);
  o.tolerance = 1e-13;
  o.experiments.min_iterations = 2;
  o.experiments.slow_rate = 1e-3;
  o.experiments.max_iterations = 30;
  return o;
}

inline double order(double coarse, double fine, double ratio = 2) {
  return std::log(coarse / fine) / std::log(ratio);
}

/// Equal to three significant digits: the accuracy that a table printed with four digits can
/// promise.
inline ::testing::AssertionResult three_digits(double value, double reference) {
  if (std::abs(value - reference) <= 1.5e-3 * std::abs(reference))
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << value << " is not " << reference << " to three digits";
}

inline Vector vector(std::initializer_list<double> values) {
  Vector v(static_cast<Index>(values.size()));
  Index i = 0;
  for (const double value : values) v[i++] = value;
  return v;
}

}  // namespace mechfmu::tests
