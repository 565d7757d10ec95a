// modelDescription.xml of FMI 3.0: vectors are arrays, and what an unknown depends on is named by value references.

#pragma once

#include <string>
#include <vector>

#include "model/description.h"
#include "model_desc/origin.h"

namespace mechfmu {

/// Throws std::invalid_argument as check() does.
std::string fmi3_model_description(const Description& description, const Origin& origin);

/// sources/buildDescription.xml: which files of that folder are to be compiled, and how.
std::string build_description(const Description& description,
                              const std::vector<std::string>& sources);

}  // namespace mechfmu
