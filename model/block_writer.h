// How a system adds its derivatives to the layers of a block pattern.
//
//   if (out.go(joint, body, layer::value | layer::rows)) {
//     out.value(0, 3) += …;
//     out.rows(0, 3) += …;
//   }
//
// The blocks an element touches, in which layers and in which order, never change. A first pass over all elements, with the
// writer that builds, notes the blocks, and makes them in the pattern; all later passes read their numbers off the list. A pass that
// visits other blocks than the first one would write into wrong places: finish() and go() check that (in debug builds).

#pragma once

#include <cassert>
#include <vector>

#include "model/block_pattern.h"

namespace mechfmu {

class BlockWriter {
 public:
  /// The first pass: go() makes blocks and returns false.
  BlockWriter(BlockPattern& pattern, std::vector<Index>& ids) : building_(&pattern), noted_(&ids) {}
  /// All others.
  BlockWriter(const BlockPattern& pattern, const std::vector<Index>& ids, BlockLayers& layers)
      : pattern_(&pattern), next_(ids.data()), end_(ids.data() + ids.size()), layers_(&layers) {}

  /// Moves to the block (row, column), to write into the layers named. False: nothing to add (no such node, or the first pass).
  bool go(Index row, Index column, unsigned layers) {
    if (row < 0 || column < 0) return false;
    if (building_ != nullptr) {
      noted_->push_back(building_->block(row, column, layers));
      return false;
    }
    assert(next_ != end_ && pattern_->at(*next_).row == row &&
           pattern_->at(*next_).column == column);
    const Index id = *next_++;
    rows_ = pattern_->rows(id);
    offset_ = pattern_->offset(id);
    return true;
  }
  double& value(Index r, Index c) { return layers_->value[offset_ + c * rows_ + r]; }
  double& velocity(Index r, Index c) { return layers_->velocity[offset_ + c * rows_ + r]; }
  double& position(Index r, Index c) { return layers_->position[offset_ + c * rows_ + r]; }
  double& rows(Index r, Index c) { return layers_->rows[offset_ + c * rows_ + r]; }

  /// At the end of a pass.
  void finish() const { assert(next_ == end_); }

 private:
  BlockPattern* building_ = nullptr;
  std::vector<Index>* noted_ = nullptr;
  const BlockPattern* pattern_ = nullptr;
  const Index* next_ = nullptr;
  const Index* end_ = nullptr;
  BlockLayers* layers_ = nullptr;
  Index offset_ = 0, rows_ = 0;
};

}  // namespace mechfmu
