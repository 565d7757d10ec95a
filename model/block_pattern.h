// Where the blocks of a KKT matrix are, for systems made of bodies, joints and states.
//
//   A = [A_rc],  r, c nodes:  a body (its n_r velocities), the rows of a joint, a group of states
//
// A node stands for consecutive unknowns of the KKT vector (n motion, m + k constraints, x states)
// and for the equally numbered rows. The pattern is symmetric: with A_rc there is A_cr, and every
// A_rr is there. Numbers live in arrays, block after block, each block n_r × n_c by columns:
//
//   const Index joint = pattern.block(row, body);                // while building
//   pattern.map(layers.value, joint) += C_body;                  // whenever derivatives are taken

#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/types.h"

namespace mechfmu {

enum class NodeKind { motion, holonomic, nonholonomic, state };

inline bool is_constraint(NodeKind kind) {
  return kind == NodeKind::holonomic || kind == NodeKind::nonholonomic;
}

/// Derivatives as arrays of numbers, with the signs they have in the Newton KKT matrix:
///
///   mass KKT = value          Newton KKT = value + v velocity + p position + c rows
///
///              motion      constraints  states
///   value      M           −f_μ
///              C
///              d_a         d_μ          d_x'
///   velocity   −f_z                     −f_x
///              d_z                      d_x
///   position   −K,  K = f_y − κ (M a)_y
///              d_y
///   rows       C_y (in constraint rows, motion columns)
///
/// `value` has all blocks of the pattern. Each other layer has the blocks that name it, in the
/// order in which they were made (BlockPattern::make_layers), or, in an array of value_count()
/// numbers, all blocks like `value`.
struct BlockLayers {
  Vector value, velocity, position, rows;
};

/// The layers in which a block has numbers, as bits.
namespace layer {
constexpr unsigned value = 1, velocity = 2, position = 4, rows = 8, all = 15;
}  // namespace layer

class BlockPattern {
 public:
  struct Node {
    NodeKind kind = NodeKind::motion;
    Index first = 0;     // unknowns first … first + size − 1 of the KKT vector
    Index size = 0;      // at least 1
    Index diagonal = 0;  // its block A_rr
  };
  struct Block {
    Index row = 0, column = 0;  // nodes
    Index offset = 0;           // offset of its first number in arrays of all blocks
    Index mirror = 0;           // block A_cr
    unsigned layers = 0;        // where it has numbers: layer::value …
  };

  /// Nodes may come in any order; together they must cover the KKT vector once.
  Index add_node(NodeKind kind, Index first, Index size);
  /// The block A_rc, with numbers in these layers from now on. The first call makes it, with its
  /// mirror.
  Index block(Index row, Index column, unsigned layers = layer::all);

  Index node_count() const { return static_cast<Index>(nodes_.size()); }
  Index block_count() const { return static_cast<Index>(blocks_.size()); }
  Index value_count() const { return value_count_; }
  Index unknown_count() const { return unknown_count_; }

  const Node& node(Index i) const { return nodes_[static_cast<std::size_t>(i)]; }
  const Block& at(Index id) const { return blocks_[static_cast<std::size_t>(id)]; }
  Index offset(Index id) const { return at(id).offset; }

  /// All layers, with as many zeros as their blocks have numbers.
  BlockLayers make_layers() const;
  /// The size of a layer.
  Index count(unsigned which) const { return counts_[number(which)]; }
  /// Offset of the first number of a block in a layer of make_layers(); −1 if it has none.
  Index offset(Index id, unsigned which) const { return offsets(which, count(which))[id]; }
  /// Offsets of all blocks in an array of `size` numbers.
  const Index* offsets(unsigned which, Index size) const {
    return offsets_[size == value_count_ ? 0 : number(which)].data();
  }

  Index rows(Index id) const { return node(at(id).row).size; }
  Index columns(Index id) const { return node(at(id).column).size; }

  /// A block of an array of values as a matrix.
  Eigen::Map<Matrix> map(Vector& values, Index id) const {
    return {values.data() + offset(id), rows(id), columns(id)};
  }
  Eigen::Map<const Matrix> map(const Vector& values, Index id) const {
    return {values.data() + offset(id), rows(id), columns(id)};
  }

  /// A block of a layer.
  Eigen::Map<Matrix> map(Vector& numbers, Index id, unsigned which) const {
    return {numbers.data() + offsets(which, numbers.size())[id], rows(id), columns(id)};
  }

  /// y = A x.
  void multiply(const Vector& values, In x, Out y) const;
  /// All of A, for tests and small systems.
  Matrix dense(const Vector& values) const;

 private:
  static std::size_t number(unsigned which) {
    return static_cast<std::size_t>(std::countr_zero(which));
  }
  Index append(Index row, Index column);

  std::vector<Node> nodes_;
  std::vector<Block> blocks_;
  std::unordered_map<std::uint64_t, Index> ids_;  // of (row, column)
  std::array<std::vector<Index>, 4> offsets_;     // in each layer, of every block
  std::array<Index, 4> counts_{};                 // numbers in each layer
  Index value_count_ = 0, unknown_count_ = 0;
};

}  // namespace mechfmu
