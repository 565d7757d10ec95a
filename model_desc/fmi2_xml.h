// modelDescription.xml of FMI 2.0.
//
// Vectors are shown as scalars name[1], name[2], … Every number has a ScalarVariable; they come in
// the order of their references, so that valueReference = reference and index = reference + 1.

#pragma once

#include <string>
#include <vector>

#include "model/description.h"
#include "model_desc/origin.h"

namespace mechfmu {

/// `sources`: the files of the folder sources/ to be compiled. Throws std::invalid_argument like
/// check().
std::string fmi2_model_description(const Description& description, const Origin& origin,
                                   const std::vector<std::string>& sources = {});

}  // namespace mechfmu
