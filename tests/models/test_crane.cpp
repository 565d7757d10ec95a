// Loader crane against its geometry, static equilibrium by virtual work, and the oil that passes
// through the valves.

#include <numbers>

#include "tests/models/model_files.h"

namespace mechfmu::tests {
namespace {

using Eigen::Vector2d;

constexpr double degree = std::numbers::pi / 180, bar = 1e5;

Vector2d towards(double angle) { return {std::cos(angle), std::sin(angle)}; }

/// Lengths of the cylinders and potential energy, from the angles of the boom, and of the jib
/// relative to it.
struct Crane {
  double lift, knee, potential;
  Crane(double boom, double jib, double load) {
    const double right = std::numbers::pi / 2;
    const Vector2d bx = towards(boom), by = towards(boom + right), jx = towards(boom + jib),
                   jy = towards(boom + jib + right);
    const Vector2d knuckle = 3 * bx;
    const Vector2d lift_foot(0.3, -1), lift_head = 1.1 * bx - 0.15 * by;
    const Vector2d knee_foot = 1.9 * bx - 0.25 * by, knee_head = knuckle + 0.35 * jx - 0.3 * jy;
    lift = (lift_head - lift_foot).norm();
    knee = (knee_head - knee_foot).norm();
    const Vector2d u = (lift_head - lift_foot) / lift, v = (knee_head - knee_foot) / knee;
    const double moment = 350 * (1.4 * bx)[1] + 200 * (knuckle + 1.1 * jx)[1] +
                          load * (knuckle + 2.5 * jx)[1] + 40 * (lift_foot + 0.5 * u)[1] +
                          25 * (lift_head - 0.5 * u)[1] + 40 * (knee_foot + 0.5 * v)[1] +
                          25 * (knee_head - 0.5 * v)[1];
    potential = 9.81 * moment;
  }
};

TEST(Crane, PressuresAtTheStartCarryTheLoad) {
  // F_lift ∂l_lift/∂boom = ∂V/∂boom with the jib fixed on the boom; F_knee ∂l_knee/∂jib = ∂V/∂jib
  const double boom = 40 * degree, jib = -50 * degree, e = 1e-5;
  const Crane b1(boom + e, jib, 500), b0(boom - e, jib, 500), j1(boom, jib + e, 500),
      j0(boom, jib - e, 500);
  const double lift = (b1.potential - b0.potential) / (b1.lift - b0.lift);
  const double knee = (j1.potential - j0.potential) / (j1.knee - j0.knee);
  MechanismRun run(from_file("crane"), adaptive(1e-6));
  EXPECT_NEAR(run.read("lift.force"), lift, 0.02);
  EXPECT_NEAR(run.read("knee.force"), knee, 0.02);
  run.advance(5);
  EXPECT_NEAR(run.read("boom.angle"), 40, 1e-4);
  EXPECT_NEAR(run.read("jib.angle"), -50, 1e-4);
  EXPECT_NEAR(run.read("rope.force"), 500 * 9.81, 1e-1);
}

TEST(Crane, StrokesAreThoseOfTheTriangles) {
  MechanismRun run(from_file("crane"), adaptive(1e-6), {{"lift_valve", 0.5}, {"jib_valve", -0.4}});
  const Crane start(40 * degree, -50 * degree, 500);
  for (int i = 1; i <= 10; ++i) {
    run.advance(0.2 * i);
    const Crane now(run.read("boom.angle") * degree, run.read("jib.angle") * degree, 500);
    EXPECT_NEAR(run.read("lift.stroke"), 0.4 + now.lift - start.lift, 1e-9);
    EXPECT_NEAR(run.read("knee.stroke"), 0.4 + now.knee - start.knee, 1e-9);
  }
  EXPECT_GT(run.read("lift.stroke"), 0.5);
  EXPECT_LT(run.read("knee.stroke"), 0.35);
}

/// Oil that passes through the valve moves the piston and is compressed: ∫ q dt = A Δs + ∫ V/K dp.
TEST(Crane, OilIsNotLost) {
  const double u = 0.3, gain = 1e-3 / std::sqrt(100 * bar), K = 1.2e9;
  const double A = std::numbers::pi / 4 * 0.01, B = std::numbers::pi / 4 * (0.01 - 0.0036);
  MechanismRun run(from_file("crane"), adaptive(1e-7), {{"lift_valve", u}});
  run.advance(0.5);
  const auto sample = [&] {
    return std::array<double, 3>{run.read("lift.stroke"), run.read("lift.pressure_A") * bar,
                                 run.read("lift.pressure_B") * bar};
  };
  const auto first = sample();
  auto before = first;
  double in = 0, out = 0, squeezed_A = 0, squeezed_B = 0;
  const double h = 1e-3;
  for (int i = 1; i <= 1500; ++i) {
    run.advance(0.5 + i * h);
    const auto now = sample();
    const double pA = (now[1] + before[1]) / 2, pB = (now[2] + before[2]) / 2;
    const double s = (now[0] + before[0]) / 2;
    in += h * u * gain * std::sqrt(200 * bar - pA);
    out += h * u * gain * std::sqrt(pB - 2 * bar);
    squeezed_A += A * (s + 0.05) / K * (now[1] - before[1]);
    squeezed_B += B * (0.9 - s + 0.05) / K * (now[2] - before[2]);
    before = now;
  }
  const double moved = before[0] - first[0];
  EXPECT_GT(moved, 0.05);
  EXPECT_NEAR(in, A * moved + squeezed_A, 1e-3 * in);
  EXPECT_NEAR(out, B * moved - squeezed_B, 1e-3 * out);
  // the same on average: the valve limits the speed of the cylinder
  EXPECT_NEAR(moved / 1.5, in / 1.5 / A, 0.02 * moved / 1.5);
}

}  // namespace
}  // namespace mechfmu::tests
