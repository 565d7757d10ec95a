// The settings of the solver: the values a model asks for, and values out of range.

#include <gtest/gtest.h>

#include <stdexcept>

#include "model/description.h"
#include "models/pendulum/pendulum.h"
#include "tests/solver/runs.h"

namespace mechfmu::tests {
namespace {

struct Damped : models::Pendulum {
  SolverSettings wanted = {.method = Method::hht_i3,
                           .alpha_hht = -0.1,
                           .fixed_step = 2e-3,
                           .h_max = 0.5,
                           .max_substeps = 77,
                           .rescale = false};
  void variables(Variables& v) {
    Pendulum::variables(v);
    v.solver(wanted);
  }
};

double start(const Description& d, const std::string& name) {
  return d.entries.at(d.find(name)).start.at(0);
}

TEST(Settings, OfAModelAreTheStartValuesOfItsVariables) {
  const ModelSystem<Damped> system;
  const Description d = describe("damped", system);
  EXPECT_EQ(start(d, "solver.method"), 2);
  EXPECT_EQ(start(d, "solver.alpha_hht"), -0.1);
  EXPECT_EQ(start(d, "solver.fixed_step"), 2e-3);
  EXPECT_EQ(start(d, "solver.h_max"), 0.5);
  EXPECT_EQ(start(d, "solver.max_substeps"), 77);
  EXPECT_EQ(start(d, "solver.rescale"), 0);
  EXPECT_EQ(start(d, "solver.rho_inf"), 0.8);
  EXPECT_EQ(start(d, "solver.jump_shift"), 1);
  EXPECT_NE(token(d), token(describe("damped", ModelSystem<models::Pendulum>())));
}

TEST(Settings, OfAModelMakeTheOptionsOfARun) {
  const ModelSystem<Damped> system;
  const Options o = make_options(system.variables().solver(), 1e-5);
  EXPECT_EQ(o.method, Method::hht_i3);
  EXPECT_EQ(o.coefficients.alpha(), Coefficients::hht(-0.1).alpha());
  EXPECT_EQ(o.fixed_step, 2e-3);
  EXPECT_EQ(o.h_max, 0.5);
  EXPECT_EQ(o.max_substeps, 77);
  EXPECT_FALSE(o.experiments.rescale_a);
  EXPECT_EQ(o.tolerance, 1e-5);
  EXPECT_EQ(make_options({.tolerance = 1e-3}, 1e-5).tolerance, 1e-3);
}

TEST(Settings, WithoutWishesAreThoseOfTheTable) {
  const Options o = make_options({}, 1e-6);
  EXPECT_EQ(o.method, Method::soi2);
  EXPECT_EQ(o.coefficients.alpha(), Coefficients::from_rho(0.8).alpha());
  EXPECT_EQ(o.fixed_step, 0);
  EXPECT_EQ(o.h_min, 1e-12);
  EXPECT_GT(o.h_max, 1e300);
  EXPECT_EQ(o.max_substeps, 0);
  EXPECT_TRUE(o.experiments.rescale_a && o.experiments.rescale_Ma);
}

// 20 million unknowns are a few seconds: 0.1 to 0.2 µs each.
TEST(Settings, LargeModelsMayTakeFewerSubstepsInACall) {
  const Options o = make_options({}, 1e-6);
  EXPECT_EQ(most_substeps(o, {.y = 3, .n = 3, .m = 2}), 100000);
  EXPECT_EQ(most_substeps(o, {.y = 3000, .n = 3000, .m = 1990, .k = 5, .x = 5}), 4000);
  EXPECT_EQ(most_substeps(o, {.y = 60000, .n = 60000, .m = 50000}), 1000);
  EXPECT_EQ(most_substeps(make_options({.max_substeps = 77}, 1e-6), {.y = 60000, .n = 60000}), 77);
}

TEST(Settings, OutOfRangeAreRefusedByName) {
  const auto expect = [](const SolverSettings& wanted, const std::string& message) {
    Damped model;
    model.wanted = wanted;
    try {
      const ModelSystem<Damped> system(model);
      ADD_FAILURE() << "was not refused: " << message;
    } catch (const std::invalid_argument& e) {
      EXPECT_EQ(e.what(), message);
    }
  };
  expect({.rho_inf = 1.5}, "solver.rho_inf = 1.5 is out of range: 0 to 1 is allowed");
  expect({.max_substeps = -1},
         "solver.max_substeps = -1 is out of range: 0 to 2.14748e+09 is allowed");
  expect({.h_max = -1}, "solver.h_max = -1 is out of range: 0 to inf is allowed");
  expect({.method = Method::hht_i3_printed},
         "solver.method = 4 is out of range: 1 to 3 is allowed");
}

}  // namespace
}  // namespace mechfmu::tests
