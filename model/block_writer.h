// How a system adds its derivatives to the layers of a block pattern.
//
//   if (out.go(joint, body, layer::value | layer::rows)) {
//     out.value(0, 3) += …;
//     out.rows(0, 3) += …;
//   }
// An element always touches the same blocks, in the same layers and in the same order. A first pass
// over all elements uses the writer that builds: it notes the blocks and makes them in the pattern.
// All later passes follow that list, and skip() blocks that get nothing. A pass that visits other
// blocks than the first one would write into wrong places; finish() and go() check this in debug
// builds.

#pragma once

#include <cassert>
#include <vector>

#include "model/block_pattern.h"

namespace mechfmu {

class BlockWriter {
 public:
  /// The first pass: go() makes blocks and returns false.
  BlockWriter(BlockPattern& pattern, std::vector<Index>& ids) : building_(&pattern), noted_(&ids) {}
  /// All later passes.
  BlockWriter(const BlockPattern& pattern, const std::vector<Index>& ids, BlockLayers& layers)
      : pattern_(&pattern),
        next_(ids.data()),
        end_(ids.data() + ids.size()),
        value_(pattern, layer::value, layers.value),
        velocity_(pattern, layer::velocity, layers.velocity),
        position_(pattern, layer::position, layers.position),
        in_rows_(pattern, layer::rows, layers.rows) {}

  /// Moves to the block (row, column), to write into the named layers. False: there is nothing to
  /// add (no such node, or the first pass).
  bool go(Index row, Index column, unsigned layers) {
    if (row < 0 || column < 0) return false;
    if (building_ != nullptr) {
      noted_->push_back(building_->block(row, column, layers));
      return false;
    }
    assert(next_ != end_ && pattern_->at(*next_).row == row &&
           pattern_->at(*next_).column == column);
    const Index id = *next_++;
    assert((pattern_->at(id).layers & layers) == layers);
    rows_ = pattern_->rows(id);
    layers_ = layers;
    if ((layers & layer::value) != 0) value_.go(id);
    if ((layers & layer::velocity) != 0) velocity_.go(id);
    if ((layers & layer::position) != 0) position_.go(id);
    if ((layers & layer::rows) != 0) in_rows_.go(id);
    return true;
  }
  /// Skips this many blocks, which get nothing. Only after the first pass.
  void skip(Index blocks) { next_ += blocks; }
  bool is_first_pass() const { return building_ != nullptr; }
  double& value(Index r, Index c) { return at(layer::value, value_, r, c); }
  double& velocity(Index r, Index c) { return at(layer::velocity, velocity_, r, c); }
  double& position(Index r, Index c) { return at(layer::position, position_, r, c); }
  double& rows(Index r, Index c) { return at(layer::rows, in_rows_, r, c); }

  /// Subtracts a matrix from the present block; `stride` numbers lie between the starts of its
  /// rows.
  void subtract_position(const double* matrix, Index stride, Index rows, Index columns) {
    subtract(layer::position, position_, matrix, stride, rows, columns);
  }
  void subtract_velocity(const double* matrix, Index stride, Index rows, Index columns) {
    subtract(layer::velocity, velocity_, matrix, stride, rows, columns);
  }

  /// Call it at the end of a pass.
  void finish() const { assert(next_ == end_); }

 private:
  /// The present block in one layer.
  struct Place {
    Place() = default;
    Place(const BlockPattern& pattern, unsigned which, Vector& numbers)
        : offsets(pattern.offsets(which, numbers.size())), first(numbers.data()) {}
    void go(Index id) { block = first + offsets[id]; }

    const Index* offsets = nullptr;  // offsets of all blocks
    double* first = nullptr;         // number of the layer
    double* block = nullptr;
  };
  void subtract([[maybe_unused]] unsigned which, const Place& place, const double* matrix,
                Index stride, Index rows, Index columns) {
    assert((layers_ & which) != 0);
    double* to = place.block;
    for (Index c = 0; c < columns; ++c, to += rows_)
      for (Index r = 0; r < rows; ++r) to[r] -= matrix[r * stride + c];
  }
  double& at([[maybe_unused]] unsigned which, const Place& place, Index r, Index c) {
    assert((layers_ & which) != 0);  // a layer that go() did not name
    return place.block[c * rows_ + r];
  }

  BlockPattern* building_ = nullptr;
  std::vector<Index>* noted_ = nullptr;
  const BlockPattern* pattern_ = nullptr;
  const Index* next_ = nullptr;
  const Index* end_ = nullptr;
  Place value_, velocity_, position_, in_rows_;
  unsigned layers_ = 0;  // layers of the present block that may be written
  Index rows_ = 0;
};

}  // namespace mechfmu
