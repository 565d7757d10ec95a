// The commands `view` and `report` of the tool: the page of a mechanism file that follows its
// edits, and the report of a run for colleagues.

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
