// What an output depends on at once: inputs, parameters and time, for the dependencies that FMI asks for.

#pragma once

#include "model/description.h"

namespace mechfmu {

/// Fills the dependencies of all outputs by changing one known after the other and looking what follows.
void find_dependencies(Description& description, System& system);

}  // namespace mechfmu
