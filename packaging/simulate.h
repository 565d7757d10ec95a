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
  Animation* animation = nullptr;  // where given, the run is recorded in it
  bool silent = false;             // warnings and errors of the file have been said
  std::function<void(std::span<const double>)> each_row{};  // time and the columns
  std::function<void(const std::vector<std::string>&, double)> each_result{};  // their names, steps

  void add_to(CLI::App& app);
  /// What says how to run: for commands that run and do something else with the result.
  void add_run_options(CLI::App& app);
  int run();
};

struct InfoCommand {
  std::filesystem::path file;

  void add_to(CLI::App& app);
  int run() const;
};

}  // namespace mechfmu
