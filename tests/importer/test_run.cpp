// Runs of x' = gain·u, whose solution is known, with inputs that follow lines and jump, and with an
// FMU that discards, returns early, ends, and fails.

#include <gtest/gtest.h>

#include <cmath>

#include "importer/run.h"
#include "tests/importer/folders.h"

namespace mechfmu::tests {
namespace {

Signals signals(const std::string& csv) { return read_signals(csv, "u.csv"); }

class BothVersions : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Fmi, BothVersions, testing::Values(2, 3));

TEST_P(BothVersions, RowsAreTheDefaultExperiment) {
  const Integrator fmu(GetParam());
  const RunResult r =
      run(fmu.path(), {.set = {{"u", "2"}, {"gain", "1.5"}}, .outputs = {"x", "last"}});
  EXPECT_EQ(r.error, "");
  EXPECT_EQ(r.names, (std::vector<std::string>{"time", "x", "last"}));
  ASSERT_EQ(r.rows.size(), 11U);
  for (std::size_t i = 0; i <= 10; ++i) {
    EXPECT_EQ(r.rows[i][0], static_cast<double>(i) / 10);
    EXPECT_NEAR(r.rows[i][1], 3 * r.rows[i][0], 1e-14);
  }
  EXPECT_EQ(r.steps, 10);
  EXPECT_EQ(r.reached, 1);
  ASSERT_EQ(r.statistics.size(), 1U);
  EXPECT_EQ(r.statistics[0], std::pair(std::string("solver.steps"), 10.0));
}

TEST_P(BothVersions, HeldInputsChangeWhereTheirRowsAre) {
  const Integrator fmu(GetParam());
  const RunResult r = run(fmu.path(), {.start = 2,
                                       .stop = 4,
                                       .step = 0.5,
                                       .inputs = signals("time,n,on\n0,3,1\n3.2,3,0\n3.7,-2,1\n")});
  EXPECT_EQ(r.error, "");
  // 3·1.2 until 3.2, nothing until 3.7, then −2·0.3
  EXPECT_NEAR(r.rows.back()[1], 3 * 1.2 - 2 * 0.3, 1e-14);
  EXPECT_EQ(r.rows.size(), 5U);
  EXPECT_EQ(r.steps, 6);
}

/// u: line from 0 to 2 over [0, 0.35], jump to −1, line to 1 at 1. x is the area below.
constexpr const char* kinks = "time,u\n0,0\n0.35,2\n0.35,-1\n1,1\n";
double area(double t) {
  if (t <= 0.35) return t * t / 0.35;
  const double s = t - 0.35;
  return 0.35 - s + s * s / 0.65;
}

TEST_P(BothVersions, RampsAndJumpsGiveTheExactArea) {
  const Integrator fmu(GetParam());
  for (const double step : {0.1, 0.25, 0.7, 1.0}) {
    const RunResult r = run(fmu.path(), {.step = step, .inputs = signals(kinks)});
    EXPECT_EQ(r.error, "");
    for (const auto& row : r.rows) EXPECT_NEAR(row[1], area(row[0]), 1e-14) << step;
    EXPECT_EQ(r.rows.back()[0], 1);
  }
}

TEST_P(BothVersions, RowsDenserThanStepsAddNoPointsButTheirMean) {
  const Integrator fmu(GetParam());
  std::string csv = "time,u\n";
  for (int i = 0; i <= 1000; ++i) {
    const double t = i / 1000.0;
    csv += std::to_string(t) + "," + std::to_string(std::sin(20 * t)) + "\n";
  }
  const RunResult r = run(fmu.path(), {.step = 0.1, .inputs = signals(csv)});
  EXPECT_EQ(r.steps, 10);
  // the mean of a step gives the whole area; the line through its ends, in FMI 2.0, does not
  EXPECT_NEAR(r.rows.back()[1], (1 - std::cos(20.0)) / 20, GetParam() == 3 ? 1e-5 : 0.02);
}

TEST_P(BothVersions, FmuWithStepsOfOneSizeGetsOnlyThose) {
  const auto fixed = [](std::string& text) {
    replace(text, "canHandleVariableCommunicationStepSize=\"true\"", "");
  };
  const Integrator fmu(GetParam(), fixed);
  const RunResult r = run(fmu.path(), {.inputs = signals(kinks), .outputs = {"last"}});
  EXPECT_EQ(r.steps, 10);
  for (std::size_t i = 1; i < r.rows.size(); ++i) EXPECT_EQ(r.rows[i][1], 0.1);
  EXPECT_EQ(message_of_run(fmu.path(), {.step = 0.3}),
            "the FMU takes steps of one size only: the stop time must be a multiple of 0.3 after "
            "the start time 0");
  EXPECT_EQ(message_of_run(fmu.path(), {.interval = 0.25}),
            "the FMU takes steps of one size only: the interval of rows must be a multiple of 0.1");
  EXPECT_EQ(run(fmu.path(), {.interval = 0.2}).rows.size(), 6U);
  // it could not repeat a step in halves
  EXPECT_NE(run(fmu.path(), {.set = {{"largest", "0.05"}}}).error, "");
}

TEST_P(BothVersions, DiscardedStepsAreRepeatedInParts) {
  const Integrator fmu(GetParam());
  const RunResult r =
      run(fmu.path(),
          {.set = {{"largest", "0.03"}}, .inputs = signals(kinks), .outputs = {"x", "last"}});
  EXPECT_EQ(r.error, "");
  EXPECT_EQ(r.rows.size(), 11U);
  EXPECT_GT(r.discards, 10);
  for (const auto& row : r.rows) EXPECT_NEAR(row[1], area(row[0]), 1e-14);
}

TEST_P(BothVersions, StepThatFailsAlwaysKeepsTheRowsAndTheWordsOfTheFmu) {
  const Integrator fmu(GetParam());
  const RunResult r = run(fmu.path(), {.set = {{"largest", "1e-9"}}});
  ASSERT_EQ(r.rows.size(), 1U);
  EXPECT_EQ(r.reached, 0);
  EXPECT_TRUE(r.error.starts_with("the step from 0 to ")) << r.error;
  EXPECT_TRUE(r.error.ends_with(" failed: a step of 0.000000 is too large")) << r.error;
  EXPECT_GT(r.discards, 15);
  EXPECT_LT(r.discards, 30);
}

TEST_P(BothVersions, ErrorsEndTheRunWithTheRowsUntilThere) {
  const Integrator fmu(GetParam());
  for (const char* status : {"3", "4"}) {
    std::vector<double> streamed;
    RunOptions options{.set = {{"fails", "0.45"}, {"label", "no 100% way"}, {"status", status}}};
    options.on_row = [&](std::span<const double> row) { streamed.push_back(row[0]); };
    const RunResult r = run(fmu.path(), options);
    EXPECT_EQ(r.error, "the step from 0.4 to 0.5 failed: no 100% way");
    EXPECT_EQ(r.rows.size(), 5U);
    EXPECT_EQ(streamed, (std::vector<double>{0, 0.1, 0.2, 0.3, 0.4}));
    EXPECT_EQ(r.reached, 0.4);
    EXPECT_TRUE(r.statistics.empty());
  }
  EXPECT_EQ(run(fmu.path(), {.set = {{"fails", "0.45"}}}).error, "the step from 0.4 to 0.5 failed");
}

TEST_P(BothVersions, FmuThatEndsTheRunIsObeyed) {
  const Integrator fmu(GetParam());
  const RunResult r = run(fmu.path(), {.set = {{"ends", "0.63"}, {"u", "1"}}});
  EXPECT_EQ(r.error, "");
  EXPECT_TRUE(r.terminated);
  EXPECT_NEAR(r.reached, 0.63, 1e-15);
  ASSERT_EQ(r.rows.size(), 8U);
  EXPECT_NEAR(r.rows.back()[0], 0.63, 1e-15);
  EXPECT_NEAR(r.rows.back()[1], 0.63, 1e-15);
}

TEST(Run, EarlyReturnsAreFollowedByTheRest) {
  const Integrator fmu(3);
  const RunResult r = run(fmu.path(), {.set = {{"early", "0.04"}}, .inputs = signals(kinks)});
  EXPECT_EQ(r.error, "");
  ASSERT_EQ(r.rows.size(), 11U);
  EXPECT_GT(r.early_returns, 15);
  for (std::size_t i = 0; i < r.rows.size(); ++i) {
    EXPECT_EQ(r.rows[i][0], static_cast<double>(i) / 10);
    // inputs are held at the mean of the step that was asked for
    EXPECT_NEAR(r.rows[i][1], area(r.rows[i][0]), 0.1);
  }
  EXPECT_NEAR(run(fmu.path(), {.set = {{"early", "0.04"}, {"u", "3"}}}).rows.back()[1], 3, 1e-14);
}

TEST(Run, InputsOfFmusWithoutDerivativesAreSecondOrder) {
  const auto plain = [](std::string& text) { replace(text, "canInterpolateInputs=\"true\"", ""); };
  const Integrator fmu(2, plain);
  const RunResult r = run(fmu.path(), {.inputs = signals(kinks)});
  for (const auto& row : r.rows) EXPECT_NEAR(row[1], area(row[0]), 1e-14);
}

TEST(Run, DiscardWithoutSavedStatesEndsTheRun) {
  const auto plain = [](std::string& text) { replace(text, "canGetAndSetFMUstate=\"true\"", ""); };
  const Integrator fmu(2, plain);
  const RunResult r = run(fmu.path(), {.set = {{"largest", "0.03"}}});
  EXPECT_EQ(r.error, "the step from 0 to 0.1 failed: a step of 0.100000 is too large");
  EXPECT_EQ(r.discards, 1);
}

TEST(Run, ArraysAreReadAndSetByElement) {
  const Integrator fmu(3);
  const RunResult r = run(fmu.path(), {});
  EXPECT_EQ(r.names, (std::vector<std::string>{"time", "x", "v[1,1]", "v[1,2]"}));
  const auto last = [&](const RunOptions& options) {
    const RunResult result = run(fmu.path(), options);
    return std::vector<double>(result.rows.back().begin() + 1, result.rows.back().end());
  };
  const auto near = [](const std::vector<double>& a, const std::vector<double>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-14);
  };
  near(last({.set = {{"w", "3 4"}}, .outputs = {"v"}}), {3, 4});
  near(last({.set = {{"w[1]", "3"}}, .outputs = {"v[1,2]", "v[1,1]", "x", "v"}}), {2, 3, 0, 3, 2});
  near(last({.inputs = signals("time,w[2]\n0,5\n"), .outputs = {"v"}}), {0, 5});
  EXPECT_EQ(message_of_run(fmu.path(), {.set = {{"w[3]", "1"}}}),
            "'w' has no element [3]; the last one is 'w[2]'");
  EXPECT_EQ(message_of_run(fmu.path(), {.set = {{"w", "1 2 3"}}}),
            "'w' has 2 numbers, and 3 are given");
  EXPECT_EQ(message_of_run(fmu.path(), {.inputs = signals("time,w\n0,5\n")}),
            "u.csv: 'w' is an array; name its elements, with [1] and so on behind it");
}

