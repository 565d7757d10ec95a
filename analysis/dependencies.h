// Direct dependencies of outputs on inputs, parameters and time, as FMI requires them.

#pragma once

#include "model/description.h"

namespace mechfmu {

/// Finds the dependencies of all outputs by changes of one known after the other.
void find_dependencies(Description& description, System& system);

}  // namespace mechfmu
