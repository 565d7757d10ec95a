#include "solver/dense_lu.h"

#include <limits>
#include <numeric>
#include <utility>

namespace mechfmu {

namespace {
constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double rank_tolerance = 1e-10;
}  // namespace

void DenseLu::resize(Index size) {
  lu_ = Matrix::Zero(size, size);
  row_scale_ = column_max_ = work_ = Vector::Zero(size);
  rows_.resize(static_cast<std::size_t>(size));
  columns_.resize(static_cast<std::size_t>(size));
  kernel_ = Matrix::Zero(size, size);
  rank_ = 0;
}

void DenseLu::equilibrate() {
  const Index size = lu_.rows();
  work_.setZero();
  for (Index j = 0; j < size; ++j) work_ = work_.cwiseMax(lu_.col(j).cwiseAbs());
  for (Index i = 0; i < size; ++i) row_scale_[i] = work_[i] > 0 ? 1 / work_[i] : 1;
  for (Index j = 0; j < size; ++j) {
    lu_.col(j).array() *= row_scale_.array();
    column_max_[j] = lu_.col(j).cwiseAbs().maxCoeff();
  }
}

bool DenseLu::choose_pivot(Index step, bool complete) {
  const Index size = lu_.rows();
  Index row = step;
  Index column = step;
  const Index rest = size - step;
  if (complete) {
    lu_.bottomRightCorner(rest, rest).cwiseAbs().maxCoeff(&row, &column);
    row += step;
    column += step;
  } else {
    lu_.col(step).tail(rest).cwiseAbs().maxCoeff(&row);
    row += step;
  }
  // What cancellation left over is no pivot.
  const double pivot = std::abs(lu_(row, column));
  const double smallest =
      complete ? rank_tolerance : 8 * epsilon * static_cast<double>(size) * column_max_[column];
  if (!(pivot > smallest)) return false;

  if (row != step) {
    lu_.row(row).swap(lu_.row(step));
    std::swap(rows_[static_cast<std::size_t>(row)], rows_[static_cast<std::size_t>(step)]);
  }
  if (column != step) {
    lu_.col(column).swap(lu_.col(step));
    std::swap(columns_[static_cast<std::size_t>(column)], columns_[static_cast<std::size_t>(step)]);
  }
  return true;
}

void DenseLu::eliminate(Index step) {
  const Index size = lu_.rows();
  const Index below = size - step - 1;
  auto factors = lu_.col(step).tail(below);
  factors /= lu_(step, step);
  for (Index j = step + 1; j < size; ++j) {
    const double top = lu_(step, j);
    if (top != 0) lu_.col(j).tail(below).noalias() -= top * factors;
  }
}

bool DenseLu::factor(bool complete_pivoting) {
  const Index size = lu_.rows();
  std::iota(rows_.begin(), rows_.end(), Index{0});
  std::iota(columns_.begin(), columns_.end(), Index{0});
  equilibrate();
  for (rank_ = 0; rank_ < size; ++rank_) {
    if (!choose_pivot(rank_, complete_pivoting)) break;
    eliminate(rank_);
  }
  if (rank_ < size && complete_pivoting) compute_kernel();
  return rank_ == size || complete_pivoting;
}

void DenseLu::compute_kernel() {
  // U = [U₁ U₂; 0 0]: columns (−U₁⁻¹ U₂; I), then orthonormalized.
  const Index size = lu_.rows();
  const auto U1 = lu_.topLeftCorner(rank_, rank_).triangularView<Eigen::Upper>();
  for (Index c = rank_; c < size; ++c) {
    work_.setZero();
    work_.head(rank_) = -lu_.col(c).head(rank_);
    auto head = work_.head(rank_);
    U1.solveInPlace(head);
    work_[c] = 1;
    auto basis = kernel_.col(c - rank_);
    for (Index i = 0; i < size; ++i) basis[columns_[static_cast<std::size_t>(i)]] = work_[i];
    for (Index e = 0; e < c - rank_; ++e) {
      const double overlap = kernel_.col(e).dot(basis);
      basis -= overlap * kernel_.col(e);
    }
    basis.normalize();
  }
}

void DenseLu::solve(Vector& b) {
  const Index size = lu_.rows();
  for (Index i = 0; i < size; ++i) {
    const Index row = rows_[static_cast<std::size_t>(i)];
    work_[i] = row_scale_[row] * b[row];
  }
  // Column-oriented substitution; zeros of the right-hand side cost nothing.
  for (Index j = 0; j < rank_; ++j) {
    const double x = work_[j];
    if (x != 0)
      work_.segment(j + 1, rank_ - j - 1).noalias() -= x * lu_.col(j).segment(j + 1, rank_ - j - 1);
  }
  for (Index j = rank_ - 1; j >= 0; --j) {
    const double x = work_[j] / lu_(j, j);
    work_[j] = x;
    if (x != 0) work_.head(j).noalias() -= x * lu_.col(j).head(j);
  }
  work_.tail(size - rank_).setZero();
  for (Index i = 0; i < size; ++i) b[columns_[static_cast<std::size_t>(i)]] = work_[i];
  for (Index c = 0; c < size - rank_; ++c) {
    const double part = kernel_.col(c).dot(b);
    b -= part * kernel_.col(c);
  }
}

}  // namespace mechfmu