TEST_P(BothVersions, RowsHaveAnInterval) {
  const Integrator fmu(GetParam());
  const RunResult r = run(fmu.path(), {.interval = 0.25, .set = {{"u", "1"}}, .keep_rows = true});
  ASSERT_EQ(r.rows.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(r.rows[i][0], static_cast<double>(i) / 4);
    EXPECT_NEAR(r.rows[i][1], r.rows[i][0], 1e-14);
  }
  EXPECT_EQ(r.steps, 12);  // of 0.1, and to 0.25 and 0.75
}

TEST_P(BothVersions, ProgressMayCancelTheRun) {
  const Integrator fmu(GetParam());
  RunOptions options{.stop = 1e6, .step = 1e-3, .interval = 1e5, .keep_rows = false};
  int calls = 0;
  double last = -1;
  options.on_progress = [&](double fraction, double t) {
    EXPECT_DOUBLE_EQ(fraction, t / 1e6);
    EXPECT_GT(t, last);
    last = t;
    return ++calls < 4;
  };
  // The clock advances by a millisecond per step: a tenth of a second is a hundred steps.
  options.clock = [looks = 0]() mutable {
    return std::chrono::steady_clock::time_point(std::chrono::milliseconds(looks++));
  };
  const RunResult r = run(fmu.path(), options);
  EXPECT_TRUE(r.cancelled);
  EXPECT_EQ(r.reached, last);
  EXPECT_TRUE(r.rows.empty());
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(r.steps, 300);  // three calls, a tenth of a second apart
}

