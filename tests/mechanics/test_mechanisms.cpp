// Mechanisms made of bodies and joints against reference values, and against the same mechanisms as
// C++ models with explicit equations.

#include <algorithm>

#include "models/andrews/andrews.h"
#include "models/andrews_bodies/andrews_bodies.h"
#include "models/four_bar_chain_bodies/four_bar_chain_bodies.h"
#include "models/pendulum_bodies/pendulum_bodies.h"
#include "models/slider_crank/slider_crank.h"
#include "models/slider_crank_bodies/slider_crank_bodies.h"
#include "tests/mechanics/mechanism_runs.h"

namespace mechfmu::tests {
namespace {

using mechanics::Mechanism;
using models::PendulumKind;
using models::Space;

/// The step equations solved as accurately as numbers of this size allow.
Options tight(double tolerance = 1e-12) {
  Options o = converged(0.7);
  o.tolerance = tolerance;
  return o;
}

/// Outputs at the given times, extrapolated from runs with `count` and 2·`count` steps per part.
std::vector<Vector> extrapolated_run(const Mechanism& mechanism, const Options& options,
                                     const std::vector<double>& times, int count,
                                     const std::vector<std::string>& outputs) {
  MechanismRun coarse(mechanism, options);
  MechanismRun fine(mechanism, options);
  std::vector<Vector> values;
  for (const double t : times) {
    coarse.steps(count, t);
    fine.steps(2 * count, t);
    values.push_back(extrapolated(coarse.read(outputs), fine.read(outputs)));
  }
  return values;
}

// --- Slider-crank (reference: two-degree-of-freedom computation) ---

const double crank_times[] = {.25, .5, .75, 1};
const double crank_theta1[] = {1.95564804605892, 4.13483839714308, 6.59048809598935,
                               7.41462498553876};
const double crank_x4[] = {.423194549957391, .385790662820963, .960763308524022, .600443137284004};

TEST(SliderCrankBodies, ReachesTheReferenceWithATightTolerance) {
  MechanismRun run(models::slider_crank_bodies(), adaptive(1e-9));
  for (int i = 0; i < 4; ++i) {
    run.advance(crank_times[i]);
    EXPECT_NEAR(run.read("theta1"), crank_theta1[i], 1e-4) << crank_times[i];
    EXPECT_NEAR(run.read("x4"), crank_x4[i], 1e-4) << crank_times[i];
  }
}

TEST(SliderCrankBodies, ConvergesToTheReference) {
  const auto values =
      extrapolated_run(models::slider_crank_bodies(), tight(),
                       {std::begin(crank_times), std::end(crank_times)}, 1000, {"theta1", "x4"});
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(values[i][0], crank_theta1[i], 1e-6) << crank_times[i];
    EXPECT_NEAR(values[i][1], crank_x4[i], 1e-6) << crank_times[i];
  }
}

/// The same method on the same coordinates: every step agrees with the explicit equations, up to
/// roundoff.
void expect_slider_crank_of_the_model(const models::SliderCrankOptions& options) {
  MechanismRun bodies(models::slider_crank_bodies(options), tight());
  ModelRun<models::SliderCrank> model(converged(0.7));
  for (const double t : crank_times) {
    bodies.steps(250, t);
    for (int i = 0; i < 250; ++i) model.step(1e-3);
    const Vector& y = model.y();
    Point p;
    p.resize(model.system.sizes());
    ASSERT_TRUE(model.solver.output(model.state, p).ok());
    const Vector& mu = p.mu;
    EXPECT_NEAR(bodies.read("theta1"), y[2], 1e-8);
    EXPECT_NEAR(bodies.read("theta1.rate"), model.z()[2], 1e-6);
    EXPECT_NEAR(bodies.read("x3"), y[6], 1e-9);
    EXPECT_NEAR(bodies.read("x4"), y[7], 1e-9);
    EXPECT_NEAR(bodies.read("spring.force"), 1000 * (y[7] - y[6]), 1e-5);
    // Reactions: ground on crank, crank on rod, rod on slider, guide on slider
    EXPECT_NEAR(bodies.read("pin.force.x"), -mu[0] - mu[2], 1e-5);
    EXPECT_NEAR(bodies.read("pin.force.y"), -mu[1] - mu[3], 1e-5);
    EXPECT_NEAR(bodies.read("hinge.force.x"), -mu[2], 1e-5);
    EXPECT_NEAR(bodies.read("hinge.force.y"), -mu[3], 1e-5);
    EXPECT_NEAR(bodies.read("wrist.force.x"), -mu[6], 1e-5);
    EXPECT_NEAR(bodies.read("wrist.force.y"), mu[7], 1e-5);
    EXPECT_NEAR(bodies.read("guide.force.y"), -mu[7], 1e-5);
    EXPECT_NEAR(bodies.read("guide.torque.z"), 0, 1e-9);
    EXPECT_NEAR(bodies.read("energy.total"), model.system.model().energy(model.state.point), 1e-8);
  }
}

TEST(SliderCrankBodies, OfPlanarBodiesMovesAsTheModel) { expect_slider_crank_of_the_model({}); }

TEST(SliderCrankBodies, WithAMasslessHingePointMovesAsTheModel) {
  expect_slider_crank_of_the_model({.hinge_point = true});
}

TEST(SliderCrankBodies, OfSpatialBodiesMovesAsTheModelInSpiteOfThreeRedundantConstraints) {
  expect_slider_crank_of_the_model({.space = Space::spatial});
}

TEST(SliderCrankBodies, OfSpatialBodiesNamesTheRedundantConstraintsByJointAndDirection) {
  MechanismRun planar(models::slider_crank_bodies(), tight());
  EXPECT_TRUE(planar.solver.warnings().empty());

  MechanismRun run(models::slider_crank_bodies({.space = Space::spatial}), tight());
  ASSERT_EQ(run.solver.warnings().size(), 3U);
  // Only constraints that keep the loop in its plane are redundant, never those of motion in the
  // plane.
  for (const std::string& warning : run.solver.warnings()) {
    const std::string row = warning.substr(0, warning.find(" is redundant"));
    const bool joint = std::any_of(
        run.system.description().joints.begin(), run.system.description().joints.end(),
        [&](const auto& data) { return row.find("'" + data.name + ": ") != std::string::npos; });
    EXPECT_TRUE(joint) << warning;
    EXPECT_EQ(row.find(": x'"), std::string::npos) << warning;
    EXPECT_EQ(row.find(": y'"), std::string::npos) << warning;
  }
}

TEST(SliderCrankBodies, OfSpatialBodiesHasTheSmallestReactionsAcrossThePlane) {
  MechanismRun run(models::slider_crank_bodies({.space = Space::spatial}), tight());
  run.steps(500, 0.5);
  for (const std::string joint : {"pin", "hinge", "wrist", "guide"})
    for (const char* part : {".force.z", ".torque.x", ".torque.y"})
      EXPECT_NEAR(run.read(joint + part), 0, 1e-10) << joint << part;
}

TEST(SliderCrankBodies, MovesTheSameIfSlidingBodiesHaveNoInertia) {
  for (const models::SliderCrankOptions& options : std::vector<models::SliderCrankOptions>{
           {}, {.hinge_point = true}, {.space = Space::spatial}}) {
    Mechanism mechanism = models::slider_crank_bodies(options);
    MechanismRun usual(mechanism, tight());
    // Thin rods; the slider is a point
    for (mechanics::BodyData& body : mechanism.bodies) {
      body.inertia.xx = 0;
      if (body.name == "slider") body.inertia = {};
    }
    MechanismRun run(mechanism, tight());
    const std::vector<std::string> outputs = {"theta1", "x4", "hinge.force.x", "guide.force.y"};
    usual.steps(500, 0.5);
    run.steps(500, 0.5);
    EXPECT_LT((run.read(outputs) - usual.read(outputs)).norm(), 1e-6);
  }
}

// --- Andrews' mechanism (t = 0.03: recomputed values, stable to 1e-14) ---

const std::vector<std::string> andrews_angles = {"beta",  "Theta", "gamma",  "Phi",
                                                 "delta", "Omega", "epsilon"};
const std::vector<std::string> andrews_forces = {"P3.force.x", "P3.force.y", "P4.force.x",
                                                 "P4.force.y", "P6.force.x", "P6.force.y"};

std::vector<std::string> rates(std::vector<std::string> names) {
  for (std::string& name : names) name += ".rate";
  return names;
}

TEST(AndrewsBodies, StartsWithThePublishedAccelerationsAndReactions) {
  for (const Space space : {Space::planar, Space::spatial}) {
    MechanismRun run(models::andrews_bodies(space), tight());
    const mechanics::Motion& q = run.motion();
    EXPECT_NEAR(q.angular_acceleration({1})[2], 14222.4439199541138705911625887, 1e-6);
    EXPECT_NEAR(q.angular_acceleration({2}, {1})[2], -10666.8329399655854029433719415, 1e-6);
    const Vector forces = run.read(andrews_forces);
    EXPECT_NEAR(forces[0], 98.5668703962410896, 1e-8);
    EXPECT_NEAR(forces[1], -6.12268834425566266, 1e-8);
    EXPECT_LT(forces.tail(4).lpNorm<Eigen::Infinity>(), 1e-8);
  }
}

TEST(AndrewsBodies, HasTheKineticAndPotentialEnergyOfTheModel) {
  MechanismRun run(models::andrews_bodies(), tight());
  const models::Andrews model;
  for (const double t : {0.01, 0.02, 0.03}) {
    run.steps(500, t);
    const Vec<double, 7> q = run.read(andrews_angles);
    const Vec<double, 7> v = run.read(rates(andrews_angles));
    const double kinetic = v.dot(model.M(t, q) * v) / 2;
    EXPECT_NEAR(run.read("energy.kinetic"), kinetic, 1e-11 * kinetic);
    Point p;
    p.y = q;
    EXPECT_NEAR(run.read("energy.potential"), model.potential(p), 1e-12);
  }
}

void expect_andrews_reference(Space space, int count) {
  std::vector<std::string> outputs = andrews_angles;
  for (const auto& list : {rates(andrews_angles), andrews_forces})
    outputs.insert(outputs.end(), list.begin(), list.end());
  const Vector end =
      extrapolated_run(models::andrews_bodies(space), tight(1e-11), {0.03}, count, outputs)[0];
  const Vector q = vector({15.810771195153709, -15.756371058411841, 0.040822240119646,
                           -0.53473011634208, 0.52440996587995, 0.53473011634208, 1.0480807410419});
  const Vector v = vector({1139.9203022591063, -1424.3792951775396, 11.032911910620,
                           19.293374105035, 0.5735699148296, -19.293374105035, 0.3231791492492});
  const Vector lambda = vector({199.175348104538, -29.755309974972, 23.066543611622,
                                31.452725275771, 22.642494786394, 11.617392352611});
  EXPECT_LT((end.head(7) - q).norm(), 1e-6);
  EXPECT_LT((end.segment(7, 7) - v).norm(), 1e-6 * v.norm());
  EXPECT_LT((end.tail(6) - lambda).norm(), 1e-5 * lambda.norm());
}

TEST(AndrewsBodies, OfPlanarBodiesConvergesToTheReference) {
  expect_andrews_reference(Space::planar, 4000);
}

TEST(AndrewsBodies, OfSpatialBodiesMovesAsOfPlanarOnesInSpiteOfNineRedundantConstraints) {
  MechanismRun planar(models::andrews_bodies(), tight(1e-11));
  MechanismRun spatial(models::andrews_bodies(Space::spatial), tight(1e-11));
  EXPECT_TRUE(planar.solver.warnings().empty());
  EXPECT_EQ(spatial.solver.warnings().size(), 9U);
  planar.steps(1000, 0.03);
  spatial.steps(1000, 0.03);
  for (const auto& list : {andrews_angles, andrews_forces, rates(andrews_angles)}) {
    const Vector expected = planar.read(list);
    EXPECT_LT((spatial.read(list) - expected).norm(), 1e-7 * expected.norm());
  }
}

// --- Pendulum (IFToMM A01) ---

void expect_pendulum_reference(PendulumKind kind, Space space) {
  const double x[] = {.9862917511318753, -.9423054350437574, -.2750874625761184};
  const double y[] = {-.1650108531255411, -.3347543384140003, -.9614192050991246};
  const auto values = extrapolated_run(models::pendulum_bodies(kind, space), tight(), {1, 5, 10},
                                       4000, {"bob.x", "bob.y", "bob.z"});
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(values[i][0], x[i], 1e-6);
    EXPECT_NEAR(values[i][1], y[i], 1e-6);
    EXPECT_NEAR(values[i][2], 0, 1e-12);
  }
}

