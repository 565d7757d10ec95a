// Conformance of every model: derivatives from duals = finite differences of the functions.

#include "tests/solver/test_models.h"

#include <functional>

#include "models/registry.h"
#include "solver/dense_kkt.h"
#include "tests/solver/runs.h"

namespace mechfmu::tests {
namespace {

std::unique_ptr<System> make(const std::string& name) {
  if (name == "filtered") return std::make_unique<ModelSystem<FilteredPendulum>>();
  return models::make(name);
}

class EveryModel : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    system = make(GetParam());
    const Sizes& s = system->sizes();
    p.resize(s);
    // A general point near the initial one: nothing vanishes by symmetry.
    const Start& start = system->variables().start();
    std::srand(7);
    const auto near = [](const std::vector<double>& from, Vector& to, double by) {
      for (Index i = 0; i < to.size(); ++i)
        to[i] =
            (static_cast<std::size_t>(i) < from.size() ? from[static_cast<std::size_t>(i)] : 0) +
            by * (0.5 + static_cast<double>(i % 3));
    };
    p.t = 0.37;
    near(start.y, p.y, 0.05);
    near(start.z, p.z, 0.2);
    near({}, p.a, 0.3);
    near({}, p.mu, 0.4);
    near(start.x, p.x, 0.1);
    near({}, p.xdot, 0.2);
    blocks.resize(s);
  }

  /// Central difference of `f` (evaluated into values) over the entries of `x`.
  Matrix differences(Vector& x, Index rows, const std::function<Vector()>& f) {
    Matrix result(rows, x.size());
    const double h = 1e-6;
    noise = 0;
    for (Index j = 0; j < x.size(); ++j) {
      const double kept = x[j];
      x[j] = kept + h;
      const Vector plus = f();
      x[j] = kept - h;
      const Vector minus = f();
      x[j] = kept;
      result.col(j) = (plus - minus) / (2 * h);
      if (rows > 0) noise = std::max(noise, 1e-15 * plus.cwiseAbs().maxCoeff() / h);
    }
    return result;
  }
  Values evaluate() {
    Values values;
    values.resize(system->sizes());
    system->at(p);
    system->values(values);
    return values;
  }
  void expect_close(const Matrix& a, const Matrix& b, const char* what) const {
    ASSERT_EQ(a.rows(), b.rows()) << what;
    if (a.size() == 0) return;
    const double scale = std::max(1.0, b.cwiseAbs().maxCoeff());
    EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 2e-8 * scale + noise) << what << "\n"
                                                                   << a << "\n\n"
                                                                   << b;
  }

  std::unique_ptr<System> system;
  Point p;
  DenseBlocks blocks;
  double noise = 0;  // roundoff of the last differences: stiff models have large forces
};

TEST_P(EveryModel, BlocksAreTheDerivativesOfTheFunctions) {
  const Sizes& s = system->sizes();
  system->at(p);
  system->derivatives(0, blocks);
  const auto f = [&] { return evaluate().f; };
  const auto velocity = [&] { return evaluate().velocity; };
  const auto d = [&] { return evaluate().d; };
  expect_close(blocks.K, differences(p.y, s.n, f), "f_y");
  expect_close(blocks.D, differences(p.z, s.n, f), "f_z");
  expect_close(blocks.F, differences(p.mu, s.n, f), "f_mu");
  expect_close(blocks.X, differences(p.x, s.n, f), "f_x");
  expect_close(blocks.C, differences(p.z, s.mu(), velocity), "C");
  expect_close(blocks.C_y, differences(p.y, s.mu(), velocity), "C_y");
  expect_close(blocks.C.topRows(s.m), differences(p.y, s.m, [&] { return evaluate().position; }),
               "G");
  expect_close(blocks.d_xdot, differences(p.xdot, s.x, d), "d_xdot");
  expect_close(blocks.d_x, differences(p.x, s.x, d), "d_x");
  expect_close(blocks.d_y, differences(p.y, s.x, d), "d_y");
  expect_close(blocks.d_z, differences(p.z, s.x, d), "d_z");
  expect_close(blocks.d_a, differences(p.a, s.x, d), "d_a");
  expect_close(blocks.d_mu, differences(p.mu, s.x, d), "d_mu");
}

