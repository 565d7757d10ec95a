// Modes much faster than the motion, damped only by the method: they must not cost steps, for any
// ρ∞.

#include <Eigen/LU>
#include <array>
#include <numbers>

#include "tests/solver/runs.h"

namespace mechfmu::tests {
namespace {

constexpr std::array<double, 4> dampings = {0.5, 0.8, 0.9, 1};

Options with(double rho_inf, double tolerance, Method method = Method::soi2) {
  Options o;
  o.method = method;
  o.coefficients = Coefficients::from_rho(rho_inf);
  o.tolerance = tolerance;
  return o;
}

/// Masses on a string of springs that turns about its pinned end with ω: radii from
///
///   k (r_i − r_{i−1} − l) − k (r_{i+1} − r_i − l) = m ω² r_i
///
/// is an exact solution. Along it the springs are stiff (√(4k/m) = 6·10⁴/s), across they are not: a
/// matrix from a few steps ago mixes the two up.
struct TurningString : Model<20> {
  static constexpr int count = 10;
  double k = 1e9, m = 1, l = 0.1, omega = 2;

  template <class T>
  Mat<T, 20> M(T /*t*/, const Vec<T, 20>& /*y*/) const {
    return Mat<T, 20>::Identity() * T(m);
  }
  template <class T>
  Vec<T, 20> f(T /*t*/, const Vec<T, 20>& y, const Vec<T, 20>& /*z*/) const {
    Vec<T, 20> force = Vec<T, 20>::Zero();
    Vec<T, 2> before = Vec<T, 2>::Zero();
    for (int i = 0; i < count; ++i) {
      const Vec<T, 2> at = y.template segment<2>(2 * i);
      const Vec<T, 2> d = at - before;
      const T length = sqrt(d[0] * d[0] + d[1] * d[1]);
      const Vec<T, 2> pull = d * (k * (length - l) / length);
      force.template segment<2>(2 * i) -= pull;
      if (i > 0) force.template segment<2>(2 * i - 2) += pull;
      before = at;
    }
    return force;
  }
  Vector radii() const {
    Matrix A = Matrix::Zero(count, count);
    Vector b = Vector::Zero(count);
    for (int i = 0; i < count; ++i) {
      A(i, i) = (i + 1 < count ? 2 : 1) * k - m * omega * omega;
      if (i > 0) A(i, i - 1) = -k;
      if (i + 1 < count) A(i, i + 1) = -k;
    }
    b[count - 1] = k * l;
    return A.partialPivLu().solve(b);
  }
  void variables(Variables& v) {
    Start start;
    const Vector r = radii();
    for (int i = 0; i < count; ++i) {
      start.y.insert(start.y.end(), {r[i], 0});
      start.z.insert(start.z.end(), {0, omega * r[i]});
    }
    v.start(start);
  }
};

TEST(StiffModes, OfATurningStringDoNotCostSteps) {
  const TurningString model;
  const Vector r = model.radii();
  constexpr double tolerance = 1e-7;
  constexpr double end = 10;
  for (const Method method : {Method::soi2, Method::hht_i3, Method::arnold_bruls})
    for (const double rho : dampings) {
      SCOPED_TRACE(testing::Message() << name(method) << ", rho_inf = " << rho);
      const Options o = with(rho, tolerance, method);
      ModelRun<TurningString> run(o, model);
      run.advance(end);
      // The rotation alone: C h³ω³ y, of coordinates r cos ωt and r sin ωt. The estimate is at 0.42
      // … 0.73 tolerances.
      const double C = o.coefficients.error_constant();
      const double h = std::cbrt(0.42 * std::numbers::sqrt2 * tolerance / C) / model.omega;
      EXPECT_LT(static_cast<double>(run.state.statistics.steps), 1.1 * end / h);
      EXPECT_LT(run.state.statistics.rejected(), 20);
      // The method turns by about C (ωh)² less than it should.
      const double taken = end / static_cast<double>(run.state.statistics.steps);
      const double error = C * std::pow(model.omega * taken, 2) * model.omega * end;
      double off = 0;
      for (int i = 0; i < TurningString::count; ++i) {
        const double x = r[i] * std::cos(model.omega * end);
        const double y = r[i] * std::sin(model.omega * end);
        off = std::max(off, std::hypot(run.y()[2 * i] - x, run.y()[2 * i + 1] - y) / r[i]);
      }
      EXPECT_LT(off, 1.5 * error);
    }
}

/// y₁'' = −y₁ and a stiff oscillator y₂'' = −ω² y₂ that really oscillates, with an amplitude below
/// the tolerance; a guide holds y₃ = y₁ twice, and a state x follows y₁ within a microsecond.
struct Ringing : Model<3, 2, 0, 1> {
  double omega = 1e5, amplitude = 0;

