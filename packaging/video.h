// Pictures and videos of a mechanism: a browser without a window draws the page frame by frame and
// returns the frames; ffmpeg encodes them as a video.
//
//   page ─→ Server ─→ Chromium ─→ frame/0, frame/1 … ─→ Server ─→ 00000.png … ─→ ffmpeg ─→ mp4, gif

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "packaging/animation.h"

namespace mechfmu {

struct VideoOptions {
  int width = 1280, height = 720;
  std::optional<double> at{};     // time of a picture, s; default: the start
  std::optional<double> speed{};  // seconds of motion per second of video; default: as in the page
  double rate = 30;               // frames per second
  std::string view = "start";     // start, front, side or top
  std::vector<std::string> show{};  // joints forces centres paths names grid
  bool dark = false;
};

/// Selects the format by the end of the name: png, svg, mp4, gif or apng. If the browser or ffmpeg
/// is missing, throws std::runtime_error that names the package to install.
void write_video(const Animation& animation, const Kit& kit, const std::filesystem::path& file,
                 const VideoOptions& options);

}  // namespace mechfmu
