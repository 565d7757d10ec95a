// Inverse of a pivot block by exchange steps with complete pivoting, on as many pivots as the block
// has.
//
//   y = A x  →  y_i and x_j change sides for each pivot (i, j):   p = w_ij,
//   w_ij = 1/p,  w_il = −w_il / p,  w_kj = w_kj / p,  w_kl −= w_kj w_il / p
//
// Pivots are compared after scaling rows and columns with the same factors. The largest number in
// row i becomes 1, or, if cancellation has made it small, the sum of the contributions to a_ii.

#pragma once

namespace mechfmu {

/// Scratch memory for one block; the pointers are to arrays of the given sizes.
struct PivotWork {
  double* table;         // n × n
  double* scaling;       // n
  int* pivot_of_row;     // n: column exchanged with this row, or −1
  int* pivot_of_column;  // n: row exchanged with this column, or −1
};

struct Pivots {
  int rank = 0;
  double smallest = 1;  // relative size of the smallest pivot used
};

/// Exchanges all pivots of the n × n block (by columns) that are larger than the tolerance. `sums`
/// are the sums of the absolute contributions to the diagonal. `most`, if given, bounds the scaling
/// of rows: an apparent pivot that needs a larger scale is roundoff.
Pivots exchange(const double* block, const double* sums, int n, double tolerance,
                const PivotWork& work, const double* most = nullptr);

/// Extracts the inverse on the pivots, with zeros in rows and columns without pivot.
void extract_inverse(const PivotWork& work, int n, double* inverse);

/// Row i without pivot is a combination of the block's rows. Its coupling to other blocks is
/// B_i − Σ_l table(i, j_l) B_(i_l); the same holds for columns.
struct Rows {
  const double* data;
  // Strides of the coupling block B, whose rows belong to the pivot block
  int row_stride, column_stride;
  int columns;
};
/// Largest remaining coupling of row (or column) i, relative to the sum of its
/// contributions or to sqrt(sum · sums of the other side), whichever is larger.
double coupling_left(const PivotWork& work, int n, bool row, int i, const Rows& B,
                     const double* sums, const double* sums_beyond);

}  // namespace mechfmu
