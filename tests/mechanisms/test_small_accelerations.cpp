// Accelerations that are small differences of large reactions are as accurate as roundoff allows.
//
// A slider of 1 g on a slanted axis e, pressed across it by F with F·e = 0 and F ~ 10⁶ N, swings on
// a soft spring:
//
//   m s̈ = −k (s − s₀),   m = 0.001 kg,  k = 0.04 N/m,  s₀ = 0.01 m
//
// Roundoff of the reactions, 10⁻¹⁶ F, is an acceleration of 10⁻⁷ m/s², far more than the last
// digits of s̈ where it passes zero.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/mechanics/mechanism_runs.h"
#include "tests/mechanisms/mechanisms.h"

namespace mechfmu::tests {

namespace {

constexpr double omega2 = 40;      // k/m
constexpr double s0 = 0.01;        // m
constexpr double roundoff = 2e-6;  // m/s²

mechanics::Mechanism mechanism(const std::string& elements) {
  return from_text("<mechanism name=\"M\">" + elements + "<experiment stop=\"3\"/></mechanism>");
}

const std::string slider = R"xml(
  <body name="b" at="0 0 0" mass="0.001" inertia="1e-6 1e-6 1e-6"/>
  <joint name="A" type="prismatic" between="ground b" axis="0.3 0.5 0.8"/>
  <force name="press" body="b" value="1e6 -0.6e6 0"/>
  <force name="spring" joint="A" value="-0.04*(A.displacement - 0.01)"/>
  <output name="s" value="A.displacement" unit="m"/>
  <output name="a" value="b.acceleration.z*sqrt(0.98)/0.8" unit="m/s2"/>)xml";

/// Reads at 600 times; counts how often s̈ was found small, to show that the case occurred.
void expect_the_law_of_motion(MechanismRun& run) {
  int small = 0;
  for (int i = 0; i <= 600; ++i) {
    if (i > 0) {
      ASSERT_NO_FATAL_FAILURE(run.advance(i * 5e-3));
    }
    const double s = run.read("s"), a = run.read("a");
    ASSERT_FALSE(testing::Test::HasFailure()) << "t = " << i * 5e-3;
    ASSERT_NEAR(s, s0 * (1 - std::cos(std::sqrt(omega2) * i * 5e-3)), 5e-3 * s0);
    ASSERT_NEAR(a, -omega2 * (s - s0), roundoff);
    if (std::abs(a) < 0.05) ++small;
  }
  EXPECT_GT(small, 20);
}

TEST(SmallAccelerations, AreReadWhereReactionsAreLarge) {
  MechanismRun run(mechanism(slider), adaptive(1e-8));
  expect_the_law_of_motion(run);
}

/// A point on the line of e = (2, 3, 6)/7, held by two rows. A multiplier is a force per unit of
/// its row, for any unit: here from 10⁻² to 10¹⁰.
std::string held(const std::string& unit) {
  return R"xml(
  <body name="b" at="0 0 0" mass="0.001" type="point"/>
  <variable name="s" value="(2*b.position.x + 3*b.position.y + 6*b.position.z)/7"/>
  <constraint name="A" value=")xml" +
         unit + R"xml(*(3*b.position.x - 2*b.position.y)"/>
  <constraint name="B" value=")xml" +
         unit + R"xml(*(3*b.position.x + 4*b.position.y - 3*b.position.z)"/>
  <variable name="pull" value="-0.04*(s - 0.01)"/>
  <force name="all" body="b"
         value="[6e5 + 2/7*pull, 2e5 + 3/7*pull, -3e5 + 6/7*pull]"/>
  <output name="s" value="s" unit="m"/>
  <output name="a" value="(2*b.acceleration.x + 3*b.acceleration.y + 6*b.acceleration.z)/7"
          unit="m/s2"/>)xml";
}

TEST(SmallAccelerations, DoNotDependOnTheUnitsOfConstraints) {
  for (const char* const unit : {"1e-5", "1", "1e5", "1e7"}) {
    SCOPED_TRACE(unit);
    MechanismRun run(mechanism(held(unit)), adaptive(1e-8));
    expect_the_law_of_motion(run);
  }
}

}  // namespace
}  // namespace mechfmu::tests
