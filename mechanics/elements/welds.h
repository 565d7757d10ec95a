// The load of a node on its flexible body.

#pragma once

#include "mechanics/elements/pool.h"

namespace mechfmu::mechanics {

/// World axes.
struct InterfaceLoad {
  Vec3 force, torque;  // torque about the node …
  Vec3 moment;         // … and about the centre of mass of the body
};
/// From the multipliers μ; the node itself gets the opposite load.
InterfaceLoad interface_load(const Parts& q, std::size_t weld, In mu);

}  // namespace mechfmu::mechanics
