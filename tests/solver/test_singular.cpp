// Redundant constraints and singular positions.

#include <numbers>

#include "models/slider_crank/slider_crank.h"
#include "tests/solver/runs.h"
#include "tests/solver/toggle.h"

namespace mechfmu::tests {
namespace {

using models::SliderCrank;

/// The slider-crank with a ninth constraint that follows from the seventh and the eighth.
struct RedundantSliderCrank : Model<10, 9> {
  SliderCrank base;

  template <class T>
  Mat<T, 10> M(T t, const Vec<T, 10>& y) const {
    return base.M(t, y);
  }
  template <class T>
  Vec<T, 10> f(T t, const Vec<T, 10>& y, const Vec<T, 10>& z) const {
    return base.f(t, y, z);
  }
  template <class T>
  Vec<T, 9> g(T t, const Vec<T, 10>& y) const {
    const Vec<T, 8> eight = base.g(t, y);
    Vec<T, 9> nine;
    nine << eight, eight[7] + 0.5 * eight[6];
    return nine;
  }
  void variables(Variables& v) {
    v.constraint(6, "slider x");
    v.constraint(7, "slider guide");
    v.constraint(8, "the extra one");
    v.start({.y = SliderCrank::position(std::numbers::pi / 2, base.l1, base.l2)});
  }
};

Vector reactions(const SliderCrank& model, const Point& p) {
  // Gᵀλ from the equations of motion: f₀ − M a.
  const Vec<double, 10> y = p.y;
  const Vec<double, 10> z = p.z;
  return model.f(p.t, y, z) - model.M(p.t, y) * p.a;
}

TEST(RedundantConstraints, AreNamedWithTheConstraintsThatImplyThem) {
  ModelRun<RedundantSliderCrank> run(converged(0.7));
  ASSERT_EQ(run.solver.warnings().size(), 1U);
  const std::string& warning = run.solver.warnings()[0];
  for (const char* part : {"'the extra one'", "'slider x'", "'slider guide'", "redundant"})
    EXPECT_NE(warning.find(part), std::string::npos) << warning;
}

TEST(RedundantConstraints, DoNotChangeMotionOrReactions) {
  Options o = converged(0.7);
  o.tolerance = 1e-12;
  ModelRun<RedundantSliderCrank> nine(o);
  ModelRun<SliderCrank> eight(o);
  for (int i = 0; i < 200; ++i) {
    nine.step(1e-3);
    eight.step(1e-3);
  }
  EXPECT_LT((nine.y() - eight.y()).norm(), 1e-11);
  EXPECT_LT((nine.z() - eight.z()).norm(), 1e-9);
  EXPECT_LT((nine.state.point.a - eight.state.point.a).norm(), 1e-6);
  // λ is unique only as Gᵀλ; the smallest one has λ₉ = λ₈' + λ₇'/2 spread over all three.
  const Vector& l9 = nine.state.point.mu;
  const Vector& l8 = eight.state.point.mu;
  EXPECT_LT(std::abs(l9[7] + l9[8] - l8[7]), 1e-7);
  EXPECT_LT(std::abs(l9[6] + 0.5 * l9[8] - l8[6]), 1e-7);
  EXPECT_NEAR(l9[8], l9[7] + 0.5 * l9[6], 1e-6);
}

TEST(RedundantConstraints, ErrorIsThatOfTheReference) {
  Options o = converged(0.7);
  ModelRun<RedundantSliderCrank> run(o);
  for (int i = 0; i < 200; ++i) run.step(1e-3);
  ModelRun<SliderCrank> reference(o);
  for (int i = 0; i < 200 * 50; ++i) reference.step(1e-3 / 50);
  EXPECT_NEAR((run.y() - reference.y()).norm() / 9.41e-7, 1, 0.02);
  EXPECT_NEAR((run.z() - reference.z()).norm() / 1.68e-3, 1, 0.02);
  Point p;
  Point r;
  ASSERT_TRUE(run.solver.output(run.state, p).ok());
  ASSERT_TRUE(reference.solver.output(reference.state, r).ok());
  EXPECT_LT((reactions(SliderCrank(), p) - reactions(SliderCrank(), r)).norm(), 5e-2);
}

/// A pendulum with a doubled rod, in any unit of mass and length.
struct DoubledPendulum : Model<2, 2> {
  double mass = 1, length = 1;

