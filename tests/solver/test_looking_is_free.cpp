// Reading outputs between steps costs nothing but the outputs: the next step takes no additional
// derivatives and factors no additional matrix. It does not change its results either.

#include <gtest/gtest.h>

#include <limits>

#include "mechanics/system.h"
#include "models/andrews_bodies/andrews_bodies.h"
#include "models/heavy_top/heavy_top.h"
#include "models/registry.h"
#include "solver/solver.h"
#include "tests/solver/counting.h"
#include "tests/solver/state_bytes.h"

namespace mechfmu::tests {
namespace {

/// Work of the steps only.
Work run(System& system, double H, bool look) {
  Work now;
  Solver solver(system, {.tolerance = 1e-6}, std::make_unique<Counting>(system, now));
  State state;
  Point p;
  EXPECT_TRUE(solver.initialize(state, 0).ok());
  Work total;
  for (int k = 1; k <= 100; ++k) {
    now = {};
    EXPECT_TRUE(solver.advance(state, k * H).ok());
    total.derivatives += now.derivatives;
    total.factors += now.factors;
    if (look) {
      EXPECT_TRUE(solver.output(state, p).ok());
    }
  }
  return total;
}

void expect_free(System& system, double H) {
  const Work quiet = run(system, H, false);
  const Work busy = run(system, H, true);
  EXPECT_EQ(busy.derivatives, quiet.derivatives);
  EXPECT_EQ(busy.factors, quiet.factors);
}

TEST(Looking, DoesNotMakeTheNextStepTakeOrFactorMatricesAnew) {
  {
    SCOPED_TRACE("slider_crank");
    expect_free(*models::make("slider_crank"), 2e-3);
  }
  {
    SCOPED_TRACE("andrews_bodies");
    mechanics::MechanismSystem system(models::andrews_bodies());
    expect_free(system, 3e-4);
  }
  {
    SCOPED_TRACE("heavy_top");
    mechanics::MechanismSystem system(models::heavy_top());
    expect_free(system, 1e-3);
  }
}

/// A state changed from outside: its matrices were never factored at its point, and have to be made
/// there.
TEST(Looking, AtAStateWhoseMatricesCannotBeMadeAgainDoesNotReachTheNextStep) {
  mechanics::MechanismSystem system(models::heavy_top());
  State changed;
  {
    Solver solver(system);
    ASSERT_TRUE(solver.initialize(changed, 0).ok());
    ASSERT_TRUE(solver.advance(changed, 0.01).ok());
  }
  changed.kkt.at.y.setConstant(std::numeric_limits<double>::quiet_NaN());
  const auto go_on = [&](bool look) {
    Solver solver(system);
    State state = changed;
    Point p;
    p.resize(system.sizes());
    if (look) {
      EXPECT_TRUE(solver.output(state, p).ok());
    }
    EXPECT_TRUE(solver.advance(state, 0.02).ok());
    return state;
  };
  EXPECT_EQ(bytes(go_on(true)), bytes(go_on(false)));
}

}  // namespace
}  // namespace mechfmu::tests
