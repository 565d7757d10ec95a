// A mechanism that moves, as one thing that can be sent: a page for browsers with all that it needs, or a glTF file.
//
//   Scene (what there is) + Recording (how it moves) ─┬─→ page.html: the viewer that viewer/ is built to, scene, frames
//                                                     └─→ run.glb
//
// Frames in a page, of each variable that changes, as whole numbers n_i:
//
//   outputs              the bits of 32-bit floats; differences n_i − n_{i−1}
//   poses and arrows     round(x_i/step), with the step of what can be seen; second differences n_i − 2 n_{i−1} + n_{i−2}, of which
//                        smooth motion has small ones
//
// Both as four planes of bytes, deflated, in base64. docs/animation.md describes it.

#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "packaging/export.h"
#include "scene/scene.h"

namespace mechfmu {

struct Recording {
  struct Variable {
    std::string name, unit, about;
  };
  static constexpr std::size_t most_frames = 2000;

  std::vector<Variable> variables;         // time first
  std::vector<std::vector<float>> values;  // of each variable, a number for each frame
  double spacing = 0;                      // rows nearer than this to the last frame are left out

  void begin(std::vector<Variable> all);
  void add(std::span<const double> row);
  /// The last row is a frame, however near.
  void end();
  std::size_t frames() const { return values.empty() ? 0 : values.front().size(); }
  /// −1: it was not recorded.
  int find(const std::string& name) const;

 private:
  std::vector<double> last_;  // row that was left out
  double next_ = -1e300;
};

struct Animation {
  std::string scene;  // JSON (scene/scene.h)
  scene::Scene parts;
  Recording recording;
  double tolerance = 1e-8;          // of the experiment
  std::vector<std::string> hidden;  // variables that only move parts
  std::vector<std::pair<std::string, std::string>>
      facts;  // more members of the page's data, as JSON
};

/// Of a mechanism with these values of parameters and inputs. Throws WrongFile where the mechanics library refuses it.
scene::Scene scene_of(const LoadedMechanism& mechanism,
                      const std::vector<std::pair<std::string, std::string>>& set = {});

/// How a page is shown.
struct PageOptions {
  bool live = false;  // of mechfmu view: it asks its server for what is new
};

/// The page. Throws std::runtime_error where the viewer was not built.
std::string page_of(const Animation& animation, const Kit& kit, const PageOptions& options = {});

/// What a page shows, as JSON.
std::string page_data(const Animation& animation);

}  // namespace mechfmu