  template <class T>
  Mat<T, 2> M(T /*t*/, const Vec<T, 2>& /*y*/) const {
    return Mat<T, 2>(Mat<T, 2>::Identity() * T(mass));
  }
  template <class T>
  Vec<T, 2> f(T /*t*/, const Vec<T, 2>& /*y*/, const Vec<T, 2>& /*z*/) const {
    return {T(0.0), T(-9.81 * mass * length)};
  }
  template <class T>
  Vec<T, 2> g(T /*t*/, const Vec<T, 2>& y) const {
    const T rod = sqrt(y.squaredNorm()) - length;
    return {rod, 2.0 * rod};
  }
  void variables(Variables& v) {
    v.coordinate(0, "x").scale(length);
    v.coordinate(1, "y").scale(length);
    v.start({.y = {0.6 * length, -0.8 * length}});
  }
};

/// The same with one rod.
struct SinglePendulum : DoubledPendulum {
  static constexpr int n_g = 1;
  template <class T>
  Vec<T, 1> g(T /*t*/, const Vec<T, 2>& y) const {
    return Vec<T, 1>(sqrt(y.squaredNorm()) - length);
  }
};

template <class PendulumT>
Vector swung(double mass, double length) {
  PendulumT model;
  model.mass = mass;
  model.length = length;
  Options o;
  o.tolerance = 1e-8;
  ModelRun<PendulumT> run(o, model);
  run.advance(1);
  return run.y() / length;
}

TEST(RedundantConstraints, MassesAndLengthsMayHaveAnyUnit) {
  // The motion does not depend on the mass; lengths in m, mm, µm, km.
  const Vector expected = swung<SinglePendulum>(1, 1);
  EXPECT_GT((expected - vector({0.6, -0.8})).norm(), 0.5);
  for (const double mass : {1e-14, 1e-11, 1e-6, 1.0, 1e9})
    for (const double length : {1e-3, 1.0, 1e3, 1e6}) {
      SCOPED_TRACE(mass);
      SCOPED_TRACE(length);
      EXPECT_LT((swung<DoubledPendulum>(mass, length) - expected).norm(), 1e-6);
      EXPECT_LT((swung<SinglePendulum>(mass, length) - expected).norm(), 1e-6);
    }
}

/// … with a third coordinate that has neither mass nor constraint.
struct LoosePendulum : Model<3, 2> {
  template <class T>
  Mat<T, 3> M(T /*t*/, const Vec<T, 3>& /*y*/) const {
    Mat<T, 3> mass = Mat<T, 3>::Identity();
    mass(2, 2) = T(0.0);
    return mass;
  }
  template <class T>
  Vec<T, 3> f(T /*t*/, const Vec<T, 3>& /*y*/, const Vec<T, 3>& /*z*/) const {
    return {T(0.0), T(-9.81), T(0.0)};
  }
  template <class T>
  Vec<T, 2> g(T /*t*/, const Vec<T, 3>& y) const {
    const T rod = sqrt(y[0] * y[0] + y[1] * y[1]) - 1.0;
    return {rod, 2.0 * rod};
  }
  void variables(Variables& v) {
    v.coordinate(2, "loose");
    v.start({.y = {0.6, -0.8, 0}});
  }
};

TEST(RedundantConstraints, HideNoCoordinateWithoutMass) {
  ModelSystem<LoosePendulum> system;
  Solver solver(system);
  State state;
  const Result result = solver.initialize(state, 0);
  EXPECT_EQ(result.failure, Failure::singular_matrix);
  EXPECT_NE(result.message.find("'loose'"), std::string::npos) << result.message;
}

TEST(TogglePosition, IsPassedOnTheRightBranchByEveryMethod) {
  for (const Method method : {Method::soi2, Method::hht_i3, Method::arnold_bruls}) {
    SCOPED_TRACE(name(method));
    const std::pair<int, double> errors[] = {
        {30, 1.1e-3}, {100, 1.4e-4}, {300, 1.6e-5}, {1000, 1.45e-6}};
    for (const auto& [n, expected] : errors) {
      SCOPED_TRACE(n);
      Options o;
      o.method = method;
      o.coefficients = Coefficients::from_rho(0.7);
      o.tolerance = 1e-8;
      ModelRun<Toggle> run(o);
      for (int i = 0; i < n; ++i) run.step(0.3 / n);
      EXPECT_NEAR(run.y()[2] + run.y()[5], 0, 1e-6);  // θ₂ = −θ₁
      // Close to the singular position, the last digits depend on where Newton's iteration stops.
      if (method == Method::soi2) {
        EXPECT_NEAR(std::abs(run.y()[2] - 2.196156064255) / expected, 1, 0.1);
      }
    }
  }
}

TEST(TogglePosition, ConvergesToTheReference) {
  Options o;
  o.coefficients = Coefficients::from_rho(0.7);
  o.tolerance = 1e-8;
  ModelRun<Toggle> run(o);
  for (int i = 0; i < 1000; ++i) run.step(0.3 / 1000);
  EXPECT_NEAR(run.y()[2], 2.196156064255, 3e-6);
  EXPECT_NEAR(run.y()[7], -.703223717173, 3e-5);
  EXPECT_NEAR(run.z()[2], 5.1808891619, 3e-4);
}

TEST(TogglePosition, StepsWhoseMultipliersDoNotConvergeAreCounted) {
  const auto unconverged = [](int iterations) {
    Options o;
    o.coefficients = Coefficients::from_rho(0.7);
    o.tolerance = 1e-8;
    o.experiments.max_iterations = iterations;
    ModelRun<Toggle> run(o);
    for (int i = 0; i < 100; ++i) run.step(0.3 / 100);
    return run.state.statistics.unconverged_multipliers;
  };
  // Close to the singular position λ converges slowly: fifty iterations remove the error that ten
  // leave.
  EXPECT_GT(unconverged(10), 1);
  EXPECT_EQ(unconverged(50), 0);
  ModelRun<SliderCrank> regular{Options()};
  regular.advance(1);
  EXPECT_EQ(regular.state.statistics.unconverged_multipliers, 0);
}

TEST(TogglePosition, AdaptiveStepsAlsoPassIt) {
  Options o;
  o.tolerance = 1e-7;
  ModelRun<Toggle> run(o);
  run.advance(0.3);
  EXPECT_NEAR(run.y()[2], 2.196156064255, 1e-3);
  EXPECT_NEAR(run.y()[2] + run.y()[5], 0, 1e-6);
}

}  // namespace
}  // namespace mechfmu::tests
