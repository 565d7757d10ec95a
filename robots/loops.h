// Joints of a robot in loops, and loops that close only to a few digits.

#pragma once

#include <vector>

#include "robots/robot.h"

namespace mechfmu::robots {

/// For each joint the number of its group of loops; −1 if it is not in a loop.
std::vector<int> loop_groups(const Robot& robot);

/// Gives joints that close loops the fewest constraints: a point, or in a loop of parallel axes a
/// point on a line along them.
void hold_by_points(Robot& robot);

}  // namespace mechfmu::robots
