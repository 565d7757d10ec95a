// The commands `view` and `report` of the tool: the page of a mechanism file that keeps up with its edits, and what a colleague
// wants to see of a run.

#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>

#include "packaging/simulate.h"

namespace mechfmu {

struct ViewCommand {
  SimulateCommand simulate;
  int port = 0;
  bool no_browser = false;

  void add_to(CLI::App& app);
  int run();
};

struct ReportCommand {
  SimulateCommand simulate;
  std::filesystem::path output;

  void add_to(CLI::App& app);
  int run();
};

}  // namespace mechfmu
