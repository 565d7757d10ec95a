// Pictures and films of a mechanism: a browser without a window draws the page, frame by frame, and hands the frames back;
// ffmpeg makes a film of them.
//
//   page ─→ Server ─→ Chromium ─→ frame/0, frame/1 … ─→ Server ─→ 00000.png … ─→ ffmpeg ─→ mp4, gif

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "packaging/animation.h"

namespace mechfmu {

struct FilmOptions {
  int width = 1280, height = 720;
  std::optional<double> at{};  // time of a picture, s; none: the start
  std::optional<double>
      speed{};       // seconds of motion per second of film; none: what the page would choose
  double rate = 30;  // frames per second
  std::string view = "start";       // start, front, side or top
  std::vector<std::string> show{};  // joints forces centres paths names grid
  bool dark = false;
};

/// By the end of the name: png, svg, mp4, gif or apng. Throws std::runtime_error where the browser or ffmpeg is missing, and says what to install.
void write_film(const Animation& animation, const Kit& kit, const std::filesystem::path& file,
                const FilmOptions& options);

}  // namespace mechfmu
