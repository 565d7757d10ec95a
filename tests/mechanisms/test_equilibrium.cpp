// Runs that begin at rest in static equilibrium, against closed forms; mechanisms without
// equilibrium.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/language/complaints.h"
#include "tests/mechanics/mechanism_runs.h"
#include "tests/mechanisms/mechanisms.h"
#include "tests/models/model_files.h"

namespace mechfmu::tests {

namespace {

constexpr double g = 9.81;

/// Equilibrium of the elements in a mechanism with gravity along −z.
std::string file(const std::string& elements, const std::string& attributes = "") {
  return "<mechanism name=\"M\" gravity=\"0 0 -9.81\" " + attributes + ">" + elements +
         "<experiment stop=\"1\" start=\"equilibrium\"/></mechanism>";
}

/// A run at its initial position; checks that it stays there for a while.
struct AtRest : MechanismRun {
  explicit AtRest(const mechanics::Mechanism& m, const Settings& settings = {})
      : MechanismRun(m, {.tolerance = 1e-9}, settings) {
    EXPECT_EQ(state.point.z.size() == 0 ? 0 : state.point.z.cwiseAbs().maxCoeff(), 0);
    State later = state;
    const Result result = solver.advance(later, 0.5);
    EXPECT_TRUE(result.ok()) << result.message;
    EXPECT_LT((later.point.y - state.point.y).cwiseAbs().maxCoeff(), 1e-7);
  }
  explicit AtRest(const std::string& elements, const std::string& attributes = "",
                  const Settings& settings = {})
      : AtRest(from_text(file(elements, attributes)), settings) {}
};

const char* const output_x = R"xml(<output name="x" value="b.position.x" unit="m"/>)xml";
const char* const output_z = R"xml(<output name="z" value="b.position.z" unit="m"/>)xml";

/// A rod of 1 m that hangs from the origin, turned by an angle about y.
std::string rod(const std::string& angle) {
  return R"xml(<body name="b" at="0.5*sin()xml" + angle + R"xml() 0 -0.5*cos()xml" + angle +
         R"xml()" mass="3" inertia="0.25 0.25 0.001" rotation="0 )xml" + "-1*(" + angle +
         R"xml() 0"/><joint name="A" type="revolute" between="ground b" axis="0 1 0"/>)xml" +
         output_x + output_z;
}

}  // namespace

TEST(Equilibrium, AMassOnASpring) {
  const MechanismFile& rest = mechanism_files().back();
  ASSERT_EQ(rest.name, "rest");
  for (const auto& made : {compiled(rest), interpreted(rest)}) {
    EXPECT_NEAR(AtRest(made->description()).read("z"), 1 - 2 * g / 500, 1e-10);
    // Other parameters and inputs have another equilibrium.
    AtRest run(made->description(), {{"k", 250}, {"m", 3}, {"push", 5}});
    EXPECT_NEAR(run.read("z"), 1 - (3 * g - 5) / 250, 1e-10);
  }
}

TEST(Equilibrium, APendulumHangsDown) {
  for (const char* angle : {"30deg", "150deg", "179deg", "-90deg"}) {
    SCOPED_TRACE(angle);
    AtRest run(rod(angle));
    EXPECT_NEAR(run.read("x"), 0, 1e-9);
    EXPECT_NEAR(run.read("z"), -0.5, 1e-9);
  }
}

TEST(Equilibrium, AMechanismPlacedInAnUnstableOneStartsThere) {
  MechanismRun run(from_text(file(rod("180deg"))), {.tolerance = 1e-9});
  EXPECT_NEAR(run.read("z"), 0.5, 1e-9);
}

