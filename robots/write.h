// A robot as a mechanism file.

#pragma once

#include <string>

#include "robots/robot.h"

namespace mechfmu::robots {

/// The text of the file. `robot` has no fixed links any more. What does not go into it is added to the remarks.
std::string mechanism_file(Robot& robot, const std::string& from);

}  // namespace mechfmu::robots