TEST_P(EveryModel, MassGradientIsThatOfTheMassMatrix) {
  const Sizes& s = system->sizes();
  system->at(p);
  system->derivatives(0, blocks);
  const Matrix K = blocks.K;
  system->derivatives(0.7, blocks);
  const Matrix Ma_y = differences(p.y, s.n, [&] {
    Vector product(s.n);
    Vector mass(system->sizes().mass);
    system->mass(p.t, p.y, mass);
    system->multiply_mass(mass, p.a, product);
    return product;
  });
  expect_close(blocks.K, K - 0.7 * Ma_y, "f_y - kappa (M a)_y");
}

TEST_P(EveryModel, ProductsWithTheConstraintsAreThoseOfTheirDerivatives) {
  const Sizes& s = system->sizes();
  DenseBlocks blocks;
  blocks.resize(s);
  system->at(p);
  system->derivatives(0, blocks);
  Matrix C(s.mu(), s.n);
  for (Index i = 0; i < s.n; ++i) system->multiply_constraints(Vector::Unit(s.n, i), C.col(i));
  EXPECT_LE((blocks.C - C).cwiseAbs().sum(), 1e-14 * blocks.C.cwiseAbs().sum());
}

TEST_P(EveryModel, ConstraintAccelerationIsTheRateOfTheVelocityConstraint) {
  const Sizes& s = system->sizes();
  Vector c(s.mu());
  system->at(p);
  system->constraint_acceleration(p.a, c);
  const Point start = p;
  const auto velocity_at = [&](double tau) {
    p.t = start.t + tau;
    p.y = start.y + tau * start.z + tau * tau / 2 * start.a;
    p.z = start.z + tau * start.a;
    return evaluate().velocity;
  };
  const double h = 1e-5 / std::max(1.0, start.z.cwiseAbs().maxCoeff() / 10);
  const Vector rate = (velocity_at(h) - velocity_at(-h)) / (2 * h);
  expect_close(c, rate, "second derivative of g, first of k");
}

TEST_P(EveryModel, TildeValuesAreTheFunctionsWithOtherArguments) {
  const Sizes& s = system->sizes();
  const Vector z_tilde = p.z + 0.1 * Vector::Ones(s.n);
  const Vector mu_tilde = p.mu + 0.2 * Vector::Ones(s.mu());
  const Values values = evaluate();
  Vector f_difference(s.n);
  Vector k_tilde(s.k);
  system->at(p);
  system->tilde(z_tilde, mu_tilde, f_difference, k_tilde);
  Point other = p;
  other.mu = mu_tilde;
  std::swap(other, p);
  expect_close(f_difference, evaluate().f - values.f, "f with other multipliers");
  p.z = z_tilde;
  expect_close(k_tilde, evaluate().velocity.tail(s.k), "k with other velocities");
}

TEST_P(EveryModel, InputsCanBeSetAndRead) {
  const Index n = system->sizes().u;
  Vector u(n);
  system->get_inputs(u);
  const Vector doubled = 2 * u;
  system->set_inputs(doubled);
  Vector read(n);
  system->get_inputs(read);
  EXPECT_EQ(read, doubled);
}

std::vector<std::string> all_names() {
  auto names = models::names();
  names.emplace_back("filtered");
  return names;
}

INSTANTIATE_TEST_SUITE_P(Models, EveryModel, ::testing::ValuesIn(all_names()),
                         [](const auto& name) { return name.param; });

TEST(Models, AnUnknownModelIsRefusedWithTheKnownNames) {
  try {
    models::make("pendulm");
    FAIL();
  } catch (const std::out_of_range& error) {
    EXPECT_NE(std::string(error.what()).find("pendulum"), std::string::npos);
  }
}

TEST(Models, AnUnknownInputIsRefusedWithTheKnownNames) {
  try {
    models::make("pendulum")->variables().input_index("mass");
    FAIL();
  } catch (const std::out_of_range& error) {
    EXPECT_NE(std::string(error.what()).find("m, l, g, F"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace mechfmu::tests
