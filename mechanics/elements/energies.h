// Energy that leaves and enters a mechanism, and what is stored in it.

#pragma once

#include "mechanics/elements/pool.h"

namespace mechfmu::mechanics {

/// Power that springs, dampers, friction and contact take away, and that all other forces and drives bring.
struct Powers {
  double dissipated = 0, supplied = 0;
};
/// Where forces and relations have been evaluated.
Powers powers(const Parts& q);

/// Of weight, springs and contacts.
double potential_energy(const Parts& q);

}  // namespace mechfmu::mechanics
