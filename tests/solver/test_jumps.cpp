// Inputs that jump at communication points, and steps that a communication point makes tiny.
//
// Slider-crank, torque held over H = 10 ms at u_k = 2 sin(5 t_k), 25 master steps, ρ∞ = 0.7, m
// fixed substeps each. The reference is the same run with the fresh start and very many substeps.

#include "models/pendulum/pendulum.h"
#include "models/slider_crank/slider_crank.h"
#include "tests/solver/counting.h"
#include "tests/solver/runs.h"

namespace mechfmu::tests {
namespace {

using SliderCrankRun = ModelRun<models::SliderCrank>;

constexpr double H = 0.01;
constexpr int master_steps = 25;

/// One point of a run: end values, and the largest errors inside are taken from the sequence.
struct Sample {
  Vector y, z, lambda, a;
};

std::vector<Sample> jumping_run(JumpTreatment jump, int substeps, int keep_every = 1,
                                int real_time = 0, double tolerance = 0) {
  Options o = converged(0.7);
  o.real_time = real_time;
  if (tolerance > 0) o.tolerance = tolerance;
  o.experiments.jump = jump;
  models::SliderCrank model;
  model.torque = 0;
  SliderCrankRun run(o, model);
  std::vector<Sample> samples;
  for (int k = 0; k < master_steps; ++k) {
    run.set("torque", 2 * std::sin(5 * k * H));
    for (int i = 0; i < substeps; ++i) {
      run.step(H / substeps);
      if ((i + 1) % keep_every == 0)
        samples.push_back({run.y(), run.z(), run.state.point.lambda(), run.state.point.a});
    }
  }
  return samples;
}

struct Errors {
  double y, z, lambda, a, max_y, max_z, max_lambda, max_a;
};

Errors jumping_errors(JumpTreatment jump, int substeps, int real_time = 0, double tolerance = 0) {
  static const int finest = 1024;
  static const std::vector<Sample> reference =
      jumping_run(JumpTreatment::treat, finest, finest / 32);
  const auto samples = jumping_run(jump, substeps, 1, real_time, tolerance);
  const std::size_t stride = 32 / static_cast<std::size_t>(substeps);
  Errors e{};
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Sample& s = samples[i];
    const Sample& r = reference[(i + 1) * stride - 1];
    e.y = (s.y - r.y).norm();
    e.z = (s.z - r.z).norm();
    e.lambda = (s.lambda - r.lambda).norm();
    e.a = (s.a - r.a).norm();
    e.max_y = std::max(e.max_y, e.y);
    e.max_z = std::max(e.max_z, e.z);
    e.max_lambda = std::max(e.max_lambda, e.lambda);
    e.max_a = std::max(e.max_a, e.a);
  }
  return e;
}

struct Row {
  JumpTreatment jump;
  int m;
  double y, z, lambda;
};

TEST(InputJumps, EveryTreatmentReproducesTheErrorTable) {
  const Row table[] = {{JumpTreatment::carry, 4, 9.04e-04, 9.35e-03, 5.52e-02},
                       {JumpTreatment::carry, 32, 1.11e-04, 1.12e-03, 1.05e-03},
                       {JumpTreatment::restart, 4, 2.67e-05, 6.10e-04, 1.42e-02},
                       {JumpTreatment::restart, 32, 4.27e-07, 9.00e-06, 2.13e-04},
                       {JumpTreatment::treat, 4, 2.91e-05, 4.08e-04, 1.38e-02},
                       {JumpTreatment::treat, 32, 4.59e-07, 5.71e-06, 2.17e-04},
                       {JumpTreatment::always_shift, 4, 2.91e-05, 4.08e-04, 1.38e-02},
                       {JumpTreatment::always_shift, 32, 4.59e-07, 5.71e-06, 2.17e-04}};
  for (const Row& row : table) {
    SCOPED_TRACE(static_cast<int>(row.jump));
    SCOPED_TRACE(row.m);
    const Errors e = jumping_errors(row.jump, row.m);
    EXPECT_NEAR(e.y / row.y, 1, 0.005);
    EXPECT_NEAR(e.z / row.z, 1, 0.005);
    EXPECT_NEAR(e.lambda / row.lambda, 1, 0.005);
  }
}

// The jumps of a sampled input are similar: the last one, scaled, is the first guess of the next,
// and one solve is enough.
TEST(InputJumps, OfASampledInputTakeOneEvaluationAndOneSolveEach) {
  Work work;
  ModelSystem<models::SliderCrank> system;
  Solver solver(system, {.tolerance = 1e-6}, std::make_unique<Counting>(system, work));
  State state;
  ASSERT_TRUE(solver.initialize(state, 0).ok());
  constexpr int jumps = 500;
  constexpr double H = 5e-4;
  Vector u = state.input.value;
  const Index torque = system.variables().input_index("torque");
  // An iteration of a step also consists of an evaluation and a solve with the mass KKT matrix.
  const auto beside_steps = [&] {
    const Statistics& now = state.statistics;
    return std::pair(now.evaluations - now.newton_iterations,
                     work.mass_solves - now.newton_iterations);
  };
  auto before = beside_steps();
  for (int k = 0; k < 2 * jumps; ++k) {
    if (k == jumps) before = beside_steps();
    u[torque] = 2 + 20 * std::sin(5 * k * H);
    solver.set_inputs(state, u);
    ASSERT_TRUE(solver.advance(state, (k + 1) * H).ok());
  }
  const auto after = beside_steps();
  EXPECT_EQ(after.first - before.first, jumps);
  EXPECT_GE(after.second - before.second, jumps);
  EXPECT_LE(after.second - before.second, jumps * 6 / 5);
}

TEST(InputJumps, RealTimeShiftsThemAll) {
  const Row table[] = {{JumpTreatment::treat, 4, 2.91e-05, 4.08e-04, 1.38e-02},
                       {JumpTreatment::treat, 32, 4.59e-07, 5.71e-06, 2.17e-04}};
  for (const Row& row : table) {
    SCOPED_TRACE(row.m);
    const Errors e = jumping_errors(row.jump, row.m, 3);
    EXPECT_NEAR(e.y / row.y, 1, 0.01);
    EXPECT_NEAR(e.z / row.z, 1, 0.01);
    EXPECT_NEAR(e.lambda / row.lambda, 1, 0.01);
  }
}

TEST(InputJumps, FreshStartIsSecondOrderInEveryVariableAtEverySubstep) {
  const Errors coarse = jumping_errors(JumpTreatment::treat, 16);
  const Errors fine = jumping_errors(JumpTreatment::treat, 32);
  EXPECT_NEAR(order(coarse.max_y, fine.max_y), 2, 0.05);
  EXPECT_NEAR(order(coarse.max_z, fine.max_z), 2, 0.05);
  EXPECT_NEAR(order(coarse.max_a, fine.max_a), 2, 0.05);
  EXPECT_NEAR(order(coarse.max_lambda, fine.max_lambda), 2, 0.05);
}

TEST(InputJumps, ShiftIsAlsoSecondOrder) {
  const Errors coarse = jumping_errors(JumpTreatment::always_shift, 16);
  const Errors fine = jumping_errors(JumpTreatment::always_shift, 32);
  EXPECT_NEAR(order(coarse.max_y, fine.max_y), 2, 0.05);
  EXPECT_NEAR(order(coarse.max_z, fine.max_z), 2, 0.05);
  EXPECT_NEAR(order(coarse.max_a, fine.max_a), 2, 0.05);
  EXPECT_NEAR(order(coarse.max_lambda, fine.max_lambda), 2, 0.05);
}

TEST(InputJumps, OfLessThanATolerancePassAsConstants) {
  for (const double tolerance : {1e-5, 3e-5}) {
    const Errors exact = jumping_errors(JumpTreatment::treat, 8);
    const Errors constant = jumping_errors(JumpTreatment::treat, 8, 0, tolerance);
    EXPECT_NEAR(constant.max_y / exact.max_y, 1, 0.01);
    EXPECT_NEAR(constant.max_z / exact.max_z, 1, 0.01);
    EXPECT_NEAR(constant.max_a / exact.max_a, 1, 0.01);
    EXPECT_NEAR(constant.max_lambda / exact.max_lambda, 1, 0.01);
  }
}

TEST(InputJumps, CarryingTheHistoryOverIsFirstOrderInEverything) {
  const Errors coarse = jumping_errors(JumpTreatment::carry, 16);
  const Errors fine = jumping_errors(JumpTreatment::carry, 32);
  EXPECT_NEAR(order(coarse.y, fine.y), 1, 0.05);
  EXPECT_NEAR(order(coarse.z, fine.z), 1, 0.05);
  EXPECT_LT(order(coarse.max_lambda, fine.max_lambda), 0.3);
  EXPECT_LT(order(coarse.max_a, fine.max_a), 0.3);
}

TEST(InputJumps, EqualInputsAreNotAJump) {
  SliderCrankRun plain(converged(0.7));
  SliderCrankRun told(converged(0.7));
  for (int i = 0; i < 20; ++i) {
    plain.step(1e-3);
    told.set("torque", 1.0);
    told.step(1e-3);
  }
  EXPECT_EQ(plain.y(), told.y());
  EXPECT_EQ(plain.state.statistics, told.state.statistics);
}

TEST(InputJumps, JumpsKeepStepSizeAndNewtonMatrix) {
  Options o;
  o.tolerance = 1e-6;
  SliderCrankRun run(o);
  run.advance(0.1);
  const Statistics before = run.state.statistics;
  const double h = run.state.h;
  run.set("torque", 1.2);
  EXPECT_EQ(run.state.h, h);
  run.advance(0.1 + h);
  EXPECT_LE(run.state.statistics.jacobians - before.jacobians, 1);
  EXPECT_EQ(run.state.statistics.restarts - before.restarts, 0);
  EXPECT_GT(run.state.h, 0.5 * h);
  // A jump that changes the motion within a step is a fresh start, with the same matrices.
  run.set("torque", 100);
  run.advance(0.1 + 2 * h);
  EXPECT_LE(run.state.statistics.jacobians - before.jacobians, 2);
  EXPECT_EQ(run.state.statistics.restarts - before.restarts, 1);
}

TEST(InputJumps, AChangedLengthIsMetByTheNextStep) {
  ModelRun<models::Pendulum> run(Options{});
  run.advance(0.4);
  const Vector direction = run.y();
  run.set("l", 1.1);
  run.advance(0.41);
  EXPECT_NEAR(run.y().norm(), 1.1, 1e-9);
  EXPECT_NEAR(run.y().dot(run.z()), 0, 1e-6);
  EXPECT_GT(run.y().normalized().dot(direction), 0.99);
  EXPECT_LT(run.state.point.a.norm(), 100);
}

TEST(InputJumps, ALengthThatCannotBeMetIsReportedAndNothingMoves) {
  ModelRun<models::Pendulum> run(Options{});
  run.advance(0.4);
  const Vector y = run.y();
  run.set("l", -1);
  const Result result = run.solver.advance(run.state, 0.5);
  EXPECT_EQ(result.failure, Failure::cannot_assemble) << result.message;
  EXPECT_EQ(run.y(), y);
  EXPECT_EQ(run.t(), 0.4);
  run.set("l", 1);
  EXPECT_TRUE(run.solver.advance(run.state, 0.5).ok());
}

TEST(InputJumps, ContinuousLinearInputsNeedNoTreatment) {
  // u piecewise linear through the same values: no jump, order 2 by carrying the history over.
  const auto run_with = [](int substeps) {
    models::SliderCrank model;
    model.torque = 0;
    SliderCrankRun run(converged(0.7), model);
    for (int k = 0; k < master_steps; ++k) {
      const double u0 = 2 * std::sin(5 * k * H);
      const double u1 = 2 * std::sin(5 * (k + 1) * H);
      Vector value = run.state.input.value;
      value[0] = u0;
      Vector slope = Vector::Zero(value.size());
      slope[0] = (u1 - u0) / H;
      run.solver.set_inputs(run.state, value, slope, Vector::Zero(value.size()));
      for (int i = 0; i < substeps; ++i) run.step(H / substeps);
    }
    EXPECT_EQ(run.state.statistics.restarts, 0);
    return Sample{run.y(), run.z(), run.state.point.lambda(), run.state.point.a};
  };
  const Sample reference = run_with(512);
  const Sample coarse = run_with(16);
  const Sample fine = run_with(32);
  EXPECT_NEAR(order((coarse.y - reference.y).norm(), (fine.y - reference.y).norm()), 2, 0.1);
  EXPECT_NEAR(order((coarse.z - reference.z).norm(), (fine.z - reference.z).norm()), 2, 0.1);
  EXPECT_NEAR(
      order((coarse.lambda - reference.lambda).norm(), (fine.lambda - reference.lambda).norm()), 2,
      0.1);
}

/// Largest errors after one step of δ·h at t = 0.15 between steps of h = 1e-3 (from t = 0.1 to 0.2).
double tiny_step_error(double delta, bool take_it) {
  const double h = 1e-3;
  const auto go_to_start = [](SliderCrankRun& run) {
    for (int i = 0; i < 400; ++i) run.step(0.1 / 400);
  };
  static const std::vector<Vector> reference = [&] {
    SliderCrankRun run(converged(0.7));
    go_to_start(run);
    std::vector<Vector> y;
    for (int i = 0; i < 100; ++i) {
      for (int j = 0; j < 64; ++j) run.step(h / 64);
      y.push_back(run.y());
    }
    return y;
  }();
  SliderCrankRun run(converged(0.7));
  go_to_start(run);
  double worst = 0;
  for (std::size_t i = 0; i < 100; ++i) {
    if (i == 50 && take_it) run.step(delta * h);
    run.step(h);
    // If the tiny step has moved the time by δh, compares with the reference moved by the same
    // time.
    const double late = i >= 50 && take_it ? delta * h : 0;
    worst = std::max(worst, (run.y() - late * run.z() - reference[i]).norm());
  }
  return worst;
}

TEST(TinySteps, OneTinyStepLeavesNoTrace) {
  const double undisturbed = tiny_step_error(0, false);
  EXPECT_NEAR(undisturbed / 1.02e-05, 1, 0.1);
  for (const double delta : {1e-2, 1e-3, 1e-4, 1e-6, 1e-9}) {
    SCOPED_TRACE(delta);
    EXPECT_NEAR(tiny_step_error(delta, true) / undisturbed, 1, 0.05);
  }
}

TEST(TinySteps, AnyRatioOfStepsIsSurvived) {
  Options o = converged(0.2);
  o.tolerance = 1e-9;
  SliderCrankRun run(o);
  const double sizes[] = {1e-3, 1e-9, 1e-3, 1e-6, 2e-3, 1e-5, 1e-9, 1e-9, 1e-3};
  for (int i = 0; i < 20; ++i)
    for (const double h : sizes) run.step(h);
  SliderCrankRun reference(o);
  const int n = 4000;
  for (int i = 0; i < n; ++i) reference.step(run.t() / n);
  EXPECT_LT((run.y() - reference.y()).norm(), 2e-4);
  EXPECT_LT((run.z() - reference.z()).norm(), 2e-2);
  EXPECT_LT((run.state.point.mu - reference.state.point.mu).norm(), 0.3);
}

TEST(TinySteps, LandingOnManyEndTimesLeavesNoTinySteps) {
  Options o;
  o.tolerance = 1e-6;
  SliderCrankRun run(o);
  const auto total = [&](double H_, double end) {
    SliderCrankRun stepped(o);
    for (int i = 1; stepped.t() < end * (1 - 1e-12); ++i) {
      stepped.advance(std::min(end, i * H_));
      EXPECT_EQ(stepped.t(), std::min(end, i * H_));
    }
    return stepped.state.statistics.steps;
  };
  run.advance(0.5);
  // Every interval of the size of a few natural steps costs at most one step more.
  EXPECT_LE(total(0.01, 0.5), run.state.statistics.steps + 50);
}

}  // namespace
}  // namespace mechfmu::tests
