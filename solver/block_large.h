// LU of one large pivot block, such as that of a flexible body with many modes, by partial pivoting
// in panels.
//
//   Π S A S = L U,   S diagonal: the largest number in every row and column about 1
//
// The inner products are loops with eight independent sums, which compilers vectorize. They
// allocate nothing and return the same bits for the same numbers. Pivots are relative to the scaled
// block. Complete pivoting (block_pivot.h), which decides ranks, costs some fifty times as much:
// only blocks that are close to singular use it.

#pragma once

namespace mechfmu::large {

/// Smallest block for which this pays.
constexpr int smallest_size = 17;

/// A factored block.
struct Lu {
  int n;
  const double* A;      // n × n by columns: L below, U above
  const double* scale;  // n: S
  const int* swap;      // n: row exchanged with this one, in the order of elimination
};

/// Replaces A by L and U, and sets `scale` and `swap`. `sums` are the sums of the absolute
/// contributions to the diagonal of A. Returns the smallest pivot; if it is not above `least`, the
/// factors are incomplete.
double factor(int n, double* A, const double* sums, double least, double* scale, int* swap);

/// X ← A⁻¹ X, n × columns.
void solve(const Lu& lu, double* X, int columns);

}  // namespace mechfmu::large
