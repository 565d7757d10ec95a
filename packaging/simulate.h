// The commands `simulate` and `info` of the tool: an FMU run, and an FMU on one page.

#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mechfmu {

struct Animation;

struct SimulateCommand {
  std::filesystem::path file, inputs, output, plot, animate;
  std::vector<std::filesystem::path> sources;
  std::vector<std::string> set, columns;
  bool energy = false;
  std::optional<double> start, stop, step, tolerance, interval;
  std::string fmi = "2";
  bool quiet = false, verbose = false;
  Animation* animation = nullptr;  // if given, it records the run
  bool silent = false;             // warnings and errors of the file have been reported
  std::function<void(std::span<const double>)> each_row{};  // time and the columns
  std::function<void(const std::vector<std::string>&, double)> each_result{};  // their names, steps

  void add_to(CLI::App& app);
  /// Adds the options of a run, for other commands that run a mechanism.
  void add_run_options(CLI::App& app);
  int run();
};

struct InfoCommand {
  std::filesystem::path file;

  void add_to(CLI::App& app);
  int run() const;
};

}  // namespace mechfmu
