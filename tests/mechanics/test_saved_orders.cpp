// Outputs of restored states: reactions of redundant mechanisms are the same to the last bit on any
// solver.

#include "models/slider_crank_bodies/slider_crank_bodies.h"
#include "tests/mechanics/mechanism_runs.h"

namespace mechfmu::tests {
namespace {

using namespace mechanics;
using models::Space;

TEST(SavedStates, OfARedundantMechanismHaveTheSameReactionsOnAnotherSolver) {
  const Mechanism mechanism = models::slider_crank_bodies({.space = Space::spatial});
  Options options;
  options.tolerance = 1e-6;
  MechanismSystem system(mechanism);
  Solver solver(system, options);
  State state;
  ASSERT_TRUE(solver.initialize(state, 0).ok());
  ASSERT_TRUE(state.kkt.redundant);
  for (int k = 1; k <= 5; ++k) {
    ASSERT_TRUE(solver.advance(state, 0.1 * k).ok());
    Point here;
    ASSERT_TRUE(solver.output(state, here).ok());

    MechanismSystem other_system(mechanism);
    Solver other(other_system, options);
    Point there;
    ASSERT_TRUE(other.output(state, there).ok());
    EXPECT_EQ(here.mu, there.mu) << k;
    EXPECT_EQ(here.a, there.a) << k;
    // … also on a solver with its own start
    MechanismSystem third_system(mechanism);
    Solver third(third_system, options);
    State own;
    ASSERT_TRUE(third.initialize(own, 0).ok());
    ASSERT_TRUE(third.output(state, there).ok());
    EXPECT_EQ(here.mu, there.mu) << k;
  }
}

}  // namespace
}  // namespace mechfmu::tests
