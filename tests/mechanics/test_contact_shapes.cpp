// Depth and direction of contact with every shape, against distances from geometry; motion in
// hollows; the linear law.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mechanics/mechanism.h"
#include "mechanics/motion.h"
#include "tests/mechanics/mechanism_runs.h"

namespace mechfmu::tests {

namespace {

using namespace mechanics;
using Shape = ContactData::Shape;
using Side = ContactData::Side;
constexpr double pi = std::numbers::pi;

/// The force on a sphere about P that is at rest.
Vec3 force_at(ContactData data, const Vec3& P, const Vec3& velocity = Vec3::Zero()) {
  Mechanism m("touch");
  const Body b = m.body({.name = "b", .type = BodyType::point, .at = P, .velocity = velocity});
  data.name = "contact";
  data.b = b;
  data.centre = {0, 0, 0};
  data.local = true;
  const Pair pair = m.contact(data);
  MechanismSystem system(m);
  Point p;
  p.resize(system.sizes());
  const Start start = system.start();
  for (Index i = 0; i < p.y.size(); ++i) p.y[i] = start.y[static_cast<std::size_t>(i)];
  for (Index i = 0; i < p.z.size(); ++i) p.z[i] = start.z[static_cast<std::size_t>(i)];
  return system.motion(p).pair(pair).force;
}

/// N = depth.
ContactData of_depth(Shape shape, double radius) {
  ContactData data;
  data.shape = shape;
  data.radius = radius;
  data.law = ContactLaw::linear;
  data.exponent = 1;
  data.stiffness = 1;
  return data;
}

void expect_force(const ContactData& data, const Vec3& P, const Vec3& expected) {
  const Vec3 force = force_at(data, P);
  EXPECT_LT((force - expected).norm(), 1e-12)
      << P.transpose() << ": " << force.transpose() << " and not " << expected.transpose();
}

}  // namespace

TEST(ContactShapes, ACapsuleIsRoundAtItsEnds) {
  ContactData data = of_depth(Shape::capsule, 0.3);
  data.axis = {1, 0, 0};
  data.radius_a = 0.5;
  data.length = 2;
  expect_force(data, {0.4, 0, 0.7}, {0, 0, 0.1});
  // 3-4-5 from the centre of its end, 0.75 away
  expect_force(data, {1 + 0.45, 0, 0.6}, Vec3(0.6, 0, 0.8) * 0.05);
  expect_force(data, {-1 - 0.45, -0.6, 0}, Vec3(-0.6, -0.8, 0) * 0.05);
  expect_force(data, {1.81, 0, 0}, Vec3::Zero());
}

TEST(ContactShapes, ABoxHasFacesEdgesAndCorners) {
  ContactData data = of_depth(Shape::box, 0.5);
  data.size = {2, 4, 6};
  expect_force(data, {1.4, 1, -2}, {0.1, 0, 0});
  expect_force(data, {0.5, -2.2, 1}, {0, -0.3, 0});
  expect_force(data, {0, 0, 3.25}, {0, 0, 0.25});
  // edge: 0.3, 0.4 away in x and y; then a corner, 1-2-2
  expect_force(data, {1.24, 2.32, 0}, Vec3(0.6, 0.8, 0) * 0.1);
  expect_force(data, {-1.1, 2.2, -3.2}, Vec3(-1, 2, -2) / 3 * 0.2);
  // a point inside is pushed out of the nearest face
  data.radius = 0;
  expect_force(data, {0.9, 0, 0}, {0.1, 0, 0});
  expect_force(data, {0, 1.95, 2.9}, {0, 0.05, 0});
  // turned: x of the box is along y of the world
  data.axis2 = {0, 1, 0};
  expect_force(data, {0, 0.9, 0}, {0, 0.1, 0});
}

TEST(ContactShapes, HollowsPushTowardsTheirMiddle) {
  ContactData ball = of_depth(Shape::sphere, 0.2);
  ball.radius_a = 1;
  ball.side = Side::inside;
  expect_force(ball, {0.54, 0, 0.72}, Vec3(-0.6, 0, -0.8) * 0.1);
  expect_force(ball, {0.4, 0.1, 0}, Vec3::Zero());
  ContactData tube = of_depth(Shape::cylinder, 0.2);
  tube.radius_a = 1;
  tube.length = 4;
  tube.side = Side::inside;
  expect_force(tube, {0.54, 0.72, 1.5}, Vec3(-0.6, -0.8, 0) * 0.1);
  // beyond its end, off the rim: 0.06, 0.08 from it
  expect_force(tube, {0.94, 0, 2.08}, Vec3(-0.6, 0, 0.8) * 0.1);
}

TEST(ContactShapes, AProfileOfArcsIsACylinder) {
  ContactData round = of_depth(Shape::cylinder, 0.1);
  round.radius_a = 1;
  round.length = 3;
  ContactData outline = round;
  outline.shape = Shape::profile;
  for (const int n : {1, 2, 3, 7}) {
    outline.profile = n == 1 ? std::vector<Number>{1, 1, 0, 1, -1, 0, 1}
                             : std::vector<Number>{double(n), 1, 0, std::tan(pi / 2 / n)};
    for (const Side side : {Side::outside, Side::inside}) {
      round.side = outline.side = side;
      for (const Vec3& P :
           {Vec3(1.05, 0, 0), Vec3(0.6, 0.8, 1), Vec3(-0.57, 0.76, 1.55), Vec3(0.3, -0.98, -1.5),
            Vec3(-0.66, -0.8, 1.53), Vec3(0.93, 0.02, 1.56)})
        EXPECT_LT((force_at(outline, P) - force_at(round, P)).norm(), 1e-12)
            << n << " " << P.transpose();
    }
  }
}

TEST(ContactShapes, AProfileHasCornersAndHollows) {
  // A square of 2 with half a circle of 0.5 cut out of its upper side
  ContactData data = of_depth(Shape::profile, 0.1);
  data.profile = {1, -1, -1, 0, 1, -1, 0, 1, 1, 0, 0.5, 1, -1, -0.5, 1, 0, -1, 1, 0};
  expect_force(data, {1.04, 0, 5}, {0.06, 0, 0});
  expect_force(data, {1.03, -1.04, 0}, Vec3(0.6, -0.8, 0) * 0.05);  // corner
  expect_force(data, {0, 0.55, 0}, {0, 0.05, 0});                   // bottom of the hollow
  expect_force(data, {0.27, 1 - 0.36, 0}, Vec3(-0.6, 0.8, 0) * 0.05);
  expect_force(data, {0, 1, 0}, Vec3::Zero());
  expect_force(data, {-0.75, 1.02, 0}, {0, 0.08, 0});
  // four-fold, from one side
  data.profile = {4, 1, -1, 0};
  expect_force(data, {1.04, 0, 0}, {0.06, 0, 0});
  expect_force(data, {-1.04, 0.3, 0}, {-0.06, 0, 0});
  expect_force(data, {-1.03, 1.04, 0}, Vec3(-0.6, 0.8, 0) * 0.05);
}

TEST(ContactShapes, TheLinearLawIsASpringAndADamper) {
  ContactData data = of_depth(Shape::plane, 0.1);
  data.stiffness = 2000;
  data.damping = 30;
  data.damping_depth = 1e-3;
  EXPECT_NEAR(force_at(data, {0, 0, 0.09}, {0, 0, -0.2})[2], 20 + 6, 1e-12);
  EXPECT_NEAR(force_at(data, {0, 0, 0.0995}, {0, 0, -0.2})[2], 1 + 3, 1e-12);
  EXPECT_EQ(force_at(data, {0, 0, 0.09}, {0, 0, 1})[2], 0);  // never pulls
}

TEST(ContactShapes, ABallSwingsInABowlLikeAPendulum) {
  // without friction: √(g/(R − r)), in a sphere and across a cylinder
  for (const Shape shape : {Shape::sphere, Shape::cylinder}) {
    Mechanism m("bowl");
    m.gravity = {0, 0, -9.81};
    m.length_scale = 0.1;
    const double L = 0.5;
    const double A = 1e-3;
    const Body ball = m.body({.name = "ball",
                              .type = BodyType::point,
                              .mass = 1,
                              .at = {A, 0, -std::sqrt(L * L - A * A)}});
    m.contact({.name = "bowl",
               .a = ground,
               .b = ball,
               .centre = {0, 0, 0},
               .radius = 0.1,
               .shape = shape,
               .axis = {0, 1, 0},
               .radius_a = 0.6,
               .side = Side::inside,
               .local = true,
               .law = ContactLaw::linear,
               .stiffness = 1e7,
               .exponent = 1,
               .damping = 500});
    MechanismRun run(m, {.tolerance = 1e-9, .h_max = 2e-3});
    const double omega = std::sqrt(9.81 / L);
    for (const double turns : {0.25, 0.5, 1.0, 2.25}) {
      run.advance(turns * 2 * pi / omega);
      EXPECT_NEAR(run.state.point.y[0], A * std::cos(2 * pi * turns), 2e-3 * A) << turns;
    }
  }
}

}  // namespace mechfmu::tests
