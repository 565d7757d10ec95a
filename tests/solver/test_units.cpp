// Models in their own units, and runs of any length: acceptance of steps must not depend on them.

#include "tests/solver/runs.h"

namespace mechfmu::tests {
namespace {

/// A pendulum in millimetres, written with g = x² + y² − l² (mm²), pushed by a force.
struct MillimetrePendulum : Model<2, 1> {
  double l = 3123.7, F = 0;

  template <class T>
  Mat<T, 2> M(T /*t*/, const Vec<T, 2>& /*y*/) const {
    return Mat<T, 2>::Identity();
  }
  template <class T>
  Vec<T, 2> f(T /*t*/, const Vec<T, 2>& /*y*/, const Vec<T, 2>& /*z*/) const {
    return {T(F), T(-9810.0)};
  }
  template <class T>
  Vec<T, 1> g(T /*t*/, const Vec<T, 2>& y) const {
    return Vec<T, 1>(y.squaredNorm() - l * l);
  }
  void variables(Variables& v) {
    v.parameter("l", l).unit("mm");
    v.input("F", F).unit("mN");
    v.start({.y = {0.61 * l, -0.8 * l}});
  }
};

/// φ(t) of the pendulum with a force that jumps at 0.2, 0.4, …, by Runge–Kutta steps of fourth order.
double angle(double l, double end, const std::function<double(int)>& force) {
  double phi = std::atan2(0.61, 0.8);
  double omega = 0;
  const double h = 1e-4;
  const auto acceleration = [&](double at, double F) {
    return (-9810 * std::sin(at) + F * std::cos(at)) / l;
  };
  for (int i = 0; i < std::lround(end / h); ++i) {
    const double F = force(i / 2000);
    const double a1 = acceleration(phi, F);
    const double a2 = acceleration(phi + h / 2 * omega, F);
    const double a3 = acceleration(phi + h / 2 * omega + h * h / 4 * a1, F);
    const double a4 = acceleration(phi + h * omega + h * h / 2 * a2, F);
    phi += h * omega + h * h / 6 * (a1 + a2 + a3);
    omega += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return phi;
}

TEST(Units, ConstraintsInSquareMillimetresAreMet) {
  for (const double l : {3123.7, 13370.0, 1e6, 1.0, 1e-3}) {
    for (const double size : {3000.0, 1e-3}) {
      SCOPED_TRACE(l);
      SCOPED_TRACE(size);
      const auto force = [&](int k) { return size * std::sin(k + 1.0) * l / 3000; };
      MillimetrePendulum model;
      model.l = l;
      Options o;
      o.tolerance = 1e-8;
      ModelRun<MillimetrePendulum> run(o, model);
      for (int k = 0; k < 10; ++k) {
        run.set("F", force(k));
        ASSERT_NO_FATAL_FAILURE(run.advance(0.2 * (k + 1)));
      }
      const double phi = std::atan2(run.y()[0], -run.y()[1]);
      if (l > 1) {
        EXPECT_NEAR(phi, angle(l, 2, force), 2e-5);
      }
      // Newton's iteration leaves a thousandth of the tolerance, which is relative to max(1, l).
      EXPECT_NEAR(run.y().norm() / l, 1, 1e-9 + 1e-3 * o.tolerance * std::max(1.0, 1 / l));
    }
  }
}

/// Its rod has the length of an input.
struct CommandedPendulum : MillimetrePendulum {
  void variables(Variables& v) {
    v.input("l", l);
    v.start({.y = {0.6 * l, -0.8 * l}});
  }
};

struct Impossible : CommandedPendulum {
  template <class T>
  Vec<T, 1> g(T /*t*/, const Vec<T, 2>& y) const {
    return Vec<T, 1>(y.squaredNorm() - l * std::abs(l));
  }
};

TEST(Units, AnInputThatBreaksAConstraintIsNotTreatedAsAParameter) {
  ModelRun<CommandedPendulum> run{Options()};
  run.advance(0.1);
  const Vector y = run.y();
  run.set("l", std::nan(""));
  EXPECT_EQ(run.solver.advance(run.state, 0.2).failure, Failure::non_finite);
  ModelRun<Impossible> other{Options()};
  other.advance(0.1);
  other.set("l", -1000);
  const Result result = other.solver.advance(other.state, 0.2);
  EXPECT_EQ(result.failure, Failure::cannot_assemble);
  EXPECT_NE(result.message.find("input"), std::string::npos) << result.message;
  EXPECT_EQ(result.message.find("parameter"), std::string::npos) << result.message;
  other.set("l", 3123.7);
  EXPECT_TRUE(other.solver.advance(other.state, 0.2).ok());
}

struct Contradiction : Model<2, 2> {
  double unit = 1;
  template <class T>
  Mat<T, 2> M(T /*t*/, const Vec<T, 2>& /*y*/) const {
    return Mat<T, 2>::Identity();
  }
  template <class T>
  Vec<T, 2> f(T /*t*/, const Vec<T, 2>& /*y*/, const Vec<T, 2>& /*z*/) const {
    return {T(0.0), T(-9.81)};
  }
  template <class T>
  Vec<T, 2> g(T /*t*/, const Vec<T, 2>& y) const {
    return {unit * (sqrt(y.squaredNorm()) - 1.0), unit * (sqrt(y.squaredNorm()) - 1.000001)};
  }
  void variables(Variables& v) { v.start({.y = {0.6, -0.8}}); }
};

TEST(Units, ConstraintsThatContradictEachOtherAreRefusedInAnyUnit) {
  for (const double unit : {1e-12, 1.0, 1e12}) {
    Contradiction model;
    model.unit = unit;
    ModelSystem<Contradiction> system(model);
    Solver solver(system);
    State state;
    EXPECT_EQ(solver.initialize(state, 0).failure, Failure::cannot_assemble) << unit;
  }
}

/// x'' = 20 sin(200 t): a'(0) = 4000, x(t) = 20/200² (200 t − sin(200 t)).
struct Shaken : Model<1> {
  double stop = 1;

  template <class T>
  Mat<T, 1> M(T /*t*/, const Vec<T, 1>& /*y*/) const {
    return Mat<T, 1>::Identity();
  }
  template <class T>
  Vec<T, 1> f(T t, const Vec<T, 1>& /*y*/, const Vec<T, 1>& /*z*/) const {
    return Vec<T, 1>(20.0 * sin(200.0 * t));
  }
  void variables(Variables& v) { v.experiment({.stop = stop}); }
};

TEST(Start, SlopeDoesNotDependOnTheLengthOfTheRun) {
  for (const double tolerance : {1e-3, 1e-6, 1e-9})
    for (const double stop : {1e-3, 1.0, 1e3, 1e4, 1e6}) {
      SCOPED_TRACE(stop);
      SCOPED_TRACE(tolerance);
      Shaken model;
      model.stop = stop;
      Options o;
      o.tolerance = tolerance;
      ModelRun<Shaken> run(o, model);
      EXPECT_NEAR(run.state.history.da[0] / run.state.history.span, 4000, 4);
      run.advance(0.05);
      EXPECT_NEAR(run.y()[0], 20.0 / 4e4 * (10 - std::sin(10)), 1000 * tolerance);
    }
}

}  // namespace
}  // namespace mechfmu::tests
