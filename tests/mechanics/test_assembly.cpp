// Results of initialization: the bodies it moved and how far, the joints that stay open, and the
// degrees of freedom.

#include <gtest/gtest.h>

#include <cmath>

#include "mechanics/start_moves.h"
#include "model/format.h"
#include "models/slider_crank_bodies/slider_crank_bodies.h"
#include "models/spatial_four_bar/spatial_four_bar.h"
#include "tests/mechanics/mechanism_runs.h"

namespace mechfmu::tests {

namespace {

using namespace mechanics;

/// A bar of 1 m along x that turns about the origin; its far end must be at `end`.
Mechanism bar(const Vec3& end, bool hold = false) {
  Mechanism m("bar");
  BodyData data = {.name = "bar", .inertia = {0.1, 0.1, 0.1}, .at = {0.5, 0, 0}};
  if (hold) data.hold_position = {true, true, true};
  const Body body = m.body(data);
  m.joint({.name = "A", .type = JointType::spherical, .a = ground, .b = body});
  m.joint({.name = "D",
           .type = JointType::spherical,
           .a = ground,
           .b = body,
           .at = end,
           .apart = true,
           .at_b = {1, 0, 0}});
  return m;
}

std::string failure(const Mechanism& m) {
  MechanismSystem system(m);
  Solver solver(system);
  State state;
  const Result result = solver.initialize(state, 0);
  EXPECT_EQ(result.failure, Failure::cannot_assemble);
  return result.message;
}

}  // namespace

TEST(Assembly, TellsHowFarABodyWasMoved) {
  Mechanism m("shifted");
  m.body({.name = "free", .inertia = {1, 1, 1}});
  const Body body = m.body({.name = "body", .inertia = {1, 1, 1}, .at = {1, 0, 0}});
  m.joint({.name = "ball",
           .type = JointType::spherical,
           .a = ground,
           .b = body,
           .apart = true,
           .at_b = {0.1, 0, 0}});
  MechanismRun run(m, {});
  const std::vector<BodyMove> all = moves(run.system, run.state.point);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].body, "body");
  EXPECT_NEAR(all[0].distance, 0.1, 1e-12);
  EXPECT_NEAR(all[0].angle, 0, 1e-12);
  EXPECT_EQ(all[1].body, "free");
  EXPECT_EQ(all[1].distance, 0);
  EXPECT_EQ(all[1].speed_change, 0);
}

TEST(Assembly, TellsHowFarABodyWasTurned) {
  for (const BodyType type : {BodyType::spatial, BodyType::planar}) {
    Mechanism m("turned");
    const Body body = m.body({.name = "body",
                              .type = type,
                              .inertia = {1, 1, 1},
                              .rotation = {0, 0, 0.4},
                              .hold_position = {true, true, true}});
    m.joint({.name = "ball",
             .type = JointType::spherical,
             .a = ground,
             .b = body,
             .at = {std::cos(0.2), std::sin(0.2), 0},
             .apart = true,
             .at_b = {1, 0, 0}});
    MechanismRun run(m, {});
    const std::vector<BodyMove> all = moves(run.system, run.state.point);
    EXPECT_NEAR(all[0].angle, 0.2, 1e-9);
    EXPECT_EQ(all[0].distance, 0);
  }
}

TEST(Assembly, TellsHowVelocitiesChanged) {
  Mechanism m("moving");
  const Body wheel = m.body(
      {.name = "wheel", .inertia = {1, 1, 1}, .at = {3, 0, 0}, .angular_velocity = {0.5, 0, 4}});
  const Body slide = m.body({.name = "slide", .inertia = {1, 1, 1}, .velocity = {1, 2, 3}});
  m.joint({.name = "axle", .a = ground, .b = wheel, .at = {3, 0, 0}});
  m.joint(
      {.name = "guide", .type = JointType::prismatic, .a = ground, .b = slide, .axis = {1, 0, 0}});
  MechanismRun run(m, {});
  const std::vector<BodyMove> all = moves(run.system, run.state.point);
  EXPECT_EQ(all[0].body, "slide");
  EXPECT_NEAR(all[0].speed_change, std::sqrt(13), 1e-12);
  EXPECT_NEAR(all[0].spin_change, 0, 1e-12);
  EXPECT_EQ(all[1].body, "wheel");
  EXPECT_NEAR(all[1].spin_change, 0.5, 1e-12);
  EXPECT_NEAR(all[0].distance + all[0].angle + all[1].distance + all[1].angle, 0, 1e-12);
}

