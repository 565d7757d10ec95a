// Checks the rules of FMI for a description before its files are written.

#pragma once

#include "model/description.h"

namespace mechfmu {

/// Throws std::invalid_argument that names the variable and the remedy: names that are not
/// structured names or occur twice, unknown units, start values that are missing, too many, not
/// finite or out of range.
void check(const Description& description);

}  // namespace mechfmu
