// The order in which the nodes of a block pattern are eliminated.
//
//   eliminating node v:   A_uw ← A_uw − A_uv A_vv⁻¹ A_vw       for all neighbours u, w still there
//
// Greedy minimum degree (leaves before the parts they hang on, joints between them; of equal degree
// the node with the least fill, then the first) among the nodes whose pivot block A_vv, as it is by
// then, is regular. A joint begins with A_vv = 0 and becomes eligible once a body it restricts is
// gone, a massless body once a joint is. How regular a block is shows relative to the sums of the
// absolute contributions to its diagonal, which cancellation leaves behind. A node that lacks pivots
// only where it has no coupling left is eligible as well: there, a constraint is redundant, an
// acceleration undetermined. If no node is eligible, two neighbours become one.

#pragma once

#include <cstdint>
#include <vector>

#include "model/block_pattern.h"

namespace mechfmu {

struct BlockOrder {
  /// Nodes of the pattern in the order of elimination, counted from 1; a negative one shares its pivot
  /// block with the one before. The program of an elimination follows from these numbers alone.
  std::vector<std::int32_t> nodes;
  int merged = 0;                   // how often two nodes had to become one
  int rated = 0;                    // how often a pivot block was looked at
  std::vector<Index> redundant;     // constraint rows without pivot, as unknowns of the KKT vector
  std::vector<Index> undetermined;  // motion and state unknowns without pivot
};

/// From the numbers at one point. `scale` (of the size of the KKT vector, or empty) is added to the
/// sums that pivots are compared with; blocks marked in `absent` do not count. Allocates.
BlockOrder find_order(const BlockPattern& pattern, const Vector& values, const Vector& scale = {},
                      const std::vector<char>& absent = {});

}  // namespace mechfmu
