// A mechanism that moves, as one file: a self-contained page for browsers, or a glTF file.
//
//   Scene (shapes) + Recording (motion) ─┬─→ page.html: the viewer of viewer/, scene, frames
//                                        └─→ run.glb
//
// Frames in a page, of each variable that changes, as whole numbers n_i:
//
//   outputs              the bits of 32-bit floats; differences n_i − n_{i−1}
//   poses and arrows     round(x_i/step) with the smallest visible step; second differences
//                        n_i − 2 n_{i−1} + n_{i−2}, which are small in smooth motion
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

  std::vector<Variable> variables;         // the first is the time
  std::vector<std::vector<float>> values;  // for each variable a number per frame
  double spacing = 0;                      // rows nearer than this to the last frame are omitted

  void begin(std::vector<Variable> all);
  void add(std::span<const double> row);
  /// Makes the last row a frame, however near it is.
  void end();
  std::size_t frames() const { return values.empty() ? 0 : values.front().size(); }
  /// Returns −1 for a variable that was not recorded.
  int find(const std::string& name) const;

 private:
  std::vector<double> last_;  // the row that was omitted
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

/// The scene of a mechanism with these values of parameters and inputs. Throws WrongFile if the
/// mechanics library refuses it.
scene::Scene scene_of(const LoadedMechanism& mechanism,
                      const std::vector<std::pair<std::string, std::string>>& set = {});

/// Appearance of a page.
struct PageOptions {
  bool live = false;  // for mechfmu view: the page asks its server for changes
};

/// The page. Throws std::runtime_error if the viewer was not built.
std::string page_of(const Animation& animation, const Kit& kit, const PageOptions& options = {});

/// The data of a page, as JSON.
std::string page_data(const Animation& animation);

}  // namespace mechfmu
