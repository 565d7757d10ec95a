// LU of one large pivot block, as a flexible body with many modes has, by partial pivoting in panels.
//
//   Π S A S = L U,   S diagonal: the largest number in every row and column about 1
//
// The inner products are loops with eight independent sums that compilers vectorize: no allocation, and the same bits for the
// same numbers. Pivots are relative to the scaled block. Complete pivoting (block_pivot.h), which decides on ranks, costs some
// fifty times as much: it is left to blocks that turn out to be close to singular.

#pragma once

namespace mechfmu::large {

/// From this size on it is worth while.
constexpr int smallest_size = 17;

/// A factored block.
struct Lu {
  int n;
  const double* A;      // n × n by columns: L below, U above
  const double* scale;  // n: S
  const int* swap;      // n: row exchanged with this one, in the order of elimination
};

/// Puts L and U in place of A, and what belongs to them into `scale` and `swap`. `sums` are those of the absolute contributions
/// to the diagonal of A. Returns the smallest pivot; if that is not above `least`, the factors are not complete.
double factor(int n, double* A, const double* sums, double least, double* scale, int* swap);

/// X ← A⁻¹ X, n × columns.
void solve(const Lu& lu, double* X, int columns);

}  // namespace mechfmu::large
