// The program of a block elimination: the operations on the numbers that follow from an order of
// the nodes of a pattern.
//
//   eliminating node v:   A_uw ← A_uw − A_uv A_vv⁻¹ A_vw   for all neighbours u, w eliminated later
//
// The neighbours follow from the pattern and the order alone. The later neighbours of v are the
// later nodes with blocks in common with v, and the later neighbours of the nodes eliminated before
// whose first neighbour is v.
//
// The numbers of the factors are stored in the order of elimination. The first part contains the
// pivot block of every node and the blocks A_wv below it. The second part, from the last node to
// the first, contains the blocks X_vw = A_vv⁻¹ A_vw. A substitution reads the factors once from
// beginning to end. Unknowns keep their places in the KKT vector, unless nodes that are not
// adjacent there share a pivot block: then the unknowns are in the order of elimination.

#pragma once

#include <cstdint>
#include <vector>

#include "model/block_pattern.h"

namespace mechfmu {

struct BlockElimination {
  struct Node {
    int first = 0, size = 0;  // its unknowns, as positions
    int diagonal = 0;         // offset of the pivot block in the factors
    // Neighbours eliminated later: neighbours[neighbours … + count)
    int neighbours = 0, count = 0;
    int targets = 0;     // offsets of A_uw, count × count by columns: targets[targets …)
    bool mixed = false;  // only some of its unknowns are multipliers
  };
  struct Neighbour {
    int first = 0, size = 0;   // its unknowns, as positions
    int lower = 0, upper = 0;  // offsets of A_wv and A_vw in the factors
  };
  /// Numbers of a layer that are consecutive in the factors
  struct Run {
    int from = 0, to = 0, length = 0;
  };
  using Runs = std::vector<Run>;
  /// A step of a substitution: y ← P y, b −= A y, or both, with the next numbers of the factors.
  struct Step {
    int y = 0, b = 0;  // positions
    int kernel = 0;    // number in kernels::Tables::step; −1 − i: larger[i] describes the step
  };
  struct LargerStep {
    int y = 0, b = 0;  // sizes; b = 0: y ← P y, else b −= A y
    int node = 0;
  };

  /// Scratch memory for making a program.
  struct Room {
    struct Place {
      int step = -1;  // node of the elimination
      int local = 0;  // first of its unknowns there
    };
    std::vector<Place> places;            // position of each node of the pattern
    std::vector<std::vector<int>> later;  // neighbours of each node that are eliminated later
    std::vector<char> seen, is_set;
  };

  BlockElimination() = default;
  /// `order` as in BlockOrder::nodes, zeros at its end are ignored. Throws if it is not an order of
  /// the pattern's nodes. Blocks marked in `absent` have no numbers; empty: all blocks have
  /// numbers.
  BlockElimination(const BlockPattern& pattern, const std::vector<std::int32_t>& order,
                   const std::vector<char>& absent = {});
  /// The same in place. Allocates nothing if the same room has served for a program with the same
  /// order and at most as many absent blocks.
  void make(const BlockPattern& pattern, const std::vector<std::int32_t>& order,
            const std::vector<char>& absent, Room& room);
  /// Reserves memory for runs with any set of absent blocks: fewer absent blocks may mean more
  /// runs.
  void reserve_runs(const BlockPattern& pattern);

  std::vector<Node> nodes;  // in the order of elimination
  std::vector<Neighbour> neighbours;
  std::vector<int> targets;
  std::vector<Step> forward, backward;
  std::vector<LargerStep> larger;
  int second_part = 0;  // start of the numbers of `backward` in the factors
  // Destinations of the numbers of the layers; those of `rows` separately for g and k, which have
  // different weights.
  Runs value, velocity, position, holonomic_rows, nonholonomic_rows;
  Runs zeros;                // numbers of the factors that are not in the pattern
  bool in_place = true;      // positions are those in the KKT vector
  std::vector<int> unknown;  // unknown of the KKT vector at each position
  int factor_count = 0;      // size of the factors
  int largest_node = 0;      // unknowns of the largest node
  int fill = 0;              // blocks (pairs A_uw, A_wu) that are not in the pattern

 private:
  void write_steps();
};

}  // namespace mechfmu
