// Modes of a beam much faster than its motion must not cost steps, for any ρ∞.

#include "tests/mechanics/mechanism_runs.h"
#include "tests/mechanics/spin_up.h"

namespace mechfmu::tests {
namespace {

struct Beam {
  int lumps;
  double least;  // deflection of the tip in m, from an independent program
};

class SpinUpOfABeam : public testing::TestWithParam<std::tuple<Beam, double>> {};

TEST_P(SpinUpOfABeam, TakesTheStepsOfItsTurning) {
  const auto [known, rho] = GetParam();
  const SpinUp beam;
  Options o = adaptive(1e-7);
  o.coefficients = Coefficients::from_rho(rho);
  MechanismRun run(beam.mechanism(known.lumps), o);
  double least = 0;
  double when = 0;
  for (int i = 1; i <= 300; ++i) {
    ASSERT_NO_FATAL_FAILURE(run.advance(0.05 * i));
    if (run.read("deflection") < least) {
      least = run.read("deflection");
      when = 0.05 * i;
    }
  }
  // Half of 6·15 rad, at steps of C (ωh)³ = 0.42 … 0.73 tolerances.
  const double step = std::cbrt(0.42 * o.tolerance / o.coefficients.error_constant());
  EXPECT_LT(static_cast<double>(run.state.statistics.steps), 1.4 * beam.speed * beam.T / 2 / step);
  EXPECT_LT(run.state.statistics.rejected(), 10);
  EXPECT_NEAR(run.read("extension"), beam.extension(), 6e-7);
  EXPECT_NEAR(least, known.least, 6e-5);
  EXPECT_NEAR(when, 6.75, 0.1);
}

INSTANTIATE_TEST_SUITE_P(AllNumericalDamping, SpinUpOfABeam,
                         testing::Combine(testing::Values(Beam{20, -0.5732}),
                                          testing::Values(0.5, 0.8, 0.9)));
INSTANTIATE_TEST_SUITE_P(Lumps, SpinUpOfABeam,
                         testing::Combine(testing::Values(Beam{10, -0.5717}, Beam{40, -0.5737}),
                                          testing::Values(0.8)));

}  // namespace
}  // namespace mechfmu::tests
