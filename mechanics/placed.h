// The effect of the pose of a group on the points and directions of its elements:
//
//   point p → at + R p,   direction d → R d,   rotation R' → R R'
//
// A separate header, so that tables of names need no vectors and matrices.

#pragma once

#include <cstdint>

namespace mechfmu::mechanics {

enum class Placed : std::uint8_t { no, point, direction, rotation };

}  // namespace mechfmu::mechanics
