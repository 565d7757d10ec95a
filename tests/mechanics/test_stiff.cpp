// Modes of a beam that are much faster than its motion must not cost steps, whatever ρ∞ is.

#include "tests/mechanics/mechanism_runs.h"
#include "tests/mechanics/spin_up.h"

namespace mechfmu::tests {
namespace {

TEST(SpinUpOfABeam, TakesTheStepsOfItsTurning) {
  const SpinUp beam;
  const mechanics::Mechanism m = beam.mechanism(20);
  for (const double rho : {0.5, 0.8, 0.9}) {
    SCOPED_TRACE(testing::Message() << "rho_inf = " << rho);
    Options o = adaptive(1e-7);
    o.coefficients = Coefficients::from_rho(rho);
    MechanismRun run(m, o);
    double least = 0;
    for (int i = 1; i <= 60; ++i) {
      ASSERT_NO_FATAL_FAILURE(run.advance(0.25 * i));
      least = std::min(least, run.read("deflection"));
    }
    // Half of 6·15 rad, at steps of C (ωh)³ = 0.42 … 0.73 tolerances.
    const double step = std::cbrt(0.42 * o.tolerance / o.coefficients.error_constant());
    EXPECT_LT(static_cast<double>(run.state.statistics.steps),
              1.4 * beam.speed * beam.T / 2 / step);
    EXPECT_LT(run.state.statistics.rejected(), 10);
    // −0.5732 m with 20 lumps, −0.5737 m with 40.
    EXPECT_NEAR(run.read("extension"), beam.extension(), 2e-6);
    EXPECT_NEAR(least, -0.5732, 5e-4);
  }
}

}  // namespace
}  // namespace mechfmu::tests
