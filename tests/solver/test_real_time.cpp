// Real-time mode: every call is one step of constant work, and reports its residual.
//
// A pendulum that falls from the horizontal is at its lowest after a quarter of its period
// T = 4 √(l/g) K(1/√2), K = 1.8540746773013719, and on the other side, at rest, after half of it.

#include "models/andrews/andrews.h"
#include "models/pendulum/pendulum.h"
#include "models/slider_crank/slider_crank.h"
#include "tests/solver/count_allocations.h"
#include "tests/solver/runs.h"
#include "tests/solver/state_bytes.h"
#include "tests/solver/test_models.h"

namespace mechfmu::tests {
namespace {

Options real_time(int iterations) {
  Options o;
  o.real_time = iterations;
  return o;
}

/// Work of one call.
struct Work {
  std::int64_t steps, iterations, evaluations, jacobians, factorizations, restarts, rejected;
  friend bool operator==(const Work&, const Work&) = default;
};

Work work(const Statistics& s) {
  return {s.steps,          s.newton_iterations, s.evaluations, s.jacobians,
          s.factorizations, s.restarts,          s.rejected()};
}

Work operator-(const Work& a, const Work& b) {
  return {
      a.steps - b.steps,         a.iterations - b.iterations,         a.evaluations - b.evaluations,
      a.jacobians - b.jacobians, a.factorizations - b.factorizations, a.restarts - b.restarts,
      a.rejected - b.rejected};
}

TEST(RealTime, EveryCallDoesTheSameWorkWhateverInputsDo) {
  constexpr int n = 3;
  ModelRun<models::SliderCrank> run(real_time(n));
  Point seen;
  seen.resize(run.system.sizes());
  for (int i = 0; i < 300; ++i) {
    const bool jump = i % 2 == 1;
    if (jump) run.set("torque", i % 4 == 1 ? 20 : -20);
    const Work before = work(run.state.statistics);
    const long allocated = allocations();
    run.advance((i + 1) * 1e-3);
    ASSERT_TRUE(run.solver.output(run.state, seen).ok());
    if (i > 0 && allocations_are_counted()) {
      ASSERT_EQ(allocations(), allocated) << i;
    }
    // f, g and k once per iteration, and once for the jump; derivatives once; each of the two
    // matrices once.
    const Work expected = {1, n, n + (jump ? 1 : 0), 1, 2, 0, 0};
    ASSERT_EQ(work(run.state.statistics) - before, expected) << i;
  }
}

TEST(RealTime, StepsAreAsLongAsTheCallWithAnyOtherSettings) {
  Options o = real_time(2);
  o.h_max = o.fixed_step = 1e-4;
  ModelRun<models::Pendulum> run(o);
  run.advance(1e-3);
  run.advance(3e-3);
  run.advance(3.5e-3);
  EXPECT_EQ(run.state.statistics.steps, 3);
  EXPECT_NEAR(run.state.last_h, 5e-4, 1e-15);
}

const double quarter = std::sqrt(1 / 9.81) * 1.8540746773013719;

double error_at_the_lowest_point(const Options& o, int calls) {
  ModelRun<models::Pendulum> run(o);
  for (int i = 1; i <= calls; ++i) run.advance(quarter * i / calls);
  return std::hypot(run.y()[0], run.y()[1] + 1);
}

TEST(RealTime, IsOfSecondOrder) {
  for (const int iterations : {1, 2, 3}) {
    const double coarse = error_at_the_lowest_point(real_time(iterations), 200);
    const double fine = error_at_the_lowest_point(real_time(iterations), 400);
    EXPECT_LT(coarse, 2e-3);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1) << iterations;
  }
}

TEST(RealTime, StatesAreAlsoOfSecondOrder) {
  Options exact;
  exact.tolerance = 1e-11;
  ModelRun<FilteredPendulum> reference(exact);
  reference.advance(2);
  const auto error = [&](int calls) {
    ModelRun<FilteredPendulum> run(real_time(2));
    for (int i = 1; i <= calls; ++i) run.advance(2.0 * i / calls);
    return (run.state.point.x - reference.state.point.x).norm();
  };
  EXPECT_NEAR(std::log2(error(400) / error(800)), 2, 0.2);
}

TEST(RealTime, AgreesWithStepsOfTheSameSizeThatAreSolvedForGood) {
  Options fixed;
  fixed.fixed_step = 1e-3;
  fixed.tolerance = 1e-13;
  ModelRun<models::SliderCrank> solved(fixed);
  ModelRun<models::SliderCrank> timely(real_time(3));
  for (int i = 1; i <= 500; ++i) {
    solved.advance(i * 1e-3);
    timely.advance(i * 1e-3);
  }
  EXPECT_LT((solved.y() - timely.y()).norm(), 1e-9);
  EXPECT_LT(timely.state.residual, 1e-2);
}

TEST(RealTime, ResidualFallsWithEveryIteration) {
  double last = 1e300;
  for (const int iterations : {1, 2, 3}) {
    ModelRun<models::Andrews> run(real_time(iterations));
    double worst = 0;
    for (int i = 1; i <= 300; ++i) {
      run.advance(i * 1e-4);
      worst = std::max(worst, run.state.residual);
    }
    EXPECT_LT(worst, 0.1 * last) << iterations;
    last = worst;
  }
}

TEST(RealTime, MassesChangeInARun) {
  ModelRun<models::Pendulum> run(real_time(3));
  const auto go = [&](int from) {
    for (int i = from + 1; i <= from + 1000; ++i) run.advance(quarter * i / 1000);
  };
  go(0);
  run.set("m", 5);  // affects the force but not the motion
  const double lowest = run.y()[1];
  go(1000);
  EXPECT_NEAR(lowest, -1, 1e-5);
  EXPECT_NEAR(run.y()[0], 1, 1e-5);
  Point seen;
  seen.resize(run.system.sizes());
  run.set("F", 50);
  ASSERT_TRUE(run.solver.output(run.state, seen).ok());
  EXPECT_NEAR(seen.mu[0], 50, 1e-2);  // pulled outwards at the horizontal, nearly at rest
}

TEST(RealTime, RefusesStepsFarFromASolution) {
  ModelRun<models::Andrews> run(real_time(2));
  run.advance(1e-4);
  const Result result = run.solver.advance(run.state, 0.02);  // 1e-4 is the time of a tooth
  EXPECT_EQ(result.failure, Failure::newton);
  EXPECT_NE(result.message.find("real-time mode: after 2 Newton iterations"), std::string::npos)
      << result.message;
  EXPECT_EQ(run.state.point.t, 1e-4);
}

TEST(RealTime, SavedStatesContinueBitForBit) {
  ModelRun<models::SliderCrank> run(real_time(2));
  for (int i = 1; i <= 20; ++i) run.advance(i * 1e-3);
  const State saved = run.state;
  const auto go_on = [&](ModelRun<models::SliderCrank>& with) {
    with.set("torque", 3);
    for (int i = 21; i <= 40; ++i) with.advance(i * 1e-3);
    return bytes(with.state);
  };
  const auto expected = go_on(run);
  ModelRun<models::SliderCrank> other(real_time(2));
  other.state = saved;
  EXPECT_EQ(go_on(other), expected);
}

}  // namespace
}  // namespace mechfmu::tests