TEST(Equilibrium, TwoRodsPulledSideways) {
  // About the upper end of each rod: F L cos = (weight below) L sin
  const double F = 20;
  const double m = 2;
  AtRest run(R"xml(
    <default element="body" mass="2" inertia="0.05 0.05 0.001"/>
    <body name="upper" at="0.25 0 0" rotation="0 90deg 0"/>
    <body name="lower" at="0.75 0 0" rotation="0 90deg 0"/>
    <joint name="A" type="revolute" between="ground upper" axis="0 1 0"/>
    <joint name="B" type="revolute" between="upper lower" at="0.5 0 0" axis="0 1 0"/>
    <force name="F" body="lower" at="1 0 0" value="20 0 0"/>
    <output name="ux" value="upper.position.x" unit="m"/><output name="uz" value="upper.position.z" unit="m"/>
    <output name="lx" value="lower.position.x" unit="m"/><output name="lz" value="lower.position.z" unit="m"/>)xml");
  EXPECT_NEAR(run.read("ux") / -run.read("uz"), F / (1.5 * m * g), 1e-8);
  EXPECT_NEAR((run.read("lx") - 2 * run.read("ux")) / -(run.read("lz") - 2 * run.read("uz")),
              F / (0.5 * m * g), 1e-8);
}

TEST(Equilibrium, ABallIsSupportedByItsContact) {
  // k d^1.5 = m g, started above the plane and far below it
  for (const char* z : {"0.4", "0.1", "0.05"}) {
    SCOPED_TRACE(z);
    AtRest run(std::string(R"xml(<body name="b" at="0.3 0 )xml") + z +
               R"xml(" mass="2" inertia="0.01 0.01 0.01" free="true"/>
      <contact name="C" between="ground b" centre="0.3 0 )xml" +
               z + R"xml(" radius="0.1" at="0 0 0" axis="0 0 1"
               stiffness="1e7" exponent="1.5" damping="0.5" friction="0.4"/>)xml" +
               output_x + output_z);
    EXPECT_NEAR(run.read("z"), 0.1 - std::pow(2 * g / 1e7, 2.0 / 3), 1e-10);
    EXPECT_NEAR(run.read("x"), 0.3, 1e-10);  // nothing moves it sideways
  }
}

TEST(Equilibrium, ABallBetweenTwoOthers) {
  // It falls onto two that are held, and rests on both: 2 k d cos(30°) = m g, d = 2r − distance
  AtRest run(R"xml(
    <body name="b" at="0.01 0 0.3" mass="1" inertia="0.01 0.01 0.01"/>
    <joint name="plane" type="planar" between="ground b" at="0.01 0 0.3" axis="0 1 0"/>
    <body name="l" at="-0.1 0 0" mass="1" inertia="0.01 0.01 0.01"/>
    <body name="r" at="0.1 0 0" mass="1" inertia="0.01 0.01 0.01"/>
    <joint name="L" type="fixed" between="ground l" at="-0.1 0 0"/>
    <joint name="R" type="fixed" between="ground r" at="0.1 0 0"/>
    <default element="contact" shape="sphere" radius="0.1" radius_a="0.1" stiffness="1e5"
             exponent="1" damping="0.3"/>
    <contact name="CL" between="l b" at="-0.1 0 0" centre="0.01 0 0.3"/>
    <contact name="CR" between="r b" at="0.1 0 0" centre="0.01 0 0.3"/>)xml" +
             std::string(output_x) + output_z);
  EXPECT_NEAR(run.read("x"), 0, 1e-9);
  const double z = run.read("z");
  const double distance = std::hypot(0.1, z);
  EXPECT_NEAR(2 * 1e5 * (0.2 - distance) * z / distance, g, 1e-4);
}

TEST(Equilibrium, ACantileverSags) {
  // P L³ / 3 E I with a load that bends it only slightly
  AtRest run(R"xml(
    <default element="beam" E="2e11" G="8e10" area="6e-4" i_y="4.5e-8" i_z="2e-8" torsion="2e-8"
             across="0 0 1" damping="1e-3"/>
    <body name="m" at="0.6 0 0" mass="1" inertia="0.01 0.01 0.01"/>
    <body name="b" at="1.2 0 0" mass="1" inertia="0.01 0.01 0.01"/>
    <beam name="B1" between="ground m" from="0 0 0" to="0.6 0 0"/>
    <beam name="B2" between="m b" from="0.6 0 0" to="1.2 0 0"/>
    <force name="P" body="b" at="1.2 0 0" value="0 0 19.62"/>
    <force name="Q" body="b" at="1.2 0 0" value="0 0 -10"/>
    <force name="up" body="m" at="0.6 0 0" value="0 0 9.81"/>)xml" +
             std::string(output_z));
  EXPECT_NEAR(run.read("z"), (g - 10) * 1.2 * 1.2 * 1.2 / (3 * 2e11 * 4.5e-8), 1e-9);
}