// --- what cannot begin ---

TEST_P(BothVersions, ReasonIsGivenForValuesThatCannotBeSet) {
  const Integrator fmu(GetParam());
  const auto message = [&](const char* name, const char* value) {
    return message_of_run(fmu.path(), {.set = {{name, value}}});
  };
  EXPECT_EQ(message("gian", "1"), "unknown variable 'gian'; did you mean 'gain'?");
  EXPECT_EQ(message("x", "1"), "'x' cannot be set: it is an output, which the FMU computes");
  EXPECT_EQ(message("last", "1"), "'last' cannot be set: the FMU computes it");
  EXPECT_EQ(message("gain", "1.5 m"), "'1.5 m' is not a number for 'gain'; write the number alone");
  EXPECT_EQ(message("gain", "nan"), "'nan' is not a number for 'gain'; write the number alone");
  EXPECT_EQ(message("on", "yes"), "'yes' is not a valid value for 'on'; write true or false");
  EXPECT_EQ(message("n", "1.5"), "'1.5' is not a whole number for 'n' that fits into " +
                                     std::string(GetParam() == 2 ? "Int32" : "Int16"));
  EXPECT_NE(message("n", "1e10"), "");
  EXPECT_EQ(message("on", "false"), "");
  if (GetParam() == 3) return;
  EXPECT_EQ(message("fails", "x"), "'x' is not a number for 'fails'; write the number alone, in s");
  EXPECT_EQ(message("gain", "6"), "'6' is out of range for 'gain', which goes from -5 up to 5");
  EXPECT_EQ(message("frozen", "6"), "'frozen' cannot be set: it is a constant");
  EXPECT_EQ(message("status", "eror"),
            "'eror' is not a valid value for 'status'; did you mean 'error'?");
  EXPECT_EQ(message("status", "?"),
            "'?' is not a valid value for 'status'; it has discard, error, fatal");
  EXPECT_EQ(message("status", "fatal"), "");
  EXPECT_EQ(message("status", "3"), "");
  EXPECT_EQ(message("gain", "-1"), "the FMU refuses the value for 'gain': a negative gain");
}

