#include "solver/block_lu.h"

#include <algorithm>
#include <cmath>

#include "solver/rank.h"

namespace mechfmu {

namespace {
constexpr double good_pivot = 1e-4;        // accepted on the diagonal without a search
constexpr double vanishing_pivot = 1e-13;  // size of roundoff
constexpr double large_pivot = 1e-8;       // for large nodes without complete pivoting

using kernels::largest;
using kernels::tables;

}  // namespace

BlockLu::BlockLu(const BlockElimination& elimination) : e_(elimination) {
  const auto size = static_cast<Index>(e_.unknown.size());
  const Index n = e_.largest_node;
  factors_ = Vector::Zero(e_.factor_count);
  sums_ = work_ = Vector::Zero(size);
  table_ = Vector::Zero(n * n);
  scaling_ = small_ = Vector::Zero(n);
  pivot_of_row_.resize(n);
  pivot_of_column_.resize(n);
  column_dropped_.resize(size);
  large_scale_ = Vector::Zero(n >= large::smallest_size ? size : 0);
  large_swap_.resize(ix(large_scale_.size()));
  factored_.resize(e_.nodes.size());
}

void BlockLu::fit() {
  if (factors_.size() < e_.factor_count) factors_ = Vector::Zero(e_.factor_count);
}

void BlockLu::leave_out(const std::vector<std::int32_t>& marks) {
  masked_.clear();
  units_.clear();
  left_out_.clear();
  for (std::size_t i = 0; i < marks.size(); ++i)
    if (marks[i] != 0) left_out_.push_back(static_cast<int>(i));
  if (left_out_.empty()) return;
  const auto out = [&](int position) { return marks[ix(e_.unknown[ix(position)])] != 0; };
  for (const auto& node : e_.nodes) {
    const int n = node.size;
    for (int i = 0; i < n; ++i) {
      if (!out(node.first + i)) continue;
      masked_.push_back({node.diagonal + i, n, n});
      masked_.push_back({node.diagonal + i * n, 1, n});
      units_.push_back(node.diagonal + i * (n + 1));
    }
    for (int k = 0; k < node.count; ++k) {
      const auto& w = e_.neighbours[ix(node.neighbours + k)];
      for (int i = 0; i < n; ++i) {
        if (!out(node.first + i)) continue;
        masked_.push_back({w.upper + i, n, w.size});
        masked_.push_back({w.lower + i * w.size, 1, w.size});
      }
      for (int c = 0; c < w.size; ++c) {
        if (!out(w.first + c)) continue;
        masked_.push_back({w.upper + c * n, 1, n});
        masked_.push_back({w.lower + c, w.size, n});
      }
    }
  }
}

/// Sets rows and columns of a unit matrix for the unknowns left out.
void BlockLu::mask() {
  double* f = factors_.data();
  for (const Strip& strip : masked_)
    for (int i = 0; i < strip.count; ++i) f[strip.first + i * strip.stride] = 0;
  for (const int unit : units_) f[unit] = 1;
}

void BlockLu::load(const Vector& values) {
  double* to = factors_.data();
  const double* from = values.data();
  for (const auto& run : e_.zeros) std::fill_n(to + run.to, run.length, 0.0);
  for (const auto& run : e_.value) kernels::copy(from + run.from, to + run.to, run.length);
}

void BlockLu::add(const BlockElimination::Runs& runs, double weight, const Vector& layer) {
  if (weight == 0) return;
  for (const auto& run : runs) {
    const double* __restrict from = layer.data() + run.from;
    double* __restrict to = factors_.data() + run.to;
    for (int i = 0; i < run.length; ++i) to[i] += weight * from[i];
  }
}

bool BlockLu::factor(MissingPivots missing) {
  mask();
  const double* f = factors_.data();
  for (const auto& node : e_.nodes)
    for (int i = 0; i < node.size; ++i)
      sums_[node.first + i] = std::abs(f[node.diagonal + i * (node.size + 1)]);

  smallest_ = 1;
  dropped_ = 0;
  if (missing != MissingPivots::fail) {
    std::fill(column_dropped_.begin(), column_dropped_.end(), char{0});
  }
  for (std::size_t v = 0; v < e_.nodes.size(); ++v) {
    if (!invert(v, missing)) return false;
    eliminate(v);
  }
  return true;
}

bool BlockLu::invert(std::size_t index, MissingPivots missing) {
  const auto& node = e_.nodes[index];
  const int n = node.size;
  double* block = factors_.data() + node.diagonal;
  const double* sums = sums_.data() + node.first;
  const bool may_be_less = missing == MissingPivots::drop;
  factored_[index] = 0;
  // If bodies and joints share a node, a pivot on the diagonal may be small compared to its
  // couplings.
  if (n <= largest && !may_be_less && !node.mixed && tables.invert[n - 1](block, sums, good_pivot))
    return true;
  if (n >= large::smallest_size && !may_be_less && factor_large(index)) return true;

  const PivotWork work = pivot_work();
  const Pivots pivots =
      exchange(block, sums, n, may_be_less ? rank_tolerance : vanishing_pivot, work);
  smallest_ = std::min(smallest_, pivots.smallest);
  if (pivots.rank < n) {
    if (!may_be_less) return false;
    dropped_ += n - pivots.rank;
    for (int i = 0; i < n; ++i) column_dropped_[node.first + i] = pivot_of_column_[i] < 0;
  }
  extract_inverse(work, n, block);
  return true;
}

/// Replaces the block by L and U, if it is far from singular.
bool BlockLu::factor_large(std::size_t index) {
  const auto& node = e_.nodes[index];
  double* block = factors_.data() + node.diagonal;
  const int count = node.size * node.size;
  std::copy_n(block, count, table_.data());
  const double pivot =
      large::factor(node.size, block, sums_.data() + node.first, large_pivot,
                    large_scale_.data() + node.first, large_swap_.data() + node.first);
  if (!(pivot > large_pivot)) {
    std::copy_n(table_.data(), count, block);
    return false;
  }
  smallest_ = std::min(smallest_, pivot);
  factored_[index] = 1;
  return true;
}

PivotWork BlockLu::pivot_work() {
  return {table_.data(), scaling_.data(), pivot_of_row_.data(), pivot_of_column_.data()};
}

void BlockLu::eliminate(std::size_t index) {
  const auto& node = e_.nodes[index];
  double* f = factors_.data();
  const int n = node.size;
  const double* P = f + node.diagonal;
  const auto* neighbours = e_.neighbours.data() + node.neighbours;
  const int* target = e_.targets.data() + node.targets;

  // X_vw = P A_vw
  for (int j = 0; j < node.count; ++j) {
    double* X = f + neighbours[j].upper;
    if (n <= largest) {
      tables.apply[n - 1](P, X, neighbours[j].size);
    } else if (factored_[index] != 0) {
      large::solve({n, P, large_scale_.data() + node.first, large_swap_.data() + node.first}, X,
                   neighbours[j].size);
    } else {
      for (int c = 0; c < neighbours[j].size; ++c) kernels::apply(P, X + c * n, n, small_.data());
    }
  }
  // A_uw −= A_uv X_vw, and the sums on the diagonals
  for (int j = 0; j < node.count; ++j) {
    const auto& w = neighbours[j];
    const double* X = f + w.upper;
    for (int i = 0; i < node.count; ++i) {
      const auto& u = neighbours[i];
      double* A = f + *target++;
      if (i == j)
        for (int r = 0; r < w.size; ++r) small_[r] = A[r * (w.size + 1)];
      if (n <= largest && u.size <= largest) {
        tables.product[u.size - 1][n - 1](f + u.lower, X, A, w.size);
      } else if (u.size <= largest) {
        tables.long_product[u.size - 1](f + u.lower, X, A, w.size, n);
      } else {
        for (int c = 0; c < w.size; ++c)
          kernels::subtract(f + u.lower, X + c * n, A + c * u.size, u.size, n);
      }
      if (i == j)
        for (int r = 0; r < w.size; ++r)
          sums_[w.first + r] += std::abs(A[r * (w.size + 1)] - small_[r]);
    }
  }
}

void BlockLu::substitute(const std::vector<BlockElimination::Step>& steps, const double* f,
                         double* x) {
  for (const auto& [y, b, kernel] : steps)
    f = kernel >= 0 ? tables.step[kernel](f, x + y, x + b)
                    : larger_step(e_.larger[ix(-1 - kernel)], f, x + y, x + b);
}

/// A step with nodes that have no specialized kernels.
const double* BlockLu::larger_step(const BlockElimination::LargerStep& step, const double* f,
                                   double* y, double* b) {
  if (step.b > 0) {
    kernels::subtract(f, y, b, step.b, step.y);
    return f + step.b * step.y;
  }
  const int at = e_.nodes[ix(step.node)].first;
  if (factored_[ix(step.node)] != 0)
    large::solve({step.y, f, large_scale_.data() + at, large_swap_.data() + at}, y, 1);
  else
    kernels::apply(f, y, step.y, small_.data());
  return f + step.y * step.y;
}

void BlockLu::solve(Vector& b) {
  const std::size_t size = e_.unknown.size();
  double* x = b.data();
  for (const int unknown : left_out_) x[unknown] = 0;
  if (!e_.in_place) {
    x = work_.data();
    for (std::size_t i = 0; i < size; ++i) x[i] = b[e_.unknown[i]];
  }
  substitute(e_.forward, factors_.data(), x);
  substitute(e_.backward, factors_.data() + e_.second_part, x);
  if (!e_.in_place)
    for (std::size_t i = 0; i < size; ++i) b[e_.unknown[i]] = x[i];
}

std::vector<Index> BlockLu::dropped_columns() const {
  std::vector<Index> found;
  for (std::size_t i = 0; dropped_ > 0 && i < column_dropped_.size(); ++i)
    if (column_dropped_[i] != 0) found.push_back(e_.unknown[i]);
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace mechfmu
