// The order in which the nodes of a block pattern are eliminated.
//
//   eliminating node v:   A_uw ← A_uw − A_uv A_vv⁻¹ A_vw       for all neighbours u, w still there
//
// Greedy minimum degree among the nodes whose present pivot block A_vv is regular: leaves before
// the parts they are attached to, joints between these; at equal degree the node with the least
// fill, then the first. A joint begins with A_vv = 0 and becomes eligible once one of its bodies is
// eliminated, a massless body once one of its joints is. Regularity is relative to the sums of the
// absolute contributions to the diagonal of the block, which cancellation does not reduce. A node
// that lacks pivots only in rows without remaining coupling is also eligible: there, a constraint
// is redundant or an acceleration undetermined. If no node is eligible, two neighbours become one.

#pragma once

#include <cstdint>
#include <vector>

#include "model/block_pattern.h"

namespace mechfmu {

struct BlockOrder {
  /// Nodes of the pattern in the order of elimination, counted from 1; a negative node shares its
  /// pivot block with the previous one. The program of an elimination follows from these numbers
  /// alone.
  std::vector<std::int32_t> nodes;
  int merged = 0;                   // number of merges of two nodes
  int rated = 0;                    // number of examined pivot blocks
  std::vector<Index> redundant;     // constraint rows without pivot, as unknowns of the KKT vector
  std::vector<Index> undetermined;  // motion and state unknowns without pivot
};

/// Finds an order from the numbers at one point. `scale` (of the size of the KKT vector, or empty)
/// is added to the sums that pivots are compared with; blocks marked in `absent` are ignored.
/// Allocates.
BlockOrder find_order(const BlockPattern& pattern, const Vector& values, const Vector& scale = {},
                      const std::vector<char>& absent = {});

}  // namespace mechfmu
