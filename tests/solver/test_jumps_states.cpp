// Inputs that jump where first-order states follow them: the shift of the history against the fresh
// start, and its cost.

#include "tests/solver/runs.h"

namespace mechfmu::tests {
namespace {

/// A pendulum driven through a lag: T x' + x = u + y₁/2; u also acts on the mass directly.
struct DrivenPendulum : Model<2, 1, 0, 2> {
  double u = 0, lag = 0.1, mass = 1;

  template <class T>
  Mat<T, 2> M(T /*t*/, const Vec<T, 2>& /*y*/) const {
    return Mat<T, 2>(Mat<T, 2>::Identity() * T(mass));
  }
  template <class T>
  Vec<T, 2> f(T /*t*/, const Vec<T, 2>& /*y*/, const Vec<T, 2>& z, const Vec<T, 2>& x) const {
    return {x[0] + 0.5 * u - 0.1 * z[0], -9.81 * mass - 0.1 * z[1]};
  }
  template <class T>
  Vec<T, 1> g(T /*t*/, const Vec<T, 2>& y) const {
    return Vec<T, 1>((y.squaredNorm() - 1.0) / 2.0);
  }
  template <class T>
  Vec<T, 2> d(T /*t*/, const Vec<T, 2>& xdot, const Vec<T, 2>& x, const Vec<T, 2>& y,
              const Vec<T, 2>& /*z*/, const Vec<T, 2>& a, const Vec<T, 1>& lambda,
              const Vec<T, 0>& /*psi*/) const {
    return {lag * xdot[0] + x[0] - u + 0.5 * y[0],
            2.0 * xdot[1] + 0.3 * x[1] * x[1] - lambda[0] - 0.2 * a[0] - u};
  }
  void variables(Variables& v) {
    v.input("u", u);
    v.parameter("lag", lag).unit("s");
    v.parameter("mass", mass).unit("kg");
    v.start({.y = {0.6, -0.8}, .x = {0.5, 0}});
  }
};

constexpr double H = 0.02;
constexpr int master_steps = 50;

double held_input(int k) { return 2 * std::sin(3 * k * H); }

Point end_of_run(JumpTreatment jump, int substeps, double lag) {
  Options o = converged(0.7);
  o.experiments.jump = jump;
  DrivenPendulum model;
  model.lag = lag;
  ModelRun<DrivenPendulum> run(o, model);
  for (int k = 0; k < master_steps; ++k) {
    run.set("u", held_input(k));
    for (int i = 0; i < substeps; ++i) run.step(H / substeps);
  }
  return run.state.point;
}

TEST(JumpsWithStates, ShiftAndFreshStartAreOfSecondOrderAlike) {
  const Point reference = end_of_run(JumpTreatment::restart, 2048, 0.1);
  const auto error = [&](const Point& p) {
    return vector({(p.y - reference.y).norm(), (p.z - reference.z).norm(),
                   (p.x - reference.x).norm(), (p.xdot - reference.xdot).norm(),
                   (p.mu - reference.mu).norm()});
  };
  const Vector fresh = error(end_of_run(JumpTreatment::treat, 32, 0.1));
  const Vector coarse = error(end_of_run(JumpTreatment::always_shift, 16, 0.1));
  const Vector fine = error(end_of_run(JumpTreatment::always_shift, 32, 0.1));
  const Vector carried = error(end_of_run(JumpTreatment::carry, 32, 0.1));
  for (Index i = 0; i < fine.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_NEAR(order(coarse[i], fine[i]), 2, 0.15);
    EXPECT_NEAR(fine[i] / fresh[i], 1, 0.3);
  }
  EXPECT_GT(carried[0], 10 * fine[0]);
  EXPECT_GT(carried[2], 10 * fine[2]);
}

/// A run with the product's treatment and small jumps at every communication point.
struct Sampled {
  Point end;
  Statistics statistics;
};
Sampled sampled(double size, double lag, double tolerance, JumpTreatment jump, int points = 1000) {
  Options o;
  o.tolerance = tolerance;
  o.experiments.jump = jump;
  DrivenPendulum model;
  model.lag = lag;
  ModelRun<DrivenPendulum> run(o, model);
  for (int k = 0; k < points; ++k) {
    run.set("u", size * std::sin(30.0 * k / points));
    run.advance(2.0 * (k + 1) / points);
  }
  return {run.state.point, run.state.statistics};
}

TEST(JumpsWithStates, SmallOnesAreNotFreshStarts) {
  for (const double lag : {0.1, 1e-3}) {
    SCOPED_TRACE(lag);
    const double tolerance = 1e-5;
    const double size = lag < 0.01 ? 1e-3 : 1e-2;
    const Sampled shifted = sampled(size, lag, tolerance, JumpTreatment::treat);
    EXPECT_LT(shifted.statistics.restarts, 20);
    // A jump costs one evaluation, another one if its equations are solved twice, and occasionally
    // an iteration; a fresh start costs six or more.
    const Sampled smooth = sampled(0, lag, tolerance, JumpTreatment::treat);
    const auto per_step = [](const Sampled& s) {
      return static_cast<double>(s.statistics.evaluations) /
             static_cast<double>(s.statistics.steps);
    };
    EXPECT_LT(per_step(shifted), per_step(smooth) + 2.5);
    EXPECT_NEAR(static_cast<double>(shifted.statistics.steps) /
                    static_cast<double>(smooth.statistics.steps),
                1, 0.2);
    // The error is the same as with fresh starts.
    const Sampled exact = sampled(size, lag, 1e-10, JumpTreatment::restart);
    const Sampled fresh = sampled(size, lag, tolerance, JumpTreatment::restart);
    EXPECT_LT((shifted.end.y - exact.end.y).norm(),
              2 * (fresh.end.y - exact.end.y).norm() + 0.1 * tolerance);
    EXPECT_LT((shifted.end.x - exact.end.x).norm(),
              2 * (fresh.end.x - exact.end.x).norm() + 0.1 * tolerance);
  }
}

TEST(JumpsWithStates, LargeOnesOfStiffStatesAreFreshStarts) {
  const Sampled stiff = sampled(2, 1e-3, 1e-6, JumpTreatment::treat, 50);
  EXPECT_GT(stiff.statistics.restarts, 40);
  const Sampled exact = sampled(2, 1e-3, 1e-9, JumpTreatment::treat, 50);
  EXPECT_LT((stiff.end.y - exact.end.y).norm(), 1e-4);
  EXPECT_LT((stiff.end.x - exact.end.x).norm(), 1e-4);
}

TEST(JumpsWithStates, ATunedParameterDoesNotSwitchTheShiftOff) {
  Options o;
  o.tolerance = 1e-5;
  ModelRun<DrivenPendulum> run(o);
  run.advance(0.1);
  run.set("mass", 1.0001);
  run.advance(0.102);
  const auto restarts = run.state.statistics.restarts;
  EXPECT_EQ(restarts, 1);
  const auto jacobians = run.state.statistics.jacobians;
  for (int k = 0; k < 20; ++k) {
    run.set("u", 1e-4 * k);
    run.advance(0.102 + 0.002 * (k + 1));
  }
  EXPECT_EQ(run.state.statistics.restarts, restarts);
  // A new history would have taken derivatives after each of the 20 jumps; they are renewed only
  // where that saves iterations.
  EXPECT_LE(run.state.statistics.jacobians, jacobians + 1);
}

/// A strongly damped pendulum, and a state that follows its velocity: a' and x'' jump with the force.
struct DampedPendulum : Model<2, 1, 0, 1> {
  double u = 0;
  template <class T>
  Mat<T, 2> M(T /*t*/, const Vec<T, 2>& /*y*/) const {
    return Mat<T, 2>::Identity();
  }
  template <class T>
  Vec<T, 2> f(T /*t*/, const Vec<T, 2>& /*y*/, const Vec<T, 2>& z) const {
    return {u - 20.0 * z[0], -9.81 - 20.0 * z[1]};
  }
  template <class T>
  Vec<T, 1> g(T /*t*/, const Vec<T, 2>& y) const {
    return Vec<T, 1>((y.squaredNorm() - 1.0) / 2.0);
  }
  template <class T>
  Vec<T, 1> d(T /*t*/, const Vec<T, 1>& xdot, const Vec<T, 1>& x, const Vec<T, 2>& /*y*/,
              const Vec<T, 2>& z) const {
    return Vec<T, 1>(xdot[0] + 10.0 * x[0] - 100.0 * z[0]);
  }
  void variables(Variables& v) {
    v.input("u", u);
    v.start({.y = {0, -1}, .x = {0}});
  }
};

TEST(JumpsWithStates, AShiftedLineKeepsAccelerationsRightInTheFirstStepAfterAJump) {
  const auto after = [](JumpTreatment jump, double h, int steps) {
    Options o = converged(0.5);
    o.experiments.jump = jump;
    ModelRun<DampedPendulum> run(o);
    while (run.t() < 0.2 - h / 2) run.step(h);
    run.set("u", 5);
    for (int i = 0; i < steps; ++i) run.step(h);
    return run.state.point;
  };
  // One step after the jump, in units of the jump itself: Δa = 5, Δx'' = 100 Δa.
  const auto errors = [&](double h) {
    const Point exact = after(JumpTreatment::restart, h / 64, 64);
    const Point p = after(JumpTreatment::always_shift, h, 1);
    return vector({std::abs(p.a[0] - exact.a[0]) / 5, std::abs(p.xdot[0] - exact.xdot[0]) / 5});
  };
  const Vector coarse = errors(0.01);
  const Vector fine = errors(0.005);
  for (const Index i : {0, 1}) EXPECT_GT(order(coarse[i], fine[i]), 1.7) << i;
  EXPECT_LT(fine[0], 0.02);
}

struct Cliff : Model<1> {
  double u = 0;
  template <class T>
  Mat<T, 1> M(T /*t*/, const Vec<T, 1>& /*y*/) const {
    return Mat<T, 1>::Identity();
  }
  template <class T>
  Vec<T, 1> f(T t, const Vec<T, 1>& y, const Vec<T, 1>& /*z*/) const {
    if (u > 50 && value(t) > 0.5) return Vec<T, 1>(T(std::nan("")));
    return Vec<T, 1>(u - y[0]);
  }
  void variables(Variables& v) {
    v.input("u", u);
    v.start({.y = {1}});
  }
};

TEST(JumpsWithStates, AFailedFreshStartLeavesTheHistoryAsItWas) {
  // The force is finite at the point, but not a moment later: the slope a' does not exist.
  ModelRun<Cliff> run{Options()};
  ModelRun<Cliff> undisturbed{Options()};
  run.advance(0.5);
  undisturbed.advance(0.5);
  run.set("u", 1e6);
  EXPECT_EQ(run.solver.step(run.state, 1e-3).failure, Failure::non_finite);
  EXPECT_EQ(run.state.history.a, undisturbed.state.history.a);
  EXPECT_EQ(run.state.history.da, undisturbed.state.history.da);
  EXPECT_EQ(run.state.history.span, undisturbed.state.history.span);
  EXPECT_EQ(run.state.f, undisturbed.state.f);
  EXPECT_EQ(run.state.predictions.u, undisturbed.state.predictions.u);
}

}  // namespace
}  // namespace mechfmu::tests
