// A model's own settings of the solver, in the core that both versions of FMI share.

#include <gtest/gtest.h>

#include "fmu_src/instance.h"
#include "model/factory.h"
#include "models/pendulum/pendulum.h"

namespace mechfmu {

namespace {

struct Damped : models::Pendulum {
  void variables(Variables& v) {
    Pendulum::variables(v);
    v.solver({.method = Method::hht_i3, .fixed_step = 1e-3});
  }
};

double read(Instance& instance, const std::string& name) {
  const Description& d = instance.description();
  const Entry& e = d.entries.at(d.find(name));
  return instance.get(e.first, {e.type});
}

void write(Instance& instance, const std::string& name, double value) {
  const Description& d = instance.description();
  const Entry& e = d.entries.at(d.find(name));
  instance.check_set(e.first, {e.type}, value);
  instance.set(e.first, value);
}

/// Substeps of a step of 0.1.
double substeps(Instance& instance) {
  instance.setup(false, 0, 0, false, 0);
  instance.enter_initialization();
  instance.exit_initialization();
  instance.do_step(0, 0.1, false);
  return read(instance, "solver.steps");
}

}  // namespace

// What a model is exported with; the instances of these tests are of this one.
std::unique_ptr<System> make_model() { return std::make_unique<ModelSystem<Damped>>(); }
const char* model_name() { return "damped"; }

namespace tests {

TEST(SolverDefaults, OfTheModelHoldUntilTheUserSetsOthersAndAgainAfterAReset) {
  Instance instance("pendulum", {}, false);
  EXPECT_EQ(read(instance, "solver.method"), 2);
  EXPECT_EQ(read(instance, "solver.fixed_step"), 1e-3);
  EXPECT_EQ(read(instance, "solver.rho_inf"), 0.8);
  EXPECT_EQ(substeps(instance), 100);

  instance.reset();
  EXPECT_EQ(read(instance, "solver.fixed_step"), 1e-3);
  write(instance, "solver.fixed_step", 1e-2);
  write(instance, "solver.method", 1);
  EXPECT_EQ(substeps(instance), 10);

  instance.reset();
  EXPECT_EQ(read(instance, "solver.method"), 2);
  EXPECT_EQ(substeps(instance), 100);
}

}  // namespace tests
}  // namespace mechfmu