TEST(Assembly, NamesTheJointsThatStayOpen) {
  // The bar is 12 cm too short: both ends share the gap, or one end has it if the bar is held.
  const std::string shared = failure(bar({1.12, 0, 0}));
  for (const char* part :
       {"the mechanism cannot be assembled: joint '", "joint 'A' stays open by 0.06 m",
        "joint 'D' stays open by 0.06 m", "; change dimensions or start values"})
    EXPECT_NE(shared.find(part), std::string::npos) << shared;
  EXPECT_EQ(failure(bar({1.12, 0, 0}, true)),
            "the mechanism cannot be assembled: joint 'D' stays open by 0.12 m; change dimensions "
            "or start values, or hold fewer coordinates (held: bar.x, bar.y, bar.z)");
}

TEST(Assembly, NamesAnglesDrivesAndWheelsThatDoNotFit) {
  const auto held = [](Mechanism& m) {
    return m.body({.name = "body",
                   .inertia = {1, 1, 1},
                   .hold_position = {true, true, true, true, true, true}});
  };
  Mechanism tilted("tilted");
  const Body body = held(tilted);
  tilted.joint({.name = "cross",
                .type = JointType::universal,
                .a = ground,
                .b = body,
                .axis = {0, 0, 1},
                .axis2 = {0, std::sin(1.2), std::cos(1.2)}});
  const Joint hinge =
      tilted.joint({.name = "hinge", .type = JointType::cylindrical, .a = ground, .b = body});
  tilted.driver("drive", tilted.angle(hinge), [](const auto&) { return 0.25; });
  EXPECT_NE(failure(tilted).find(": constraint 'drive' is still violated by 0.25;"),
            std::string::npos)
      << failure(tilted);

  Mechanism rolling("rolling");
  rolling.rolling(
      {.name = "tyre", .a = ground, .b = held(rolling), .plane = {0, 0, -0.5}, .radius = 0.3});
  EXPECT_NE(failure(rolling).find(": rolling 'tyre' stays off its plane by 0.2 m;"),
            std::string::npos)
      << failure(rolling);
}

TEST(Assembly, CountsFreedomsAndRedundantConstraints) {
  {
    MechanismRun run(models::spatial_four_bar(), {});
    const Mobility m = mobility(run.system, run.solver.redundant());
    EXPECT_EQ(m.bodies, 3);
    EXPECT_EQ(m.coordinates, 18);
    EXPECT_EQ(m.constraints, 17);
    EXPECT_EQ(m.redundant, 0);
    EXPECT_EQ(m.freedom, 1);
  }
  for (const models::Space space : {models::Space::planar, models::Space::spatial}) {
    MechanismRun run(models::slider_crank_bodies({.space = space}), {});
    const Mobility m = mobility(run.system, run.solver.redundant());
    EXPECT_EQ(m.freedom, 2);  // the crank, and the mass on its spring
    EXPECT_EQ(m.redundant, space == models::Space::planar ? 0 : 3);
    EXPECT_EQ(run.solver.warnings().size(), run.solver.redundant().size());
  }
}

