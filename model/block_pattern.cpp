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
  offsets_[0].push_back(value_count_);
  for (std::size_t k = 1; k < offsets_.size(); ++k) offsets_[k].push_back(-1);
  value_count_ += node(row).size * node(column).size;
  counts_[0] = value_count_;
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
  Index id = 0;
  if (found != ids_.end()) {
    id = found->second;
  } else {
    id = append(row, column);
    const Index mirror = append(column, row);
    blocks_[ix(id)].mirror = mirror;
    blocks_[ix(mirror)].mirror = id;
  }
  for (const unsigned which : {layer::velocity, layer::position, layer::rows}) {
    const std::size_t k = number(which);
    if ((layers & which) == 0 || offsets_[k][ix(id)] >= 0) continue;
    offsets_[k][ix(id)] = counts_[k];
    counts_[k] += rows(id) * columns(id);
  }
  blocks_[ix(id)].layers |= layers;
  return id;
}

BlockLayers BlockPattern::make_layers() const {
  const auto zeros = [&](unsigned which) { return Vector::Zero(count(which)); };
  return {zeros(layer::value), zeros(layer::velocity), zeros(layer::position), zeros(layer::rows)};
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
