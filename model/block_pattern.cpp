#include "model/block_pattern.h"

#include <algorithm>
#include <stdexcept>

namespace mechfmu {

namespace {
std::uint64_t key(Index row, Index column) {
  return (static_cast<std::uint64_t>(row) << 32) | static_cast<std::uint64_t>(column);
}
}  // namespace

Index BlockPattern::append(Index row, Index column) {
  const Index id = block_count();
  blocks_.push_back({row, column, value_count_, id, 0});
  ids_.emplace(key(row, column), id);
  value_count_ += node(row).size * node(column).size;
  return id;
}

Index BlockPattern::add_node(NodeKind kind, Index first, Index size) {
  if (size < 1 || first < 0) throw std::invalid_argument("BlockPattern: a node needs unknowns");
  const Index id = node_count();
  nodes_.push_back({kind, first, size, 0});
  nodes_.back().diagonal = append(id, id);
  unknown_count_ = std::max(unknown_count_, first + size);
  return id;
}

Index BlockPattern::block(Index row, Index column, unsigned layers) {
  const auto found = ids_.find(key(row, column));
  if (found != ids_.end()) {
    blocks_[ix(found->second)].layers |= layers;
    return found->second;
  }
  const Index id = append(row, column);
  const Index mirror = append(column, row);
  blocks_[ix(id)].layers = layers;
  blocks_[static_cast<std::size_t>(id)].mirror = mirror;
  blocks_[static_cast<std::size_t>(mirror)].mirror = id;
  return id;
}

void BlockPattern::multiply(const Vector& values, In x, Out y) const {
  y.setZero();
  for (const Block& b : blocks_) {
    const Node& row = node(b.row);
    const Node& column = node(b.column);
    const double* a = values.data() + b.offset;
    for (Index j = 0; j < column.size; ++j) {
      const double xj = x[column.first + j];
      for (Index i = 0; i < row.size; ++i) y[row.first + i] += *a++ * xj;
    }
  }
}

Matrix BlockPattern::dense(const Vector& values) const {
  Matrix A = Matrix::Zero(unknown_count_, unknown_count_);
  for (Index id = 0; id < block_count(); ++id)
    A.block(node(at(id).row).first, node(at(id).column).first, rows(id), columns(id)) =
        map(values, id);
  return A;
}

}  // namespace mechfmu
