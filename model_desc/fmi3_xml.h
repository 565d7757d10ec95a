// modelDescription.xml of FMI 3.0: vectors are arrays, and value references name the dependencies
// of an unknown.

#pragma once

#include <string>
#include <vector>

#include "model/description.h"
#include "model_desc/origin.h"

namespace mechfmu {

/// Throws std::invalid_argument like check().
std::string fmi3_model_description(const Description& description, const Origin& origin);

/// sources/buildDescription.xml: the files of that folder to be compiled, and the options for them.
std::string build_description(const Description& description,
                              const std::vector<std::string>& sources);

}  // namespace mechfmu
