// LU of a small dense KKT matrix: partial pivoting, or complete pivoting if constraints are
// redundant.
//
//   P diag(r) A diag(c) Q = L U,     A = [ M  F  · ]   n rows of motion
//                                        [ C  0  · ]   μ constraints
//                                        [ ·  ·  · ]   x states
//
// Masses may have any size relative to the numbers of C and F. In regular matrices, one factor for
// all multipliers makes F as large as M, and the largest number of each row becomes 1. With
// redundant constraints, C alone, row by row relative to its largest number, determines which
// multipliers have a pivot: pivots come from C first, then as many from F. The rest of the motion,
// M along the constraints, must have all its pivots. The multipliers without pivot span a kernel N
// of A. It is stored as an orthonormal basis, and solve() returns the solution without a component
// in N, which has the smallest multipliers.
//
// Nothing allocates after resize(), for any size (Eigen's own decompositions do not guarantee
// this).

#pragma once

#include <vector>

#include "model/types.h"
#include "solver/compact_rows.h"

namespace mechfmu {

class DenseLu {
 public:
  void resize(Index motion, Index multipliers = 0, Index states = 0);
  /// Fill it before factor(), which overwrites it.
  Matrix& matrix() { return lu_; }

  /// False: the matrix is singular to working precision; with `redundant`: more than the
  /// multipliers is undetermined.
  [[nodiscard]] bool factor(bool redundant);
  /// b ← A⁻¹ b, or the kernel-free solution where A has a kernel.
  void solve(Vector& b);

  Index rank() const { return rank_; }

 private:
  enum class Part { motion, multipliers };  // motion includes states

  [[nodiscard]] bool factor_regular();
  [[nodiscard]] bool factor_redundant();
  [[nodiscard]] bool choose_pivot_in_column(Index step);
  [[nodiscard]] bool choose_pivot(Index step, Part row_part, Part column_part, double smallest);
  void exchange(Index step, Index row, Index column);
  void eliminate(Index step);
  void follow_row_sizes(Index step);
  void compute_kernel();
  void gather();
  bool is(Part part, Index unknown) const {
    return (unknown >= motion_ && unknown < motion_ + multipliers_) == (part == Part::multipliers);
  }

  Matrix lu_;
  Vector row_scale_, column_scale_, column_max_, work_;
  Vector row_size_;                    // for rows of motion: the largest number that contributed
  std::vector<Index> rows_, columns_;  // pivot order: row i of LU is row rows_[i] of A
  CompactRows lower_, upper_;          // L and U without their diagonals, for solve()
  Vector pivot_inverse_;               // inverses of U's diagonal
  Matrix kernel_;                      // orthonormal columns, in the order of the unknowns of A
  Index motion_ = 0, multipliers_ = 0, rank_ = 0;
};

}  // namespace mechfmu
