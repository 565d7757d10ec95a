// mechfmu import: the file of a robot, in URDF, MJCF or SDF, becomes a mechanism file.

#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace mechfmu {

struct ImportCommand {
  std::filesystem::path file, output, root;
  std::vector<std::string> starts;
  bool free_base = false, loops_by_points = false, without_motors = false, without_looks = false,
       without_groups = false, strict = false, quiet = false;

  void add_to(CLI::App& app);
  int run();
};

}  // namespace mechfmu
