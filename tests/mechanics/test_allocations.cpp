// Nothing allocates after initialization, whatever a mechanism is made of.

#include <gtest/gtest.h>

#include "mechanics/motion.h"
#include "models/rolling_wheel/rolling_wheel.h"
#include "models/slider_crank_bodies/slider_crank_bodies.h"
#include "models/spatial_four_bar/spatial_four_bar.h"
#include "solver/solver.h"
#include "tests/solver/count_allocations.h"

namespace mechfmu::tests {
namespace {

void expect_no_allocations(const mechanics::Mechanism& mechanism) {
  if (!allocations_are_counted()) GTEST_SKIP();
  mechanics::MechanismSystem system(mechanism);
  Solver solver(system);
  State state;
  Point p;
  p.resize(system.sizes());
  ASSERT_TRUE(solver.initialize(state, 0).ok());
  Vector u(system.sizes().u);
  system.get_inputs(u);
  // Once for what is made on first use
  ASSERT_TRUE(solver.advance(state, 0.01).ok());
  ASSERT_TRUE(solver.output(state, p).ok());
  for (std::size_t i = 0; i < system.variables().outputs().size(); ++i) system.read(i);

  const long before = allocations();
  for (int k = 2; k <= 20; ++k) {
    for (Index i = 0; i < u.size(); ++i)
      if (system.variables().inputs()[static_cast<std::size_t>(i)].kind() == Variable::Kind::input)
        u[i] += 0.1;
    solver.set_inputs(state, u);
    ASSERT_TRUE(solver.advance(state, 0.01 * k).ok());
    ASSERT_TRUE(solver.output(state, p).ok());
    for (std::size_t i = 0; i < system.variables().outputs().size(); ++i) system.read(i);
  }
  EXPECT_EQ(allocations() - before, 0);
}

TEST(Allocations, NoneInStepsAndOutputsOfAPlanarMechanism) {
  expect_no_allocations(models::slider_crank_bodies({}));
}
TEST(Allocations, NoneWithRedundantConstraints) {
  expect_no_allocations(models::slider_crank_bodies({.space = models::Space::spatial}));
}
TEST(Allocations, NoneInASpatialLoop) { expect_no_allocations(models::spatial_four_bar()); }
TEST(Allocations, NoneInRolling) { expect_no_allocations(models::rolling_wheel()); }

}  // namespace
}  // namespace mechfmu::tests
