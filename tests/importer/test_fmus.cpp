// FMUs of the build, run like any others: against the reference result inside them, and both
// versions against each other.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "importer/run.h"
#include "tests/importer/folders.h"

namespace mechfmu::tests {
namespace {

/// The largest difference in every column, relative to the largest value in it.
double difference(const RunResult& r, const Signals& reference) {
  double worst = 0;
  for (std::size_t c = 1; c < r.names.size(); ++c) {
    const auto at = std::ranges::find(reference.names, r.names[c]) - reference.names.begin();
    double largest = 0;
    double error = 0;
    for (const auto& row : r.rows) {
      const double exact = reference.before(static_cast<std::size_t>(at), row[0]);
      largest = std::max(largest, std::abs(exact));
      error = std::max(error, std::abs(row[c] - exact));
    }
    worst = std::max(worst, error / std::max(largest, 0.1));
  }
  return worst;
}

class Fmus : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Built, Fmus, testing::Values("pendulum", "slider_crank", "andrews_file"),
                         [](const auto& name) { return std::string(name.param); });

TEST_P(Fmus, MeetTheReferenceResultInsideThem) {
  const std::string model = GetParam();
  for (const int major : {2, 3}) {
    const BuiltFmu fmu(model, major);
    const Signals reference =
        read_signals(fmu.path() / "extra/org.fmi-standard.fmi-ls-ref" / (model + "_ref.csv"));
    std::vector<std::string> outputs;  // those of the reference that this version has by name
    const FmuDescription d = read_description(fmu.path() / "modelDescription.xml");
    for (const FmuVariable& v : d.variables)
      if (v.causality == FmuVariable::Causality::output &&
          std::ranges::find(reference.names, v.name) != reference.names.end())
        outputs.push_back(v.name);
    ASSERT_FALSE(outputs.empty());
    const RunResult r = run(fmu.path(), {.tolerance = 1e-10, .outputs = outputs});
    EXPECT_EQ(r.error, "");
    EXPECT_EQ(r.rows.back()[0], d.stop);
    EXPECT_EQ(r.rows.size(), static_cast<std::size_t>(std::lround(*d.stop / *d.step)) + 1);
    EXPECT_LT(difference(r, reference), 1e-4) << major;
    EXPECT_GT(difference(r, reference), 0);
  }
}

TEST_P(Fmus, AreTheSameInBothVersions) {
  const BuiltFmu fmu2(GetParam(), 2);
  const BuiltFmu fmu3(GetParam(), 3);
  const RunResult r2 = run(fmu2.path(), {});
  const RunResult r3 = run(fmu3.path(), {});
  EXPECT_EQ(r2.names, r3.names);
  EXPECT_EQ(r2.rows, r3.rows);
  EXPECT_EQ(r2.statistics, r3.statistics);
  const auto is_steps = [](const auto& s) { return s.first == "solver.steps"; };
  const auto steps = std::ranges::find_if(r2.statistics, is_steps);
  ASSERT_NE(steps, r2.statistics.end());
  EXPECT_GT(steps->second, 10);
}

TEST(FmuRuns, MethodsAreChosenByName) {
  const BuiltFmu fmu("slider_crank", 2);
  const RunResult soi2 = run(fmu.path(), {.set = {{"solver.method", "soi2"}}});
  EXPECT_EQ(run(fmu.path(), {}).rows, soi2.rows);
  const RunResult hht = run(fmu.path(), {.set = {{"solver.method", "hht_i3"}}});
  EXPECT_NE(hht.rows, soi2.rows);
  EXPECT_NEAR(hht.rows.back()[1], soi2.rows.back()[1], 0.01 * std::abs(soi2.rows.back()[1]));
  EXPECT_EQ(message_of_run(fmu.path(), {.set = {{"solver.method", "hht_i4"}}}),
            "'hht_i4' is not a valid value for 'solver.method'; did you mean 'hht_i3'?");
}

/// Lines and jumps of the torque: FMI 2.0 gets them exactly, FMI 3.0 as means, which are of second
/// order in the step.
TEST(FmuRuns, InputsAgreeInBothVersionsToSecondOrder) {
  const BuiltFmu fmu2("slider_crank", 2);
  const BuiltFmu fmu3("slider_crank", 3);
  const Signals torque = read_signals("time,torque\n0,0\n0.123,6\n0.123,-3\n0.5,4\n1,0\n", "u.csv");
  const auto last = [&](const BuiltFmu& fmu, double step) {
    const RunResult r =
        run(fmu.path(), {.step = step, .tolerance = 1e-9, .inputs = torque, .outputs = {"theta1"}});
    EXPECT_EQ(r.error, "");
    return r.rows.back()[1];
  };
  const double exact = last(fmu2, 0.01);
  EXPECT_NEAR(last(fmu2, 0.1), exact, 1e-5 * std::abs(exact));  // at any step size
  const double coarse = std::abs(last(fmu3, 0.01) - exact);
  const double fine = std::abs(last(fmu3, 0.0025) - exact);
  EXPECT_LT(coarse, 5e-3 * std::abs(exact));
  EXPECT_GT(coarse / fine, 10);  // 16
}

TEST(FmuRuns, StartValuesAndArraysAreSet) {
  const BuiltFmu fmu2("pendulum", 2);
  const BuiltFmu fmu3("pendulum", 3);
  // at rest below the hinge it stays there
  const std::vector<std::pair<std::string, std::string>> hanging = {{"y[1]", "0"}, {"y[2]", "-1"}};
  for (const BuiltFmu* fmu : {&fmu2, &fmu3}) {
    const RunResult r =
        run(fmu->path(), {.set = hanging, .outputs = {"bob.x", "bob.y", "rod.force"}});
    EXPECT_EQ(r.error, "");
    EXPECT_NEAR(r.rows.back()[1], 0, 1e-9);
    EXPECT_NEAR(r.rows.back()[2], -1, 1e-9);
    EXPECT_NEAR(std::abs(r.rows.back()[3]), 9.81, 1e-6);
  }
  EXPECT_EQ(run(fmu3.path(), {.set = {{"y", "0 -1"}}}).rows,
            run(fmu3.path(), {.set = hanging}).rows);
  EXPECT_EQ(message_of_run(fmu2.path(), {.set = {{"bob.x", "1"}}}),
            "'bob.x' cannot be set: it is an output, which the FMU computes");
  EXPECT_EQ(message_of_run(fmu2.path(), {.set = {{"m", "-1"}}}),
            "'-1' is out of range for 'm', which goes from 0");
}

/// A step that exceeds the budget of substeps is discarded; half a step needs half as many.
TEST(FmuRuns, DiscardedStepsOfMechfmuAreRepeated) {
  for (const int major : {2, 3}) {
    const BuiltFmu fmu("slider_crank", major);
    const std::vector<std::pair<std::string, std::string>> small = {{"solver.fixed_step", "0.001"},
                                                                    {"solver.max_substeps", "20"}};
    const RunResult r = run(fmu.path(), {.step = 0.1, .set = small});
    EXPECT_EQ(r.error, "") << major;
    EXPECT_GE(r.discards, 10);
    const RunResult whole = run(fmu.path(), {.step = 0.1, .set = {small[0]}});
    EXPECT_EQ(whole.discards, 0);
    EXPECT_NEAR(r.rows.back()[1], whole.rows.back()[1], 1e-3);
    const RunResult never =
        run(fmu.path(),
            {.step = 0.1, .set = {{"solver.fixed_step", "1e-9"}, {"solver.max_substeps", "1"}}});
    EXPECT_TRUE(never.error.starts_with("the step from 0 to ")) << never.error;
    EXPECT_NE(never.error.find(" failed: "), std::string::npos) << never.error;
    EXPECT_EQ(never.rows.size(), 1U);
  }
}

TEST(FmuRuns, WrongTokenGivesTheMessageOfTheFmu) {
  for (const int major : {2, 3}) {
    const BuiltFmu fmu("pendulum", major);
    const std::filesystem::path file = fmu.path() / "modelDescription.xml";
    std::string text = read_file(file);
    const std::string name = major == 2 ? "guid=\"" : "instantiationToken=\"";
    text[text.find(name) + name.size()] = 'z';
    write_file(file, text);
    EXPECT_TRUE(message_of_run(fmu.path()).starts_with("the FMU cannot be instantiated: "))
        << message_of_run(fmu.path());
  }
}

}  // namespace
}  // namespace mechfmu::tests
