// A master: simulates an unpacked FMU from start to stop.
//
// Communication points are start + i·step, each computed separately, and exactly stop. If the FMU
// accepts variable steps, there are more: at jumps of the inputs, and at rows of the inputs if
// there are fewer rows than steps. An input is the straight line through its rows; over a step [t,
// t + h] the FMU gets
//
//   FMI 2.0 with canInterpolateInputs    u(t), slope (u(t + h) − u(t)) / h, exact between rows
//   otherwise                            the mean of u over the step, held; second order in h
//   not real, or discrete                the value of the last row, held
//
// A discarded step is repeated in halves if the FMU can go back: in FMI 3.0 always, in 2.0 with a
// saved state.

#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "importer/instance.h"
#include "importer/signals.h"

namespace mechfmu {

struct RunOptions {
  // otherwise of the default experiment, otherwise 0 and start + 1
  std::optional<double> start{}, stop{};
  // otherwise of the default experiment, otherwise 1/500 of the run
  std::optional<double> step{};
  std::optional<double> tolerance{};  // default: that of the FMU
  // between rows of the result; default: every step is a row
  std::optional<double> interval{};
  std::vector<std::pair<std::string, std::string>> set{};  // name, value
  Signals inputs{};
  std::vector<std::string> outputs{};  // names of the columns; empty: all outputs
  bool logging = false;                // the FMU logs everything
  bool keep_rows = true;               // in the result

  std::function<void(const std::vector<std::string>&)> on_names{};  // before the first row
  std::function<void(std::span<const double>)> on_row{};
  FmuListener on_message{};
  /// Called at the beginning and then at most ten times per second; false ends the run.
  std::function<bool(double fraction, double t)> on_progress{};
  std::function<std::chrono::steady_clock::time_point()> clock = std::chrono::steady_clock::now;
};

struct RunResult {
  std::vector<std::string> names;         // time, then the outputs
  std::vector<std::vector<double>> rows;  // a row at a jump has the values before it
  std::string error;                      // of the failed step; empty: none
  bool cancelled = false;                 // by on_progress
  bool terminated = false;                // by the FMU
  double reached = 0;                     // time of the last good point
  long steps = 0, discards = 0, early_returns = 0, messages = 0;
  std::vector<std::pair<std::string, double>> statistics;  // solver.* at the end
};

/// The options do not fit the FMU: names, values, times, inputs.
struct InvalidOptions : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// The FMU cannot be instantiated or initialized.
struct InitializationFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws one of these, with one line, if the run cannot begin. If a step fails, the result
/// contains all rows before it.
RunResult run(const Fmu& fmu, const RunOptions& options);
RunResult run(const std::filesystem::path& folder, const RunOptions& options);

}  // namespace mechfmu
