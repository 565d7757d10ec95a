// Energy that leaves and enters a mechanism, and what is stored in it.

#pragma once

#include "mechanics/elements/pool.h"

namespace mechfmu::mechanics {

/// Where forces and relations have been evaluated.
Powers powers(const Parts& q);

/// Of weight, springs and contacts.
double potential_energy(const Parts& q);

}  // namespace mechfmu::mechanics
