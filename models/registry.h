// All C++ models by name, for tools that run any of them.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/system.h"

namespace mechfmu::models {

const std::vector<std::string>& names();
/// A new instance with default parameters; throws std::out_of_range with the known names.
std::unique_ptr<System> make(const std::string& name);

}  // namespace mechfmu::models