TEST_P(BothVersions, ReasonIsGivenForInputsThatDoNotFit) {
  const Integrator fmu(GetParam());
  const auto message = [&](const char* csv) {
    return message_of_run(fmu.path(), {.set = {{"u", "1"}}, .inputs = signals(csv)});
  };
  EXPECT_EQ(message("time,speed\n0,1\n"),
            GetParam() == 2 ? "u.csv: unknown variable 'speed'; there are u, n, on"
                            : "u.csv: unknown variable 'speed'; there are u, w, n, on");
  EXPECT_EQ(message("time,x\n0,1\n"),
            "u.csv: 'x' is not an input but a variable of causality output");
  EXPECT_EQ(message("time,gain\n0,1\n"),
            "u.csv: 'gain' is not an input but a variable of causality parameter");
  EXPECT_EQ(message("time,on\n0,1\n1,2\n"),
            "u.csv: column 'on' holds 2, which is not a value of type Boolean");
  EXPECT_EQ(message("time,n\n0,0.5\n"),
            "u.csv: column 'n' holds 0.5, which is not a value of type " +
                std::string(GetParam() == 2 ? "Int32" : "Int16"));
  EXPECT_EQ(message("time,u\n0,1\n"), "'u' is set and is a column of u.csv too");
}

TEST_P(BothVersions, ReasonIsGivenForImpossibleOptions) {
  const Integrator fmu(GetParam());
  const auto message = [&](const RunOptions& options) {
    return message_of_run(fmu.path(), options);
  };
  EXPECT_EQ(message({.start = 2, .stop = 1}),
            "the stop time 1 must be later than the start time 2");
  EXPECT_EQ(message({.step = 0}), "the step 0 must be a number above 0");
  EXPECT_EQ(message({.tolerance = -1}), "the tolerance -1 must be a number above 0");
  EXPECT_EQ(message({.interval = NAN}), "the interval of rows nan must be a number above 0");
  EXPECT_EQ(message({.step = 1e-12}), "a run from 0 to 1 by steps of 1e-12 would never end");
  EXPECT_EQ(message({.outputs = {"gian"}}), "unknown variable 'gian'; did you mean 'gain'?");
  EXPECT_EQ(message({.outputs = {"A.angle"}}),
            GetParam() == 2 ? "unknown variable 'A.angle'; there are u, x, gain, largest, fails, "
                              "ends, last, status, solver.steps, n, on, frozen"
                            : "unknown variable 'A.angle'; there are u, x, gain, largest, early, "
                              "fails, ends, last, w, v, status, solver.steps and 2 more");
  EXPECT_EQ(message({.outputs = {"label"}}),
            "'label' is a String; only numbers can be written into rows");
}

