// The shortest rotation from one direction to another, against Eigen's.

#include <gtest/gtest.h>

#include "model/turn.h"

namespace mechfmu::tests {

using Eigen::Vector3d;

TEST(Turn, IsTheShortestRotation) {
  for (const Vector3d& a : {Vector3d(0, 0, 1), Vector3d(1, -2, 0.5), Vector3d(-1e-9, 2e-9, 0)})
    for (const Vector3d& b : {Vector3d(0, 0, 3), Vector3d(-0.2, 0.1, 4), Vector3d(-3, 1, 0)}) {
      const Eigen::Quaterniond turn = turn_between(a, b);
      EXPECT_LT((turn * a.normalized() - b.normalized()).norm(), 1e-15);
      EXPECT_LT(turn.angularDistance(Eigen::Quaterniond::FromTwoVectors(a, b)), 1e-14);
    }
}

TEST(Turn, FindsOppositeDirectionsFromEverywhere) {
  const Vector3d a = Vector3d(1, -2, 0.5).normalized();
  const Vector3d across = a.unitOrthogonal();
  for (const double away : {0.0, 1e-16, 1e-12, 1e-9, 1e-8, 1e-7, 1e-4}) {
    const Vector3d b = (-a + away * across).normalized();
    const Eigen::Quaterniond turn = turn_between(a, b);
    EXPECT_NEAR(turn.norm(), 1, 1e-15) << away;
    EXPECT_LT((turn * a - b).norm(), 1e-8) << away;
  }
}

}  // namespace mechfmu::tests
