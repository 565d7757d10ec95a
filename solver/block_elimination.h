// The program of a block elimination: what a given order of the nodes of a pattern means for the numbers.
//
//   eliminating node v:   A_uw ← A_uw − A_uv A_vv⁻¹ A_vw       for all neighbours u, w eliminated later
//
// The neighbours follow from the pattern and the order alone: v is coupled to what it has blocks with, and to the later
// neighbours of those eliminated before, v being the first of them.
//
// The numbers of the factors are laid out in the order of elimination: for every node its pivot block and the blocks A_wv
// below it, then, in a second part and from the last node to the first, the blocks X_vw = A_vv⁻¹ A_vw: a substitution runs through them
// once from beginning to end. Unknowns keep their places in the KKT vector, unless nodes
// that are not next to each other there share a pivot block: then they follow one another in the order of elimination.

#pragma once

#include <cstdint>
#include <vector>

#include "model/block_pattern.h"

namespace mechfmu {

struct BlockElimination {
  struct Node {
    int first = 0, size = 0;        // its unknowns, as positions
    int diagonal = 0;               // offset of the pivot block in the factors
    int neighbours = 0, count = 0;  // those eliminated later: neighbours[neighbours … + count)
    int targets = 0;     // offsets of A_uw, count × count by columns: targets[targets …)
    bool mixed = false;  // some of its unknowns are multipliers, some are not
  };
  struct Neighbour {
    int first = 0, size = 0;   // its unknowns, as positions
    int lower = 0, upper = 0;  // offsets of A_wv and A_vw in the factors
  };
  /// Numbers of a layer that are consecutive in the factors.
  struct Run {
    int from = 0, to = 0, length = 0;
  };
  using Runs = std::vector<Run>;
  /// Of a substitution: y ← P y, b −= A y, or both, with the next numbers of the factors.
  struct Step {
    int y = 0, b = 0;  // positions
    int kernel = 0;    // number of kernels::Tables::step; −1 − i: larger[i] says what to do
  };
  struct LargerStep {
    int y = 0, b = 0;  // sizes; b = 0: y ← P y, else b −= A y
    int node = 0;
  };

  /// What is needed while a program is made.
  struct Room {
    struct Place {
      int step = -1;  // node of the elimination
      int local = 0;  // first of its unknowns there
    };
    std::vector<Place> places;            // where a node of the pattern has come to lie
    std::vector<std::vector<int>> later;  // neighbours of each node that are eliminated later
    std::vector<char> seen, is_set;
  };

  BlockElimination() = default;
  /// `order` as in BlockOrder::nodes; zeros at its end do not count. Throws if it is no order of the pattern's nodes. Blocks marked in
  /// `absent` have no numbers; empty: all have.
  BlockElimination(const BlockPattern& pattern, const std::vector<std::int32_t>& order,
                   const std::vector<char>& absent = {});
  /// The same in place. Allocates nothing where a program with the same order, with no more blocks absent than now, was made before with
  /// the same room.
  void make(const BlockPattern& pattern, const std::vector<std::int32_t>& order,
            const std::vector<char>& absent, Room& room);
  /// Room for runs whichever blocks are absent: with fewer of them there may be more.
  void reserve_runs(const BlockPattern& pattern);

  std::vector<Node> nodes;  // in the order of elimination
  std::vector<Neighbour> neighbours;
  std::vector<int> targets;
  std::vector<Step> forward, backward;
  std::vector<LargerStep> larger;
  int second_part = 0;  // where the numbers of `backward` begin in the factors
  // Where the numbers of the layers go; those of `rows` apart for g and k, which have weights of their own
  Runs value, velocity, position, holonomic_rows, nonholonomic_rows;
  Runs zeros;                // numbers of the factors that the pattern does not have
  bool in_place = true;      // positions are those of the KKT vector
  std::vector<int> unknown;  // of the KKT vector at each position
  int factor_count = 0;      // numbers in the factors
  int largest_node = 0;      // unknowns in it
  int fill = 0;              // blocks (pairs A_uw, A_wu) that the pattern does not have

 private:
  void write_steps();
};

}  // namespace mechfmu
