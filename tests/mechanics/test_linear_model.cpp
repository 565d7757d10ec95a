// Linear models against closed forms.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include "analysis/linear_model.h"
#include "mechanics/coordinates.h"
#include "mechanics/motion.h"
#include "models/spinning.h"

namespace mechfmu::mechanics {
namespace {

constexpr double g = 9.81;

struct Linearized {
  explicit Linearized(Mechanism m, double until = 0, bool trimmed = false,
                      const std::vector<Index>& adapt = {})
      : joints(measure_joints(m)), system(std::move(m)), solver(system, {.tolerance = 1e-11}) {
    Result r = solver.initialize(state, 0);
    if (r.ok() && until > 0) r = solver.advance(state, until);
    if (r.ok()) r = solver.output(state, p);
    if (r.ok() && trimmed) r = trim(solver, state, coordinates(), adapt);
    if (r.ok()) r = solver.output(state, p);
    EXPECT_TRUE(r.ok()) << r.message;
    turning = steady_turning(system, p);
    model = linearize(solver, state, coordinates());
  }
  CandidateCoordinates coordinates() { return candidate_coordinates(system, joints, p, turning); }
  std::vector<Measure> joints;
  MechanismSystem system;
  Solver solver;
  State state;
  Point p;
  Vec3 turning = Vec3::Zero();
  LinearModel model;
};

using Names = std::vector<std::string>;
Names names(const std::vector<NameAndUnit>& all) {
  Names made;
  for (const NameAndUnit& one : all) made.push_back(one.name);
  return made;
}

/// The poles are the expected ones, in any order.
void expect_poles(std::vector<std::complex<double>> poles,
                  const std::vector<std::complex<double>>& expected, double tolerance) {
  ASSERT_EQ(poles.size(), expected.size());
  for (const std::complex<double>& e : expected) {
    const auto nearest = std::min_element(
        poles.begin(), poles.end(),
        [&](const auto& a, const auto& b) { return std::abs(a - e) < std::abs(b - e); });
    EXPECT_LT(std::abs(*nearest - e), tolerance) << *nearest << " is not " << e;
    poles.erase(nearest);
  }
}

void expect_matrix(const Matrix& a, const Matrix& b, double tolerance = 1e-9) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  EXPECT_LT((a - b).cwiseAbs().maxCoeff(), tolerance) << a << "\nis not\n" << b;
}

Mechanism pendulum(double angle, double rate) {
  Mechanism m("pendulum");
  m.gravity = {0, -g, 0};
  // a bob on a massless rod of 0.5 m: φ'' = −(g/l) sin(φ₀ + φ) + F cos(φ₀ + φ)/(m l)
  const double l = 0.5;
  const Vec3 at(l * std::sin(angle), -l * std::cos(angle), 0);
  const Body bob =
      m.body({.name = "bob",
              .mass = 2,
              .inertia = {.xx = 1e-9, .yy = 1e-9, .zz = 1e-9},
              .at = at,
              .velocity = Vec3(rate * l * std::cos(angle), rate * l * std::sin(angle), 0),
              .angular_velocity = {0, 0, rate}});
  const Joint pin = m.joint({.name = "pin", .a = ground, .b = bob});
  const Input force = m.input("force", 0, "N");
  m.force(VectorForceData{
      .name = "push", .at = {bob, {}, true}, .value = {Law(force), Law(0.0), Law(0.0)}});
  const Measure phi = m.angle(pin);
  m.output("phi", [=](const Motion& q) { return q.value(phi); });
  m.output("height", [=](const Motion& q) { return q.position({bob, {}, true})[1]; });
  m.output("tension", [=](const Motion& q) { return q.reaction(pin).force.norm(); });
  return m;
}

TEST(LinearModel, OfAPendulumAtRest) {
  const LinearModel m = Linearized(pendulum(0, 0)).model;
  EXPECT_EQ(names(m.states), (Names{"pin.angle", "pin.angle_rate"}));
  EXPECT_EQ(names(m.inputs), Names{"force"});
  EXPECT_EQ(m.inputs[0].unit, "N");
  EXPECT_EQ(m.states[1].unit, "rad/s");
  expect_matrix(m.A, (Matrix(2, 2) << 0, 1, -g / 0.5, 0).finished(), 1e-6);
  expect_matrix(m.B, (Matrix(2, 1) << 0, 1 / (2 * 0.5)).finished(), 1e-6);
  expect_matrix(m.C.row(0), (Matrix(1, 2) << 1, 0).finished());
  ASSERT_EQ(m.poles.size(), 2U);
  EXPECT_NEAR(std::abs(m.poles[0].imag()), std::sqrt(g / 0.5), 1e-6);
}

TEST(LinearModel, KnowsInputsToTheLastDigitsLaterOn) {
  // The matrices of the run belong to an earlier point.
  const LinearModel m = Linearized(pendulum(0.7, 3), 0.3).model;
  const double phi = 0.7 + m.s0[0];
  EXPECT_NEAR(m.B(1, 0), 0.5 * std::cos(phi) / (2 * 0.25 + 1e-9), 1e-11);
}

TEST(LinearModel, OfAPendulumInMotion) {
  const double angle = 0.7;
  const double rate = 3;
  const LinearModel m = Linearized(pendulum(angle, rate)).model;
  const double l = 0.5;
  expect_matrix(m.A, (Matrix(2, 2) << 0, 1, -g / l * std::cos(angle), 0).finished(), 1e-6);
  expect_matrix(m.B, (Matrix(2, 1) << 0, std::cos(angle) / (2 * l)).finished(), 1e-6);
  // height −l cos φ, tension m (l φ'² + g cos φ) without the force
  expect_matrix(m.C.row(1), (Matrix(1, 2) << l * std::sin(angle), 0).finished(), 1e-8);
  expect_matrix(m.C.row(2), (Matrix(1, 2) << -2 * g * std::sin(angle), 2 * l * 2 * rate).finished(),
                1e-5);
  EXPECT_NEAR(m.D(2, 0), std::sin(angle), 1e-6);
  EXPECT_NEAR(m.ds0[1], -g / l * std::sin(angle), 1e-6);
}

Mechanism cart_pole(double M, double mass, double l) {
  Mechanism m("cart_pole");
  m.gravity = {0, -g, 0};
  const Body cart = m.body({.name = "cart", .mass = M, .inertia = {.xx = 1, .yy = 1, .zz = 1}});
  const double J = mass * l * l / 3;  // a rod of length 2l about its middle
  const Body pole = m.body({.name = "pole",
                            .mass = mass,
                            .inertia = {.xx = J, .yy = 1e-3 * J, .zz = J},
                            .at = {0, l, 0}});
  const Joint slide = m.joint(
      {.name = "slide", .type = JointType::prismatic, .a = ground, .b = cart, .axis = {1, 0, 0}});
  const Joint pivot = m.joint({.name = "pivot", .a = cart, .b = pole});
  m.force({.name = "push", .along = m.displacement(slide), .value = m.input("force", 0, "N")});
  m.output("x", [s = m.displacement(slide)](const Motion& q) { return q.value(s); });
  m.output("phi", [a = m.angle(pivot)](const Motion& q) { return q.value(a); });
  return m;
}

/// Upright, φ counterclockwise: (M+m) x'' − m l φ'' = F, (J + m l²) φ'' − m l x'' = m g l φ.
TEST(LinearModel, OfACartWithAPole) {
  const double M = 1.5;
  const double mass = 0.2;
  const double l = 0.4;
  const LinearModel m = Linearized(cart_pole(M, mass, l)).model;
  EXPECT_EQ(names(m.states), (Names{"slide.displacement", "pivot.angle", "slide.displacement_rate",
                                    "pivot.angle_rate"}));
  const double I = mass * l * l * 4 / 3;
  const double det = (M + mass) * I - mass * mass * l * l;
  Matrix A = Matrix::Zero(4, 4);
  A(0, 2) = A(1, 3) = 1;
  A(2, 1) = mass * l * mass * g * l / det;
  A(3, 1) = (M + mass) * mass * g * l / det;
  expect_matrix(m.A, A, 1e-8);
  expect_matrix(m.B, (Matrix(4, 1) << 0, 0, I / det, mass * l / det).finished(), 1e-8);
  expect_matrix(m.C.topRows(2), (Matrix(2, 4) << 1, 0, 0, 0, 0, 1, 0, 0).finished());
}

/// A Chaplygin sleigh, its centre of mass a distance a ahead of the blade: (J + m a²) ω' = −m a v
/// ω.
Mechanism sleigh(double a, double v, double omega) {
  Mechanism m("sleigh");
  const Body body = m.body({.name = "sleigh",
                            .type = BodyType::planar,
                            .mass = 3,
                            .inertia = {.zz = 0.5},
                            .at = {a, 0, 0},
                            .velocity = {v, omega * a, 0},
                            .angular_velocity = {0, 0, omega}});
  m.rolling({.name = "edge", .type = RollingType::knife_edge, .a = ground, .b = body});
  return m;
}

/// A knife edge may be anywhere in the plane, but cannot move sideways: three positions, two
/// velocities.
TEST(LinearModel, OfAKnifeEdgeHasMorePositionsThanVelocities) {
  const LinearModel m = Linearized(sleigh(0, 2, 0)).model;
  EXPECT_EQ(names(m.states), (Names{"sleigh.position.x", "sleigh.position.y", "sleigh.turn.z",
                                    "sleigh.velocity.x", "sleigh.angular_velocity.z"}));
  // y' = v φ; the blade takes the other forces: x'' = 0, φ'' = 0 to first order
  Matrix A = Matrix::Zero(5, 5);
  A(0, 3) = A(2, 4) = 1;
  A(1, 2) = 2;
  expect_matrix(m.A, A);
}

TEST(LinearModel, OfASleighThatGlidesStraightOn) {
  const double a = 0.3;
  const double v = 2;
  expect_poles(Linearized(sleigh(a, v, 0)).model.poles,
               {0, 0, 0, 0, -3 * a * v / (0.5 + 3 * a * a)}, 1e-9);
}

/// In axes that turn with it, a steady circle is an equilibrium; since the circle may be elsewhere,
/// there are poles ±iΩ.
TEST(LinearModel, OfASleighInASteadyTurn) {
  const double omega = 1.5;
  const Linearized circle(sleigh(0, 2, omega));
  EXPECT_LT((circle.turning - Vec3(0, 0, omega)).norm(), 1e-9);
  expect_poles(circle.model.poles, {0, 0, 0, {0, omega}, {0, -omega}}, 1e-6);
  EXPECT_LT(circle.model.ds0.tail(2).norm(), 1e-9);
}

/// A wheel of radius r that leans by θ on a plane, with ω = q j + n k: j from the contact to the
/// hub, k the axle.
struct Wheel {
  double m = 2, r = 0.5, I1 = 0.15, I2 = 0.25;
  double theta = 0, q = 0, n = 0;

