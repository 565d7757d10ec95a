// What initialization tells: which bodies it moved and how far, what stays open, and how many freedoms are left.

#include <gtest/gtest.h>

#include <cmath>

#include "mechanics/start_moves.h"
#include "models/slider_crank_bodies/slider_crank_bodies.h"
#include "models/spatial_four_bar/spatial_four_bar.h"
#include "tests/mechanics/mechanism_runs.h"

namespace mechfmu::tests {

namespace {

using namespace mechanics;

/// A bar of 1 m along x, turning about the origin, whose far end shall be at `end`.
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
  // 12 cm too far: shared by both ends, or left to one where the bar is held.
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

}  // namespace mechfmu::tests
