// Linear models of mechanism files against derivatives on paper, to the last digits: none of them
// comes from differences.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "analysis/linear_model.h"
#include "mechanics/coordinates.h"
#include "tests/mechanisms/mechanisms.h"
#include "tests/models/model_files.h"

namespace mechfmu::tests {
namespace {

constexpr double g = 9.81;

struct Linearized {
  explicit Linearized(mechanics::Mechanism m, bool trimmed = false)
      : joints(measure_joints(m)), system(std::move(m)), solver(system, {.tolerance = 1e-11}) {
    Result r = solver.initialize(state, 0);
    if (r.ok()) r = solver.output(state, p);
    if (r.ok() && trimmed) r = trim(solver, state, coordinates());
    if (r.ok()) r = solver.output(state, p);
    EXPECT_TRUE(r.ok()) << r.message;
    model = linearize(solver, state, coordinates());
  }
  CandidateCoordinates coordinates() {
    return candidate_coordinates(system, joints, p, mechanics::Vec3::Zero());
  }
  Index row(const std::string& output) const {
    for (std::size_t i = 0; i < model.outputs.size(); ++i)
      if (model.outputs[i].name == output) return static_cast<Index>(i);
    ADD_FAILURE() << "no output " << output;
    return 0;
  }
  std::vector<mechanics::Measure> joints;
  mechanics::MechanismSystem system;
  Solver solver;
  State state;
  Point p;
  LinearModel model;
};

/// To 1e-13 of the largest number of the row.
void expect_row(const Matrix& found, const Matrix& expected, const char* what) {
  ASSERT_EQ(found.cols(), expected.cols());
  EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-13 * expected.cwiseAbs().maxCoeff())
      << what << ": " << found << " is not " << expected;
}

/// x = l sin φ, y = −l cos φ:  I φ'' = F l cos φ − m g l sin φ,  reaction (m x'' − F, m y'' + m g).
TEST(ExactLinearModels, OfAPendulumThatSwings) {
  const double m = 2;
  const double l = 0.5;
  const double J = 0.03;
  const double phi = 0.7;
  const double w = 3;
  const double F = 1.5;
  const Linearized at(from_text(R"xml(<mechanism name="pendulum" gravity="0 -9.81 0">
    <input name="force" start="1.5" unit="N"/>
    <body name="bob" mass="2" inertia="0.03 0.01 0.03" at="0 -0.5 0"/>
    <joint name="pin" type="revolute" between="ground bob" at="0 0 0" angle="0.7" angle_rate="3"/>
    <force name="push" body="bob" at="0 -0.5 0" value="force 0 0"/>
    <output name="fx" value="pin.force.x" unit="N"/>
    <output name="fy" value="pin.force.y" unit="N"/>
    <output name="size" value="norm(pin.force)" unit="N"/>
    <output name="rate" value="pin.acceleration" unit="rad/s2"/>
    <output name="height" value="bob.position.y" unit="m"/>
    <output name="direct" value="force*bob.velocity.x + 2*force*force*1m/1N/1s" unit="W"/>
  </mechanism>)xml"));
  const LinearModel& made = at.model;
  const double s = std::sin(phi);
  const double c = std::cos(phi);
  const double I = J + m * l * l;
  const double a = (F * l * c - m * g * l * s) / I;
  const double a_phi = (-F * l * s - m * g * l * c) / I;
  const double a_F = l * c / I;
  ASSERT_EQ(made.states.size(), 2U);
  const auto two = [](double x, double y) { return Matrix(Vec<double, 2>(x, y).transpose()); };
  const auto one = [](double x) { return Matrix(Matrix::Constant(1, 1, x)); };
  expect_row(made.A.row(1), two(a_phi, 0), "A");
  expect_row(made.B.row(1), one(a_F), "B");
  EXPECT_EQ(made.B(0, 0), 0);

  const Matrix fx = two(m * l * (a_phi * c - a * s - w * w * c), -2 * m * l * w * s);
  const Matrix fy = two(m * l * (a_phi * s + a * c - w * w * s), 2 * m * l * w * c);
  const double fx_F = m * l * a_F * c - 1;
  const double fy_F = m * l * a_F * s;
  expect_row(made.C.row(at.row("fx")), fx, "C of fx");
  expect_row(made.C.row(at.row("fy")), fy, "C of fy");
  expect_row(made.D.row(at.row("fx")), one(fx_F), "D of fx");
  expect_row(made.D.row(at.row("fy")), one(fy_F), "D of fy");
  const double X = m * l * (a * c - w * w * s) - F;
  const double Y = m * l * (a * s + w * w * c) + m * g;
  const double R = std::hypot(X, Y);
  expect_row(made.C.row(at.row("size")), (X * fx + Y * fy) / R, "C of the force");
  expect_row(made.D.row(at.row("size")), one((X * fx_F + Y * fy_F) / R), "D of the force");
  expect_row(made.C.row(at.row("rate")), two(a_phi, 0), "C of the acceleration");
  expect_row(made.D.row(at.row("rate")), one(a_F), "D of the acceleration");
  expect_row(made.C.row(at.row("height")), two(l * s, 0), "C of the height");
  EXPECT_EQ(made.D(at.row("height"), 0), 0);
  // P = F x' + 2 F²
  expect_row(made.C.row(at.row("direct")), two(-F * l * w * s, F * l * c), "C of the power");
  expect_row(made.D.row(at.row("direct")), one(l * w * c + 4 * F), "D of the power");
  // E = I φ'²/2 − m g l cos φ
  expect_row(made.C.row(at.row("energy.total")), two(m * g * l * s, I * w), "C of the energy");
}

/// (M+m) x'' + m l (θ'' cos θ − θ'² sin θ) = F,  I θ'' + m l x'' cos θ − m g l sin θ = 0; at rest,
/// θ = 3°.
TEST(ExactLinearModels, OfTheCartPole) {
  const double M = 1;
  const double m = 0.1;
  const double l = 0.5;
  const double I = m * l * l * 4 / 3;
  const double theta = 3 * std::acos(-1.0) / 180;
  const double s = std::sin(theta);
  const double c = std::cos(theta);
  const LinearModel made = Linearized(from_file("cart_pole")).model;
  const Mat<double, 2> mass = (Mat<double, 2>() << M + m, m * l * c, m * l * c, I).finished();
  const Mat<double, 2> inverse = mass.inverse();
  const Vec<double, 2> a = inverse * Vec<double, 2>(0, m * g * l * s);
  const Vec<double, 2> by_theta =
      inverse * Vec<double, 2>(m * l * s * a[1], m * g * l * c + m * l * s * a[0]);
  for (Index i = 0; i < 2; ++i) {
    expect_row(made.A.row(2 + i), (Matrix(1, 4) << 0, by_theta[i], 0, 0).finished(), "A");
    expect_row(made.B.row(2 + i), Matrix::Constant(1, 1, inverse(i, 0)), "B");
  }
}

/// A ball at rest in its contact: m y'' = k δⁿ (1 + c δ') − m g, δ = r − y.
TEST(ExactLinearModels, OfABallInContact) {
  const double k = 1e5;
  const double n = 1.5;
  const Linearized at(from_text(R"xml(<mechanism name="ball" gravity="0 -9.81 0">
    <input name="up" unit="N"/>
    <body name="ball" type="point" mass="0.2" at="0 0.0999 0"/>
    <joint name="rail" type="prismatic" between="ground guide" axis="0 1 0"/>
    <body name="guide" mass="0.3" inertia="1 1 1"/>
    <joint name="rider" type="spherical" between="guide ball" at="0 0.0999 0"/>
    <contact name="floor" between="ground ball" shape="plane" axis="0 1 0" centre="0 0.0999 0" radius="0.1"
             stiffness="1e5" exponent="1.5" damping="0.3"/>
    <force name="lift" joint="rail" value="up"/>
    <output name="n" value="floor.force.y" unit="N"/>
  </mechanism>)xml"),
                      true);
  const double m = 0.5;
  const double depth = std::pow(m * g / k, 1 / n);
  const double stiffness = n * k * std::pow(depth, n - 1);
  const double damping = m * g * 0.3;
  const auto two = [](double x, double y) { return Matrix(Vec<double, 2>(x, y).transpose()); };
  // The equilibrium is as exact as trim finds it.
  const auto near = [](const Matrix& found, const Matrix& expected) {
    EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-9 * expected.cwiseAbs().maxCoeff())
        << found << " is not " << expected;
  };
  near(at.model.A.row(1), two(-stiffness / m, -damping / m));
  near(at.model.C.row(at.row("n")), two(-stiffness, -damping));
  near(at.model.B.row(1), Matrix::Constant(1, 1, 1 / m));
  EXPECT_EQ(at.model.D(at.row("n"), 0), 0);
}

}  // namespace
}  // namespace mechfmu::tests