TEST(Equilibrium, BodiesWithoutForcesStayInPlace) {
  AtRest run(R"xml(
    <body name="b" at="0.7 0 0" mass="1" inertia="0.01 0.01 0.01"/>
    <joint name="rail" type="prismatic" between="ground b" at="0.7 0 0" axis="1 0 0"/>
    <body name="c" at="0.9 0 0" mass="1" inertia="0.01 0.01 0.01"/>
    <joint name="rail_c" type="prismatic" between="ground c" at="0.9 0 0" axis="1 0 0"/>
    <spring name="S" between="b c" from="0.7 0 0" to="0.9 0 0" length="0.3" stiffness="1e9"/>
    <state name="path" start="2" rate="norm(b.velocity)/1m"/>
    <output name="c" value="c.position.x" unit="m"/>)xml" +
             std::string(output_x));
  EXPECT_NEAR(run.read("x"), 0.65, 1e-9);  // the middle stays
  EXPECT_NEAR(run.read("c"), 0.95, 1e-9);
  EXPECT_NEAR(run.state.point.x[0], 2.05,
              1e-9);  // a state that integrates a velocity gives the distance
}

TEST(Equilibrium, StatesComeToRestWithTheMotion) {
  // A controller with an integral part leaves no deviation; a filter has the value of its input.
  AtRest run(R"xml(
    <body name="b" at="0 0 0" mass="2" inertia="0.01 0.01 0.01"/>
    <joint name="rail" type="prismatic" between="ground b" axis="0 0 1"/>
    <state name="sum" rate="(0.4 - b.position.z/1m)/1s"/>
    <state name="filter" start="7" rate="3*(b.position.z/1m - filter)/1s"/>
    <force name="motor" joint="rail" value="30*sum + 40*(0.4 - b.position.z/1m) - 9*rail.rate*1s/1m"/>)xml" +
             std::string(output_z));
  EXPECT_NEAR(run.read("z"), 0.4, 1e-9);
  EXPECT_NEAR(run.state.point.x[0], 2 * g / 30, 1e-8);
  EXPECT_NEAR(run.state.point.x[1], 0.4, 1e-8);
}

TEST(Equilibrium, ADoorOnTwoHingesHasRedundantOnes) {
  const std::string door = R"xml(
    <body name="b" at="0.5 0 0" mass="4" inertia="0.4 0.1 0.4"/>
    <default element="joint" type="revolute" axis="0 1 0"/>
    <joint name="front" between="ground b" at="0 -0.4 0"/>
    <joint name="back" between="ground b" at="0 0.4 0"/>
    <spring name="S" joint="front" stiffness="15"/>)xml";
  AtRest run(door + R"xml(<output name="angle" value="front.angle" unit="rad"/>)xml");
  EXPECT_EQ(run.solver.redundant().size(), 5U);
  const double angle = run.read("angle");
  EXPECT_GT(std::abs(angle), 0.5);
  EXPECT_NEAR(4 * g * 0.5 * std::cos(angle), 15 * std::abs(angle), 1e-6);
}

TEST(Equilibrium, AWheelRollsToWhereItsSpringLeavesIt) {
  // On a plane, pulled by a spring along x: at the end the spring has its free length, and the
  // wheel has turned.
  AtRest run(R"xml(
    <body name="b" at="0 0 0.3" mass="5" inertia="0.1 0.2 0.1"/>
    <joint name="upright" type="planar" between="ground b" at="0 0 0.3" axis="0 1 0"/>
    <rolling name="R" type="wheel" between="ground b" centre="0 0 0.3" axle="0 1 0" radius="0.3"/>
    <measure name="way" type="displacement" between="ground b" from="0 0 0.3" to="0 0 0.3" axis="1 0 0"/>
    <spring name="S" measure="way" stiffness="200" length="0.15" damping="3"/>
    <output name="turned" value="upright.angle" unit="rad"/>)xml" +
             std::string(output_x));
  EXPECT_NEAR(run.read("x"), 0.15, 1e-8);
  EXPECT_NEAR(std::abs(run.read("turned")), 0.15 / 0.3, 1e-6);
}

