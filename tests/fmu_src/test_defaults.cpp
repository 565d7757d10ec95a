// A model's own settings of the solver, in the core that both versions of FMI share.

#include <gtest/gtest.h>

#include "tests/fmu_src/own_model.h"

namespace mechfmu::tests {
namespace {

/// Substeps of a step of 0.1.
double substeps(Instance& instance) {
  start(instance);
  instance.do_step(0, 0.1, true);
  return read(instance, "solver.steps");
}

TEST(SolverDefaults, OfTheModelHoldUntilTheUserSetsOthersAndAgainAfterAReset) {
  Instance instance("pendulum", {}, false);
  EXPECT_EQ(read(instance, "solver.method"), 2);
  EXPECT_EQ(read(instance, "solver.fixed_step"), 1e-3);
  EXPECT_EQ(read(instance, "solver.rho_inf"), 0.8);
  EXPECT_EQ(substeps(instance), 100);

  instance.reset();
  EXPECT_EQ(read(instance, "solver.fixed_step"), 1e-3);
  write(instance, "solver.fixed_step", 1e-2);
  write(instance, "solver.method", 1);
  EXPECT_EQ(substeps(instance), 10);

  instance.reset();
  EXPECT_EQ(read(instance, "solver.method"), 2);
  EXPECT_EQ(substeps(instance), 100);
}

}  // namespace
}  // namespace mechfmu::tests