  template <class T>
  Mat<T, 3> M(T /*t*/, const Vec<T, 3>& /*y*/) const {
    return Mat<T, 3>::Identity();
  }
  template <class T>
  Vec<T, 3> f(T /*t*/, const Vec<T, 3>& y, const Vec<T, 3>& /*z*/, const Vec<T, 1>& /*x*/) const {
    return {-y[0], -omega * omega * y[1], -y[2]};
  }
  template <class T>
  Vec<T, 2> g(T /*t*/, const Vec<T, 3>& y) const {
    return {y[2] - y[0], 2.0 * (y[0] - y[2])};
  }
  template <class T>
  Vec<T, 1> d(T /*t*/, const Vec<T, 1>& xdot, const Vec<T, 1>& x, const Vec<T, 3>& y,
              const Vec<T, 3>& /*z*/, const Vec<T, 3>& /*a*/, const Vec<T, 2>& /*lambda*/,
              const Vec<T, 0>& /*psi*/) const {
    return Vec<T, 1>(1e-6 * xdot[0] + x[0] - y[0]);
  }
  void variables(Variables& v) {
    v.parameter("amplitude", amplitude);
    v.start({.y = {1, amplitude, 1}, .x = {1}});
  }
};

TEST(StiffModes, ThatRingBelowTheToleranceDoNotCostSteps) {
  constexpr double tolerance = 1e-6;
  constexpr double end = 10;
  for (const Method method : {Method::soi2, Method::hht_i3, Method::arnold_bruls})
    for (const double rho : dampings) {
      SCOPED_TRACE(testing::Message() << name(method) << ", rho_inf = " << rho);
      const Options o = with(rho, tolerance, method);
      ModelRun<Ringing> still(o);
      still.advance(end);
      Ringing model;
      model.amplitude = 0.3 * tolerance;
      ModelRun<Ringing> ringing(o, model);
      ringing.advance(end);
      const double steps = static_cast<double>(still.state.statistics.steps);
      EXPECT_LT(static_cast<double>(ringing.state.statistics.steps), 1.2 * steps + 20);
      const double error = 0.1 * std::pow(end / steps, 2) * end;
      for (ModelRun<Ringing>* run : {&still, &ringing}) {
        EXPECT_NEAR(run->y()[0], std::cos(end), error);
        EXPECT_NEAR(run->y()[2], std::cos(end), error);
        EXPECT_NEAR(run->state.point.x[0], std::cos(end), error);
        EXPECT_NEAR(run->y()[1], 0, 2 * tolerance);
      }
    }
}

/// The filter must not damp a stiff oscillation that is the motion itself: the solution is as
/// accurate as without a filter.
TEST(StiffModes, ThatAreTheMotionAreFollowed) {
  for (const double rho : dampings) {
    SCOPED_TRACE(testing::Message() << "rho_inf = " << rho);
    Ringing model;
    model.omega = 1e3;
    model.amplitude = 1;
    const Options o = with(rho, 1e-8);
    ModelRun<Ringing> run(o, model);
    run.advance(0.01);
    const double h = 0.01 / static_cast<double>(run.state.statistics.steps);
    const double C = o.coefficients.error_constant();
    EXPECT_LT(C * std::pow(model.omega * h, 3), 1.8 * o.tolerance * std::sqrt(3.0));
    EXPECT_NEAR(run.y()[1], std::cos(10.0), 20 * C * std::pow(model.omega * h, 2));
  }
}

}  // namespace
}  // namespace mechfmu::tests
