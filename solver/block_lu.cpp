#include "solver/block_lu.h"

#include <algorithm>
#include <cmath>

#include "solver/block_kernels.h"

namespace mechfmu {

namespace {
constexpr double good_pivot = 1e-4;        // taken from the diagonal without a search
constexpr double vanishing_pivot = 1e-13;  // what roundoff leaves
constexpr double rank_tolerance = 1e-10;
constexpr double coupling_tolerance = 1e-4;  // √ of the former is what a coupling may be

using kernels::largest;
using kernels::tables;
}  // namespace

BlockLu::BlockLu(const BlockElimination& elimination) : e_(elimination) {
  const auto size = static_cast<Index>(e_.order.size());
  const Index n = e_.largest_node;
  factors_ = Vector::Zero(e_.factor_count);
  sums_ = work_ = Vector::Zero(size);
  table_ = Vector::Zero(n * n);
  scaling_ = small_ = Vector::Zero(n);
  pivot_of_row_.resize(n);
  pivot_of_column_.resize(n);
  rank_.resize(e_.nodes.size());
  row_dropped_.resize(size);
  column_dropped_.resize(size);
}

bool BlockLu::factor(const Vector& values, MissingPivots missing) {
  return run(values, missing, nullptr);
}

bool BlockLu::factor_with_ranks(const Vector& values, const BlockLu& ranks) {
  return run(values, MissingPivots::drop_redundant, &ranks);
}

bool BlockLu::run(const Vector& values, MissingPivots missing, const BlockLu* ranks) {
  double* to = factors_.data();
  const double* from = values.data();
  for (const auto& run : e_.zeros) std::fill_n(to + run.to, run.length, 0.0);
  for (const auto& run : e_.gather) kernels::copy(from + run.from, to + run.to, run.length);
  for (const auto& node : e_.nodes)
    for (int i = 0; i < node.size; ++i)
      sums_[node.first + i] = std::abs(to[node.diagonal + i * (node.size + 1)]);

  smallest_ = 1;
  dropped_ = 0;
  if (missing != MissingPivots::fail) {
    std::fill(row_dropped_.begin(), row_dropped_.end(), char{0});
    std::fill(column_dropped_.begin(), column_dropped_.end(), char{0});
  }
  for (std::size_t v = 0; v < e_.nodes.size(); ++v) {
    if (!invert(v, missing, ranks)) return false;
    eliminate(e_.nodes[v]);
  }
  return true;
}

bool BlockLu::invert(std::size_t index, MissingPivots missing, const BlockLu* ranks) {
  const auto& node = e_.nodes[index];
  const int n = node.size;
  double* block = factors_.data() + node.diagonal;
  const double* sums = sums_.data() + node.first;
  const bool may_be_less = missing == MissingPivots::drop_all ||
                           (missing == MissingPivots::drop_redundant && node.may_drop &&
                            (ranks == nullptr || ranks->rank_[index] < n));
  rank_[index] = n;
  // Where bodies and joints share a node, a pivot on the diagonal may be small beside its couplings.
  const auto kinds = e_.is_multiplier.begin() + node.first;
  const bool mixed = std::any_of(kinds, kinds + n, [&](char kind) { return kind != *kinds; });
  if (n <= largest && !may_be_less && !mixed && tables.invert[n - 1](block, sums, good_pivot))
    return true;

  const PivotWork work = pivot_work();
  const int most = ranks != nullptr ? ranks->rank_[index] : n;
  const bool decide = may_be_less && ranks == nullptr;
  const Pivots pivots =
      exchange(block, sums, n, decide ? rank_tolerance : vanishing_pivot, most, work);
  rank_[index] = pivots.rank;
  smallest_ = std::min(smallest_, pivots.smallest);
  if (pivots.rank < n) {
    if (!may_be_less || pivots.rank < (decide ? 0 : most)) return false;
    if (decide && missing == MissingPivots::drop_redundant && !may_drop(node)) return false;
    dropped_ += n - pivots.rank;
    for (int i = 0; i < n; ++i) {
      row_dropped_[node.first + i] = pivot_of_row_[i] < 0;
      column_dropped_[node.first + i] = pivot_of_column_[i] < 0;
    }
  }
  extract_inverse(work, n, block);
  return true;
}

PivotWork BlockLu::pivot_work() {
  return {table_.data(), scaling_.data(), pivot_of_row_.data(), pivot_of_column_.data()};
}

/// Rows and columns without pivot belong to constraints and are coupled to nothing that follows.
bool BlockLu::may_drop(const BlockElimination::Node& node) {
  const int n = node.size;
  const PivotWork work = pivot_work();  // as exchange() has left it
  const double* sums = sums_.data() + node.first;
  for (int i = 0; i < n; ++i) {
    const bool row = pivot_of_row_[i] < 0;
    const bool column = pivot_of_column_[i] < 0;
    if (!row && !column) continue;
    if (!e_.is_multiplier[node.first + i]) return false;
    for (int k = 0; k < node.count; ++k) {
      const auto& w = e_.neighbours[node.neighbours + k];
      const double* beyond = sums_.data() + w.first;
      const Rows upper{factors_.data() + w.upper, 1, n, w.size};
      const Rows lower{factors_.data() + w.lower, w.size, 1, w.size};
      if (row && coupling_left(work, n, true, i, upper, sums, beyond) > coupling_tolerance)
        return false;
      if (column && coupling_left(work, n, false, i, lower, sums, beyond) > coupling_tolerance)
        return false;
    }
  }
  return true;
}

void BlockLu::eliminate(const BlockElimination::Node& node) {
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

void BlockLu::solve(Vector& b) {
  const double* f = factors_.data();
  double* x = work_.data();
  const auto* all = e_.neighbours.data();
  const std::size_t size = e_.order.size();
  for (std::size_t i = 0; i < size; ++i) x[i] = b[e_.order[i]];

  for (const auto& node : e_.nodes) {
    const int n = node.size;
    const auto* w = all + node.neighbours;
    double* y = x + node.first;
    if (node.count == 1 && n <= largest && w->size <= largest) {
      tables.forward[n - 1][w->size - 1](f + node.diagonal, f + w->lower, y, x + w->first);
      continue;
    }
    if (n <= largest)
      tables.apply[n - 1](f + node.diagonal, y, 1);
    else
      kernels::apply(f + node.diagonal, y, n, small_.data());
    for (const auto* end = w + node.count; w != end; ++w) {
      if (n <= largest && w->size <= largest)
        tables.backward[w->size - 1][n - 1](f + w->lower, y, x + w->first);
      else
        kernels::subtract(f + w->lower, y, x + w->first, w->size, n);
    }
  }
  for (std::size_t k = e_.nodes.size(); k-- > 0;) {
    const auto& node = e_.nodes[k];
    const int n = node.size;
    const auto* w = all + node.neighbours;
    for (const auto* end = w + node.count; w != end; ++w) {
      if (n <= largest && w->size <= largest)
        tables.backward[n - 1][w->size - 1](f + w->upper, x + w->first, x + node.first);
      else
        kernels::subtract(f + w->upper, x + w->first, x + node.first, n, w->size);
    }
  }
  for (std::size_t i = 0; i < size; ++i) b[e_.order[i]] = x[i];
}

namespace {
std::vector<Index> marked(const std::vector<char>& marks, const std::vector<int>& order) {
  std::vector<Index> found;
  for (std::size_t i = 0; i < marks.size(); ++i)
    if (marks[i] != 0) found.push_back(order[i]);
  std::sort(found.begin(), found.end());
  return found;
}
}  // namespace

std::vector<Index> BlockLu::dropped_rows() const {
  return dropped_ > 0 ? marked(row_dropped_, e_.order) : std::vector<Index>{};
}
std::vector<Index> BlockLu::dropped_columns() const {
  return dropped_ > 0 ? marked(column_dropped_, e_.order) : std::vector<Index>{};
}

}  // namespace mechfmu
