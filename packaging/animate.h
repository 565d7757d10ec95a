// The command `animate` of the tool: a mechanism that moves, as a page, a glTF file, a picture or a
// video.

#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>

#include "packaging/animation.h"
#include "packaging/simulate.h"
#include "packaging/video.h"

namespace mechfmu {

struct AnimateCommand {
  SimulateCommand simulate;
  std::filesystem::path output, result;
  VideoOptions video;
  std::string size = "1280x720";

  void add_to(CLI::App& app);
  int run();
};

/// Throws WrongUsage for an unknown ending of the name, std::runtime_error for a file that cannot
/// be written.
void expect_animation(const std::filesystem::path& file);

/// The appearance of an FMU: returns the mechanism file that it holds, to be run in its place, or
/// else gives its scene to the animation. Throws WrongFile where it holds neither.
std::filesystem::path scene_inside(const std::filesystem::path& file,
                                   const std::filesystem::path& folder, Animation& animation);

/// Selects the format by the end of the name.
void write_animation(const Animation& animation, const std::filesystem::path& file,
                     const VideoOptions& options = {});

}  // namespace mechfmu
