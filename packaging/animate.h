// The command `animate` of the tool: a mechanism that moves, as a page, a glTF file, a picture or a film.

#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>

#include "packaging/animation.h"
#include "packaging/film.h"
#include "packaging/simulate.h"

namespace mechfmu {

struct AnimateCommand {
  SimulateCommand simulate;
  std::filesystem::path output, result;
  FilmOptions film;
  std::string size = "1280x720";

  void add_to(CLI::App& app);
  int run();
};

/// Throws WrongUsage where the name does not end in what is known, std::runtime_error where it cannot be written.
void expect_animation(const std::filesystem::path& file);

/// What an FMU looks like, by what it holds: the mechanism file to run in its place, which is returned, or else its scene, which the
/// animation gets. Throws WrongFile where it holds neither.
std::filesystem::path scene_inside(const std::filesystem::path& file,
                                   const std::filesystem::path& folder, Animation& animation);

/// By the end of the name.
void write_animation(const Animation& animation, const std::filesystem::path& file,
                     const FilmOptions& options = {});

}  // namespace mechfmu
