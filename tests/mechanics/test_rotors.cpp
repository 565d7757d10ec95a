// Bodies that spin fast: coordinates in a frame that does not spin with them against body axes, and
// both against theory.

#include "mechanics/placement.h"
#include "mechanics/rotors.h"
#include "models/spinning.h"
#include "tests/mechanics/mechanism_runs.h"

namespace mechfmu::tests {
namespace {

using namespace mechanics;
using models::leaning_top;
using models::single_track_vehicle;

Options constant_steps(double rho = 0.8) { return converged(rho); }

/// The axle, body z of body 1, after a second of constant steps.
Vec3 axle(const Mechanism& m, double h, double rho = 0.8) {
  MechanismRun run(m, constant_steps(rho));
  run.steps(static_cast<int>(std::lround(1 / h)), 1);
  return run.motion().rotation({1}).col(2);
}

TEST(Rotors, ErrorOfAHeavyTopDoesNotDependOnItsSpin) {
  // Errors of the axle found by an independent program with the same method.
  struct Row {
    double spin, h, error;
  };
  for (const Row& row : {Row{10, 0.02, 5.2e-4}, Row{10, 0.005, 3.2e-5}, Row{100, 0.02, 8.2e-4},
                         Row{100, 0.01, 2.1e-4}, Row{100, 0.0025, 1.3e-5}, Row{300, 0.01, 1.8e-4},
                         Row{300, 0.0025, 1.1e-5}}) {
    SCOPED_TRACE("spin " + std::to_string(row.spin) + ", h = " + std::to_string(row.h));
    const Mechanism m = leaning_top(row.spin, Spins::automatic);
    const Vec3 exact = axle(m, 1.25e-4);
    EXPECT_NEAR((axle(m, row.h) - exact).norm() / row.error, 1, 0.1);
  }
  // Body axes have to resolve the spin.
  const Mechanism spinning = leaning_top(100, Spins::no);
  const Vec3 exact = axle(leaning_top(100, Spins::yes), 1.25e-4);
  EXPECT_NEAR((axle(spinning, 0.0025) - exact).norm() / 2.2e-1, 1, 0.1);
}

/// Steps and the error of the chassis after 100 m.
struct Ride {
  double steps, error;
};
Ride ride(double v, Spins spins, double tolerance) {
  const double end = 100 / v;
  const auto there = [&](Spins how, double tol, double* steps) {
    MechanismRun run(single_track_vehicle(v, how), adaptive(tol));
    run.advance(end);
    if (steps != nullptr) *steps = static_cast<double>(run.state.statistics.steps);
    return Vec3(run.motion().position({{1}, {}, true}));
  };
  const Vec3 exact = there(Spins::automatic, 1e-9, nullptr);
  Ride made{};
  made.error = (there(spins, tolerance, &made.steps) - exact).norm();
  return made;
}

TEST(Rotors, StepsOfAVehicleFollowItsPathNotItsWheels) {
  const Ride slow = ride(1, Spins::automatic, 1e-5);
  for (const double v : {10.0, 30.0, 100.0}) {
    const Ride fast = ride(v, Spins::automatic, 1e-5);
    EXPECT_LT(fast.steps, 1.1 * slow.steps) << v;
    EXPECT_LT(fast.error, 1.5 * slow.error + 1e-4) << v;
  }
  const Ride spinning = ride(30, Spins::no, 1e-5);
  EXPECT_GT(spinning.steps, 3 * slow.steps);
}

/// A rotor on the axis e = body z at distance l from the centre of two rings; the outer one turns
/// about the vertical.
struct Gimbals {
  double m = 2, l = 0.1, J1 = 0.01, J3 = 0.02, theta = 0.7, n = 300;
  double precession() const {  // steady: A Ω² cos θ − J₃ n Ω + m g l = 0, the slow one
    const double A = J1 + m * l * l;
    const double a = A * std::cos(theta);
    const double b = J3 * n;
    return 2 * m * 9.81 * l / (b + std::sqrt(b * b - 4 * a * m * 9.81 * l));
  }
  Mechanism mechanism(Spins spins) const {
    Mechanism made("gimbals");
    made.gravity = {0, 0, -9.81};
    const Vec3 tilt(theta, 0, 0);
    const Vec3 e = rotation_matrix(tilt).col(2);
    const double turn = precession();
    const Vec3 omega = turn * Vec3::UnitZ() + (n - turn * std::cos(theta)) * e;
    const Body outer = made.body({.name = "outer", .mass = 0, .angular_velocity = {0, 0, turn}});
    const Body inner =
        made.body({.name = "inner", .mass = 0, .rotation = tilt, .angular_velocity = {0, 0, turn}});
    const Body rotor = made.body({.name = "rotor",
                                  .spins = spins,
                                  .mass = m,
                                  .inertia = {J1, J1, J3},
                                  .rotation = tilt,
                                  .centre = {0, 0, l},
                                  .angular_velocity = omega});
    made.joint({.name = "vertical", .a = ground, .b = outer});
    made.joint({.name = "horizontal", .a = outer, .b = inner, .axis = {1, 0, 0}});
    made.joint({.name = "bearing", .a = inner, .b = rotor, .axis = e});
    return made;
  }
};

TEST(Rotors, AGyroscopeInGimbalsPrecessesAsTheorySays) {
  const Gimbals gimbals;
  Options o;
  o.tolerance = 1e-7;
  MechanismRun run(gimbals.mechanism(Spins::automatic), o);
  run.advance(2);
  const double angle = 2 * gimbals.precession();
  const Vec3 expected = Eigen::AngleAxisd(angle, Vec3::UnitZ()) *
                        Vec3(0, -std::sin(gimbals.theta), std::cos(gimbals.theta));
  EXPECT_GT(angle, 0.6);
  EXPECT_LT((run.motion().rotation({3}).col(2) - expected).norm(), 2e-5);
  // 600 rad in 2 s need a few steps only, because the axle turns by less than one.
  EXPECT_LT(run.state.statistics.steps, 200);
  EXPECT_NEAR(run.motion().angular_velocity({3}).dot(expected), gimbals.n, 1e-4);
}

/// A rotor on an arm that shakes, with a point off its axis tied to the ground by a spring.
Mechanism shaken_rotor(Spins spins) {
  Mechanism m("shaken");
  m.gravity = {0, 0, -9.81};
  const Body arm =
      m.body({.name = "arm", .mass = 1, .inertia = {0.1, 0.2, 0.3}, .at = {0.5, 0, 0}});
  const Vec3 lean(0.4, 0.2, 0.1);
  const Vec3 e = rotation_matrix(lean).col(0);
  const Body rotor = m.body({.name = "rotor",
                             .spins = spins,
                             .mass = 0.8,
                             .inertia = {0.02, 0.011, 0.011},
                             .at = {1, 0, 0},
                             .rotation = lean,
                             .angular_velocity = Vec3(20 * e)});
  const Joint base = m.joint({.name = "base", .a = ground, .b = arm, .axis = {0, 1, 0}});
  m.joint({.name = "bearing", .a = arm, .b = rotor, .at = {1, 0, 0}, .axis = e});
  m.driver("shaker", m.angle(base), [](const auto& s) { return 0.3 * sin(7.0 * s.t); });
  const Measure way = m.distance({ground, {1.2, 0.5, 0.3}}, {rotor, {0, 0.1, 0.05}, true});
  m.spring({.name = "tie", .along = way, .stiffness = 30, .length = 0.2});
  return m;
}

TEST(Rotors, AreTheSameBodiesAsOthers) {
  Options o;
  o.tolerance = 1e-12;
  MechanismRun rotor(shaken_rotor(Spins::yes), o);
  MechanismRun body(shaken_rotor(Spins::no), o);
  EXPECT_TRUE(rotor.system.layout().bodies[2].freedom.spins());
  EXPECT_FALSE(body.system.layout().bodies[2].freedom.spins());
  for (const double t : {0.25, 0.5}) {
    rotor.advance(t);
    body.advance(t);
    const Motion& a = rotor.motion();
    const Motion& b = body.motion();
    EXPECT_LT((a.rotation({2}) - b.rotation({2})).norm(), 2e-6);
    EXPECT_LT((a.angular_velocity({2}) - b.angular_velocity({2})).norm(), 1e-5);
    EXPECT_LT((a.angular_acceleration({2}) - b.angular_acceleration({2})).norm(), 1e-3);
    EXPECT_LT((a.reaction(Joint{1}).force - b.reaction(Joint{1}).force).norm(), 1e-4);
    EXPECT_LT((a.reaction(Joint{1}).torque - b.reaction(Joint{1}).torque).norm(), 1e-5);
    EXPECT_NEAR(a.kinetic_energy(), b.kinetic_energy(), 1e-5);
  }
}

bool spins(const Mechanism& m, std::size_t body = 1) {
  return MechanismSystem(m).layout().bodies[body].freedom.spins();
}

TEST(Rotors, AreChosenWhereSomethingTurnsThemAboutTheirAxis) {
  const auto drum = [](const Inertia& inertia, const Vec3& omega, const Vec3& axis, Spins how) {
    Mechanism m("drum");
    const Body b = m.body({.name = "drum",
                           .spins = how,
                           .inertia = inertia,
                           .rotation = {0.3, 0.5, -0.2},
                           .angular_velocity = Vec3(rotation_matrix({0.3, 0.5, -0.2}) * omega)});
    if (axis.norm() > 0)
      m.joint({.name = "hinge", .a = ground, .b = b, .axis = axis, .local = true});
    return m;
  };
  const Mat3 R = rotation_matrix({0.3, 0.5, -0.2});
  const Vec3 x = R.col(0);
  const Vec3 none = Vec3::Zero();
  const Inertia round_x = {2, 1, 1};
  EXPECT_TRUE(spins(drum(round_x, none, x, Spins::automatic)));
  EXPECT_FALSE(spins(drum(round_x, none, x, Spins::no)));
  EXPECT_FALSE(spins(drum(round_x, none, R.col(1), Spins::automatic)));
  EXPECT_FALSE(spins(drum(round_x, none, none, Spins::automatic)));
  EXPECT_TRUE(spins(drum(round_x, none, none, Spins::yes)));
  EXPECT_TRUE(spins(drum(round_x, {30, 1, 2}, none, Spins::automatic)));
  EXPECT_FALSE(spins(drum(round_x, {1, 30, 2}, none, Spins::automatic)));
  EXPECT_FALSE(spins(drum({3, 1, 2}, {30, 0, 0}, x, Spins::automatic)));
  EXPECT_TRUE(spins(drum({1, 1, 1}, none, R.col(1), Spins::automatic)));  // a ball on an axle
  EXPECT_FALSE(spins(drum({1, 1, 1}, {3, 4, 5}, none, Spins::automatic)));
  EXPECT_TRUE(spins(single_track_vehicle(1, Spins::automatic), 2));
  try {
    (void)spins(drum({3, 1, 2}, none, x, Spins::yes));
    ADD_FAILURE() << "a body without symmetry must not spin";
  } catch (const InvalidMechanism& e) {
    EXPECT_NE(std::string(e.what()).find("no two of its principal moments"), std::string::npos)
        << e.what();
  }
}

TEST(Rotors, KeepTheirSymmetryWhenParametersChange) {
  const auto made = [](Spins how) {
    Mechanism m("drum");
    const Parameter Jx = m.parameter("Jx", 1, "kg.m2");
    const Parameter Jz = m.parameter("Jz", 1.8, "kg.m2");
    const Body b = m.body({.name = "drum", .spins = how, .inertia = {Jx, 1, Jz}});
    m.joint({.name = "hinge", .a = ground, .b = b});
    return m;
  };
  // Jx and Jy are equal by chance.
  EXPECT_FALSE(spins(made(Spins::automatic)));
  MechanismSystem system(made(Spins::yes));
  EXPECT_TRUE(system.layout().bodies[1].freedom.spins());
  system.set_inputs(Vec<double, 2>(1, 1.5));
  EXPECT_NO_THROW(system.check());
  system.set_inputs(Vec<double, 2>(1.2, 1.5));
  try {
    system.check();
    ADD_FAILURE() << "Jx = 1.2 breaks the symmetry";
  } catch (const InvalidMechanism& e) {
    EXPECT_NE(std::string(e.what()).find("not symmetric about the axis it spins about"),
              std::string::npos)
        << e.what();
  }
}

// --- a bicycle ---

/// Lean of the frame and the lateral force on the rear tyre after every step of 5 s.
struct Leaning {
  double lean = 0;
  std::vector<double> force;
};
Leaning leaning(MechanismRun& run, double H) {
  struct Watch : StepObserver {
    MechanismRun* run = nullptr;
    Leaning made;
    bool accepted(State& s) override {
      made.force.push_back(run->system.motion(s.point).reaction(Rolling{0}).force[1]);
      return true;
    }
  } watch;
  watch.run = &run;
  for (int k = 1; k <= std::lround(5 / H); ++k) {
    const Result result = run.solver.advance(run.state, H * k, &watch);
    EXPECT_TRUE(result.ok()) << result.message;
  }
  watch.made.lean = std::asin(run.motion().rotation({1})(2, 1));
  return watch.made;
}

/// The largest change of the force from step to step and back.
double ringing(const std::vector<double>& force) {
  double most = 0;
  for (std::size_t i = force.size() / 2; i + 1 < force.size(); ++i)
    most = std::max(most, std::abs(force[i - 1] - 2 * force[i] + force[i + 1]) / 4);
  return most;
}

TEST(Bicycle, LeansAsItShouldWithFewSteps) {
  const double exact = 0.0124406;  // with a tolerance of 1e-8, in both kinds of coordinates
  std::size_t fewer = 1000;
  for (const double tolerance : {1e-6, 1e-5, 1e-4, 1e-3}) {
    SCOPED_TRACE(tolerance);
    MechanismRun run(models::bicycle(8, 0.1, Spins::automatic), adaptive(tolerance));
    const Leaning made = leaning(run, 0.5);
    EXPECT_NEAR(made.lean, exact, 1.5e-4);
    // The forces are about 7.5 N; steps of a quarter of a second are long for a steering that comes
    // to rest with 14/s. In coordinates that spin with the wheels the change is 21 N.
    EXPECT_LT(ringing(made.force), 0.5);
    EXPECT_LT(made.force.size(), fewer);
    fewer = made.force.size();
  }
  EXPECT_LT(fewer, 50U);
}

TEST(Bicycle, DoesNotRingWithConstantStepsInAnyMethod) {
  for (const Method method : {Method::soi2, Method::hht_i3, Method::arnold_bruls})
    for (const double H : {0.5, 0.05}) {
      SCOPED_TRACE(std::to_string(static_cast<int>(method)) + ", H = " + std::to_string(H));
      Options options = adaptive(1e-4);
      options.method = method;
      if (method == Method::hht_i3) options.coefficients = Coefficients::hht(-0.3);
      options.fixed_step = 0.05;
      MechanismRun run(models::bicycle(8, 0.1, Spins::automatic), options);
      const Leaning made = leaning(run, H);
      EXPECT_NEAR(made.lean, 0.0124406, 1e-4);
      EXPECT_LT(ringing(made.force), 0.05);
    }
}

/// A chain of three links, thrown; no link is symmetric about an axis.
Mechanism thrown_chain(BodyType type) {
  Mechanism m("chain");
  m.gravity = {0, -9.81, 0};
  Body last = ground;
  for (int i = 0; i < 3; ++i) {
    const std::string number = std::to_string(i);
    const Body link = m.body({.name = "link" + number,
                              .type = type,
                              .inertia = {.xx = 0.02, .yy = 0.05, .zz = 0.06},
                              .at = {0.5 + i, 0, 0},
                              .angular_velocity = {0, 0, i == 0 ? 6.0 : 0.0}});
    m.joint({.name = "joint" + number,
             .a = last,
             .b = link,
             .at = {static_cast<double>(i), 0, 0},
             .axis = {0, 0, 1}});
    last = link;
  }
  return m;
}

TEST(TurningFarInAStep, CostsSpatialBodiesNoMoreThanTheirPlanarTwins) {
  for (const double tolerance : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5}) {
    SCOPED_TRACE(tolerance);
    long rejected[2], iterations[2];
    for (const int k : {0, 1}) {
      const BodyType type = k == 0 ? BodyType::planar : BodyType::spatial;
      MechanismRun run(thrown_chain(type), adaptive(tolerance));
      ASSERT_NO_FATAL_FAILURE(run.advance(3));
      const Statistics& all = run.state.statistics;
      rejected[k] = all.rejected_error + all.rejected_newton;
      iterations[k] = all.newton_iterations;
    }
    EXPECT_LE(rejected[1], 1.3 * static_cast<double>(rejected[0]) + 5);
    EXPECT_LE(iterations[1], 1.2 * static_cast<double>(iterations[0]));
  }
}

}  // namespace
}  // namespace mechfmu::tests
