// The two problems with an exact solution: error tables of an independent implementation.
//
// They test every coefficient, not only the order: three digits of each error norm.

#include "models/nonholonomic_problem/nonholonomic_problem.h"
#include "models/soi2_problem/soi2_problem.h"
#include "tests/solver/runs.h"

namespace mechfmu::tests {
namespace {

struct Errors {
  double y, z, a, lambda, psi;
};

template <class Problem>
Errors errors(const ModelRun<Problem>& run) {
  const State& s = run.state;
  const double alpha = run.solver.options().coefficients.alpha();
  const Point exact = Problem::exact(s.point.t, s.point.t + alpha * s.last_h);
  return {(s.point.y - exact.y).norm(), (s.point.z - exact.z).norm(),
          (s.history.a - exact.a).norm(), (s.point.lambda() - exact.lambda()).norm(),
          (s.point.psi() - exact.psi()).norm()};
}

void expect_digits(const Errors& e, const Errors& reference) {
  EXPECT_TRUE(three_digits(e.y, reference.y)) << "y";
  EXPECT_TRUE(three_digits(e.z, reference.z)) << "z";
  EXPECT_TRUE(three_digits(e.a, reference.a)) << "a";
  EXPECT_TRUE(three_digits(e.lambda, reference.lambda)) << "lambda";
  EXPECT_TRUE(three_digits(e.psi, reference.psi)) << "psi";
}

Errors soi2(int n, StartTreatment start, bool rescale_a, bool rescale_Ma) {
  Options o = converged(0.2);
  o.experiments.start = start;
  o.experiments.rescale_a = rescale_a;
  o.experiments.rescale_Ma = rescale_Ma;
  ModelRun<models::Soi2Problem> run(o);
  run.alternate(n, 1.0 / n);
  return errors(run);
}

struct Row {
  int n;
  Errors e;
};

TEST(Soi2Problem, AlternatingStepsWithRescalingReproduceTheErrorTable) {
  const Row table[] = {{10, {4.645e-03, 4.712e-03, 1.140e-02, 9.956e-04, 2.443e-04}},
                       {20, {1.132e-03, 1.148e-03, 2.863e-03, 2.806e-04, 6.472e-05}},
                       {40, {2.797e-04, 2.838e-04, 7.186e-04, 7.431e-05, 1.658e-05}},
                       {80, {6.954e-05, 7.055e-05, 1.801e-04, 1.911e-05, 4.193e-06}},
                       {160, {1.734e-05, 1.759e-05, 4.507e-05, 4.844e-06, 1.054e-06}},
                       {320, {4.328e-06, 4.392e-06, 1.127e-05, 1.220e-06, 2.641e-07}}};
  for (const Row& row : table) {
    SCOPED_TRACE(row.n);
    expect_digits(soi2(row.n, StartTreatment::plain, true, true), row.e);
  }
}

TEST(Soi2Problem, StartWithSlopeReproducesItsErrorTable) {
  const Row table[] = {{10, {4.706e-03, 4.775e-03, 1.145e-02, 9.849e-04, 2.516e-04}},
                       {20, {1.139e-03, 1.156e-03, 2.870e-03, 2.793e-04, 6.559e-05}},
                       {40, {2.806e-04, 2.847e-04, 7.195e-04, 7.415e-05, 1.669e-05}},
                       {80, {6.965e-05, 7.066e-05, 1.802e-04, 1.909e-05, 4.206e-06}},
                       {160, {1.735e-05, 1.760e-05, 4.508e-05, 4.842e-06, 1.055e-06}},
                       {320, {4.330e-06, 4.393e-06, 1.128e-05, 1.219e-06, 2.644e-07}}};
  for (const Row& row : table) {
    SCOPED_TRACE(row.n);
    expect_digits(soi2(row.n, StartTreatment::fresh, true, true), row.e);
  }
}

TEST(Soi2Problem, WithoutRescalingAccelerationsAndMultipliersAreFirstOrder) {
  const Row table[] = {{20, {1.022e-03, 1.037e-03, 6.288e-03, 4.468e-03, 2.241e-04}},
                       {80, {6.288e-05, 6.380e-05, 1.154e-03, 1.141e-03, 4.365e-05}},
                       {320, {3.916e-06, 3.973e-06, 2.626e-04, 2.866e-04, 1.011e-05}}};
  Errors last{};
  for (const Row& row : table) {
    SCOPED_TRACE(row.n);
    const Errors e = soi2(row.n, StartTreatment::plain, false, false);
    expect_digits(e, row.e);
    if (row.n > 20) {
      EXPECT_NEAR(order(last.y, e.y, 4), 2, 0.05);
      EXPECT_NEAR(order(last.a, e.a, 4), 1, 0.25);
      EXPECT_NEAR(order(last.lambda, e.lambda, 4), 1, 0.1);
      EXPECT_NEAR(order(last.psi, e.psi, 4), 1, 0.2);
    }
    last = e;
  }
}

TEST(Soi2Problem, EachRescalingIsNeeded) {
  const Errors only_a = soi2(320, StartTreatment::plain, true, false);
  EXPECT_TRUE(three_digits(only_a.lambda, 3.813e-04));
  EXPECT_TRUE(three_digits(only_a.psi, 1.504e-05));
  const Errors only_Ma = soi2(320, StartTreatment::plain, false, true);
  EXPECT_TRUE(three_digits(only_Ma.a, 2.626e-04));
  EXPECT_TRUE(three_digits(only_Ma.lambda, 6.555e-05));
}

TEST(Soi2Problem, HoldsPositionAndVelocityConstraintsAtEveryStep) {
  ModelRun<models::Soi2Problem> run(converged(0.2));
  for (int i = 0; i < 30; ++i) {
    run.step(0.01 * (1 + i % 2));
    double position = 1;
    double velocity = 1;
    run.solver.constraint_residuals(run.state, position, velocity);
    EXPECT_LT(position, 1e-13);
    EXPECT_LT(velocity, 1e-12);  // roundoff of z over h
  }
}

TEST(Soi2Problem, SecondOrderForEveryDamping) {
  for (const double rho : {0.0, 0.5, 0.7, 0.9, 1.0}) {
    SCOPED_TRACE(rho);
    const auto run_with = [&](int n) {
      ModelRun<models::Soi2Problem> run(converged(rho));
      for (int i = 0; i < n; ++i) run.step(1.0 / n);
      return errors(run);
    };
    const Errors coarse = run_with(160);
    const Errors fine = run_with(320);
    EXPECT_NEAR(order(coarse.y, fine.y), 2, 0.1);
    EXPECT_NEAR(order(coarse.z, fine.z), 2, 0.1);
    EXPECT_NEAR(order(coarse.a, fine.a), 2, 0.1);
    EXPECT_NEAR(order(coarse.lambda, fine.lambda), 2, 0.1);
    EXPECT_NEAR(order(coarse.psi, fine.psi), 2, 0.15);
  }
}

TEST(Soi2Problem, RandomStepsWithinTheGrowthLimitKeepSecondOrder) {
  // The step pattern is repeated on every macro step, with ratios between 0.5 and 2.
  const double pattern[] = {1, 1.7, 0.9, 0.5, 0.8, 1.5};
  const auto run_with = [&](int n) {
    ModelRun<models::Soi2Problem> run(converged(0.2));
    for (int i = 0; i < n; ++i)
      for (const double part : pattern) run.step(part / 6.4 / n);
    return errors(run);
  };
  const Errors coarse = run_with(20);
  const Errors fine = run_with(40);
  for (const double observed :
       {order(coarse.y, fine.y), order(coarse.z, fine.z), order(coarse.a, fine.a),
        order(coarse.lambda, fine.lambda), order(coarse.psi, fine.psi)})
    EXPECT_NEAR(observed, 2, 0.25);
}

TEST(NonholonomicProblem, ConstantStepsReproduceTheErrorTable) {
  const Row table[] = {{40, {2.492e-03, 2.068e-02, 1.614e-01, 0, 2.577e-02}},
                       {80, {6.056e-04, 5.169e-03, 4.548e-02, 0, 6.827e-03}},
                       {160, {1.488e-04, 1.281e-03, 1.193e-02, 0, 1.719e-03}},
                       {320, {3.687e-05, 3.180e-04, 3.044e-03, 0, 4.288e-04}},
                       {640, {9.173e-06, 7.918e-05, 7.679e-04, 0, 1.069e-04}}};
  for (const Row& row : table) {
    SCOPED_TRACE(row.n);
    Options o = converged(0.2);
    o.experiments.start = StartTreatment::plain;
    ModelRun<models::NonholonomicProblem> run(o);
    for (int i = 0; i < row.n; ++i) run.step(1.0 / row.n);
    expect_digits(errors(run), row.e);
  }
}

TEST(NonholonomicProblem, StartWithSlopeIsSecondOrderFromTheFirstStep) {
  const auto largest = [](StartTreatment start, int n) {
    Options o = converged(0.2);
    o.experiments.start = start;
    ModelRun<models::NonholonomicProblem> run(o);
    Errors most{};
    for (int i = 0; i < n; ++i) {
      run.step(1.0 / n);
      const Errors e = errors(run);
      most.a = std::max(most.a, e.a);
      most.psi = std::max(most.psi, e.psi);
    }
    return most;
  };
  const Errors sloped = largest(StartTreatment::fresh, 640);
  EXPECT_TRUE(three_digits(sloped.a, 1.332e-03));
  EXPECT_TRUE(three_digits(sloped.psi, 1.840e-04));
  const Errors plain = largest(StartTreatment::plain, 640);
  const Errors plain_coarse = largest(StartTreatment::plain, 320);
  EXPECT_NEAR(order(plain_coarse.a, plain.a), 1, 0.1);
  EXPECT_NEAR(order(plain_coarse.psi, plain.psi), 1, 0.1);
}

}  // namespace
}  // namespace mechfmu::tests
