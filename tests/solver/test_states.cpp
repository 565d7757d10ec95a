// First-order states, saving and restoring, threads, allocations, failures, adaptive runs.

#include <atomic>
#include <thread>

#include "models/andrews/andrews.h"
#include "models/car_axis/car_axis.h"
#include "models/pendulum/pendulum.h"
#include "models/rolling_disk/rolling_disk.h"
#include "models/slider_crank/slider_crank.h"
#include "tests/solver/count_allocations.h"
#include "tests/solver/runs.h"
#include "tests/solver/state_bytes.h"
#include "tests/solver/test_models.h"

namespace mechfmu::tests {
namespace {

// --- first-order states ---

TEST(FirstOrderStates, AreSecondOrderTogetherWithTheMechanism) {
  const auto end = [](int n, bool alternate) {
    ModelRun<FilteredPendulum> run(converged(0.6));
    if (alternate)
      run.alternate(n, 2.0 / n);
    else
      for (int i = 0; i < n; ++i) run.step(2.0 / n);
    return run.state.point;
  };
  const Point reference = end(12800, false);
  for (const bool alternate : {false, true}) {
    const Point coarse = end(200, alternate);
    const Point fine = end(400, alternate);
    EXPECT_NEAR(order((coarse.x - reference.x).norm(), (fine.x - reference.x).norm()), 2, 0.1);
    EXPECT_NEAR(order((coarse.xdot - reference.xdot).norm(), (fine.xdot - reference.xdot).norm()),
                2, 0.1);
    EXPECT_NEAR(order((coarse.y - reference.y).norm(), (fine.y - reference.y).norm()), 2, 0.1);
    EXPECT_NEAR(order((coarse.mu - reference.mu).norm(), (fine.mu - reference.mu).norm()), 2, 0.1);
  }
}

/// x' = −x/T + sin t, with its exact solution: stiff when T is small.
struct Lag : Model<1, 0, 0, 1> {
  double T_lag = 0.5;
  template <class T>
  Mat<T, 1> M(T /*t*/, const Vec<T, 1>& /*y*/) const {
    return Mat<T, 1>::Identity();
  }
  template <class T>
  Vec<T, 1> f(T /*t*/, const Vec<T, 1>& /*y*/, const Vec<T, 1>& /*z*/,
              const Vec<T, 1>& /*x*/) const {
    return Vec<T, 1>(T(0.0));
  }
  template <class T>
  Vec<T, 1> d(T t, const Vec<T, 1>& xdot, const Vec<T, 1>& x, const Vec<T, 1>& /*y*/,
              const Vec<T, 1>& /*z*/) const {
    return Vec<T, 1>(xdot[0] + x[0] / T_lag - sin(t));
  }
  void variables(Variables& v) {
    v.parameter("T_lag", T_lag).unit("s");
    v.start({.x = {1}});
  }
  double exact(double t) const {
    const double a = 1 / T_lag;
    const double scale = 1 / (1 + a * a);
    return scale * (a * std::sin(t) - std::cos(t)) + (1 + scale) * std::exp(-a * t);
  }
};

TEST(FirstOrderStates, ErrorFollowsTheTolerance) {
  double last = 1;
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    Options o;
    o.tolerance = tolerance;
    ModelRun<Lag> run(o);
    run.advance(3);
    const double error = std::abs(run.state.point.x[0] - Lag().exact(3));
    EXPECT_LT(error, 300 * tolerance);
    EXPECT_LT(error, last);
    last = error;
  }
}

TEST(FirstOrderStates, StiffStatesAreStable) {
  Lag stiff;
  stiff.T_lag = 1e-5;
  Options o;
  o.fixed_step = 0.01;
  ModelRun<Lag> run(o, stiff);
  run.advance(3);
  EXPECT_NEAR(run.state.point.x[0], stiff.exact(3), 1e-6);
}

// --- saving and restoring ---

template <class ModelT>
void expect_restorable(const Options& o, double first, double second, bool jump = false) {
  ModelRun<ModelT> run(o);
  run.advance(first);
  State saved = run.state;
  const auto go_on = [&] {
    if (jump) run.set("torque", 1.5);
    run.advance((first + second) / 2);
    run.advance(second);
  };
  go_on();
  const auto expected = bytes(run.state);

  // Something else in between: other steps, other matrices, a failure.
  run.state = saved;
  (void)run.solver.step(run.state, 0.3 * (second - first));
  (void)run.solver.step(run.state, 1e-7);
  run.state = saved;
  go_on();
  EXPECT_EQ(bytes(run.state), expected);

  // Another solver that has never seen this run.
  ModelRun<ModelT> other(o);
  other.state = saved;
  other.advance((first + second) / 2 + 1e-3 * (second - first));
  other.state = saved;
  std::swap(other.state, run.state);
  if (jump) other.set("torque", 1.5);
  other.state = saved;
  if (jump) other.set("torque", 1.5);
  other.advance((first + second) / 2);
  other.advance(second);
  EXPECT_EQ(bytes(other.state), expected);
}

TEST(SavedState, ContinuesBitForBit) {
  Options o;
  expect_restorable<models::SliderCrank>(o, 0.3, 0.6);
  expect_restorable<models::SliderCrank>(o, 0.3, 0.6, true);
  expect_restorable<models::Andrews>(o, 0.01, 0.02);
  expect_restorable<models::RollingDisk>(o, 3, 6);
  expect_restorable<FilteredPendulum>(o, 0.5, 1.5);
  o.method = Method::arnold_bruls;
  expect_restorable<models::Andrews>(o, 0.01, 0.02);
  o.fixed_step = 1e-3;
  expect_restorable<models::SliderCrank>(o, 0.1, 0.2);
}

TEST(SavedState, TwoStatesMayTakeTurnsOnOneSolver) {
  Options o;
  ModelRun<models::SliderCrank> alone(o);
  for (int i = 1; i <= 20; ++i) alone.advance(0.02 * i);
  ModelRun<models::SliderCrank> shared(o);
  State second = shared.state;
  for (int i = 1; i <= 20; ++i) {
    shared.advance(0.02 * i);
    ASSERT_TRUE(shared.solver.advance(second, 0.013 * i).ok());
  }
  EXPECT_EQ(bytes(shared.state), bytes(alone.state));
}

TEST(Threads, ManySolversRunSideBySideAndAgree) {
  ModelRun<models::SliderCrank> reference{Options()};
  reference.advance(0.3);
  std::vector<std::thread> threads;
  threads.reserve(8);
  std::atomic<int> equal = 0;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      ModelRun<models::SliderCrank> run{Options()};
      run.advance(0.3);
      if (bytes(run.state) == bytes(reference.state)) ++equal;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(equal, 8);
}

// --- allocations ---

template <class ModelT>
long allocations_of(const Options& o, double end, const char* input = nullptr) {
  ModelRun<ModelT> run(o);
  Point p;
  p.resize(run.system.sizes());
  State saved = run.state;
  Vector u = run.state.input.value;
  Result result = run.solver.advance(run.state, 0.01 * end);
  const long before = allocations();
  for (int i = 1; i <= 10 && result.ok(); ++i) {
    if (input != nullptr) {
      u[0] = 1 + 0.1 * i;
      run.solver.set_inputs(run.state, u);
    }
    result = run.solver.advance(run.state, end * i / 10);
    if (result.ok()) result = run.solver.output(run.state, p);
    if (i == 5) saved = run.state;
    if (i == 7) run.state = saved;
  }
  EXPECT_TRUE(result.ok()) << result.message;
  return allocations() - before;
}

TEST(Allocations, NoneAfterInitialization) {
  if (!allocations_are_counted()) GTEST_SKIP();
  for (const Method method : {Method::soi2, Method::hht_i3, Method::arnold_bruls}) {
    Options o;
    o.method = method;
    o.coefficients = default_coefficients(method);
    EXPECT_EQ(allocations_of<models::SliderCrank>(o, 1), 0);
    EXPECT_EQ(allocations_of<models::SliderCrank>(o, 1, "torque"), 0);
    EXPECT_EQ(allocations_of<models::Andrews>(o, 0.03), 0);
    EXPECT_EQ(allocations_of<models::RollingDisk>(o, 5), 0);
    EXPECT_EQ(allocations_of<FilteredPendulum>(o, 1), 0);
  }
  Options shift;
  shift.experiments.jump = JumpTreatment::always_shift;
  EXPECT_EQ(allocations_of<models::SliderCrank>(shift, 1, "torque"), 0);
}

TEST(Allocations, AreSeenByTheCounter) {
  if (!allocations_are_counted()) GTEST_SKIP();
  const long before = allocations();
  const auto vector = std::make_unique<Vector>(3);
  EXPECT_EQ(allocations(), before + 2);  // the Vector and its data
}

// --- failures ---

/// Fails in a chosen way from a chosen time onward.
struct Faulty : Model<2, 1> {
  double nan_in_f_after = 1e9, nan_in_g_after = 1e9, stiffness_after = 1e9;
  template <class T>
  Mat<T, 2> M(T /*t*/, const Vec<T, 2>& /*y*/) const {
    return Mat<T, 2>::Identity();
  }
  template <class T>
  Vec<T, 2> f(T t, const Vec<T, 2>& y, const Vec<T, 2>& /*z*/) const {
    if (value(t) > nan_in_f_after) return {T(0.0), sqrt(-1.0 - y[0] * y[0])};
    const double push = value(t) > stiffness_after ? 1e6 * (value(y[0]) > 0 ? -1 : 1) : 0;
    return {T(push), T(-9.81)};
  }
  template <class T>
  Vec<T, 1> g(T t, const Vec<T, 2>& y) const {
    if (value(t) > nan_in_g_after) return Vec<T, 1>(log(-y.squaredNorm()));
    return Vec<T, 1>(sqrt(y.squaredNorm()) - 1.0);
  }
  void variables(Variables& v) {
    v.constraint(0, "rod");
    v.start({.y = {0.6, -0.8}});
  }
};

void expect_failure(const Faulty& model, Options o, double end, Failure failure,
                    const std::string& part) {
  ModelRun<Faulty> run(o, model);
  const Result result = run.solver.advance(run.state, end);
  EXPECT_EQ(result.failure, failure) << name(result.failure);
  EXPECT_NE(result.message.find(part), std::string::npos) << result.message;
  EXPECT_EQ(result.message.find('\n'), std::string::npos);
  // The state is the last accepted one: finite, consistent, and time has not advanced.
  EXPECT_TRUE(run.y().allFinite() && run.z().allFinite() && run.state.point.mu.allFinite());
  EXPECT_EQ(result.t, run.t());
  double position = 1;
  double velocity = 1;
  run.solver.constraint_residuals(run.state, position, velocity);
  EXPECT_LT(position, 1e-6);
}

TEST(Failures, NonFiniteForcesAreNamed) {
  Faulty model;
  model.nan_in_f_after = 0.5;
  expect_failure(model, {}, 1, Failure::non_finite, "in f, row 2");
}

TEST(Failures, NonFiniteConstraintsAreNamed) {
  Faulty model;
  model.nan_in_g_after = 0.5;
  Options o;
  o.coefficients = Coefficients::from_rho(0.5);
  ModelRun<Faulty> run(o, model);
  const Result result = run.solver.advance(run.state, 1);
  EXPECT_EQ(result.failure, Failure::non_finite) << result.message;
  EXPECT_NEAR(run.t(), 0.5, 1e-6);
}

TEST(Failures, TooManyStepsEndTheCall) {
  Options o;
  o.max_substeps = 20;
  o.tolerance = 1e-10;
  expect_failure({}, o, 10, Failure::too_many_steps, "20 substeps");
}

TEST(Failures, AStepBelowTheLimitEndsTheCall) {
  Options o;
  o.h_min = 1e-3;
  o.tolerance = 1e-12;
  expect_failure({}, o, 1, Failure::step_too_small, "smallest step allowed, h_min = 0.001");
}

TEST(Failures, AFailedRunCanContinueWithOtherInputs) {
  Options o;
  o.max_substeps = 20;
  o.tolerance = 1e-8;
  ModelRun<models::Pendulum> run(o);
  EXPECT_FALSE(run.solver.advance(run.state, 1).ok());
  const double reached = run.t();
  EXPECT_GT(reached, 0);
  EXPECT_FALSE(run.solver.advance(run.state, 1).ok());
  EXPECT_GT(run.t(), reached);
}

// --- adaptive runs ---

TEST(Adaptive, ErrorFallsWithTheToleranceOverSixDecades) {
  double last = 10;
  for (const double tolerance : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9}) {
    Options o;
    o.coefficients = Coefficients::from_rho(0.7);
    o.tolerance = tolerance;
    ModelRun<models::SliderCrank> run(o);
    run.advance(1);
    const double error = std::hypot(run.y()[2] - 7.41462498553876, run.y()[7] - .600443137284004);
    EXPECT_LT(error, last) << tolerance;
    last = error;
  }
  EXPECT_LT(last, 1e-4);
}