namespace {

/// A rod that hangs from the origin along x, and a second one from its end: only the given
/// velocities move them.
Mechanism two_rods(const Vec3& spin_1, const Vec3& velocity_1, const Vec3& spin_2) {
  Mechanism m("rods");
  m.gravity = {0, -9.81, 0};
  const auto rod = [&](const char* name, double x, const Vec3& velocity, const Vec3& spin) {
    return m.body({.name = name,
                   .inertia = {0.01, 0.09, 0.1},
                   .at = {x, 0, 0},
                   .velocity = velocity,
                   .angular_velocity = spin});
  };
  const Body first = rod("first", 0.5, velocity_1, spin_1);
  const Body second = rod("second", 1.5, Vec3::Zero(), spin_2);
  m.joint({.name = "A", .a = ground, .b = first});
  m.joint({.name = "B", .a = first, .b = second, .at = {1, 0, 0}});
  return m;
}

}  // namespace

TEST(StartVelocities, ThatAreLeftOutFollowFromTheOthers) {
  MechanismRun run(two_rods({0, 0, 3}, Vec3::Zero(), {0, 0, -1}), adaptive(1e-6));
  EXPECT_TRUE(run.solver.warnings().empty());
  const Motion& now = run.motion();
  EXPECT_LT((now.angular_velocity({1}) - Vec3(0, 0, 3)).norm(), 1e-12);
  EXPECT_LT((now.angular_velocity({2}) - Vec3(0, 0, -1)).norm(), 1e-12);
  EXPECT_LT((now.velocity({{1}, {}, true}) - Vec3(0, 1.5, 0)).norm(), 1e-12);
  EXPECT_LT((now.velocity({{2}, {}, true}) - Vec3(0, 3 - 0.5, 0)).norm(), 1e-12);
}

TEST(StartVelocities, ThatContradictJointsAreChangedWithAWarning) {
  MechanismRun run(two_rods({0, 0, 3}, {0, 4, 0}, Vec3::Zero()), adaptive(1e-6));
  const double spin = run.motion().angular_velocity({1})[2];
  EXPECT_GT(std::abs(spin - 3), 0.1);  // its centre would need 8 rad/s
  ASSERT_EQ(run.solver.warnings().size(), 1U);
  const std::string& warning = run.solver.warnings()[0];
  EXPECT_EQ(warning.find("the start velocities contradict the constraints and were changed: "), 0U);
  EXPECT_NE(warning.find("'first.rotation about z' from 3 to " + format(spin, 6) + " rad/s"),
            std::string::npos)
      << warning;
  EXPECT_NE(warning.find("'first.y' from 4 to "), std::string::npos) << warning;
}

TEST(StartVelocities, AreChangedByWhatMassAndInertiaWeighLeast) {
  // Minimum of m (l ω − v)² + J (ω − ω₀)²:  ω = (m l v + J ω₀)/(m l² + J), in any unit of length.
  for (const double metre : {1.0, 1000.0, 1e-3}) {
    const double J = 0.1 * metre * metre;
    const double l = 0.5 * metre;
    Mechanism m("rod");
    const Body rod = m.body({.name = "rod",
                             .mass = 1,
                             .inertia = {.xx = J, .yy = J, .zz = J},
                             .at = {l, 0, 0},
                             .velocity = {0, 1 * metre, 0},
                             .angular_velocity = {0, 0, 3}});
    m.joint({.name = "pin", .a = ground, .b = rod});
    MechanismRun run(m, adaptive(1e-6));
    EXPECT_NEAR(run.motion().angular_velocity({1})[2], (0.5 * 1 + 0.1 * 3) / (0.25 + 0.1), 1e-9);
    ASSERT_EQ(run.solver.changed_velocities().size(), 2U);
    EXPECT_EQ(run.solver.changed_velocities()[0].given, 3);
  }
}

// --- start values of joints ---

