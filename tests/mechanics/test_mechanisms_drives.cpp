// Gears, racks, screws, drives and states in a mechanism, each against an exact or an independent
// solution.

#include <numbers>

#include "tests/mechanics/mechanism_runs.h"

namespace mechfmu::tests {
namespace {

using namespace mechanics;

constexpr double pi = std::numbers::pi;

/// A wheel on the ground at `at` that turns about z.
struct Wheel {
  Body body;
  Joint pin;
  Measure angle;
};
Wheel wheel(Mechanism& m, const std::string& name, BodyType type, double J, const Triple& at) {
  Wheel made;
  made.body = m.body({.name = name,
                      .type = type,
                      .mass = 2,
                      .inertia = {.xx = J / 2, .yy = J / 2, .zz = J},
                      .at = at});
  made.pin = m.joint({.name = name, .a = ground, .b = made.body, .at = at});
  made.angle = m.angle(made.pin);
  return made;
}

// A constant acceleration is integrated without error: only roundoff remains.

TEST(Gears, ShareATorqueByTheirRatio) {
  for (const BodyType type : {BodyType::planar, BodyType::spatial}) {
    Mechanism m("gears");
    const double J1 = 0.02, J2 = 0.3, ratio = 3, torque = 0.7;
    const Wheel small = wheel(m, "small", type, J1, {0, 0, 0});
    const Wheel large = wheel(m, "large", type, J2, {0.4, 0, 0});
    const Constraint mesh = m.coupling("mesh", {{small.angle, 1}, {large.angle, ratio}});
    m.force({.name = "motor", .along = small.angle, .value = torque});
    MechanismRun run(m, converged(0.7));
    run.steps(400, 2);
    const double acceleration = torque / (J1 + J2 / (ratio * ratio));
    const Motion& q = run.motion();
    EXPECT_NEAR(q.acceleration(small.angle), acceleration, 1e-10);
    EXPECT_NEAR(q.value(small.angle), acceleration * 2, 1e-9);
    EXPECT_NEAR(q.rate(large.angle), -2 * acceleration / ratio, 1e-9);
    // The mesh turns the large wheel: −ratio·λ = J2 φ2''.
    EXPECT_NEAR(-ratio * q.multiplier(mesh), -J2 * acceleration / ratio, 1e-10);
  }
}

TEST(RackAndPinion, AccelerateTogether) {
  for (const BodyType type : {BodyType::planar, BodyType::spatial}) {
    Mechanism m("rack");
    const double J = 0.05, mass = 1.5, radius = 0.12, torque = -0.4;
    const Wheel pinion = wheel(m, "pinion", type, J, {0, 0, 0});
    const Body rack = m.body({.name = "rack",
                              .type = type,
                              .mass = mass,
                              .inertia = {.xx = 0.1, .yy = 0.1, .zz = 0.1},
                              .at = {0.3, -radius, 0}});
    const Joint guide = m.joint({.name = "guide",
                                 .type = JointType::prismatic,
                                 .a = ground,
                                 .b = rack,
                                 .at = {0, -radius, 0},
                                 .axis = {1, 0, 0}});
    const Measure way = m.displacement(guide);
    m.coupling("mesh", {{way, 1}, {pinion.angle, -radius}});
    m.force({.name = "motor", .along = pinion.angle, .value = torque});
    MechanismRun run(m, converged(0.7));
    run.steps(300, 3);
    const double acceleration = torque * radius / (J + mass * radius * radius);
    const Motion& q = run.motion();
    EXPECT_NEAR(q.value(way), acceleration * 4.5, 1e-9);
    EXPECT_NEAR(q.velocity({rack, {0, 0, 0}, true})[0], acceleration * 3, 1e-9);
    EXPECT_NEAR(q.acceleration(way), acceleration, 1e-10);
  }
}

TEST(Screw, SinksUnderItsWeightAndTurns) {
  Mechanism m("screw");
  const double mass = 3, J = 0.004, pitch = 0.05;
  m.gravity = {0, 0, -9.81};
  const Body nut =
      m.body({.name = "nut", .mass = mass, .inertia = {.xx = 0.01, .yy = 0.01, .zz = J}});
  const Joint thread =
      m.joint({.name = "thread", .type = JointType::screw, .a = ground, .b = nut, .pitch = pitch});
  const Measure turn = m.angle(thread);
  const Measure way = m.displacement(thread);
  MechanismRun run(m, converged(0.7));
  run.steps(2000, 2);
  // z = c φ:  (m c² + J) φ'' = −m g c
  const double c = pitch / (2 * pi);
  const double acceleration = -mass * 9.81 * c / (mass * c * c + J);
  const Motion& q = run.motion();
  EXPECT_NEAR(q.acceleration(turn), acceleration, 1e-8);
  EXPECT_NEAR(q.value(turn), acceleration * 2, 1e-7);
  EXPECT_GT(std::abs(q.value(turn)), 10 * 2 * pi);  // many turns
  EXPECT_NEAR(q.value(way), c * acceleration * 2, 1e-9);
  EXPECT_NEAR(q.reaction(thread).force[2], mass * (c * acceleration + 9.81), 1e-8);
  EXPECT_NEAR(q.reaction(thread).torque[2], J * acceleration, 1e-8);
}

TEST(Driver, MovesACrankExactlyAndTellsItsTorque) {
  // A crank with its centre of mass at 0.3 m, φ = 2 sin 3t:  τ = (J + m l²) φ'' + m g l cos φ
  const double mass = 2, J = 0.05, l = 0.3;
  for (const BodyType type : {BodyType::planar, BodyType::spatial}) {
    Mechanism m("driven");
    m.gravity = {0, -9.81, 0};
    const Body crank = m.body({.name = "crank",
                               .type = type,
                               .mass = mass,
                               .inertia = {.xx = J, .yy = J, .zz = J},
                               .centre = {l, 0, 0}});
    const Joint pin = m.joint({.name = "pin", .a = ground, .b = crank});
    const Measure phi = m.angle(pin);
    const Constraint drive =
        m.driver("drive", phi, [](const auto& s) { return 2.0 * sin(3.0 * s.t); });
    double of_method = 0;  // the error of its multiplier
    const auto torque_error = [&](int n) {
      MechanismRun run(m, converged(0.7));
      double error = of_method = 0;
      for (int i = 0; i < n; ++i) {
        run.step(1.0 / n);
        const double t = run.state.point.t;
        const double multiplier = run.system.motion(run.state.point).multiplier(drive);
        const Motion& q = run.motion();
        EXPECT_NEAR(q.value(phi), 2 * std::sin(3 * t), 1e-13);
        EXPECT_NEAR(q.rate(phi), 6 * std::cos(3 * t), 1e-12);
        EXPECT_NEAR(q.acceleration(phi), -18 * std::sin(3 * t), 1e-10);
        const double torque = -(J + mass * l * l) * 18 * std::sin(3 * t) +
                              mass * 9.81 * l * std::cos(2 * std::sin(3 * t));
        error = std::max(error, std::abs(-q.multiplier(drive) - torque));
        of_method = std::max(of_method, std::abs(-multiplier - torque));
      }
      return error;
    };
    EXPECT_LT(torque_error(200), 1e-9);  // the motion is exact, and so is its torque
    const double coarse = of_method;
    EXPECT_LT(torque_error(400), 1e-9);
    EXPECT_LT(of_method, 1e-3);
    EXPECT_NEAR(order(coarse, of_method), 2, 0.2);
  }
}

TEST(FilterState, InTheLoopFollowsAnIndependentSolution) {
  // A cart on a spring, pushed by a controller behind a filter:
  //   m s'' = x − k s − c s' ,   T x' = K (sin 2t − s) − x
  const double mass = 1.4, k = 30, c = 0.6, T = 0.08, gain = 25;
  Mechanism m("cart");
  const Body cart = m.body({.name = "cart",
                            .type = BodyType::planar,
                            .mass = mass,
                            .inertia = {.zz = 0.1},
                            .at = {0.2, 0, 0}});
  const Joint rail = m.joint(
      {.name = "rail", .type = JointType::prismatic, .a = ground, .b = cart, .axis = {1, 0, 0}});
  const Measure way = m.displacement(rail);
  m.spring({.name = "spring", .along = way, .stiffness = k, .damping = c});
  const StateVariable drive = m.state(
      {.name = "drive",
       .rate = law<2>({Mechanism::value(way), Mechanism::value(StateVariable{0})},
                      [=](const auto& s) { return (gain * (sin(2.0 * s.t) - s[0]) - s[1]) / T; })});
  m.force({.name = "push",
           .along = way,
           .value = law<1>({Mechanism::value(drive)}, [](const auto& s) { return s[0]; })});
  const double end = 3;

  using Numbers = Vec<double, 3>;
  const auto rate = [&](double t, const Numbers& n) -> Numbers {
    return {n[1], (n[2] - k * n[0] - c * n[1]) / mass,
            (gain * (std::sin(2 * t) - n[0]) - n[2]) / T};
  };
  Numbers exact = Numbers::Zero();
  const int fine = 30000;
  const double h = end / fine;
  for (int i = 0; i < fine; ++i) {
    const double t = i * h;
    const Numbers k1 = rate(t, exact);
    const Numbers k2 = rate(t + h / 2, exact + h / 2 * k1);
    const Numbers k3 = rate(t + h / 2, exact + h / 2 * k2);
    const Numbers k4 = rate(t + h, exact + h * k3);
    exact += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }

  const auto error = [&](int n) {
    MechanismRun run(m, converged(0.7));
    run.alternate(n, end / n);
    const Motion& q = run.motion();
    return (Numbers(q.value(way), q.rate(way), q.state(drive)) - exact).norm();
  };
  const double e1 = error(300);
  const double e2 = error(600);
  EXPECT_LT(e2, 2e-2);
  EXPECT_NEAR(order(e1, e2), 2, 0.1);
}

}  // namespace
}  // namespace mechfmu::tests