TEST(Adaptive, CostIsThatOfTheReferenceImplementation) {
  // ε = 1e-6: about 600 steps, 14 rejected, 1700 iterations, 30 factorizations of the double-size
  // matrix.
  Options o;
  o.coefficients = Coefficients::from_rho(0.7);
  o.tolerance = 1e-6;
  ModelRun<models::SliderCrank> run(o);
  run.advance(1);
  const Statistics& s = run.state.statistics;
  EXPECT_NEAR(static_cast<double>(s.steps), 600, 60);
  // Derivatives and factorizations cost as much as ten iterations here: 1700 + 30 · 10 in the
  // reference implementation.
  EXPECT_LT(s.newton_iterations, 1300);
  EXPECT_LT(s.newton_iterations + 10 * s.jacobians, 1620);
  EXPECT_LT(s.factorizations, 100);
  EXPECT_NEAR((run.y()[2] - 7.41462498553876) / 2.8e-3, 0, 1.2);
}

TEST(Adaptive, StiffCarAxisRunsAtLooseTolerance) {
  Options o;
  o.tolerance = 1e-5;
  ModelRun<models::CarAxis> run(o);
  run.advance(3);
  EXPECT_NEAR(run.y()[3], .373911027265366, 0.02);
  EXPECT_LT(run.state.statistics.steps, 1000);
}

TEST(Adaptive, FixedStepsConvergeAtALooseTolerance) {
  // The remainder of Newton's iteration must fall with the step, not with the tolerance.
  double last = 1;
  for (const int n : {3200, 6400, 12800, 51200}) {
    Options o;
    o.tolerance = 1e-6;
    ModelRun<models::Pendulum> run(o);
    for (int i = 0; i < n; ++i) run.step(10.0 / n);
    const double error = std::hypot(run.y()[0] + .2750874625761184, run.y()[1] + .9614192050991246);
    EXPECT_LT(error, 0.3 * last) << n;
    last = error;
  }
  EXPECT_LT(last, 1e-5);
}

TEST(Adaptive, FixedStepsDivideTheIntervalEvenly) {
  Options o;
  o.fixed_step = 1e-3;
  ModelRun<models::Pendulum> run(o);
  run.advance(0.1);
  EXPECT_EQ(run.state.statistics.steps, 100);
  run.advance(0.1 + 2.5e-3);
  EXPECT_EQ(run.state.statistics.steps, 103);
  run.advance(0.1 + 2.5e-3 + 1e-5);
  EXPECT_EQ(run.state.statistics.steps, 104);
}

}  // namespace
}  // namespace mechfmu::tests
