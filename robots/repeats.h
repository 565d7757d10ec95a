// Branches of a robot that are equal: four legs, the fingers of a hand.

#pragma once

#include <cstddef>
#include <vector>

#include "robots/robot.h"

namespace mechfmu::robots {

/// A link with all that hangs on it. The same places of these lists belong to each other in all copies of a branch.
struct Branch {
  std::vector<std::size_t> links;  // the first one holds the others
  std::vector<std::size_t>
      joints;        // the one that holds the first link, where there is one, is the first
  int host = world;  // what the first link hangs on
};

struct Repeat {
  std::vector<Branch> copies;
  std::vector<bool> looks_alike;  // for each link of a branch: copies are drawn alike, too
};

/// Branches that are equal up to where they stand, to 1e-10 of their size, and that are worth a group. The links of the copies are
/// given the frames that those of the first one have, moved along. Starts of joints are settled before.
std::vector<Repeat> find_repeats(Robot& robot);

}  // namespace mechfmu::robots
