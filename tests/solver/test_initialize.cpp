// Consistent initial values, and the messages when there are none.

#include <numbers>

#include "models/car_axis/car_axis.h"
#include "models/pendulum/pendulum.h"
#include "models/slider_crank/slider_crank.h"
#include "tests/solver/runs.h"

namespace mechfmu::tests {
namespace {

using models::Pendulum;
using models::SliderCrank;

Result initialize(System& system) {
  Solver solver(system);
  State state;
  return solver.initialize(state, 0);
}

void expect_message(const Result& result, Failure failure,
                    std::initializer_list<const char*> parts) {
  EXPECT_EQ(result.failure, failure) << name(result.failure) << ": " << result.message;
  for (const char* part : parts)
    EXPECT_NE(result.message.find(part), std::string::npos) << result.message;
}

TEST(Initialize, ProjectsPositionsAndVelocities) {
  struct Sloppy : Pendulum {
    void variables(Variables& v) {
      Pendulum::variables(v);
      v.start({.y = {0.9, -0.7}, .z = {1, 2}});
    }
  };
  ModelRun<Sloppy> run{Options()};
  // Nearest point of the circle, nearest velocity along it.
  const Vector y = vector({0.9, -0.7}).normalized();
  const Vector tangent = vector({-y[1], y[0]});
  EXPECT_LT((run.y() - y).norm(), 1e-12);
  EXPECT_LT((run.z() - tangent * tangent.dot(vector({1, 2}))).norm(), 1e-12);
}

TEST(Initialize, HeldCoordinatesKeepTheirValues) {
  struct Turned : SliderCrank {
    void variables(Variables& v) {
      SliderCrank::variables(v);
      auto y = position(std::numbers::pi / 2, l1, l2);
      y[2] = 1.1;  // only the crank is turned; everything else must follow
      y[7] = 0.77;
      v.start({.y = y, .z = {0, 0, 3}});
    }
  };
  ModelRun<Turned> run{Options()};
  EXPECT_DOUBLE_EQ(run.y()[2], 1.1);
  EXPECT_DOUBLE_EQ(run.y()[7], 0.77);
  EXPECT_DOUBLE_EQ(run.z()[2], 3);
  const auto expected = SliderCrank::position(1.1, 0.3, 0.6);
  for (const Index i : {0, 1, 3, 4, 5, 6, 8, 9})
    EXPECT_NEAR(run.y()[i], expected[static_cast<std::size_t>(i)], 1e-12) << i;
  EXPECT_NEAR(run.z()[8], -0.3 * std::sin(1.1) * 3, 1e-12);
}

TEST(Initialize, RheonomicConstraintsAreMetAtTheirTime) {
  ModelSystem<models::CarAxis> system;
  Solver solver(system);
  State state;
  ASSERT_TRUE(solver.initialize(state, 0.1).ok());
  double position = 1;
  double velocity = 1;
  solver.constraint_residuals(state, position, velocity);
  EXPECT_LT(position, 1e-13);
  EXPECT_LT(velocity, 1e-13);
}

TEST(Initialize, AMechanismThatCannotBeAssembledIsNamed) {
  SliderCrank model;
  model.l2 = 0.2;  // rod too short for the crank standing upright
  ModelSystem<SliderCrank> system(model);
  expect_message(initialize(system), Failure::cannot_assemble,
                 {"cannot be assembled", "violated by", "theta1"});
}

TEST(Initialize, OfSeveralOpenConstraintsTheWorstAreNamed) {
  EXPECT_EQ(worst({{0.02, "a is open", "2 cm"},
                   {0.9, "b is open", "90 cm"},
                   {0.3, "c is open", "30 cm"},
                   {0.5, "d is open", "50 cm"},
                   {0.4, "e is open", "40 cm"}}),
            "b is open by 90 cm, d is open by 50 cm, e is open by 40 cm");
  EXPECT_EQ(worst({{0.02, "a is open", "2 cm"}, {0.9, "b is open", "90 cm"}}),
            "b is open by 90 cm");
}

TEST(Initialize, ContradictingHeldVelocitiesAreNamed) {
  struct Contradiction : Pendulum {
    void variables(Variables& v) {
      Pendulum::variables(v);
      v.coordinate(0, "x").hold();
      v.coordinate(1, "y").hold();
      v.start({.y = {0.6, -0.8}, .z = {1, 0}});
    }
  };
  ModelSystem<Contradiction> system;
  expect_message(initialize(system), Failure::inconsistent_velocity, {"'rod'", "0.6", "x, y"});
}

TEST(Initialize, ACoordinateWithoutMassOrConstraintIsNamed) {
  SliderCrank model;
  model.m4 = 0;
  ModelSystem<SliderCrank> system(model);
  expect_message(initialize(system), Failure::singular_matrix, {"'x4'", "mass"});
}

/// Its state has an algebraic equation, which does not determine the rate.
struct NoRate : Model<1, 0, 0, 1> {
  template <class T>
  Mat<T, 1> M(T /*t*/, const Vec<T, 1>& /*y*/) const {
    return Mat<T, 1>::Identity();
  }
  template <class T>
  Vec<T, 1> f(T /*t*/, const Vec<T, 1>& y, const Vec<T, 1>& /*z*/) const {
    return -y;
  }
  template <class T>
  Vec<T, 1> d(T /*t*/, const Vec<T, 1>& /*xdot*/, const Vec<T, 1>& x, const Vec<T, 1>& y,
              const Vec<T, 1>& /*z*/) const {
    return x - y;
  }
  void variables(Variables& v) { v.state(0, "pressure"); }
};

TEST(Initialize, AStateWithoutRateIsNamed) {
  ModelSystem<NoRate> system;
  expect_message(initialize(system), Failure::singular_matrix, {"'pressure'"});
}

TEST(Initialize, NonFiniteStartValuesAreRefused) {
  struct Broken : Pendulum {
    void variables(Variables& v) {
      Pendulum::variables(v);
      v.start({.y = {std::nan(""), 0}});
    }
  };
  ModelSystem<Broken> system;
  expect_message(initialize(system), Failure::non_finite, {"start value"});
}

TEST(Initialize, AccelerationsAndReactionsBelongToTheStart) {
  // At rest in the lowest point: no acceleration, the rod carries the weight.
  struct Hanging : Pendulum {
    void variables(Variables& v) {
      Pendulum::variables(v);
      v.start({.y = {0, -1}});
    }
  };
  ModelRun<Hanging> run{Options()};
  EXPECT_NEAR(run.state.point.mu[0], 9.81, 1e-12);
  EXPECT_LT(run.state.point.a.norm(), 1e-12);
  run.advance(5);
  EXPECT_NEAR(run.y()[1], -1, 1e-12);
  EXPECT_NEAR(run.state.point.mu[0], 9.81, 1e-9);
}

TEST(Options, CoefficientsOutOfRangeAreRefused) {
  EXPECT_THROW(Coefficients::from_rho(1.1), std::invalid_argument);
  EXPECT_THROW(Coefficients::from_rho(std::nan("")), std::invalid_argument);
  EXPECT_THROW(Coefficients::hht(-0.4), std::invalid_argument);
  EXPECT_THROW(Coefficients::newmark(0, 0.5), std::invalid_argument);
}

TEST(Options, ErrorConstantIsThatOfTheRunningMethod) {
  for (const double rho : {0.0, 0.2, 0.7, 1.0}) {
    const Coefficients c = Coefficients::from_rho(rho);
    EXPECT_NEAR(c.error_constant(), 1.0 / 12 + c.alpha() * c.alpha() / 4, 1e-15);
  }
}

}  // namespace
}  // namespace mechfmu::tests
