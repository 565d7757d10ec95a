// Placement: against rotations made of quaternions, and exact for quarter turns.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mechanics/mechanism.h"
#include "mechanics/placement.h"

namespace mechfmu::tests {

namespace {

using namespace mechanics;

constexpr double quarter = std::numbers::pi / 2;

Mat3 by_quaternions(const Vec3& angles) {
  const Eigen::Quaterniond q = Eigen::AngleAxisd(angles[0], Vec3::UnitX()) *
                               Eigen::AngleAxisd(angles[1], Vec3::UnitY()) *
                               Eigen::AngleAxisd(angles[2], Vec3::UnitZ());
  return q.toRotationMatrix();
}

Vec3 constant(const Triple& t) {
  EXPECT_TRUE(t.constant());
  return t({});
}

}  // namespace

TEST(Placement, TurnsAndMovesPointsAndTurnsDirections) {
  const Vec3 at(1, -2, 0.5);
  const Vec3 angles(0.3, -1.1, 2.5);
  const Vec3 p(0.2, 0.7, -0.4);
  const Placement q{at, angles};
  EXPECT_LT((constant(q.point(p)) - (at + by_quaternions(angles) * p)).norm(), 1e-15);
  EXPECT_LT((constant(q.direction(p)) - by_quaternions(angles) * p).norm(), 1e-15);
}

TEST(Placement, QuarterTurnsAreExact) {
  const Vec3 p(0.1, 0.2, 0.3);
  const Vec3 at(0.7, 0.7, 0.7);
  EXPECT_EQ(constant(Placement{{}, {quarter, 0, 0}}.point(p)), Vec3(0.1, -0.3, 0.2));
  EXPECT_EQ(constant(Placement{{}, {0, quarter, 0}}.point(p)), Vec3(0.3, 0.2, -0.1));
  EXPECT_EQ(constant(Placement{{}, {0, 0, quarter}}.point(p)), Vec3(-0.2, 0.1, 0.3));
  EXPECT_EQ(constant(Placement{{}, {0, 0, 2 * quarter}}.direction(p)), Vec3(-0.1, -0.2, 0.3));
  EXPECT_EQ(constant(Placement{{}, {0, 0, -quarter}}.direction(p)), Vec3(0.2, -0.1, 0.3));
  EXPECT_EQ(constant(Placement{at, {}}.point(p)), Vec3(at + p));
  EXPECT_EQ(constant(Placement{at, {}}.direction(p)), p);
  // An angle that is almost a quarter turn is not treated as one.
  EXPECT_NE(constant(Placement{{}, {0, 0, quarter - 1e-12}}.point(p))[0], -0.2);
}

TEST(Placement, TurnedIsTheProductOfRotations) {
  const Vec3 inner(0.4, 0.9, -2.8);
  for (const Vec3& outer : {Vec3(0.3, -1.1, 2.5), Vec3(-3, 0.2, 0.1), Vec3(0, 0, quarter)}) {
    const Vec3 angles = constant(Placement{{}, outer}.turned(inner));
    EXPECT_LT((by_quaternions(angles) - by_quaternions(outer) * by_quaternions(inner)).norm(),
              2e-15);
  }
  EXPECT_EQ(constant(Placement{}.turned(inner)), inner);
  EXPECT_EQ(constant(Placement{{}, inner}.turned(Triple{})), inner);
  EXPECT_EQ(constant(Placement{{}, {0, 0, quarter}}.turned(Vec3(0, 0, quarter))),
            Vec3(0, 0, 2 * quarter));
}

TEST(Placement, AnglesAreRightAtGimbalLockAndNearIt) {
  // R_y(±90°): only α ± γ is determined, the third angle is 0.
  for (const double sign : {-1.0, 1.0}) {
    const Vec3 angles = constant(Placement{{}, {0.3, sign * quarter, 0}}.turned(Vec3(0, 0, 0.5)));
    EXPECT_DOUBLE_EQ(angles[0], 0.3 + sign * 0.5);
    EXPECT_EQ(angles[1], sign * quarter);
    EXPECT_EQ(angles[2], 0);
  }
  // 30° and 60° about y' add up to a quarter turn except for roundoff.
  EXPECT_LT((constant(Placement{{}, {0, quarter / 3, 0}}.turned(Vec3(0, quarter / 1.5, 0))) -
             Vec3(0, quarter, 0))
                .norm(),
            1e-14);
  for (const double gap : {1e-3, 1e-6, 1e-9, 1e-12, 1e-13, 1e-14, 1e-15}) {
    const Mat3 R = rotation_matrix({0.8, quarter - gap, -1.2});
    EXPECT_LT((rotation_matrix(cardan_angles(R)) - R).norm(), 3e-14) << gap;
  }
}

TEST(Placement, GroupsInGroups) {
  const Placement inner{{0.1, 0.2, 0.3}, {0.5, -0.2, 1}};
  const Placement outer{{-1, 0, 2}, {1.5, 0.7, -2}};
  const Vec3 p(0.4, -0.6, 0.9);
  const Placement both = inner.inside(outer);
  EXPECT_LT((constant(both.point(p)) - constant(outer.point(inner.point(p)))).norm(), 2e-15);
  EXPECT_LT((constant(both.direction(p)) - constant(outer.direction(inner.direction(p)))).norm(),
            2e-15);
}

TEST(Placement, FollowsTheParameters) {
  const Parameter angle{0};
  const Parameter length{1};
  const Placement q{{length, 0, 0}, {0, 0, angle}};
  const Triple point = q.point({0, length, 0});
  const Triple turned = Placement{{}, {0, 0, angle}}.turned(Vec3(0, 0, 0.25));
  EXPECT_FALSE(point.constant());
  EXPECT_TRUE(q.direction(Vec3(1, 0, 0)).constant() == false);
  const double first[] = {0, 2};
  const double second[] = {quarter, 3};
  EXPECT_EQ(point({first}), Vec3(2, 2, 0));
  EXPECT_EQ(point({second}), Vec3(0, 0, 0));
  EXPECT_EQ(turned({first}), Vec3(0, 0, 0.25));
  EXPECT_DOUBLE_EQ(turned({second})[2], quarter + 0.25);
}

}  // namespace mechfmu::tests
