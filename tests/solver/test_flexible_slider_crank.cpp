// Simeon's flexible slider-crank against the published reference of the Test Set for IVP Solvers.
//
// Its rod vibrates without damping at up to 4 kHz, so accurate digits need small steps and
// extrapolation.

#include "models/flexible_slider_crank/flexible_slider_crank.h"
#include "tests/solver/runs.h"

namespace mechfmu::tests {
namespace {

struct End {
  Vector y, z, lambda;
};

/// Romberg's extrapolation of runs with n, 2n and 4n constant steps: errors have even powers of h.
End extrapolated(int n) {
  const auto end = [](int steps) {
    ModelRun<models::FlexibleSliderCrank> run(converged(1));
    for (int i = 0; i < steps; ++i) run.step(0.1 / steps);
    return End{run.y(), run.z(), run.state.point.lambda()};
  };
  const End a = end(n), b = end(2 * n), c = end(4 * n);
  const auto limit = [](const Vector& x, const Vector& y, const Vector& z) {
    const Vector coarse = y + (y - x) / 3, fine = z + (z - y) / 3;
    return Vector(fine + (fine - coarse) / 15);
  };
  return {limit(a.y, b.y, c.y), limit(a.z, b.z, c.z), limit(a.lambda, b.lambda, c.lambda)};
}

TEST(FlexibleSliderCrank, EndsAtThePublishedReference) {
  // MEBDFI, tolerance 1e-14, from starts that contradict the velocity constraints by 1e-8
  const Vector y = vector({15, -0.3311734988256260, 0.1697373328427860, 1.893192899613509e-4,
                           2.375751249879174e-5, -5.323896770569702e-6, -8.363313279112129e-6});
  const Vector z = vector({150, 60.25346755138369, -8.753116326670527, -0.03005541400289738,
                           -0.005500431812571696, 4.974111734266989e-4, 1.105560003626645e-3});
  const Vector lambda = vector({-62.32935833287916, -163.7920993367306, 25.29857947066878});
  const End end = extrapolated(80000);
  for (int i = 0; i < 7; ++i) {
    SCOPED_TRACE(i);
    EXPECT_NEAR(end.y[i] / y[i], 1, 1e-7);
    EXPECT_NEAR(end.z[i] / z[i], 1, 1e-6);
  }
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(end.lambda[i] / lambda[i], 1, 1e-6) << i;
}

}  // namespace
}  // namespace mechfmu::tests
