// Newton's method in mechanisms whose far ends are a thousand times the length of a joint away.
//
// The roundoff of positions at x is ε x. Divided by βh² it enters ã, and an extrapolation of degree
// 3 multiplies it by √69: a step would need a second iteration only to remove the roundoff of the
// guess.

#include <gtest/gtest.h>

#include "bench/structures.h"
#include "mechanics/system.h"
#include "solver/solver.h"

namespace mechfmu {
namespace {

/// Newton iterations in fifty steps of 1 ms, from the 31st step of a fall onward.
std::int64_t iterations(int rods) {
  mechanics::MechanismSystem system(bench::spatial_arm(rods));
  Options options;
  options.tolerance = 1e-6;
  Solver solver(system, options);
  State state;
  EXPECT_TRUE(solver.initialize(state, 0).ok());
  for (int k = 0; k < 30; ++k) EXPECT_TRUE(solver.step(state, 1e-3).ok());
  const std::int64_t before = state.statistics.newton_iterations;
  for (int k = 0; k < 50; ++k) EXPECT_TRUE(solver.step(state, 1e-3).ok());
  return state.statistics.newton_iterations - before;
}

TEST(LongArms, TakeHardlyMoreIterationsThanShortOnes) {
  EXPECT_LE(iterations(10), 55);
  EXPECT_LE(iterations(100), 60);
  EXPECT_LE(iterations(500), 75);
}

}  // namespace
}  // namespace mechfmu
