// LU of a block matrix by a given elimination: no search, no allocation, no fill beyond it.
//
//   factor:   P_v = A_vv⁻¹,   X_vw = P_v A_vw,   A_uw ← A_uw − A_uv X_vw
//   solve:    y_v = P_v b_v,  b_w ← b_w − A_wv y_v   forward;    x_v = y_v − Σ_w X_vw x_w   backward
//
// Pivots are sought inside the pivot blocks only; the elimination has been chosen so that they are
// there. A pivot vanishes when it is small compared to the sum of the absolute contributions to its
// diagonal. Where constraints are redundant, a block has fewer pivots than rows; then P_v is zero in
// the rows and columns without pivot: those equations are left out, those multipliers are zero.

#pragma once

#include <vector>

#include "solver/block_elimination.h"
#include "solver/block_pivot.h"

namespace mechfmu {

/// What to do where a pivot block has no further pivot.
enum class MissingPivots {
  fail,            // the matrix is singular
  drop_redundant,  // leave out constraints that are not coupled to anything else, else fail
  drop_all         // leave out whatever it is: to find the kernel
};

class BlockLu {
 public:
  /// Allocates all it needs; `elimination` must outlive it.
  explicit BlockLu(const BlockElimination& elimination);

  /// False when the matrix is singular, or the elimination does not suit it.
  [[nodiscard]] bool factor(const Vector& values, MissingPivots missing = MissingPivots::fail);
  /// With as many pivots in each node as `ranks` has found with the same elimination.
  [[nodiscard]] bool factor_with_ranks(const Vector& values, const BlockLu& ranks);

  /// b ← A⁻¹ b.
  void solve(Vector& b);

  /// Relative size of the smallest pivot (1 stands for all that are well above it).
  double smallest_pivot() const { return smallest_; }
  /// Unknowns without pivot: rows that are left out, columns that stay zero.
  std::vector<Index> dropped_rows() const;
  std::vector<Index> dropped_columns() const;
  bool full_rank() const { return dropped_ == 0; }

  const BlockElimination& elimination() const { return e_; }

 private:
  [[nodiscard]] bool run(const Vector& values, MissingPivots missing, const BlockLu* ranks);
  [[nodiscard]] bool invert(std::size_t index, MissingPivots missing, const BlockLu* ranks);
  [[nodiscard]] bool may_drop(const BlockElimination::Node& node);
  PivotWork pivot_work();
  void eliminate(const BlockElimination::Node& node);

  const BlockElimination& e_;
  Vector factors_;  // laid out by the elimination
  Vector sums_;     // of absolute contributions to each diagonal
  Vector work_;     // the right-hand side in the order of elimination
  Vector table_, scaling_, small_;
  std::vector<int> pivot_of_row_, pivot_of_column_, rank_;
  std::vector<char> row_dropped_, column_dropped_;
  double smallest_ = 1;
  int dropped_ = 0;
};

}  // namespace mechfmu