TEST(JointStarts, MoveTheBodiesConnectedToThem) {
  Mechanism m = two_rods(Vec3::Zero(), Vec3::Zero(), Vec3::Zero());
  m.joints[0].angle = 2.5;
  m.joints[0].angle_rate = 2;
  m.joints[1].angle = -0.5;
  m.joints[1].angle_rate = -3;
  MechanismRun run(m, adaptive(1e-6));
  EXPECT_TRUE(run.solver.warnings().empty());
  const Motion& now = run.motion();
  const auto along = [](double angle) { return Vec3(std::cos(angle), std::sin(angle), 0); };
  const auto across = [](double angle) { return Vec3(-std::sin(angle), std::cos(angle), 0); };
  EXPECT_LT((now.position({{1}, {}, true}) - 0.5 * along(2.5)).norm(), 1e-9);
  EXPECT_LT((now.position({{2}, {}, true}) - along(2.5) - 0.5 * along(2.0)).norm(), 1e-9);
  EXPECT_LT((now.velocity({{2}, {}, true}) - 2 * across(2.5) + 0.5 * across(2.0)).norm(), 1e-9);
}

TEST(JointStarts, CloseLoopsAgain) {
  // A parallelogram of rods of 1 m, drawn upright: one angle is enough for all of it.
  Mechanism m("parallelogram");
  const auto rod = [&](const char* name, double x, double y) {
    return m.body({.name = name, .inertia = {0.1, 0.1, 0.1}, .at = {x, y, 0}});
  };
  const Body left = rod("left", 0, 0.5);
  const Body top = rod("top", 0.5, 1);
  const Body right = rod("right", 1, 0.5);
  const Joint foot = m.joint({.name = "A", .a = ground, .b = left, .angle = -1.2, .angle_rate = 2});
  m.joint({.name = "B", .a = left, .b = top, .at = {0, 1, 0}});
  m.joint({.name = "C", .a = top, .b = right, .at = {1, 1, 0}});
  m.joint({.name = "D", .a = ground, .b = right, .at = {1, 0, 0}});
  const Measure angle = m.angle(foot);
  MechanismRun run(m, adaptive(1e-6));
  const Motion& now = run.motion();
  EXPECT_NEAR(now.value(angle), -1.2, 1e-9);
  EXPECT_NEAR(now.rate(angle), 2, 1e-9);
  EXPECT_LT((now.position({{2}, {}, true}) - Vec3(0.5 + std::sin(1.2), std::cos(1.2), 0)).norm(),
            1e-9);
  EXPECT_LT(now.angular_velocity({2}).norm(), 1e-9);
  EXPECT_LT((now.velocity({{2}, {}, true}) - 2 * Vec3(-std::cos(1.2), std::sin(1.2), 0)).norm(),
            1e-9);
}

TEST(JointStarts, FollowParametersAndReportWhenTheyCannotHold) {
  Mechanism m("slider");
  const Parameter way = m.parameter("way", 0.3, "m");
  const Body block = m.body({.name = "block", .inertia = {1, 1, 1}, .at = {1, 0, 0}});
  m.joint({.name = "guide",
           .type = JointType::prismatic,
           .a = ground,
           .b = block,
           .axis = {1, 0, 0},
           .displacement = way,
           .displacement_rate = -2});
  for (const double set : {0.3, -4.0}) {
    MechanismRun run(m, adaptive(1e-6), {{"way", set}});
    EXPECT_LT((run.motion().position({{1}, {}, true}) - Vec3(1 + set, 0, 0)).norm(), 1e-12);
    EXPECT_LT((run.motion().velocity({{1}, {}, true}) - Vec3(-2, 0, 0)).norm(), 1e-12);
  }
  m.joint({.name = "stay",
           .type = JointType::distance,
           .a = ground,
           .b = block,
           .at = {1, 1, 0},
           .apart = true,
           .at_b = {1, 0, 0},
           .length = 1.0});
  MechanismSystem system(m);
  Solver solver(system);
  State state;
  const Result result = solver.initialize(state, 0);
  EXPECT_EQ(result.failure, Failure::cannot_assemble);
  EXPECT_EQ(result.message.find("with the start values of its joints, the mechanism cannot be "
                                "assembled: joint 'guide' stays open by"),
            0U)
      << result.message;
}

}  // namespace mechfmu::tests
