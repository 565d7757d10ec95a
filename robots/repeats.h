// Equal branches of a robot: four legs, the fingers of a hand.

#pragma once

#include <cstddef>
#include <vector>

#include "robots/robot.h"

namespace mechfmu::robots {

/// A link with all links that depend on it. Entries at the same place of these lists correspond in
/// all copies of a branch.
struct Branch {
  std::vector<std::size_t> links;   // the first one holds the others
  std::vector<std::size_t> joints;  // the joint of the first link, if it has one, comes first
  int host = world;                 // the parent of the first link
};

struct Repeat {
  std::vector<Branch> copies;
  std::vector<bool> looks_alike;  // for each link of a branch: all copies have the same look
};

/// Branches that are equal except for their pose, to 1e-10 of their size, and large enough for a
/// group. The links of the copies get the moved frames of the first one. Call it after the start
/// values of joints are known.
std::vector<Repeat> find_repeats(Robot& robot);

}  // namespace mechfmu::robots
