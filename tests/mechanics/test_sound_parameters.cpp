// Impossible parameters are named whenever they are checked, at initialization and in a run.

#include <gtest/gtest.h>

#include "mechanics/mechanism.h"
#include "tests/mechanics/mechanism_runs.h"

namespace mechfmu::tests {
namespace {

using namespace mechanics;

/// A slider with a stop and friction whose numbers are parameters.
struct Slider {
  Mechanism m{"slider"};

  Slider() {
    const Parameter mass = m.parameter("mass", 1);
    const Parameter exponent = m.parameter("exponent", 1.5);
    const Parameter lower = m.parameter("lower", -1);
    const Parameter stribeck = m.parameter("stribeck", 0.1);
    const Parameter regularization = m.parameter("regularization", 1e-3);
    const Parameter coulomb = m.parameter("coulomb", 0.2);
    const Body slider = m.body({.name = "slider", .mass = mass, .inertia = {1, 1, 1}});
    const Joint rail = m.joint({.name = "rail",
                                .type = JointType::prismatic,
                                .a = ground,
                                .b = slider,
                                .axis = {1, 0, 0}});
    const Measure x = m.displacement(rail);
    m.stop({.name = "end",
            .along = x,
            .lower = lower,
            .upper = 1,
            .stiffness = 1e3,
            .exponent = exponent});
    m.friction({.name = "rub",
                .along = x,
                .coulomb = coulomb,
                .stribeck = stribeck,
                .regularization = regularization});
  }
};

std::string complaint(MechanismSystem& system, const std::string& name, double value) {
  Vector u(system.sizes().u);
  system.get_inputs(u);
  const Vector before = u;
  u[system.variables().input_index(name)] = value;
  system.set_inputs(u);
  std::string found;
  try {
    system.check();
  } catch (const std::invalid_argument& invalid) {
    found = invalid.what();
  }
  system.set_inputs(before);
  system.check();
  return found;
}

TEST(SoundParameters, AreAskedForByName) {
  const Slider slider;
  MechanismSystem system(slider.m);
  const std::pair<std::pair<const char*, double>, const char*> cases[] = {
      {{"mass", -1}, "body 'slider': its mass must not be negative"},
      {{"exponent", -3}, "force 'end': its exponent must be at least 1; 1.5 is that of spheres"},
      {{"lower", 2}, "force 'end': its lower stop must not be above the upper one"},
      {{"stribeck", 0}, "force 'rub': its stribeck speed must be above zero, such as 0.1 m/s"},
      {{"regularization", -1},
       "force 'rub': its regularization speed must be above zero, such as 1e-3 m/s"},
      {{"coulomb", -0.1}, "force 'rub': its coulomb friction must not be negative"}};
  for (const auto& [setting, message] : cases)
    EXPECT_EQ(complaint(system, setting.first, setting.second), message);
  EXPECT_EQ(complaint(system, "mass", 2), "");
}

TEST(SoundParameters, AreNeededToBegin) {
  Slider slider;
  slider.m.settings[1].start = -3;
  EXPECT_THROW(MechanismSystem{slider.m}, InvalidMechanism);
}

/// A ball on a floor of 10⁸ N/m^1.5: a loose tolerance may be inaccurate, but the ball may not
/// bounce higher than it was.
TEST(LooseTolerances, MakeNoEnergy) {
  for (const double tolerance : {1e-1, 3e-2, 1e-2, 1e-3, 1e-4, 1e-5}) {
    SCOPED_TRACE(tolerance);
    Mechanism m("balls");
    m.gravity = {0, 0, -9.81};
    m.track_energy = true;
    for (const double height : {2.0, 3.0, 3.7}) {
      const std::string name = "ball" + std::to_string(height);
      const Body ball = m.body({.name = name,
                                .inertia = {0.004, 0.004, 0.004},
                                .at = {height, 0, height},
                                .velocity = {3, 0, 0}});
      m.contact({.name = "floor_of_" + name,
                 .a = ground,
                 .b = ball,
                 .centre = {height, 0, height},
                 .radius = 0.1,
                 .stiffness = 1e8,
                 .damping = 0.1,
                 .friction = 0.5});
    }
    MechanismRun run(m, adaptive(tolerance));
    const double start = run.read("energy.total");
    for (int i = 1; i <= 300; ++i) {
      ASSERT_NO_FATAL_FAILURE(run.advance(0.01 * i));
      ASSERT_LT(run.read("energy.total"), 1.3 * start) << run.state.point.t;
    }
  }
}

}  // namespace
}  // namespace mechfmu::tests
