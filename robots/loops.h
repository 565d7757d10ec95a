// Which joints of a robot are in loops, and loops that fit to a few digits only.

#pragma once

#include <vector>

#include "robots/robot.h"

namespace mechfmu::robots {

/// For each joint the number of the group of loops that it is in; −1 where it is in none.
std::vector<int> loop_groups(const Robot& robot);

/// Joints that close loops hold as little as closes them: a point, or in a loop of parallel axes a point on a line along them.
void hold_by_points(Robot& robot);

}  // namespace mechfmu::robots