TEST_P(BothVersions, ReasonIsGivenForFmusThatCannotRun) {
  const int major = GetParam();
  const std::string own = own_platforms(major).front();
  {
    const Integrator fmu(major,
                         [](std::string& text) { replace(text, "integrator-1", "another"); });
    EXPECT_EQ(message_of_run(fmu.path()),
              major == 2 ? "the FMU cannot be instantiated: wrong guid 'another', 100% sure"
                         : "the FMU cannot be instantiated: wrong token");
  }
  {
    const Integrator fmu(
        major, [](std::string& text) { replace(text, "<CoSimulation", "<ModelExchange"); });
    EXPECT_EQ(message_of_run(fmu.path()),
              "the FMU does not support co-simulation, only model exchange");
  }
  {
    const Integrator fmu(major, [](std::string& text) {
      replace(text, "modelIdentifier=\"integrator\"", "modelIdentifier=\"other\"");
    });
    EXPECT_EQ(message_of_run(fmu.path()), "the FMU has no binary for this machine (" + own +
                                              "); binaries/" + own + " holds no other.so");
  }
  const Integrator fmu(major);
  const std::string none = "the FMU has no binary for this machine (" + own + "); it has ";
  const std::filesystem::path binaries = fmu.path() / "binaries";
  write_file(binaries / own / "integrator.so", "no library");
  EXPECT_TRUE(message_of_run(fmu.path()).starts_with("the binary of the FMU cannot be loaded: "));
  std::filesystem::rename(binaries / own, binaries / "win64");
  std::filesystem::create_directory(binaries / "darwin64");
  EXPECT_EQ(message_of_run(fmu.path()), none + "darwin64, win64");
  std::filesystem::remove_all(binaries);
  EXPECT_EQ(message_of_run(fmu.path()), none + "none at all");
  std::filesystem::create_directory(fmu.path() / "sources");
  EXPECT_EQ(message_of_run(fmu.path()), none + "sources only, which must be compiled first");
  const std::string xml = read_file(fmu.path() / "modelDescription.xml");
  write_file(fmu.path() / "modelDescription.xml", xml.substr(0, 900));
  EXPECT_TRUE(
      message_of_run(fmu.path()).starts_with((fmu.path() / "modelDescription.xml:").string()));
  std::filesystem::remove(fmu.path() / "modelDescription.xml");
  EXPECT_EQ(message_of_run(fmu.path()),
            "cannot read '" + (fmu.path() / "modelDescription.xml").string() + "'");
}

TEST(Run, ResourcesAreAUriInFmi2AndAPathInFmi3) {
  const TemporaryFolder base;
  for (const int major : {2, 3}) {
    const Integrator fmu(major);
    const std::filesystem::path moved = base.path() / ("a b+ü" + std::to_string(major));
    std::filesystem::copy(fmu.path(), moved, std::filesystem::copy_options::recursive);
    std::vector<std::string> texts;
    RunOptions options;
    options.on_message = [&](const FmuMessage& message) { texts.push_back(message.text); };
    EXPECT_EQ(run(moved, options).messages, 1);
    ASSERT_EQ(texts.size(), 1U);
    EXPECT_EQ(texts[0], major == 2 ? "file://" + base.path().string() + "/a%20b%2B%C3%BC2/resources"
                                   : (moved / "resources/").string());
  }
}

}  // namespace
}  // namespace mechfmu::tests
