#include <gtest/gtest.h>

#include <cmath>

#include "mechanics/mechanism.h"
#include "tests/mechanics/mechanism_runs.h"
#include "tests/mechanics/probe.h"

namespace mechfmu::tests {

namespace {

using namespace mechanics;
using Shape = ContactData::Shape;

constexpr double g0 = 9.81;

Inertia ball_inertia(double mass, double radius) {
  const double J = 0.4 * mass * radius * radius;
  return {J, J, J};
}

/// Height and speed of a ball that falls on a plane, by the classical Runge–Kutta method with tiny
/// steps.
struct Fall {
  double m, r, k, n, c;
  double z, v = 0;

  double acceleration(double height, double speed) const {
    const double depth = r - height;
    if (depth <= 0) return -g0;
    return std::max(0.0, k * std::pow(depth, n) * (1 - c * speed)) / m - g0;
  }
  void until(double t, int steps) {
    const double h = t / steps;
    for (int i = 0; i < steps; ++i) {
      const double v1 = v, a1 = acceleration(z, v1);
      const double v2 = v + h / 2 * a1, a2 = acceleration(z + h / 2 * v1, v2);
      const double v3 = v + h / 2 * a2, a3 = acceleration(z + h / 2 * v2, v3);
      const double v4 = v + h * a3, a4 = acceleration(z + h * v3, v4);
      z += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
      v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
  }
};

Mechanism falling_ball(double damping, double height) {
  Mechanism m("ball");
  m.gravity = {0, 0, -g0};
  m.track_energy = true;
  m.length_scale = 0.1;
  const Body ball = m.body(
      {.name = "ball", .mass = 0.5, .inertia = ball_inertia(0.5, 0.1), .at = {0, 0, height}});
  m.contact({.name = "floor",
             .a = ground,
             .b = ball,
             .centre = {0, 0, height},
             .radius = 0.1,
             .stiffness = 1e5,
             .damping = damping});
  return m;
}

double depth_of(double force, double stiffness) { return std::pow(force / stiffness, 1 / 1.5); }

}  // namespace

TEST(Contact, ABallBouncesAsItsEquationOfMotionSays) {
  MechanismRun run(falling_ball(0.3, 0.3), {.tolerance = 1e-9, .h_max = 1e-3});
  Fall fall{.m = 0.5, .r = 0.1, .k = 1e5, .n = 1.5, .c = 0.3, .z = 0.3};
  const double v_in = std::sqrt(2 * g0 * 0.2);
  run.advance(0.3);
  fall.until(0.3, 300000);
  ASSERT_GT(fall.v, 0);
  EXPECT_NEAR(run.state.point.y[2], fall.z, 2e-6);
  EXPECT_NEAR(run.state.point.z[2], fall.v, 2e-5);
  // Restitution is close to 1 − 2 c v / 3, from the speed at which it left the floor.
  const double v_out = std::sqrt(fall.v * fall.v + 2 * g0 * (fall.z - 0.1));
  EXPECT_NEAR(v_out / v_in, 1 - 2 * 0.3 * v_in / 3, 0.1);
}

TEST(Contact, EnergyIsKineticPotentialOrDissipated) {
  MechanismRun run(falling_ball(0.3, 0.3), {.tolerance = 1e-10, .h_max = 1e-3});
  const double before = run.motion().kinetic_energy() + run.motion().potential_energy();
  for (const double t : {0.202, 0.206, 0.3}) {  // deep in the floor, leaving it, in the air
    run.advance(t);
    const Motion& now = run.motion();
    EXPECT_NEAR(now.kinetic_energy() + now.potential_energy() + run.state.point.x[0], before,
                3e-6 * before)
        << t;
  }
  EXPECT_GT(run.state.point.x[0], 0.1 * before);
  EXPECT_NEAR(run.state.point.x[1], 0, 1e-12);
}

TEST(Contact, ABallComesToRestAtTheDepthThatCarriesIt) {
  MechanismRun run(falling_ball(5, 0.101), adaptive(1e-8));
  run.advance(3);
  const double depth = depth_of(0.5 * g0, 1e5);
  EXPECT_NEAR(run.state.point.y[2], 0.1 - depth, 1e-3 * depth);
  EXPECT_LT(run.state.point.z.norm(), 1e-5);
  EXPECT_NEAR(run.motion().pair(Pair{0}).force[2], 0.5 * g0, 1e-3);
}

namespace {

/// A point mass on a slope, in contact at the depth that carries its weight.
Mechanism on_slope(double angle, double friction, double v_0,
                   ContactFriction law = ContactFriction::smooth) {
  Mechanism m("slope");
  m.gravity = {0, 0, -g0};
  m.length_scale = 0.1;
  const Vec3 n(std::sin(angle), 0, std::cos(angle));
  const double mass = 2;
  const double k = 1e6;
  const Body block = m.body({.name = "block",
                             .type = BodyType::point,
                             .mass = mass,
                             .at = Vec3(-n * depth_of(mass * g0 * n[2], k))});
  m.contact({.name = "slope",
             .a = ground,
             .b = block,
             .axis = n,
             .local = true,
             .stiffness = k,
             .damping = 1,
             .friction_law = law,
             .friction = friction,
             .regularization = v_0});
  return m;
}

/// x with (15 x − 10 x³ + 3 x⁵)/8 = share.
double sliding_of(double share) {
  double low = 0;
  double high = 1;
  for (int i = 0; i < 60; ++i) {
    const double x = (low + high) / 2;
    ((15 * x - 10 * x * x * x + 3 * std::pow(x, 5)) / 8 < share ? low : high) = x;
  }
  return low;
}

}  // namespace

TEST(Contact, ABlockOnAGentleSlopeCreepsAtTheSpeedThatFrictionNeeds) {
  const double angle = std::atan(0.2);
  MechanismRun run(on_slope(angle, 0.5, 1e-3), adaptive(1e-8));
  run.advance(1);
  // μ v/√(v² + v_0²) = tan α
  const double share = 0.2 / 0.5;
  const double v = 1e-3 * share / std::sqrt(1 - share * share);
  EXPECT_NEAR(run.state.point.z.norm(), v, 1e-3 * v);
}

TEST(Contact, BoundedFrictionCreepsNoFasterThanItsRegularization) {
  // up to a thousandth below the angle of friction, for ten seconds
  for (const double share : {0.1, 0.9, 0.999}) {
    const double v_0 = 1e-4;
    MechanismRun run(on_slope(std::atan(0.5 * share), 0.5, v_0, ContactFriction::bounded),
                     adaptive(1e-8));
    const Vector begin = run.state.point.y;
    run.advance(10);
    const double way = (run.state.point.y - begin).norm();
    EXPECT_LT(way, 10 * v_0) << share;
    EXPECT_NEAR(way, 10 * v_0 * sliding_of(share), 1e-2 * way) << share;
  }
}

TEST(Contact, ABlockOnASteepSlopeSlidesWithTheRightAcceleration) {
  const double angle = std::atan(0.8);
  for (const ContactFriction law : {ContactFriction::smooth, ContactFriction::bounded}) {
    MechanismRun run(on_slope(angle, 0.3, 1e-4, law), adaptive(1e-8));
    run.advance(0.5);
    EXPECT_NEAR(run.state.point.z.norm(), 0.5 * g0 * (std::sin(angle) - 0.3 * std::cos(angle)),
                2e-3);
    const Motion& motion = run.motion();
    EXPECT_NEAR(motion.acceleration(Spot{Body{1}, {}, true}).norm(),
                g0 * (std::sin(angle) - 0.3 * std::cos(angle)), 1e-4);
  }
}

TEST(Contact, SpheresThatCollideKeepTheirMomenta) {
  Mechanism m("billiards");
  m.track_energy = true;
  const Body a = m.body({.name = "a",
                         .mass = 1,
                         .inertia = ball_inertia(1, 0.1),
                         .velocity = {2, 0, 0},
                         .angular_velocity = {3, 5, -8}});
  const Body b =
      m.body({.name = "b", .mass = 2, .inertia = ball_inertia(2, 0.15), .at = {0.4, 0.1, 0.05}});
  const Pair touch = m.contact({.name = "touch",
                                .a = a,
                                .b = b,
                                .centre = {0.4, 0.1, 0.05},
                                .radius = 0.15,
                                .shape = Shape::sphere,
                                .radius_a = 0.1,
                                .stiffness = 1e5,
                                .damping = 0.1,
                                .friction = 0.2});
  MechanismRun run(m, {.tolerance = 1e-10, .h_max = 1e-3});
  const Vec3 momentum = run.motion().momentum();
  const Vec3 spin = run.motion().angular_momentum();
  const double energy = run.motion().kinetic_energy();
  run.advance(0.2);
  const Motion& after = run.motion();
  EXPECT_EQ(after.pair(touch).force.norm(), 0);
  EXPECT_GT(after.velocity({b, {}, true})[0], 0.5);
  EXPECT_LT((after.momentum() - momentum).norm(), 1e-9);
  EXPECT_LT((after.angular_momentum() - spin).norm(), 1e-6);
  EXPECT_LT(after.kinetic_energy(), energy);
  EXPECT_NEAR(after.kinetic_energy() + run.state.point.x[0], energy, 1e-5);
}

TEST(Contact, ASphereThatSlidesEndsRollingAtFiveSeventhsOfItsSpeed) {
  const double k = 1e9;
  const double r = 0.1;
  const double depth = depth_of(g0, k);
  Mechanism m("bowling");
  m.gravity = {0, 0, -g0};
  m.length_scale = 0.1;
  const Vec3 start(0, 0, r - depth);
  const Body ball = m.body({.name = "ball",
                            .mass = 1,
                            .inertia = ball_inertia(1, r),
                            .at = start,
                            .velocity = {1, 0, 0}});
  m.contact({.name = "lane",
             .a = ground,
             .b = ball,
             .centre = start,
             .radius = r,
             .stiffness = k,
             .damping = 1,
             .friction = 0.3,
             .regularization = 1e-3});
  MechanismRun run(m, adaptive(1e-7));
  run.advance(0.5);
  const Vector& z = run.state.point.z;
  const Motion& motion = run.motion();
  EXPECT_NEAR(z[0], 5.0 / 7, 1e-4);
  EXPECT_NEAR(motion.angular_velocity(ball)[1] * r, z[0], 1e-4);
  EXPECT_NEAR(z[1], 0, 1e-9);
}

// Geometry

namespace {

/// A sphere of radius 0.2 (or a point) of b at C against a shape of the ground; no friction, no
/// damping.
Reaction press(const Vec3& C, ContactData data) {
  Mechanism m("press");
  data.a = ground;
  data.b = m.body({.name = "b", .inertia = {1, 1, 1}, .at = C});
  data.centre = C;
  data.stiffness = 100;
  const Pair pair = m.contact(data);
  MechanismSystem system(m);
  return system.motion(start_point(system)).pair(pair);
}

void expect_force(const Reaction& got, double depth, const Vec3& n) {
  EXPECT_LT((got.force - 100 * std::pow(depth, 1.5) * n.normalized()).norm(), 1e-10)
      << got.force.transpose();
}

}  // namespace

TEST(Contact, PushesAlongTheNormalOfItsShape) {
  expect_force(press({0.3, 0.4, 0.15}, {.name = "contact", .radius = 0.2}), 0.05, {0, 0, 1});
  expect_force(
      press({0, 3, 0}, {.name = "contact", .radius = 0.2, .at = {0, 2.9, 0}, .axis = {0, 2, 0}}),
      0.1, {0, 1, 0});
  const ContactData sphere{
      .name = "contact", .radius = 0.2, .shape = Shape::sphere, .at = {1, 0, 0}, .radius_a = 0.5};
  expect_force(press({1.3, 0.4, 0}, sphere), 0.2, {3, 4, 0});
  const ContactData endless{.name = "contact",
                            .radius = 0.2,
                            .shape = Shape::cylinder,
                            .axis = {1, 0, 0},
                            .radius_a = 0.5};
  expect_force(press({7, 0.3, -0.4}, endless), 0.2, {0, 3, -4});
  ContactData rod = endless;
  rod.length = 2;
  expect_force(press({0.4, 0.3, -0.4}, rod), 0.2, {0, 3, -4});
  expect_force(press({1.05, 0.1, 0.1}, rod), 0.15, {1, 0, 0});
  expect_force(press({-1.05, 0.1, 0.1}, rod), 0.15, {-1, 0, 0});
  expect_force(press({1.06, 0, 0.58}, rod), 0.1, {6, 0, 8});
  expect_force(press({1.3, 0, 0}, rod), 0, {1, 0, 0});
}

TEST(Contact, ContinuesSmoothlyAroundTheRimOfACylinder) {
  ContactData rod{.name = "contact",
                  .radius = 0.2,
                  .shape = Shape::cylinder,
                  .axis = {1, 0, 0},
                  .radius_a = 0.5};
  rod.length = 2;
  // The centre moves at the distance 0.15 from the surface: along the mantle, around the rim, along
  // the end.
  const auto path = [](double s) -> Vec3 {
    const double quarter = 0.15 * std::acos(-1) / 2;
    if (s < 0.1) return {0.9 + s, 0, 0.65};
    if (s < 0.1 + quarter)
      return {1 + 0.15 * std::sin((s - 0.1) / 0.15), 0, 0.5 + 0.15 * std::cos((s - 0.1) / 0.15)};
    return {1.15, 0, 0.5 - (s - 0.1 - quarter)};
  };
  Vec3 last = press(path(0), rod).force;
  for (double s = 0.001; s < 0.5; s += 0.001) {
    const Vec3 force = press(path(s), rod).force;
    EXPECT_NEAR(force.norm(), 100 * std::pow(0.05, 1.5), 1e-9);
    EXPECT_LT((force - last).norm(), 0.01 * force.norm());
    last = force;
  }
}

TEST(Contact, HasFiniteDerivativesWhereCentresCoincideAndWhereNothingTouches) {
  struct Place {
    const char* what;
    Vec3 at;
    ContactData data;
  };
  const ContactData ball{.name = "contact", .radius = 0.2, .shape = Shape::sphere, .radius_a = 0.5};
  const ContactData rod{
      .name = "contact", .radius = 0.2, .shape = Shape::cylinder, .radius_a = 0.5};
  ContactData can = rod;
  can.length = 2;
  ContactData dot = can;
  dot.radius = 0;
  for (const Place& place :
       {Place{"centres of spheres", {0, 0, 0}, ball}, Place{"centre on an axis", {0, 0, 0.3}, rod},
        Place{"middle of a cylinder", {0, 0, 0}, can}, Place{"point on a rim", {0.5, 0, 1}, dot},
        Place{"point on a mantle", {0.5, 0, 0}, dot}, Place{"far away", {5, 5, 5}, can},
        Place{"touching", {0.7, 0, 0}, rod}}) {
    SCOPED_TRACE(place.what);
    Mechanism m("press");
    ContactData data = place.data;
    data.a = m.body({.name = "a", .inertia = {1, 1, 1}});
    data.b = m.body({.name = "b", .inertia = {1, 1, 1}, .at = place.at});
    data.centre = place.at;
    data.damping = 0.1;
    data.friction = 0.5;
    m.contact(data);
    MechanismSystem system(m);
    const Point p = start_point(system);
    DenseBlocks blocks;
    system.at(p);
    system.derivatives(1, blocks);
    EXPECT_TRUE(blocks.K.allFinite());
    EXPECT_TRUE(blocks.D.allFinite());
    EXPECT_TRUE(values_at(system, p).f.allFinite());
  }
}

TEST(Contact, NeverPulls) {
  Mechanism m("sticky");
  const Body b = m.body({.name = "b", .type = BodyType::point, .at = {0, 0, -0.1}});
  const Pair pair =
      m.contact({.name = "contact", .a = ground, .b = b, .centre = {0, 0, -0.1}, .damping = 0.5});
  MechanismSystem system(m);
  Point p = start_point(system);
  for (const double speed : {-3.0, 0.0, 1.9, 2.1, 50.0}) {
    p.z[2] = speed;
    const double N = system.motion(p).pair(pair).force[2];
    EXPECT_NEAR(N, std::max(0.0, 1e6 * std::pow(0.1, 1.5) * (1 - 0.5 * speed)), 1e-6);
  }
}

TEST(Contact, WorksInThePlane) {
  Mechanism m("disc");
  m.gravity = {0, -g0, 0};
  m.length_scale = 0.1;
  const double depth = depth_of(g0, 1e8);
  const Vec3 start(0, 0.1 - depth, 0);
  const Body disc = m.body({.name = "disc",
                            .type = BodyType::planar,
                            .inertia = {.zz = 0.5 * 0.01},
                            .at = start,
                            .velocity = {1, 0, 0}});
  m.contact({.name = "line",
             .a = ground,
             .b = disc,
             .centre = start,
             .radius = 0.1,
             .axis = {0, 1, 0},
             .stiffness = 1e8,
             .damping = 1,
             .friction = 0.3});
  MechanismRun run(m, adaptive(1e-7));
  run.advance(0.5);
  EXPECT_NEAR(run.state.point.z[0], 2.0 / 3, 5e-4);
  EXPECT_NEAR(run.state.point.z[2] * -0.1, run.state.point.z[0], 5e-4);
}

}  // namespace mechfmu::tests
