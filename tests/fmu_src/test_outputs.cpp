// Outputs between steps belong to the point that was reached and to the inputs in force there,
// however often they are read and whatever has been set since. Their accelerations are computed
// only when an output needs them.

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "model/factory.h"
#include "tests/fmu_src/own_model.h"

namespace mechfmu::tests {
namespace {

constexpr double H = 0.01;
constexpr std::array names = {"force", "acceleration", "rod.force", "energy.kinetic", "bob.x"};

std::vector<double> read_all(Instance& instance) {
  std::vector<double> values;
  values.reserve(names.size());
  for (const char* name : names) values.push_back(read(instance, name));
  return values;
}

/// m a = F − λ x/l, with what can be read.
double balance(Instance& instance, double m) {
  return m * read(instance, "acceleration") - read(instance, "force") +
         read(instance, "rod.force") * read(instance, "bob.x");
}

/// After a step in which F rose from 1 with a slope of 20.
void step_with_slope(Instance& instance) {
  start(instance);
  write(instance, "F", 1);
  instance.set_input_derivative(reference(instance, "F"), 1, 20);
  instance.do_step(0, H, true);
}

TEST(Outputs, ShowTheInputsInForceUntilTheNextStep) {
  Instance instance("pendulum", {}, false);
  step_with_slope(instance);
  const std::vector<double> reached = read_all(instance);
  EXPECT_DOUBLE_EQ(reached[0], 1 + 20 * H);
  write(instance, "F", 100);
  EXPECT_EQ(read(instance, "F"), 100);
  for (int again = 0; again < 3; ++again) EXPECT_EQ(read_all(instance), reached);
}

TEST(Outputs, AreTheSameWhetherReadBeforeOrAfterInputsAndParametersAreSet) {
  Instance instance("pendulum", {}, false);
  step_with_slope(instance);
  Instance other("pendulum", {}, false);
  step_with_slope(other);
  const std::vector<double> reached = read_all(other);
  EXPECT_NEAR(balance(other, 1), 0, 1e-2);  // λ of the method, of second order
  write(instance, "F", 100);
  write(instance, "m", 3);
  for (int again = 0; again < 3; ++again) EXPECT_EQ(read_all(instance), reached);
}

TEST(Outputs, DerivativesInTimeFollowTheSlopesOfInputs) {
  Instance instance("pendulum", {}, false);
  step_with_slope(instance);
  const std::array references = {reference(instance, "force")};
  const std::array orders = {1};
  std::array<double, 1> derivatives{};
  instance.output_derivatives(references, orders, derivatives);
  EXPECT_NEAR(derivatives[0], 20, 1e-6);
  EXPECT_DOUBLE_EQ(read(instance, "force"), 1 + 20 * H);
}

TEST(Outputs, InEventModeFollowTheValuesSet) {
  Instance instance("pendulum", {}, false);
  instance.use_event_mode();
  start(instance);
  instance.enter_step_mode();
  instance.do_step(0, H, false);
  const double before = read(instance, "acceleration");
  write(instance, "F", 7);
  EXPECT_EQ(read(instance, "force"), 0);
  instance.enter_event_mode();
  EXPECT_EQ(read(instance, "force"), 7);
  write(instance, "F", 8);
  EXPECT_EQ(read(instance, "force"), 8);
  EXPECT_NE(read(instance, "acceleration"), before);
  EXPECT_NEAR(balance(instance, 1), 0, 1e-9);  // after a jump λ is computed also
}

TEST(Outputs, AreThereAgainAfterStatisticsAndDerivativesHaveMovedTheSystem) {
  Instance instance("pendulum", {}, false);
  step_with_slope(instance);
  const std::vector<double> reached = read_all(instance);
  read(instance, "constraint.position");
  EXPECT_EQ(read_all(instance), reached);
  std::vector<double> sensitivity;
  instance.directional_derivative({reference(instance, "energy.kinetic")},
                                  {reference(instance, "m")}, {1}, sensitivity);
  EXPECT_NEAR(sensitivity[0], reached[3], 1e-9);  // T is proportional to m = 1
  EXPECT_EQ(read_all(instance), reached);
}

TEST(Outputs, OfARestoredStateAreThereBeforeANewInstanceHasDoneAnything) {
  Instance instance("pendulum", {}, false);
  step_with_slope(instance);
  for (const char* name : names) {
    Instance fresh("pendulum", {}, false);
    fresh.restore(instance.snapshot());
    EXPECT_EQ(read(fresh, name), read(instance, name)) << name;
  }
}

/// Counts how often accelerations are asked for.
struct Source final : AccelerationSource {
  explicit Source(System& system_, const Point& p) : system(system_), point(p) {}
  const Point& solved() override {
    ++asked;
    system.at(point);
    return point;
  }
  System& system;
  const Point& point;
  int asked = 0;
};

TEST(Outputs, AskForAccelerationsOnceAtAPoint) {
  const std::unique_ptr<System> system = make_model();
  Point early;
  early.resize(system->sizes());
  Point late = early;
  late.a[0] = 5;
  Source source(*system, late);
  system->at(early);
  system->on_demand(&source);
  EXPECT_EQ(source.asked, 0);
  for (std::size_t i = 0; i < system->variables().outputs().size(); ++i) {
    const double value = system->read(i);
    if (system->variables().outputs()[i].name() == "acceleration") {
      EXPECT_EQ(value, 5);
    }
  }
  EXPECT_EQ(source.asked, 1);
  EXPECT_EQ(&system->point(), &late);
  system->at(early);  // a point that is complete
  system->read(0);
  EXPECT_EQ(source.asked, 1);
}

/// Several steps leave reactions unconverged: tests/solver/test_singular.cpp.
TEST(Warnings, ReportUnconvergedReactionsOncePerRun) {
  int warnings = 0;
  const auto count = [&](Status status, const char* category, const std::string& message) {
    if (message.find("reaction forces that had not converged") == std::string::npos) return;
    EXPECT_EQ(status, Status::warning);
    EXPECT_STREQ(category, "logNonlinearSystems");
    ++warnings;
  };
  const Misbehaves singular(&Misbehaviour::passes_a_singular_position);
  Instance instance("toggle", count, true);
  const auto run = [&] {
    write(instance, "solver.rho_inf", 0.7);
    write(instance, "solver.tolerance", 1e-8);
    write(instance, "solver.fixed_step", 3e-3);
    start(instance);
    for (int k = 0; k < 100; ++k) instance.do_step(k * 3e-3, 3e-3, true);
  };
  run();
  EXPECT_EQ(warnings, 1);
  instance.reset();
  run();
  EXPECT_EQ(warnings, 2);
}

}  // namespace
}  // namespace mechfmu::tests