TEST(Equilibrium, EnergyIsCountedFromThere) {
  MechanismRun run(from_text(file(rod("30deg"), "track_energy=\"true\"")), {.tolerance = 1e-8});
  EXPECT_EQ(run.read("energy.dissipated"), 0);
  EXPECT_EQ(run.read("energy.imbalance"), 0);
}

// --- mechanisms without equilibrium ---

TEST(NoEquilibrium, NamesTheFallingBody) {
  const std::string said = complaints(
      file("<body name=\"ball\" at=\"0 0 1\" mass=\"2\" sphere=\"0.1\" free=\"true\"/>"));
  EXPECT_NE(said.find("no static equilibrium was found near the start: 'ball.z' still accelerates "
                      "with -9.81 m/s2"),
            std::string::npos)
      << said;
}

TEST(NoEquilibrium, AWheelOnASlopeRollsOff) {
  const std::string said = complaints(R"xml(<mechanism name="M" gravity="3 0 -9.81">
    <body name="wheel" at="0 0 0.3" mass="5" inertia="0.1 0.2 0.1"/>
    <rolling name="R" type="wheel" between="ground wheel" centre="0 0 0.3" axle="0 1 0" radius="0.3"/>
    <experiment start="equilibrium"/></mechanism>)xml");
  EXPECT_NE(said.find("'wheel."), std::string::npos) << said;
  EXPECT_NE(said.find("still accelerates"), std::string::npos) << said;
}

TEST(NoEquilibrium, ADriverThatMovesIsNamed) {
  const std::string said = complaints(file(R"xml(
    <body name="b" at="0 0 0" mass="2" inertia="0.01 0.01 0.01"/>
    <joint name="rail" type="prismatic" between="ground b" axis="1 0 0"/>
    <driver name="feed" joint="rail" value="0.5*time*1m/1s"/>)xml"));
  EXPECT_NE(said.find("constraint 'feed' moves with"), std::string::npos) << said;
}

TEST(NoEquilibrium, StartVelocitiesContradictIt) {
  const std::string said = complaints(file(R"xml(
    <body name="b" at="0 0 0" mass="2" inertia="0.01 0.01 0.01" velocity="0.5 0 0"/>
    <joint name="rail" type="prismatic" between="ground b" axis="1 0 0"/>)xml"));
  EXPECT_NE(said.find("'b.x' starts with a velocity of 0.5 m/s"), std::string::npos) << said;
  EXPECT_NE(said.find("m.xml:"), std::string::npos) << said;
}

TEST(NoEquilibrium, AClockIsNamed) {
  const std::string said = complaints(file(R"xml(
    <body name="b" at="0 0 0" mass="2" inertia="0.01 0.01 0.01"/>
    <joint name="hold" type="fixed" between="ground b"/><state name="clock" rate="1"/>)xml"));
  EXPECT_NE(said.find("state 'clock' still changes with 1 per second"), std::string::npos) << said;
}

// --- a vehicle ---

TEST(Equilibrium, AVehicleSagsAsFarAsInALongRun) {
  // After 20 s from the placed position, with a tolerance of 1e-6; it still rolls by 0.3 mm/s,
  // since nothing holds it.
  const std::vector<std::pair<std::string, double>> after = {{"rider.z", 0.598061942},
                                                             {"tyre.fl", 610.658329},
                                                             {"tyre.fr", 609.524251},
                                                             {"tyre.rl", 634.221106},
                                                             {"tyre.rr", 627.502412}};
  mechanics::Mechanism atv = from_file("atv");
  atv.experiment.start = StartPosition::equilibrium;
  MechanismRun rest(atv, adaptive(1e-6), {{"shake", 0}, {"steer", 0}});
  // Four tyres carry all but the posts: corners 50 kg, steering 5.1, loads 191.3, frame 6.6.
  double load = 0;
  for (const char* tyre : {"tyre.fl", "tyre.fr", "tyre.rl", "tyre.rr"}) load += rest.read(tyre);
  EXPECT_NEAR(load, 253 * g, 1);
  for (const double t : {0.0, 0.3}) {
    if (t > 0) {
      ASSERT_NO_FATAL_FAILURE(rest.advance(t));
    }
    for (const auto& [output, value] : after)
      EXPECT_NEAR(rest.read(output), value, 2e-6 * value) << output << " at " << t;
  }
}

}  // namespace mechfmu::tests
