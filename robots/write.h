// A robot as a mechanism file.

#pragma once

#include <string>
#include <vector>

#include "robots/robot.h"

namespace mechfmu::robots {

/// Shapes that are seen of a link: the visible ones, or those of its contacts where none of them can be drawn.
std::vector<Geom*> drawn(std::vector<Geom>& geoms);

/// The text of the file. `robot` has no fixed links any more, and files of meshes have their paths from the folder of the mechanism
/// file. What does not go into it is added to the remarks.
std::string mechanism_file(Robot& robot, const std::string& from, bool with_looks);

}  // namespace mechfmu::robots