TEST(PendulumBodies, OfAPointMassConvergesToTheReference) {
  expect_pendulum_reference(PendulumKind::point, Space::planar);
  expect_pendulum_reference(PendulumKind::point, Space::spatial);
}

TEST(PendulumBodies, OfAPlanarRodWithoutInertiaConvergesToTheReference) {
  expect_pendulum_reference(PendulumKind::rod, Space::planar);
}

TEST(PendulumBodies, OfASpatialRodWithoutInertiaConvergesToTheReference) {
  expect_pendulum_reference(PendulumKind::rod, Space::spatial);
}

TEST(PendulumBodies, RodForceHoldsTheBob) {
  // Energy: v² = 2 g (−y), tension = m (v² + g (−y)) / l = 3 m g (−y).
  for (const PendulumKind kind : {PendulumKind::point, PendulumKind::rod}) {
    MechanismRun run(models::pendulum_bodies(kind), tight(), {{"m", 2}});
    run.steps(2000, 1);
    EXPECT_NEAR(run.read("rod.force"), -3 * 2 * 9.81 * run.read("bob.y"), 1e-4);
  }
}

TEST(PendulumBodies, ReactionsAreOfSecondOrderAtTightTolerances) {
  // The largest error of the force in the rod at all times; for the angle φ it is 3 m g cos φ
  // (released from the horizontal).
  const auto largest = [](double tolerance) {
    MechanismRun run(models::pendulum_bodies(), adaptive(tolerance), {{"m", 2}});
    double error = 0;
    for (int k = 1; k <= 200; ++k) {
      run.advance(0.01 * k);
      error = std::max(error, std::abs(run.read("rod.force") + 3 * 2 * 9.81 * run.read("bob.y")));
    }
    return error;
  };
  const double coarse = largest(1e-7);
  const double fine = largest(1e-10);
  EXPECT_GT(coarse / fine, 60);  // 1000^(2/3) = 100
}

