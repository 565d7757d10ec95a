// LU of a block matrix by a given elimination: no search, no allocation, no additional fill.
//
//   factor:   P_v = A_vv⁻¹,   X_vw = P_v A_vw,   A_uw ← A_uw − A_uv X_vw
//   solve:    y_v = P_v b_v,  b_w ← b_w − A_wv y_v   forward;   x_v = y_v − Σ_w X_vw x_w   backward
//
// P_v is the inverse; large nodes store L and U instead (solver/block_large.h).
//
// Pivots are sought inside the pivot blocks only; the elimination has been chosen such that they
// exist there. A pivot vanishes if it is small compared to the sum of the absolute contributions to
// its diagonal. If constraints are redundant, unknowns can be left out: their rows and columns are
// those of a unit matrix, with zeros on the right-hand side.

#pragma once

#include <cstdint>
#include <vector>

#include "solver/block_elimination.h"
#include "solver/block_kernels.h"
#include "solver/block_large.h"
#include "solver/block_pivot.h"

namespace mechfmu {

/// Treatment of a pivot block without further pivots.
enum class MissingPivots {
  fail,  // the matrix is singular
  drop   // P_v is zero in the rows and columns without pivot: to find the kernel
};

class BlockLu {
 public:
  /// Allocates all memory; `elimination` must outlive this object.
  explicit BlockLu(const BlockElimination& elimination);
  /// Call after the elimination was made anew with the same order. Allocates if it needs more
  /// numbers than any before.
  void fit();

  BlockLu(const BlockLu&) = delete;
  BlockLu& operator=(const BlockLu&) = delete;

  /// Leaves out unknowns of the KKT vector (those with nonzero marks) from now on. Allocates.
  void leave_out(const std::vector<std::int32_t>& marks);

  /// Loads the matrix to factor: first the numbers of all blocks, then multiples of the layers.
  void load(const Vector& values);
  void add(const BlockElimination::Runs& runs, double weight, const Vector& layer);

  /// Factors the loaded matrix. False: the matrix is singular, or the elimination does not suit it.
  [[nodiscard]] bool factor(MissingPivots missing = MissingPivots::fail);
  [[nodiscard]] bool factor(const Vector& values, MissingPivots missing = MissingPivots::fail) {
    load(values);
    return factor(missing);
  }
  /// b ← A⁻¹ b.
  void solve(Vector& b);

  /// Relative size of the smallest pivot; pivots accepted without a search count as 1.
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
  Vector factors_;  // layout of the elimination
  Vector sums_;     // sums of the absolute contributions to each diagonal
  Vector work_;     // right-hand side, if positions are not those of the KKT vector
  Vector table_, scaling_, small_;
  Vector large_scale_;  // scales of large nodes, by position
  std::vector<int> large_swap_;
  std::vector<char> factored_;  // for each node: stored as L and U, not as inverse
  std::vector<int> pivot_of_row_, pivot_of_column_;
  std::vector<char> column_dropped_;
  struct Strip {
    int first = 0, stride = 0, count = 0;  // numbers of the factors
  };
  std::vector<Strip> masked_;  // rows and columns of the unknowns left out …
  std::vector<int> units_;     // … their numbers on the diagonal …
  std::vector<int> left_out_;  // … and their positions in the KKT vector
  double smallest_ = 1;
  int dropped_ = 0;
};

}  // namespace mechfmu
