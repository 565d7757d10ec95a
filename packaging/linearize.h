// The command `linearize` of the tool: A, B, C, D of a mechanism file, or of the one in an FMU, at
// an operating point.

#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace mechfmu {

struct LinearizeCommand {
  std::filesystem::path file, output;
  std::vector<std::string> set;
  double at = 0;
  std::string trimmed;  // "true", or the inputs that adapt: "a,b"
  bool quiet = false;

  void add_to(CLI::App& app);
  int run();
};

}  // namespace mechfmu