// --- Chain of two windows (IFToMM A02) ---

TEST(FourBarChainBodies, PassesItsFlatPositions) {
  for (const Space space : {Space::planar, Space::spatial}) {
    MechanismRun run(models::four_bar_chain_bodies(2, space), adaptive(1e-8));
    EXPECT_EQ(run.solver.warnings().size(), space == Space::planar ? 0U : 6U);
    run.advance(1);
    EXPECT_NEAR(run.read("top.x"), -.195020301949435, 2e-5);
    EXPECT_NEAR(run.read("top.y"), -.980799205662174, 2e-5);
    run.advance(10);
    EXPECT_NEAR(run.read("top.x"), .328458111540823, 5e-5);
    EXPECT_NEAR(run.read("top.y"), .944518538178598, 5e-5);
  }
}

TEST(FourBarChainBodies, NeverLeavesItsBranchWithoutAWord) {
  int passed = 0;
  for (const Space space : {Space::planar, Space::spatial})
    for (int k = 0; k <= 14; ++k) {
      const double tolerance = std::pow(10, -4 - 0.5 * k);
      SCOPED_TRACE(tolerance);
      MechanismRun run(models::four_bar_chain_bodies(2, space), adaptive(tolerance));
      const double energy = run.read("energy.total");
      for (int step = 1; step <= 40; ++step) {
        const Result result = run.solver.advance(run.state, 0.05 * step);
        if (!result.ok()) {
          EXPECT_EQ(result.failure, Failure::singular_matrix) << result.message;
          break;
        }
        ASSERT_NEAR(run.read("energy.total") / energy, 1, 100 * std::pow(tolerance, 2.0 / 3));
        if (step == 40) ++passed;
      }
    }
  EXPECT_GE(passed, 22);  // of 30
}

TEST(FourBarChainBodies, KeepsItsEnergyThroughTheFlatPositions) {
  MechanismRun run(models::four_bar_chain_bodies(), adaptive(1e-7));
  const double energy = run.read("energy.total");
  EXPECT_NEAR(energy, 9.81 * 3.5 + (3 * 1. / 3 + 2) / 2, 1e-12);
  run.advance(10);
  EXPECT_NEAR(run.read("energy.total"), energy, 1e-3);
}

}  // namespace
}  // namespace mechfmu::tests