  Mechanism mechanism() const {
    Mechanism made("wheel");
    made.gravity = {0, 0, -g};
    const Vec3 j(0, std::sin(theta), std::cos(theta));
    const Vec3 k(0, -std::cos(theta), std::sin(theta));
    const Vec3 omega = q * j + n * k;
    const Body wheel = made.body({.name = "wheel",
                                  .mass = m,
                                  .inertia = {.xx = I1, .yy = I2, .zz = I1},
                                  .at = Vec3(r * j),
                                  .rotation = {-theta, 0, 0},
                                  .velocity = Vec3(omega.cross(r * j)),
                                  .angular_velocity = omega});
    made.rolling({.name = "contact",
                  .type = RollingType::wheel,
                  .a = ground,
                  .b = wheel,
                  .centre = Vec3(r * j),
                  .axle = k,
                  .radius = r});
    return made;
  }
  /// Euler's equations in the axes i, j, k without the spin, with p = ω·i = −θ':
  ///   (I₁ + m r²) p' = I₁ q² tan θ − (I₂ + m r²) n q − m g r sin θ
  ///   I₁ q' = p (I₂ n − I₁ q tan θ),   (I₂ + m r²) n' = m r² p q
  /// Differentiated once more at p = 0: p'' = λ² p.
  double lambda_squared() const {
    const double t = std::tan(theta);
    const double c = std::cos(theta);
    const double J1 = I1 + m * r * r;
    const double J2 = I2 + m * r * r;
    const double by_q = (2 * I1 * q * t - J2 * n) / J1;
    const double by_n = -J2 * q / J1;
    const double by_theta = (I1 * q * q / (c * c) - m * g * r * c) / J1;
    return by_q * (I2 * n - I1 * q * t) / I1 + by_n * m * r * r * q / J2 - by_theta;
  }
  /// The spin that keeps the lean constant.
  void make_steady() {
    n = (I1 * q * q * std::tan(theta) - m * g * r * std::sin(theta)) / ((I2 + m * r * r) * q);
  }
};

/// Below a certain speed the wheel falls over, above it weaves.
TEST(LinearModel, OfAWheelThatRollsStraightOn) {
  for (const double n : {1.0, 2.0, 8.0}) {
    const Wheel wheel{.n = n};
    const Linearized rolling(wheel.mechanism());
    EXPECT_EQ(rolling.model.states.size(), 8U);
    const std::complex<double> lambda = std::sqrt(std::complex<double>(wheel.lambda_squared()));
    expect_poles(rolling.model.poles, {0, 0, 0, 0, 0, 0, lambda, -lambda}, 2e-9);
  }
  // of a thin disc: λ² = 4/5 (g/r − 3 n²)
  const Wheel disc{.I1 = 2 * 0.25 / 4, .I2 = 2 * 0.25 / 2, .n = 4};
  EXPECT_NEAR(disc.lambda_squared(), 0.8 * (g / 0.5 - 3 * 16), 1e-12);
}

TEST(LinearModel, OfAWheelInASteadyTurn) {
  Wheel wheel{.theta = 0.3, .q = 1.2};
  wheel.make_steady();
  const Linearized rolling(wheel.mechanism());
  const double turn = wheel.q / std::cos(wheel.theta);
  EXPECT_LT((rolling.turning - Vec3(0, 0, turn)).norm(), 1e-9);
  const double kappa = std::sqrt(-wheel.lambda_squared());
  expect_poles(rolling.model.poles, {{0, kappa}, {0, -kappa}, {0, turn}, {0, -turn}, 0, 0, 0, 0},
               1e-8);
  // Later on the circle they are the same, except that the errors of the run appear as their root
  // where zero is a multiple pole.
  const Linearized later(wheel.mechanism(), 0.7);
  EXPECT_GT(later.turning[2], 0);
  expect_poles({later.model.poles.end() - 4, later.model.poles.end()},
               {{0, kappa}, {0, -kappa}, {0, turn}, {0, -turn}}, 1e-5);
}

/// A bob on a string circles at the angle θ: Ω² = g/(l cos θ); disturbed, it nods with Ω √(1 + 3
/// cos² θ).
TEST(LinearModel, OfAConicalPendulum) {
  const double l = 0.8;
  const double theta = 0.6;
  const double omega = std::sqrt(g / (l * std::cos(theta)));
  Mechanism m("conical");
  m.gravity = {0, 0, -g};
  const Body bob = m.body({.name = "bob",
                           .type = BodyType::point,
                           .mass = 0.3,
                           .at = {l * std::sin(theta), 0, -l * std::cos(theta)},
                           .velocity = {0, omega * l * std::sin(theta), 0}});
  m.joint({.name = "string",
           .type = JointType::distance,
           .a = ground,
           .b = bob,
           .apart = true,
           .at_b = {l * std::sin(theta), 0, -l * std::cos(theta)}});
  const Linearized at(std::move(m));
  EXPECT_NEAR(at.turning[2], omega, 1e-9);
  const double nod = omega * std::sqrt(1 + 3 * std::pow(std::cos(theta), 2));
  expect_poles(at.model.poles, {{0, nod}, {0, -nod}, 0, 0}, 1e-6);
}

/// Friction that is smooth within a thousandth of the speed: short steps find its slope, C/(m v₀).
TEST(LinearModel, OfFrictionThatBendsSharply) {
  Mechanism m("friction");
  const Body block = m.body({.name = "block", .mass = 4, .inertia = {.xx = 1, .yy = 1, .zz = 1}});
  const Joint rail = m.joint(
      {.name = "rail", .type = JointType::prismatic, .a = ground, .b = block, .axis = {1, 0, 0}});
  m.friction(
      {.name = "friction", .along = m.displacement(rail), .coulomb = 2, .regularization = 1e-4});
  const LinearModel model = Linearized(std::move(m)).model;
  expect_matrix(model.A, (Matrix(2, 2) << 0, 1, 0, -2 / (4 * 1e-4)).finished(), 1e-4);
}

Mechanism four_bar() {
  Mechanism m("four_bar");
  m.gravity = {0, -g, 0};
  const Inertia inertia{.xx = 0.01, .yy = 0.01, .zz = 0.02};
  const Body crank = m.body({.name = "crank", .mass = 1.2, .inertia = inertia, .at = {0, 0.1, 0}});
  const Body coupler =
      m.body({.name = "coupler", .mass = 2, .inertia = inertia, .at = {0.25, 0.3, 0}});
  const Body rocker =
      m.body({.name = "rocker", .mass = 1.5, .inertia = inertia, .at = {0.5, 0.2, 0}});
  const Joint A = m.joint({.name = "A", .a = ground, .b = crank});
  const Joint B = m.joint({.name = "B", .a = crank, .b = coupler, .at = {0, 0.2, 0}});
  m.joint({.name = "C", .a = coupler, .b = rocker, .at = {0.5, 0.4, 0}});
  m.joint({.name = "D", .a = ground, .b = rocker, .at = {0.5, 0, 0}});
  m.force({.name = "motor", .along = m.angle(A), .value = m.input("torque", 0, "N.m")});
  m.spring({.name = "spring", .along = m.angle(A), .stiffness = 30, .damping = 0.5});
  m.output("phi", [a = m.angle(A)](const Motion& q) { return q.value(a); });
  m.output("speed", [a = m.angle(A)](const Motion& q) { return q.rate(a); });
  m.output("pin", [=](const Motion& q) { return q.reaction(B).force[1]; });
  return m;
}

/// A closed loop with redundant constraints: the effect of a small change of the torque until t, by
/// A, B, C, D and by two runs.
TEST(LinearModel, OfAFourBarPredictsItsRuns) {
  Linearized at(four_bar(), 0, true);
  const LinearModel& m = at.model;
  EXPECT_EQ(names(m.states), (Names{"A.angle", "A.angle_rate"}));
  const double t = 0.3;
  const double du = 0.05;
  std::array<Vector, 2> outputs;
  for (std::size_t i = 0; i < 2; ++i) {
    State state = at.state;
    at.solver.set_inputs(state, Vector::Constant(1, i == 0 ? du : -du));
    ASSERT_TRUE(at.solver.advance(state, t).ok());
    Point p;
    ASSERT_TRUE(at.solver.output(state, p).ok());
    outputs[i].resize(3);
    for (Index o = 0; o < 3; ++o) outputs[i][o] = at.system.read(static_cast<std::size_t>(o));
  }
  // s = Σ Aᵏ⁻¹ B tᵏ/k!
  Vector term = m.B.col(0) * t;
  Vector s = term;
  for (int k = 2; k < 60; ++k) s += term = m.A * term * (t / k);
  const Vector expected = m.C.topRows(3) * s + m.D.topRows(3);
  const Vector found = (outputs[0] - outputs[1]) / (2 * du);
  for (Index o = 0; o < 3; ++o) EXPECT_NEAR(found[o], expected[o], 1e-4 * expected.norm());
}

TEST(LinearModel, TrimFindsTheTorqueThatHoldsAPosition) {
  Mechanism m = pendulum(0.4, 0);
  const Linearized at(std::move(m), 0, true, {0});
  EXPECT_NEAR(at.model.s0[0], 0, 1e-6);                      // where it was
  EXPECT_NEAR(at.model.u0[0], 2 * g * std::tan(0.4), 1e-4);  // pulls sideways
}

TEST(LinearModel, TrimFindsTheEquilibriumOfASpring) {
  Mechanism m("weight");
  m.gravity = {0, -g, 0};
  const Body weight = m.body({.name = "weight", .mass = 2, .inertia = {.xx = 1, .yy = 1, .zz = 1}});
  const Joint guide = m.joint(
      {.name = "guide", .type = JointType::prismatic, .a = ground, .b = weight, .axis = {0, 1, 0}});
  const Measure s = m.displacement(guide);
  m.spring({.name = "spring", .along = s, .stiffness = 100, .damping = 3});
  const StateVariable filtered{0};
  m.state({.name = "filtered",
           .rate = law<2>({Mechanism::value(s), Mechanism::value(filtered)},
                          [](const auto& v) { return (v[0] - v[1]) / 0.1; })});
  const Linearized at(std::move(m), 0, true);
  EXPECT_NEAR(at.model.s0[0], -2 * g / 100, 1e-9);
  EXPECT_NEAR(at.model.s0[2], -2 * g / 100, 1e-9);
  expect_matrix(at.model.A, (Matrix(3, 3) << 0, 1, 0, -50, -1.5, 0, 10, 0, -10).finished(), 1e-8);
}

std::string message_of_trim(Mechanism m) {
  MechanismSystem system(std::move(m));
  Solver solver(system);
  State state;
  EXPECT_TRUE(solver.initialize(state, 0).ok());
  Point p;
  EXPECT_TRUE(solver.output(state, p).ok());
  return trim(solver, state, candidate_coordinates(system, {}, p, Vec3::Zero())).message;
}

TEST(LinearModel, TrimReportsADriverThatMovesTheMechanism) {
  Mechanism m = pendulum(0, 0);
  m.driver("motor", m.angle(Joint{0}), [](const auto& s) { return 2.0 * s.t; });
  const std::string message = message_of_trim(std::move(m));
  EXPECT_NE(message.find("a driver moves the mechanism"), std::string::npos) << message;
}

TEST(LinearModel, PolesOfIgnorableCoordinatesAreExactlyZero) {
  // x' = v, v' = a φ, φ' = w, w' = 9 φ: a chain of integrators behind ±3
  Matrix A = Matrix::Zero(4, 4);
  A(0, 1) = A(2, 3) = 1;
  A(1, 2) = -0.7;
  A(3, 2) = 9;
  const auto poles = poles_of(A, Matrix::Zero(A.rows(), A.cols()));
  ASSERT_EQ(poles.size(), 4U);
  EXPECT_EQ(poles[0], 0.0);
  EXPECT_EQ(poles[1], 0.0);
  EXPECT_NEAR(std::abs(poles[2]), 3, 1e-14);
}

TEST(LinearModel, BicycleHasThePublishedEigenvalues) {
  // Meijaard et al. (2007), table 2, with their steering and their leaning coordinates: v = 5 m/s.
  for (const Spins spins : {Spins::automatic, Spins::no}) {
    const Linearized at(models::bicycle(5, 0, spins));
    for (const std::complex<double> exact :
         {std::complex<double>(-0.775341882195845, 4.46486771378823),
          std::complex<double>(-0.322866429004087, 0),
          std::complex<double>(-14.0783896927982, 0)}) {
      double nearest = 1;
      for (const std::complex<double> pole : at.model.poles)
        nearest = std::min(nearest, std::abs(pole - exact));
      EXPECT_LT(nearest, 1e-7) << exact;
    }
  }
}

TEST(LinearModel, TrimReportsThatThereIsNoEquilibrium) {
  Mechanism m("falling");
  m.gravity = {0, -g, 0};
  m.body({.name = "stone", .mass = 1, .inertia = {.xx = 1, .yy = 1, .zz = 1}});
  const std::string message = message_of_trim(std::move(m));
  EXPECT_NE(message.find("no equilibrium was found"), std::string::npos) << message;
}

/// The cart may stand anywhere: it keeps its place while the pole is brought upright.
TEST(LinearModel, TrimKeepsIrrelevantCoordinates) {
  Mechanism m = cart_pole(1.5, 0.2, 0.4);
  m.bodies[2].at = {-0.4 * std::sin(0.1), 0.4 * std::cos(0.1), 0};
  m.bodies[2].rotation = {0, 0, 0.1};
  const Linearized at(std::move(m), 0, true);
  EXPECT_NEAR(at.model.s0[0], 0, 1e-9);
  EXPECT_NEAR(at.model.s0[1], -0.1, 1e-9);
}

}  // namespace
}  // namespace mechfmu::mechanics
