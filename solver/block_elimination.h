// The order in which the nodes of a block pattern are eliminated, and the program that results.
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
//
// The numbers of the factors are laid out in the order of elimination: for every node the inverse of
// its pivot block and the blocks A_wv below it, then, in a second part, the blocks X_vw = A_vv⁻¹ A_vw.

#pragma once

#include <vector>

#include "model/block_pattern.h"

namespace mechfmu {

struct BlockElimination {
  struct Node {
    int first = 0, size = 0;        // its unknowns, as positions in the order of elimination
    int diagonal = 0;               // offset of the pivot block in the factors
    int neighbours = 0, count = 0;  // those eliminated later: neighbours[neighbours … + count)
    int targets = 0;        // offsets of A_uw, count × count by columns: targets[targets …)
    bool may_drop = false;  // all or some of its unknowns are multipliers
  };
  struct Neighbour {
    int first = 0, size = 0;   // its unknowns, as positions in the order of elimination
    int lower = 0, upper = 0;  // offsets of A_wv and A_vw in the factors
  };
  /// Numbers of the pattern that are consecutive in the factors.
  struct Run {
    int from = 0, to = 0, length = 0;
  };

  /// From the numbers at one point. `scale` (of the size of the KKT vector, or empty) is added to the
  /// sums that pivots are compared with.
  BlockElimination(const BlockPattern& pattern, const Vector& values, const Vector& scale = {});

  std::vector<Node> nodes;  // in the order of elimination
  std::vector<Neighbour> neighbours;
  std::vector<int> targets;
  std::vector<Run> gather;
  std::vector<Run> zeros;           // numbers of the factors that the pattern does not have
  std::vector<int> order;           // unknown of the KKT vector at each position
  std::vector<char> is_multiplier;  // of the unknown at each position
  int factor_count = 0;             // numbers in the factors
  int largest_node = 0;             // unknowns in it
  int fill = 0;                     // blocks (pairs A_uw, A_wu) that the pattern does not have
  int merged = 0;                   // how often two nodes had to become one
  std::vector<Index> redundant;     // constraint rows without pivot, as unknowns of the KKT vector
  std::vector<Index> undetermined;  // motion and state unknowns without pivot
};

}  // namespace mechfmu
