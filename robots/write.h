// A robot as a mechanism file.

#pragma once

#include <string>
#include <vector>

#include "robots/robot.h"

namespace mechfmu::robots {

struct WriteOptions {
  bool looks = true;   // writes looks, which only affect the picture
  bool groups = true;  // writes equal branches once, as a group
};

/// The text of the file. `robot` must have no fixed links, and paths of meshes must be relative to
/// the folder of the mechanism file. Parts that cannot be converted are added to the remarks.
std::string mechanism_file(Robot& robot, const std::string& from, const WriteOptions& options);

}  // namespace mechfmu::robots
