// LU of a small dense matrix: row-equilibrated, partial pivoting; or complete pivoting with rank.
//
//   P diag(s) A Q = L U,   s_i = 1 / max_j |a_ij|
//
// With complete pivoting, pivots below the rank tolerance are dropped, the kernel N of A is kept
// as an orthonormal basis and solve() returns the solution without a component in N: for a KKT
// matrix with redundant constraints that is the one with the smallest multipliers. Nothing
// allocates after resize(), whatever the size (which Eigen's own decompositions do not promise).

#pragma once

#include <vector>

#include "model/types.h"

namespace mechfmu {

class DenseLu {
 public:
  void resize(Index size);
  /// To be filled before factor(), which overwrites it.
  Matrix& matrix() { return lu_; }

  /// False when the matrix is singular to working precision (never with complete pivoting).
  [[nodiscard]] bool factor(bool complete_pivoting);
  /// b ← A⁻¹ b, or the kernel-free solution where A has a kernel.
  void solve(Vector& b);

  Index rank() const { return rank_; }

 private:
  void equilibrate();
  [[nodiscard]] bool choose_pivot(Index step, bool complete);
  void eliminate(Index step);
  void compute_kernel();

  Matrix lu_;
  Vector row_scale_, column_max_, work_;
  std::vector<Index> rows_, columns_;  // pivot order: row i of LU is row rows_[i] of A
  Matrix kernel_;                      // orthonormal columns, in the order of the unknowns of A
  Index rank_ = 0;
};

}  // namespace mechfmu
