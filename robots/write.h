// A robot as a mechanism file.

#pragma once

#include <string>
#include <vector>

#include "robots/robot.h"

namespace mechfmu::robots {

struct WriteOptions {
  bool looks = true;   // what is only seen, too
  bool groups = true;  // branches that are equal are written once, as a group
};

/// The text of the file. `robot` has no fixed links any more, and files of meshes have their paths from the folder of the mechanism
/// file. What does not go into it is added to the remarks.
std::string mechanism_file(Robot& robot, const std::string& from, const WriteOptions& options);

}  // namespace mechfmu::robots
