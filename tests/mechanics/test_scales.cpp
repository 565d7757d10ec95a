// Mechanisms whose parameters make them small or large: the same motion, the same relative error,
// the same number of steps.

#include "tests/mechanics/mechanism_runs.h"

namespace mechfmu::tests {
namespace {

using namespace mechanics;

constexpr double pi = 3.14159265358979323846;

/// A mass on a spring that swings by a tenth of its length; ω = 2π 1/s at any size.
Mechanism spring_of_length() {
  Mechanism m("spring");
  const Parameter l = m.parameter("l", 1, "m");
  const Body mass = m.body({.name = "mass", .type = BodyType::planar_point, .at = {l * 1.1, 0, 0}});
  m.spring({.name = "spring",
            .along = m.distance({ground, {0, 0, 0}}, {mass, {l * 1.1, 0, 0}}),
            .stiffness = 4 * pi * pi,
            .length = l});
  return m;
}

/// A pendulum of a bar; gravity grows with it, so that the motion is the same.
Mechanism pendulum_of_length() {
  Mechanism m("pendulum");
  const Parameter l = m.parameter("l", 1, "m");
  m.gravity = {0, l * -9.81, 0};
  const Body bar =
      m.body({.name = "bar",
              .type = BodyType::planar,
              .inertia = Inertia{of([=](InputValues s) { return 1.0 / 12 * s(l) * s(l); })},
              .at = {l * 0.5, 0, 0}});
  m.joint({.name = "pin", .type = JointType::revolute, .a = ground, .b = bar});
  return m;
}

struct Outcome {
  double error;  // relative to the length
  double steps;
};

Outcome spring_run(double l, double tolerance) {
  MechanismRun run(spring_of_length(), adaptive(tolerance), {{"l", l}});
  run.advance(16);
  return {std::abs(run.state.point.y[0] / l - 1.1),
          static_cast<double>(run.state.statistics.steps)};
}

Outcome pendulum_run(double l, double tolerance) {
  const auto end = [&](double within) {
    MechanismRun run(pendulum_of_length(), adaptive(within), {{"l", l}});
    run.advance(5);
    return std::pair(Vector(run.state.point.y.head(2) / l), run.state.statistics.steps);
  };
  static const Vector exact = [] {
    MechanismRun run(pendulum_of_length(), adaptive(1e-11), {{"l", 1}});
    run.advance(5);
    return Vector(run.state.point.y.head(2));
  }();
  const auto [y, steps] = end(tolerance);
  return {(y - exact).norm(), static_cast<double>(steps)};
}

void expect_the_same_at_all_sizes(Outcome (*run)(double l, double tolerance)) {
  for (const double tolerance : {1e-4, 1e-6}) {
    const Outcome metre = run(1, tolerance);
    for (const double l : {1e-6, 1e-3, 1e3, 1e4}) {
      SCOPED_TRACE(l);
      SCOPED_TRACE(tolerance);
      const Outcome here = run(l, tolerance);
      EXPECT_NEAR(std::log2(here.error / metre.error), 0, 1) << here.error << ", " << metre.error;
      EXPECT_NEAR(here.steps / metre.steps, 1, 0.2);
    }
  }
}

TEST(Scales, AMassOnASpringIsAsAccurateAtEverySize) { expect_the_same_at_all_sizes(&spring_run); }

TEST(Scales, APendulumIsAsAccurateAtEverySize) { expect_the_same_at_all_sizes(&pendulum_run); }

TEST(Scales, AreThoseOfTheParametersAtTheNextInitialization) {
  MechanismRun run(pendulum_of_length(), Options{}, {{"l", 2}});
  EXPECT_EQ(run.state.y_scale, vector({1, 1, 1}));
  run.set("l", 4);
  run.advance(0.01);
  EXPECT_EQ(run.state.y_scale, vector({1, 1, 1}));
  ASSERT_TRUE(run.solver.initialize(run.state, 0).ok());
  EXPECT_EQ(run.state.y_scale, vector({2, 2, 1}));
}

TEST(Scales, OfAStateStartAtItsNominalValue) {
  Mechanism m("heater");
  (void)m.body({.name = "block", .type = BodyType::planar_point});
  (void)m.state({.name = "temperature", .start = 10, .rate = 0.0, .nominal = 300});
  (void)m.state({.name = "level", .start = 10, .rate = 0.0, .nominal = 1e-3});
  MechanismRun run(m, Options{});
  EXPECT_EQ(run.state.x_scale, vector({300, 10}));
}

}  // namespace
}  // namespace mechfmu::tests
