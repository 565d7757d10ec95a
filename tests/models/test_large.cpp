// Belt and track: the numbers of equations in their READMEs, and the belt's first hundredths of a
// second against a run of another description.

#include "tests/models/model_files.h"

namespace mechfmu::tests {
namespace {

TEST(Belt, HasTheSizeOfItsReadme) {
  const mechanics::Mechanism belt = from_file("belt");
  const mechanics::MechanismSystem system(belt);
  EXPECT_EQ(belt.bodies.size(), 105U + 1U);  // with the ground
  EXPECT_EQ(belt.pairs.size(), 400U);
  EXPECT_EQ(system.sizes().n, 630);
  EXPECT_EQ(system.sizes().m, 25);
}

TEST(Track, HasTheSizeOfItsReadme) {
  const mechanics::Mechanism track = from_file("track");
  const mechanics::MechanismSystem system(track);
  EXPECT_EQ(track.bodies.size(), 61U + 1U);
  EXPECT_EQ(track.pairs.size(), 1728U);
  EXPECT_EQ(system.sizes().n, 366);
  EXPECT_EQ(system.sizes().m, 305);  // 61 degrees of freedom
}

/// … to the last bit, and the balance of energy is that of the motion.
TEST(Atv, TrackingItsEnergyDoesNotChangeItsSteps) {
  mechanics::Mechanism atv = from_file("atv");
  MechanismRun plain(atv, adaptive(1e-7));
  atv.track_energy = true;
  MechanismRun tracked(atv, adaptive(1e-7));
  ASSERT_NO_FATAL_FAILURE(plain.advance(0.2));
  ASSERT_NO_FATAL_FAILURE(tracked.advance(0.2));
  EXPECT_EQ(tracked.state.statistics.steps, plain.state.statistics.steps);
  EXPECT_EQ(tracked.state.point.y, plain.state.point.y);
  EXPECT_LT(std::abs(tracked.read("energy.imbalance")), 1e-3 * tracked.read("energy.dissipated"));
}

TEST(Belt, MeetsARunOfTheSameBeltWrittenOut) {
  // All segments written out one by one, with a tolerance of 1e-7.
  const std::vector<std::string> outputs{"alternator.Fx", "alternator.Fy",  "omega.C",
                                         "omega.W",       "omega.A",        "tensioner.angle",
                                         "tension_1",     "tension_26",     "tension_51",
                                         "tension_76",    "energy.kinetic", "energy.potential"};
  const std::vector<std::vector<double>> rows{
      {0.005, -592.9336453, 61.05976642, 85.30098649, 103.716657, 215.3825406, -0.008388908033,
       254.2282504, 274.9446031, 309.0319391, 335.6128716, 140.0462881, 2.957307539},
      {0.01, -450.5063084, 58.02857572, 86.7591311, 106.0737534, 214.5505223, -0.01959285431,
       138.3539746, 189.0025739, 252.3890983, 311.4142864, 142.418226, 3.025830075},
      {0.02, -401.0210274, 83.91355463, 85.5808821, 106.4370488, 222.996121, -0.02845631138,
       111.4341187, 135.014011, 295.7054568, 207.8195302, 144.9790852, 3.126362202}};
  MechanismRun run(from_file("belt"), adaptive(1e-7));
  for (const std::vector<double>& row : rows) {
    // with communication steps of 1 ms, as there
    const double begin = run.state.point.t;
    const int steps = static_cast<int>(std::lround((row[0] - begin) / 1e-3));
    for (int i = 1; i <= steps; ++i) ASSERT_NO_FATAL_FAILURE(run.advance(begin + i * 1e-3));
    const Vector now = run.read(outputs);
    for (std::size_t i = 0; i < outputs.size(); ++i)
      EXPECT_NEAR(now[static_cast<Index>(i)], row[i + 1], 1e-3 * std::abs(row[i + 1]))
          << outputs[i] << " at " << row[0];
  }
}

/// The track settles: the ground carries the machine, and the tensioner holds the idler.
TEST(Track, SettlesOnTheGround) {
  MechanismRun run(from_file("track"), adaptive(1e-5));
  ASSERT_NO_FATAL_FAILURE(run.advance(0.5));
  // Weight of all bodies on the corners of the shoes below, k d^1.5 each: some millimetres.
  const double weight = 9.81 * (6000 + 27.68 + 429.5 + 400 + 54 * 18.02);
  const double sunk = 0.5 - run.read("hull.z");
  EXPECT_GT(sunk, 0.8 * std::pow(weight / (4 * 22 * 2e7), 2.0 / 3));
  EXPECT_LT(sunk, 0.006);
  EXPECT_NEAR(run.read("hull.y"), 0, 1e-9);
  EXPECT_LT(run.read("energy.kinetic"), 0.1 * 233);
}

}  // namespace
}  // namespace mechfmu::tests
