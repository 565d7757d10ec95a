// Readings of a motion: against finite differences, and against statics by hand.

#include <gtest/gtest.h>

#include <cmath>

#include "mechanics/mechanism.h"
#include "mechanics/placement.h"
#include "tests/mechanics/mechanism_runs.h"
#include "tests/mechanics/probe.h"

namespace mechfmu::tests {

namespace {

using namespace mechanics;

constexpr double g0 = 9.81;

struct Tumbling {
  Mechanism m{"tumbling"};
  Body a, b;
  Spot P, Q;
  Tumbling() {
    a = m.body({.name = "a",
                .mass = 1.5,
                .inertia = {0.3, 0.4, 0.5, 0.02, -0.03, 0.01},
                .at = {0.2, -0.1, 0.5},
                .rotation = {0.3, -0.5, 0.7},
                .centre = {0.1, 0.2, -0.1}});
    b = m.body({.name = "b",
                .mass = 0.7,
                .inertia = {0.2, 0.3, 0.2},
                .at = {1, 0.5, -0.2},
                .rotation = {-0.8, 0.2, 1.4}});
    P = {b, {0.3, 0.1, -0.2}, true};
    Q = {a, {-0.1, 0.4, 0.2}, true};
  }
};

Mat3 hat(const Vec3& v) {
  Mat3 m;
  m << 0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0;
  return m;
}

}  // namespace

TEST(Measures, VelocitiesAndAccelerationsOfPointsAreTheirDerivatives) {
  Tumbling t;
  MechanismSystem system(t.m);
  const Point p = random_point(system, 4, 0.3);
  const auto at = [&](double s) -> const Motion& { return system.motion(along(system, p, s)); };
  for (const Spot& spot : {t.P, t.Q, Spot{t.a, {0.2, -0.1, 0.5}}}) {
    EXPECT_LT((at(0).velocity(spot) - slope([&](double s) { return at(s).position(spot); })).norm(),
              1e-9);
    EXPECT_LT(
        (at(0).acceleration(spot) - slope([&](double s) { return at(s).velocity(spot); })).norm(),
        1e-9);
  }
}

TEST(Measures, RelativeMotionIsWhatAnObserverOnTheOtherBodySees) {
  Tumbling t;
  MechanismSystem system(t.m);
  const Point p = random_point(system, 4, 0.3);
  const auto at = [&](double s) -> const Motion& { return system.motion(along(system, p, s)); };
  const auto seen = [&](const Vec3& v) { return at(0).in_axes(v, t.a); };
  const Vec3 velocity =
      slope([&](double s) { return at(s).in_axes(at(s).position(t.P, t.Q), t.a); });
  EXPECT_LT((seen(at(0).velocity(t.P, t.Q)) - velocity).norm(), 1e-9);
  const Vec3 acceleration =
      slope([&](double s) { return at(s).in_axes(at(s).velocity(t.P, t.Q), t.a); });
  EXPECT_LT((seen(at(0).acceleration(t.P, t.Q)) - acceleration).norm(), 1e-9);
  // A point does not move for an observer on its own body.
  EXPECT_LT(at(0).velocity(t.P, Spot{t.b, {}, true}).norm(), 1e-14);
  EXPECT_LT(at(0).acceleration(t.P, Spot{t.b, {}, true}).norm(), 1e-14);
  EXPECT_EQ(at(0).velocity(t.P, Spot{}), at(0).velocity(t.P));
}

TEST(Measures, RotationRatesAreTheDerivativesOfRotations) {
  Tumbling t;
  MechanismSystem system(t.m);
  const Point p = random_point(system, 4, 0.3);
  const auto at = [&](double s) -> const Motion& { return system.motion(along(system, p, s)); };
  for (const Body frame : {ground, t.a}) {
    const Mat3 rate = slope([&](double s) { return at(s).rotation(t.b, frame); });
    const Vec3 omega = at(0).in_axes(at(0).angular_velocity(t.b, frame), frame);
    EXPECT_LT((rate - hat(omega) * at(0).rotation(t.b, frame)).norm(), 1e-9);
    const Vec3 alpha =
        slope([&](double s) { return at(s).in_axes(at(s).angular_velocity(t.b, frame), frame); });
    EXPECT_LT((alpha - at(0).in_axes(at(0).angular_acceleration(t.b, frame), frame)).norm(), 1e-9);
  }
}

TEST(Measures, CardanAnglesAndQuaternionsDescribeTheRotation) {
  Tumbling t;
  MechanismSystem system(t.m);
  const Motion& start = system.motion(start_point(system));
  EXPECT_LT((start.cardan(t.a) - Vec3(0.3, -0.5, 0.7)).norm(), 1e-14);
  EXPECT_LT((start.cardan(t.b) - Vec3(-0.8, 0.2, 1.4)).norm(), 1e-14);
  EXPECT_LT((start.position({t.a, {}, true}) - Vec3(0.2, -0.1, 0.5)).norm(), 1e-14);
  const Motion& motion = system.motion(random_point(system, 9, 1));
  for (const Body frame : {ground, t.a}) {
    const Mat3 R = motion.rotation(t.b, frame);
    const Vec3 c = motion.cardan(t.b, frame);
    const Mat3 turned =
        (Eigen::AngleAxisd(c[0], Vec3::UnitX()) * Eigen::AngleAxisd(c[1], Vec3::UnitY()) *
         Eigen::AngleAxisd(c[2], Vec3::UnitZ()))
            .toRotationMatrix();
    EXPECT_LT((turned - R).norm(), 1e-14);
    const Vec<double, 4> q = motion.quaternion(t.b, frame);
    EXPECT_GE(q[0], 0);
    EXPECT_NEAR(q.norm(), 1, 1e-14);
    EXPECT_LT((Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix() - R).norm(), 1e-14);
  }
}

TEST(Measures, OfAJointAreMadeOnce) {
  Mechanism m("screw");
  const Body nut = m.body({.name = "nut", .inertia = {1, 1, 1}});
  const Body arm = m.body({.name = "arm", .inertia = {1, 1, 1}});
  const Joint thread =
      m.joint({.name = "thread", .type = JointType::screw, .a = ground, .b = nut, .pitch = 1});
  const Measure angle = m.angle(thread);
  const Joint pin = m.joint({.name = "pin", .a = nut, .b = arm});
  const Measure way = m.displacement(thread);
  m.measures[static_cast<std::size_t>(angle.index)].offset = 0.5;
  EXPECT_EQ(m.angle(thread).index, angle.index);
  EXPECT_EQ(m.displacement(thread).index, way.index);
  EXPECT_NE(m.angle(pin).index, angle.index);
  EXPECT_EQ(m.measures.size(), 3U);
  MechanismSystem system(m);
  EXPECT_EQ(system.motion(start_point(system)).value(m.angle(thread)), 0.5);
  EXPECT_THROW(m.displacement(pin), std::invalid_argument);
}

// Statics

TEST(Reactions, APendulumAtRestHangsByItsWeight) {
  for (const BodyType type : {BodyType::spatial, BodyType::planar})
    for (const bool swapped : {false, true}) {
      Mechanism m("pendulum");
      m.gravity = {0, -g0, 0};
      const Body bob = m.body({.name = "bob",
                               .type = type,
                               .mass = 2,
                               .inertia = {0.1, 0.1, 0.1},
                               .at = {0.4, -0.5, 0},
                               .rotation = {0, 0, 0.6}});
      const Joint pin = m.joint({.name = "pin",
                                 .a = swapped ? bob : ground,
                                 .b = swapped ? ground : bob,
                                 .at = {0.4, 0.2, 0}});
      MechanismRun run(m, adaptive(1e-8));
      const Reaction reaction = run.motion().reaction(pin);
      const Vec3 expected(0, swapped ? -2 * g0 : 2 * g0, 0);
      EXPECT_LT((reaction.force - expected).norm(), 1e-9);
      EXPECT_LT(reaction.torque.norm(), 1e-9);
      // In the axes of the bob
      const Vec3 turned = run.motion().in_axes(reaction.force, bob);
      EXPECT_LT((turned - Eigen::AngleAxisd(-0.6, Vec3::UnitZ()) * expected).norm(), 1e-9);
    }
}

TEST(Reactions, ACantileverIsHeldByItsWeightTimesItsArm) {
  for (const bool swapped : {false, true}) {
    Mechanism m("cantilever");
    m.gravity = {0, 0, -g0};
    const Body beam = m.body({.name = "beam",
                              .mass = 3,
                              .inertia = {0.1, 0.2, 0.2},
                              .at = {0.5, 0, 0},
                              .rotation = {0.4, 0.3, -0.2},
                              .centre = {0.1, 0, 0}});
    const Joint wall = m.joint({.name = "wall",
                                .type = JointType::fixed,
                                .a = swapped ? beam : ground,
                                .b = swapped ? ground : beam,
                                .at = {-0.1, 0.2, 0}});
    MechanismRun run(m, adaptive(1e-8));
    const Motion& motion = run.motion();
    const Vec3 arm = motion.centre_of_mass() - Vec3(-0.1, 0.2, 0);
    const Vec3 weight(0, 0, -3 * g0);
    const double sign = swapped ? 1 : -1;
    EXPECT_LT((motion.reaction(wall).force - sign * weight).norm(), 1e-9);
    EXPECT_LT((motion.reaction(wall).torque - sign * arm.cross(weight)).norm(), 1e-9);
    const Mat3 R = motion.rotation(beam);
    EXPECT_LT((motion.in_axes(motion.reaction(wall).torque, beam) -
               R.transpose() * (sign * arm.cross(weight)))
                  .norm(),
              1e-9);
  }
}

TEST(Reactions, AChainCarriesTheWeightBelow) {
  Mechanism m("chain");
  m.gravity = {0, 0, -g0};
  const Body upper =
      m.body({.name = "upper", .mass = 2, .inertia = {0.1, 0.1, 0.1}, .at = {0, 0, -0.5}});
  const Body lower =
      m.body({.name = "lower", .type = BodyType::point, .mass = 3, .at = {0, 0, -1.5}});
  const Joint top = m.joint(
      {.name = "top", .type = JointType::universal, .a = ground, .b = upper, .axis = {0, 1, 0}});
  const Joint rod = m.joint({.name = "rod",
                             .type = JointType::distance,
                             .a = upper,
                             .b = lower,
                             .at = {0, 0, -1},
                             .apart = true,
                             .at_b = {0, 0, -1.5}});
  MechanismRun run(m, adaptive(1e-8));
  EXPECT_LT((run.motion().reaction(top).force - Vec3(0, 0, 5 * g0)).norm(), 1e-9);
  EXPECT_LT((run.motion().reaction(rod).force - Vec3(0, 0, 3 * g0)).norm(), 1e-9);
}

TEST(Reactions, ASpringShowsItsTensionAndARollingWheelItsWeight) {
  Mechanism m("hanging");
  m.gravity = {0, 0, -g0};
  const Body bob = m.body({.name = "bob", .type = BodyType::point, .mass = 2, .at = {0, 0, -1}});
  const Spring spring = m.spring({.name = "spring",
                                  .along = m.distance({ground, {}}, {bob, {}, true}),
                                  .stiffness = 100,
                                  .length = 0.7});
  const Body wheel =
      m.body({.name = "wheel", .mass = 4, .inertia = {0.1, 0.2, 0.1}, .at = {3, 0, 0.3}});
  const Rolling floor =
      m.rolling({.name = "floor", .a = ground, .b = wheel, .centre = {3, 0, 0.3}, .radius = 0.3});
  MechanismRun run(m, adaptive(1e-8));
  EXPECT_NEAR(run.motion().tension(spring), 30, 1e-9);
  EXPECT_NEAR(run.motion().acceleration({bob, {}, true})[2], 15 - g0, 1e-9);
  EXPECT_LT((run.motion().reaction(floor).force - Vec3(0, 0, 4 * g0)).norm(), 1e-9);
}

// The whole mechanism

TEST(Momentum, IsMassTimesTheVelocityOfTheCentreOfMass) {
  Tumbling t;
  MechanismSystem system(t.m);
  const Point p = random_point(system, 4, 0.3);
  const auto at = [&](double s) -> const Motion& { return system.motion(along(system, p, s)); };
  EXPECT_NEAR(at(0).mass(), 2.2, 1e-14);
  const Vec3 drift = slope([&](double s) { return at(s).centre_of_mass(); });
  EXPECT_LT((at(0).momentum() - 2.2 * drift).norm(), 1e-9);
  const Vec3 about(0.3, -2, 1);
  EXPECT_LT(
      (at(0).angular_momentum(about) - at(0).angular_momentum() + about.cross(at(0).momentum()))
          .norm(),
      1e-12);
}

TEST(Momentum, ChangesByExternalForcesOnly) {
  Tumbling t;
  t.m.gravity = {0.5, 1, -g0};
  t.m.joint({.name = "hinge", .a = t.a, .b = t.b, .at = {0.6, 0.2, 0}, .axis = {0.2, 0.5, 1}});
  t.m.spring({.name = "spring", .along = t.m.distance(t.P, t.Q), .stiffness = 50, .damping = 3});
  MechanismSystem system(t.m);
  Solver solver(system);
  State state;
  Start start = system.start();
  for (std::size_t i = 0; i < start.z.size(); ++i)
    start.z[i] = std::sin(1.0 + static_cast<double>(i));
  ASSERT_TRUE(solver.initialize(state, 0, start).ok());
  Point p;
  p.resize(system.sizes());
  ASSERT_TRUE(solver.output(state, p).ok());
  const auto at = [&](double s) -> const Motion& { return system.motion(along(system, p, s)); };
  const Vec3 weight = 2.2 * Vec3(0.5, 1, -g0);
  EXPECT_LT((slope([&](double s) { return at(s).momentum(); }) - weight).norm(), 1e-8);
  const Vec3 moment = at(0).centre_of_mass().cross(weight);
  EXPECT_LT((slope([&](double s) { return at(s).angular_momentum(); }) - moment).norm(), 1e-8);
}

TEST(Energy, ChangesBySuppliedAndDissipatedPower) {
  // All kinds of elements with energy together.
  Tumbling t;
  t.m.gravity = {0, 0, -g0};
  const Joint hinge =
      t.m.joint({.name = "hinge", .a = t.a, .b = t.b, .at = {0.6, 0.2, 0}, .axis = {0.2, 0.5, 1}});
  const Joint pivot = t.m.joint({.name = "pivot", .a = ground, .b = t.a, .axis = {1, 0.2, 0}});
  const Input torque = t.m.input("torque", 3.0);
  t.m.spring({.name = "spring",
              .along = t.m.distance(t.P, {ground, {0, 2, 0}}),
              .stiffness = 50,
              .damping = 3,
              .preload = 2});
  t.m.force({.name = "motor", .along = t.m.angle(hinge), .value = torque});
  t.m.friction({.name = "friction",
                .along = t.m.angle(hinge),
                .coulomb = 0.1,
                .regularization = 0.3,
                .load = hinge,
                .arm = 0.1});
  t.m.driver("drive", t.m.angle(pivot), [](const auto& s) { return 0.3 * sin(2.0 * s.t) + s.t; });
  t.m.contact({.name = "floor",
               .a = ground,
               .b = t.b,
               .centre = {1, 0.5, -0.2},
               .radius = 0.3,
               .at = {0, 0, -0.4},
               .stiffness = 200,
               .damping = 0.2,
               .friction = 0.4,
               .regularization = 0.2});
  MechanismSystem system(t.m);
  Solver solver(system);
  State state;
  Start start = system.start();
  for (std::size_t i = 0; i < start.z.size(); ++i)
    start.z[i] = std::sin(1.0 + static_cast<double>(i));
  ASSERT_TRUE(solver.initialize(state, 0, start).ok());
  Point p;
  p.resize(system.sizes());
  ASSERT_TRUE(solver.output(state, p).ok());
  const double rate = slope_of_number(
      [&](double s) {
        const Motion& motion = system.motion(along(system, p, s));
        return motion.kinetic_energy() + motion.potential_energy();
      },
      1e-3);
  const Motion& now = system.motion(p);
  EXPECT_GT(std::abs(now.supplied_power()), 0.1);
  EXPECT_GT(now.dissipated_power(), 0.1);
  EXPECT_NEAR(rate, now.supplied_power() - now.dissipated_power(), 1e-6 * std::abs(rate));
}

TEST(Energy, IsAnOutputOfEveryMechanismAfterTheUsersOutputs) {
  const auto names = [](const MechanismSystem& system) {
    std::vector<std::string> all;
    for (const Variable& output : system.variables().outputs()) {
      all.push_back(output.name());
      if (output.name() == "height") continue;
      EXPECT_EQ(output.unit(), "J");
      EXPECT_FALSE(output.about().empty());
    }
    return all;
  };
  using Names = std::vector<std::string>;
  Tumbling t;
  t.m.output("height", [&](const Motion& q) { return q.position(t.P)[2]; }).unit("m");
  EXPECT_EQ(names(MechanismSystem(t.m)),
            (Names{"height", "energy.kinetic", "energy.potential", "energy.total"}));
  t.m.output("energy.kinetic", [](const Motion&) { return 17.0; }).unit("J").about("its own");
  t.m.track_energy = true;
  EXPECT_EQ(names(MechanismSystem(t.m)),
            (Names{"height", "energy.kinetic", "energy.potential", "energy.total",
                   "energy.dissipated", "energy.work", "energy.imbalance"}));
  MechanismRun run(t.m, adaptive(1e-8));
  EXPECT_EQ(run.read("energy.kinetic"), 17);
}

TEST(Energy, OfADampedFallIsThatFoundByHand) {
  // 2 kg with a damper of 3 N.s/m, pulled up by 5 N
  Mechanism m("drop");
  m.gravity = {0, 0, -g0};
  m.track_energy = true;
  const Body stone = m.body({.name = "stone", .type = BodyType::point, .mass = 2, .at = {0, 0, 7}});
  const Measure height = m.measure({.name = "height",
                                    .type = MeasureType::displacement,
                                    .a = {ground, {}},
                                    .b = {stone, {0, 0, 7}},
                                    .axis = {0, 0, 1}});
  m.spring({.name = "damper", .along = height, .damping = 3});
  m.force({.name = "pull", .along = height, .value = 5.0});
  MechanismRun run(m, adaptive(1e-11));
  EXPECT_NEAR(run.read("energy.potential"), 2 * g0 * 7, 1e-12);
  run.advance(0.8);
  // v' = a − c v: v = a/c (1 − e^−ct), z − 7 = (a t − v)/c, lost ∫ 3 v² dt
  const double a = 2.5 - g0;
  const double c = 1.5;
  const double e = std::exp(-c * 0.8);
  const double v = a / c * (1 - e);
  const double z = 7 + (a * 0.8 - v) / c;
  const double lost = 3 * a * a / (c * c) * (0.8 - 2 * (1 - e) / c + (1 - e * e) / (2 * c));
  EXPECT_NEAR(run.read("energy.kinetic"), v * v, 1e-5);
  EXPECT_NEAR(run.read("energy.potential"), 2 * g0 * z, 1e-5);
  EXPECT_NEAR(run.read("energy.total"), v * v + 2 * g0 * z, 1e-5);
  EXPECT_NEAR(run.read("energy.work"), 5 * (z - 7), 1e-5);
  EXPECT_NEAR(run.read("energy.dissipated"), lost, 1e-5);
}

TEST(Energy, ImbalanceIsTheEnergyLostInIntegration) {
  // A pendulum of 1 m keeps its energy, g0·1 kg·1 m; a coarse run with strong damping does not.
  for (const double rho : {0.0, 1.0}) {
    Mechanism m("pendulum");
    m.gravity = {0, 0, -g0};
    m.track_energy = true;
    const Body bob = m.body({.name = "bob", .mass = 1, .inertia = {1, 1, 1}, .at = {1, 0, 0}});
    m.joint({.name = "pivot", .a = ground, .b = bob, .axis = {0, 1, 0}});
    Options o = adaptive(1e-9);
    o.coefficients = Coefficients::from_rho(rho);
    o.fixed_step = 0.05;
    MechanismRun run(m, o);
    EXPECT_EQ(run.read("energy.imbalance"), 0);
    const double start = run.read("energy.total");
    run.advance(5);
    const double lost = run.read("energy.total") - start;
    EXPECT_NEAR(run.read("energy.imbalance"), lost, 1e-12);
    if (rho == 0)
      EXPECT_LT(lost, -0.01);
    else
      EXPECT_LT(std::abs(lost), 0.01);
  }
}

TEST(SolverDefaults, OfAMechanismReachItsDescription) {
  Mechanism m("wish");
  m.solver = {.method = Method::arnold_bruls, .rho_inf = 0.3};
  m.solver.h_max = 0.01;
  m.body({.name = "stone", .type = BodyType::point});
  const MechanismSystem system(m);
  EXPECT_EQ(system.variables().solver().method, Method::arnold_bruls);
  EXPECT_EQ(system.variables().solver().rho_inf, 0.3);
  EXPECT_EQ(system.variables().solver().h_max, 0.01);
  m.solver.rho_inf = 2;
  EXPECT_THROW(MechanismSystem{m}, std::invalid_argument);
}

TEST(Energy, TrackedAlongARunClosesTheBalance) {
  Tumbling t;
  t.m.gravity = {0, 0, -g0};
  t.m.track_energy = true;
  const Joint hinge =
      t.m.joint({.name = "hinge", .a = t.a, .b = t.b, .at = {0.6, 0.2, 0}, .axis = {0.2, 0.5, 1}});
  const Joint pivot = t.m.joint({.name = "pivot", .a = ground, .b = t.a, .axis = {1, 0.2, 0}});
  t.m.force({.name = "motor", .along = t.m.angle(hinge), .value = law<0>({}, [](const auto& s) {
                                                           return 3.0 * sin(5.0 * s.t);
                                                         })});
  t.m.spring({.name = "damper", .along = t.m.angle(hinge), .stiffness = 2, .damping = 0.4});
  t.m.driver("drive", t.m.angle(pivot), [](const auto& s) { return 0.3 * sin(2.0 * s.t); });
  MechanismRun run(t.m, adaptive(1e-9));
  const double before = run.motion().kinetic_energy() + run.motion().potential_energy();
  for (const double time : {0.5, 1.0, 2.0}) {
    run.advance(time);
    const double now = run.motion().kinetic_energy() + run.motion().potential_energy();
    EXPECT_NEAR(now, before - run.state.point.x[0] + run.state.point.x[1], 3e-5) << time;
  }
  EXPECT_GT(std::abs(run.state.point.x[1]), 0.1);
}

TEST(Energy, IsTheQuadraticFormOfTheMassMatrix) {
  Tumbling t;
  t.m.body({.name = "c",
            .type = BodyType::planar,
            .mass = 2,
            .inertia = {.zz = 0.7},
            .centre = {0.3, 0, 0}});
  t.m.body({.name = "d", .type = BodyType::planar_point, .mass = 1.1});
  MechanismSystem system(t.m);
  const Point p = random_point(system, 2, 0.4);
  Vector Mz(p.z.size());
  system.multiply_mass(Vector(), p.z, Mz);
  EXPECT_NEAR(system.motion(p).kinetic_energy(), p.z.dot(Mz) / 2, 1e-13);
}

// Parameters

namespace {

/// A mechanism in which every number follows one parameter.
Mechanism grown(double size) {
  Mechanism m("grown");
  const Parameter p = m.parameter("size", size);
  const auto times = [p](double factor) {
    return of([p, factor](InputValues s) { return factor * s(p); });
  };
  const auto triple = [&](double x, double y, double z) {
    return Triple(times(x), times(y), times(z));
  };
  m.gravity = {0, times(0.3), times(-9.81)};
  const Body a = m.body({.name = "a",
                         .mass = p,
                         .inertia = {times(0.3), times(0.4), times(0.5)},
                         .at = triple(0.1, 0.2, 0.3),
                         .rotation = triple(0.3, -0.2, 0.5),
                         .centre = triple(0.1, 0, 0.2),
                         .velocity = triple(1, 2, 3),
                         .angular_velocity = triple(0.5, -1, 2)});
  const Body b = m.body({.name = "b",
                         .mass = 1,
                         .inertia = {0.1, 0.1, 0.1},
                         .at = triple(1, 0.2, -0.3),
                         .rotation = triple(-0.1, 0.4, 0.2)});
  const Joint joint = m.joint({.name = "thread",
                               .type = JointType::screw,
                               .a = a,
                               .b = b,
                               .at = triple(0.4, 0.1, 0.2),
                               .axis = {p, 0.5, 0.2},
                               .pitch = p});
  m.joint({.name = "rod", .type = JointType::distance, .a = ground, .b = b, .length = p});
  m.rolling({.name = "ball",
             .type = RollingType::sphere,
             .a = ground,
             .b = a,
             .centre = triple(0.2, 0.2, 0.2),
             .normal = {0, p, 1},
             .radius = p});
  const Measure slide = m.measure({.name = "slide",
                                   .type = MeasureType::displacement,
                                   .a = {a, triple(0, 0.1, 0)},
                                   .b = {b, triple(0.3, 0, 0)},
                                   .axis = {1, p, 0},
                                   .from_start = true,
                                   .offset = p});
  m.spring(
      {.name = "spring", .along = slide, .stiffness = p, .damping = p, .length = p, .preload = p});
  m.spring({.name = "torsion", .along = m.angle(joint), .stiffness = p, .length = times(0.1)});
  m.coupling("gear", {{slide, p}, {m.angle(joint), times(2)}}, times(3));
  m.contact({.name = "contact",
             .a = a,
             .b = b,
             .centre = triple(0.5, 0.1, 0),
             .radius = p,
             .at = triple(0.4, 0, 0),
             .axis = {0, p, 1},
             .stiffness = p,
             .friction = 0.3});
  m.state({.name = "lag", .start = p, .rate = Law(p)});
  return m;
}

}  // namespace

/// Two bodies with a bushing, and a spring on an angle without a hinge; Q turns the whole
/// mechanism.
Mechanism turned_by(const Vec3& angles) {
  const Mat3 Q = rotation_matrix(angles);
  const auto turned = [&](double x, double y, double z) { return Vec3(Q * Vec3(x, y, z)); };
  Mechanism m("turned");
  const auto body = [&](const char* name, const Vec3& at, const Vec3& omega) {
    return m.body({.name = name,
                   .mass = 1.3,
                   .inertia = {.xx = 0.3, .yy = 0.4, .zz = 0.5},
                   .at = at,
                   .rotation = angles,
                   .angular_velocity = omega});
  };
  const Body a = body("a", turned(0, 0, 0), turned(0.5, -1, 2));
  const Body b = body("b", turned(0.2, 0.1, 0.3), turned(-1, 2, 0.7));
  const Body c = body("c", turned(0.5, 0.2, -0.1), turned(2, 0.3, -0.4));
  m.bushing({.name = "bushing",
             .a = a,
             .b = b,
             .at = turned(0.1, 0, 0.1),
             .axis = turned(0.2, 0.1, 1),
             .axis2 = turned(1, 0.3, 0),
             .stiffness = {100, 200, 300},
             .torsion = {10, 20, 30}});
  for (const Body other : {ground, b}) {
    const Measure angle = m.measure({.name = other.index == 0 ? "free" : "between",
                                     .type = MeasureType::angle,
                                     .a = {other},
                                     .b = {c},
                                     .axis = turned(0.3, 0.4, 0.2)});
    m.spring({.name = other.index == 0 ? "torsion" : "torsion 2", .along = angle, .stiffness = 7});
  }
  return m;
}

TEST(Measures, DoNotDependOnHowTheWorldIsTurned) {
  const auto place_after = [](const Vec3& angles) {
    MechanismRun run(turned_by(angles), adaptive(1e-9));
    run.advance(0.5);
    const Mat3 Q = rotation_matrix(angles);
    Vector seen(9);
    for (Index k = 0; k < 3; ++k)
      seen.segment<3>(3 * k) =
          Q.transpose() * run.motion().position({{k + 1}, {0.1, 0.2, 0.3}, true});
    return seen;
  };
  const Vector straight = place_after(Vec3::Zero());
  for (const Vec3& angles :
       {Vec3(0.7, -0.4, 1.9), Vec3(1.5707963267948966, 0, 0), Vec3(0, 2.5, 0.1)})
    EXPECT_LT((place_after(angles) - straight).norm(), 1e-6);
}

TEST(Parameters, SetLaterActAsIfGivenAtFirst) {
  MechanismSystem changed(grown(0.7));
  MechanismSystem fresh(grown(1.3));
  changed.set_inputs(Vec<double, 1>(1.3));
  const Start a = changed.start();
  const Start b = fresh.start();
  EXPECT_EQ(a.y, b.y);
  EXPECT_EQ(a.z, b.z);
  EXPECT_EQ(a.x, b.x);
  const Point p = random_point(fresh, 8, 0.2);
  const Values va = values_at(changed, p);
  const Values vb = values_at(fresh, p);
  EXPECT_EQ(va.f, vb.f);
  EXPECT_EQ(va.position, vb.position);
  EXPECT_EQ(va.velocity, vb.velocity);
  EXPECT_EQ(va.d, vb.d);
  Vector Ma(p.z.size());
  Vector Mb(p.z.size());
  changed.multiply_mass(Vector(), p.z, Ma);
  fresh.multiply_mass(Vector(), p.z, Mb);
  EXPECT_EQ(Ma, Mb);
  EXPECT_EQ(changed.motion(p).potential_energy(), fresh.motion(p).potential_energy());
}

}  // namespace mechfmu::tests
