// What FMI asks of a description, checked before anything is written.

#pragma once

#include "model/description.h"

namespace mechfmu {

/// Throws std::invalid_argument that names the variable and says what to do: names that are not structured names
/// or occur twice, unknown units, start values that are missing, too many, not finite or out of range.
void check(const Description& description);

}  // namespace mechfmu
