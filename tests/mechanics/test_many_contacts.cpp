// Hundreds of contacts: distant bodies cost nothing in the Newton matrix, near ones are in it, and
// saved states store which ones are near.

#include <gtest/gtest.h>

#include "mechanics/mechanism.h"
#include "solver/block_kkt.h"
#include "tests/mechanics/mechanism_runs.h"
#include "tests/solver/state_bytes.h"

namespace mechfmu::tests {

namespace {

using namespace mechanics;

/// Balls on a grid that fly towards the middle, with contact between all of them.
Mechanism cloud(int n, double spacing, double speed, bool contacts = true) {
  Mechanism m("cloud");
  m.length_scale = 0.1;
  std::vector<Body> balls;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const Vec3 at((i - 0.5 * (n - 1)) * spacing, (j - 0.5 * (n - 1)) * spacing,
                    0.02 * (i + 2 * j));
      balls.push_back(m.body({.name = "ball" + std::to_string(balls.size()),
                              .mass = 1,
                              .inertia = {0.004, 0.004, 0.004},
                              .at = at,
                              .velocity = Vec3(-speed * at)}));
    }
  for (std::size_t i = 0; i < balls.size() && contacts; ++i)
    for (std::size_t j = i + 1; j < balls.size(); ++j)
      m.contact({.name = "hit" + std::to_string(i) + "," + std::to_string(j),
                 .a = balls[i],
                 .b = balls[j],
                 .radius = 0.1,
                 .shape = ContactShape::sphere,
                 .radius_a = 0.1,
                 .local = true,
                 .stiffness = 1e5,
                 .damping = 0.2,
                 .friction = 0.3});
  return m;
}

int couplings(const State& state, const MechanismSystem& system) {
  int count = 0;
  for (std::size_t c = 0; c < system.layout().couplings.size(); ++c)
    if (were_neighbours(system.layout(), state.point.memory, c)) ++count;
  return count;
}

}  // namespace

TEST(ManyContacts, FarPairsAreNotInTheNewtonMatrix) {
  MechanismSystem system(cloud(5, 1, 0));
  BlockKkt kkt(system);
  Solver solver(system);
  State state;
  ASSERT_TRUE(solver.initialize(state, 0).ok());
  EXPECT_EQ(system.layout().couplings.size(), 300U);
  EXPECT_EQ(couplings(state, system), 0);
  system.at(state.point);
  kkt.evaluate(0);
  ASSERT_TRUE(kkt.factor_newton({1e-3, 1e-6, 0, 0}));
  EXPECT_EQ(kkt.elimination()->factor_count, 25 * 36);
}

TEST(ManyContacts, AllThatCollideKeepTheirMomentum) {
  MechanismRun run(cloud(5, 0.4, 2), {.tolerance = 1e-6});
  const auto momentum = [&] {
    Vec3 sum = Vec3::Zero();
    for (Index b = 0; b < 25; ++b) sum += Vec3(run.state.point.z.segment<3>(6 * b));
    return sum;
  };
  const Vec3 before = momentum();
  int most = 0;
  for (int k = 1; k <= 30; ++k) {
    run.advance(0.02 * k);
    most = std::max(most, couplings(run.state, run.system));
  }
  EXPECT_GE(most, 40);  // each with those beside it
  EXPECT_LT((momentum() - before).norm(), 1e-9);
}

TEST(ManyContacts, ASavedStateContinuesBitForBitOnAnySolver) {
  const Mechanism mechanism = cloud(5, 0.4, 2);
  const Options options{.tolerance = 1e-5};
  MechanismSystem system(mechanism);
  Solver solver(system, options);
  State state;
  ASSERT_TRUE(solver.initialize(state, 0).ok());
  std::vector<State> saved;
  for (int k = 1; k <= 20; ++k) {
    saved.push_back(state);
    ASSERT_TRUE(solver.advance(state, 0.03 * k).ok());
  }
  saved.push_back(state);
  // Each state on a separate solver, and all on one that was elsewhere before.
  MechanismSystem shared_system(mechanism);
  Solver shared(shared_system, options);
  for (int k = 20; k >= 1; --k) {
    State again = saved[static_cast<std::size_t>(k) - 1];
    MechanismSystem other_system(mechanism);
    Solver other(other_system, options);
    ASSERT_TRUE(other.advance(again, 0.03 * k).ok());
    EXPECT_EQ(bytes(again), bytes(saved[static_cast<std::size_t>(k)])) << k;
    again = saved[static_cast<std::size_t>(k) - 1];
    ASSERT_TRUE(shared.advance(again, 0.03 * k).ok());
    EXPECT_EQ(bytes(again), bytes(saved[static_cast<std::size_t>(k)])) << k;
  }
}

}  // namespace mechfmu::tests
