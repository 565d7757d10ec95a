// How the pose of a group moves what its elements give in coordinates of the group:
//
//   point p → at + R p,   direction d → R d,   rotation R' → R R'
//
// By itself, so that tables of names need not know vectors and matrices.

#pragma once

#include <cstdint>

namespace mechfmu::mechanics {

enum class Placed : std::uint8_t { no, point, direction, rotation };

}  // namespace mechfmu::mechanics
