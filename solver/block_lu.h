// LU of a block matrix by a given elimination: no search, no allocation, no fill beyond it.
//
//   factor:   P_v = A_vv⁻¹,   X_vw = P_v A_vw,   A_uw ← A_uw − A_uv X_vw
//   solve:    y_v = P_v b_v,  b_w ← b_w − A_wv y_v   forward;    x_v = y_v − Σ_w X_vw x_w   backward
//
// P_v is the inverse; of large nodes, L and U (solver/block_large.h) stand for it.
//
// Pivots are sought inside the pivot blocks only; the elimination has been chosen so that they are
// there. A pivot vanishes when it is small compared to the sum of the absolute contributions to its
// diagonal. Where constraints are redundant, unknowns can be left out: their rows and columns count as those of a unit matrix, with
// zeros on the right-hand side.

#pragma once

#include <cstdint>
#include <vector>

#include "solver/block_elimination.h"
#include "solver/block_kernels.h"
#include "solver/block_large.h"
#include "solver/block_pivot.h"

namespace mechfmu {

/// What to do where a pivot block has no further pivot.
enum class MissingPivots {
  fail,  // the matrix is singular
  drop   // P_v is zero in the rows and columns without: to find the kernel
};

class BlockLu {
 public:
  /// Allocates all it needs; `elimination` must outlive it.
  explicit BlockLu(const BlockElimination& elimination);
  /// The elimination was made anew, with the same order. Allocates where it needs more numbers than any before.
  void fit();

  BlockLu(const BlockLu&) = delete;
  BlockLu& operator=(const BlockLu&) = delete;

  /// Unknowns of the KKT vector (those marked by other numbers than 0) that have no part in what is factored and solved from now on.
  /// Allocates.
  void leave_out(const std::vector<std::int32_t>& marks);

  /// The matrix to factor: first the numbers of all blocks, then multiples of layers that have some.
  void load(const Vector& values);
  void add(const BlockElimination::Runs& runs, double weight, const Vector& layer);

  /// Factors what was loaded. False when the matrix is singular, or the elimination does not suit it.
  [[nodiscard]] bool factor(MissingPivots missing = MissingPivots::fail);
  [[nodiscard]] bool factor(const Vector& values, MissingPivots missing = MissingPivots::fail) {
    load(values);
    return factor(missing);
  }
  /// b ← A⁻¹ b.
  void solve(Vector& b);

  /// Relative size of the smallest pivot (1 stands for all that are well above it).
  double smallest_pivot() const { return smallest_; }
  /// Unknowns whose columns have no pivot.
  std::vector<Index> dropped_columns() const;

  const BlockElimination& elimination() const { return e_; }

 private:
  void mask();
  [[nodiscard]] bool invert(std::size_t index, MissingPivots missing);
  [[nodiscard]] bool factor_large(std::size_t index);
  PivotWork pivot_work();
  void eliminate(std::size_t index);
  void substitute(const std::vector<BlockElimination::Step>& steps, const double* f, double* x);
  const double* larger_step(const BlockElimination::LargerStep& step, const double* f, double* y,
                            double* b);

  const BlockElimination& e_;
  Vector factors_;  // laid out by the elimination
  Vector sums_;     // of absolute contributions to each diagonal
  Vector work_;     // the right-hand side, where positions are not those of the KKT vector
  Vector table_, scaling_, small_;
  Vector large_scale_;  // of large nodes, by position
  std::vector<int> large_swap_;
  std::vector<char> factored_;  // of each node: L and U, no inverse
  std::vector<int> pivot_of_row_, pivot_of_column_;
  std::vector<char> column_dropped_;
  struct Strip {
    int first = 0, stride = 0, count = 0;  // numbers of the factors
  };
  std::vector<Strip> masked_;  // rows and columns of what is left out …
  std::vector<int> units_;     // … its numbers on the diagonal …
  std::vector<int> left_out_;  // … and itself in the KKT vector
  double smallest_ = 1;
  int dropped_ = 0;
};

}  // namespace mechfmu
