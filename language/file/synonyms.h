// Words of other programs for elements and joints: "hinge" for revolute, "motor" for torque.

#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model_desc/diagnostics.h"

namespace mechfmu {

/// As suggestion(), for a word that may come from another program.
inline std::string suggestion_for_word(std::string_view written,
                                       const std::vector<std::string>& candidates) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 16> synonyms{{
      {"hinge", "revolute"},
      {"pin", "revolute"},
      {"rotational", "revolute"},
      {"continuous", "revolute"},
      {"slider", "prismatic"},
      {"translational", "prismatic"},
      {"linear", "prismatic"},
      {"ball", "spherical"},
      {"cardan", "universal"},
      {"hooke", "universal"},
      {"weld", "fixed"},
      {"rigid", "fixed"},
      {"hinge", "joint"},
      {"link", "body"},
      {"motor", "torque"},
      {"actuator", "force"},
  }};
  for (const auto& [foreign, ours] : synonyms)
    if (foreign == written && std::ranges::find(candidates, ours) != candidates.end())
      return "; did you mean '" + std::string(ours) + "'?";
  return suggestion(written, candidates);
}

}  // namespace mechfmu
