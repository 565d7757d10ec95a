#include "solver/dense_lu.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "solver/rank.h"

namespace mechfmu {

namespace {
constexpr double epsilon = std::numeric_limits<double>::epsilon();
}  // namespace

void DenseLu::resize(Index motion, Index multipliers, Index states) {
  motion_ = motion;
  multipliers_ = multipliers;
  const Index size = motion + multipliers + states;
  lu_ = Matrix::Zero(size, size);
  row_scale_ = column_scale_ = column_max_ = row_size_ = work_ = Vector::Zero(size);
  rows_.resize(static_cast<std::size_t>(size));
  columns_.resize(static_cast<std::size_t>(size));
  kernel_ = Matrix::Zero(size, size);
  pivot_inverse_ = Vector::Zero(size);
  lower_.resize(size, size);
  upper_.resize(size, size);
  rank_ = 0;
}

void DenseLu::exchange(Index step, Index row, Index column) {
  if (row != step) {
    lu_.row(row).swap(lu_.row(step));
    std::swap(rows_[static_cast<std::size_t>(row)], rows_[static_cast<std::size_t>(step)]);
  }
  if (column != step) {
    lu_.col(column).swap(lu_.col(step));
    std::swap(columns_[static_cast<std::size_t>(column)], columns_[static_cast<std::size_t>(step)]);
  }
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

bool DenseLu::factor(bool redundant) {
  std::iota(rows_.begin(), rows_.end(), Index{0});
  std::iota(columns_.begin(), columns_.end(), Index{0});
  const bool done = redundant ? factor_redundant() : factor_regular();
  if (done) gather();
  return done;
}

void DenseLu::gather() {
  lower_.clear();
  upper_.clear();
  for (Index i = 0; i < rank_; ++i) {
    lower_.append(lu_.row(i).head(i));
    upper_.append(lu_.row(i).segment(i + 1, rank_ - i - 1), i + 1);
    pivot_inverse_[i] = 1 / lu_(i, i);
  }
}

// --- regular matrices ---

bool DenseLu::choose_pivot_in_column(Index step) {
  const Index size = lu_.rows();
  Index row = step;
  const double pivot = lu_.col(step).tail(size - step).cwiseAbs().maxCoeff(&row);
  // A remainder of cancellation is not a pivot.
  if (!(pivot > 8 * epsilon * static_cast<double>(size) * column_max_[step])) return false;
  exchange(step, row + step, step);
  return true;
}

bool DenseLu::factor_regular() {
  const Index size = lu_.rows();
  auto forces = lu_.block(0, motion_, motion_, multipliers_);
  const double M = motion_ > 0 ? lu_.topLeftCorner(motion_, motion_).cwiseAbs().maxCoeff() : 0;
  const double F = forces.size() > 0 ? forces.cwiseAbs().maxCoeff() : 0;
  const double per_multiplier = M > 0 && F > 0 ? M / F : 1;
  column_scale_.setOnes();
  column_scale_.segment(motion_, multipliers_).setConstant(per_multiplier);
  lu_.middleCols(motion_, multipliers_) *= per_multiplier;

  work_.setZero();
  for (Index j = 0; j < size; ++j) work_ = work_.cwiseMax(lu_.col(j).cwiseAbs());
  for (Index i = 0; i < size; ++i) row_scale_[i] = work_[i] > 0 ? 1 / work_[i] : 1;
  for (Index j = 0; j < size; ++j) {
    lu_.col(j).array() *= row_scale_.array();
    column_max_[j] = lu_.col(j).cwiseAbs().maxCoeff();
  }
  for (rank_ = 0; rank_ < size; ++rank_) {
    if (!choose_pivot_in_column(rank_)) return false;
    eliminate(rank_);
  }
  return true;
}

// --- redundant constraints ---

bool DenseLu::choose_pivot(Index step, Part row_part, Part column_part, double smallest) {
  const Index size = lu_.rows();
  const bool M = row_part == Part::motion && column_part == Part::motion;
  double largest = smallest;
  Index row = -1;
  Index column = -1;
  for (Index j = step; j < size; ++j) {
    if (!is(column_part, columns_[static_cast<std::size_t>(j)])) continue;
    for (Index i = step; i < size; ++i) {
      const Index unknown = rows_[static_cast<std::size_t>(i)];
      if (!is(row_part, unknown)) continue;
      const double number = std::abs(lu_(i, j));
      const double relative = M && number > 0 ? number / row_size_[unknown] : number;
      if (relative > largest) {
        largest = relative;
        row = i;
        column = j;
      }
    }
  }
  if (row < 0) return false;
  exchange(step, row, column);
  return true;
}

/// After eliminate(): the numbers added to the rows of motion.
void DenseLu::follow_row_sizes(Index step) {
  const Index size = lu_.rows();
  double top = 0;
  for (Index j = step + 1; j < size; ++j)
    if (is(Part::motion, columns_[static_cast<std::size_t>(j)]))
      top = std::max(top, std::abs(lu_(step, j)));
  for (Index i = step + 1; i < size; ++i) {
    double& row_size = row_size_[rows_[static_cast<std::size_t>(i)]];
    row_size = std::max(row_size, std::abs(lu_(i, step)) * top);
  }
}

bool DenseLu::factor_redundant() {
  const Index size = lu_.rows();
  const auto one_over = [](double largest) { return largest > 0 ? 1 / largest : 1; };
  row_scale_.setOnes();
  column_scale_.setOnes();
  for (Index i = motion_; i < motion_ + multipliers_; ++i) {
    row_scale_[i] = one_over(lu_.row(i).cwiseAbs().maxCoeff());
    column_scale_[i] = one_over(lu_.col(i).cwiseAbs().maxCoeff());
    lu_.row(i) *= row_scale_[i];
    lu_.col(i) *= column_scale_[i];
  }
  row_size_.setZero();
  for (Index j = 0; j < size; ++j)
    if (is(Part::motion, j)) row_size_ = row_size_.cwiseMax(lu_.col(j).cwiseAbs());

  rank_ = 0;
  const auto take = [&](Part row, Part column, Index most, double smallest) {
    const Index end = std::min(size, rank_ + most);
    while (rank_ < end && choose_pivot(rank_, row, column, smallest)) {
      eliminate(rank_);
      follow_row_sizes(rank_);
      ++rank_;
    }
    return rank_ == end;
  };
  (void)take(Part::multipliers, Part::motion, multipliers_, rank_tolerance);
  const Index independent = rank_;
  if (!take(Part::motion, Part::multipliers, independent, rank_tolerance)) return false;
  // The rest of F acts on no motion except by roundoff, which is not small compared to a small M.
  for (Index j = rank_; j < size; ++j) {
    auto left = lu_.col(j).tail(size - rank_);
    if (is(Part::multipliers, columns_[static_cast<std::size_t>(j)]) &&
        left.cwiseAbs().maxCoeff() <= rank_tolerance)
      left.setZero();
  }
  const Index rest = size - multipliers_ - independent;
  if (!take(Part::motion, Part::motion, rest, 8 * epsilon * static_cast<double>(size)))
    return false;
  if (rank_ < size) compute_kernel();
  return true;
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
    for (Index i = 0; i < size; ++i) {
      const Index unknown = columns_[static_cast<std::size_t>(i)];
      basis[unknown] = column_scale_[unknown] * work_[i];
    }
    for (Index e = 0; e < c - rank_; ++e) {
      const double overlap = kernel_.col(e).dot(basis);
      basis -= overlap * kernel_.col(e);
    }
    basis.normalize();
  }
}

void DenseLu::solve(Vector& b) {
  const Index size = lu_.rows();
  for (Index i = 0; i < rank_; ++i) {
    const Index row = rows_[static_cast<std::size_t>(i)];
    work_[i] = row_scale_[row] * b[row] - lower_.times(i, work_.data());
  }
  for (Index i = rank_ - 1; i >= 0; --i)
    work_[i] = (work_[i] - upper_.times(i, work_.data())) * pivot_inverse_[i];
  work_.tail(size - rank_).setZero();
  for (Index i = 0; i < size; ++i) {
    const Index unknown = columns_[static_cast<std::size_t>(i)];
    b[unknown] = column_scale_[unknown] * work_[i];
  }
  for (Index c = 0; c < size - rank_; ++c) {
    const double part = kernel_.col(c).dot(b);
    b -= part * kernel_.col(c);
  }
}

}  // namespace mechfmu
