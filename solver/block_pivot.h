// Inverse of a pivot block by exchange steps with complete pivoting, with as many pivots as it has.
//
//   y = A x  →  y_i and x_j change sides for each pivot (i, j):   p = w_ij,
//   w_ij = 1/p,  w_il = −w_il / p,  w_kj = w_kj / p,  w_kl −= w_kj w_il / p
//
// Pivots are compared after scaling rows and columns alike, so that the largest number in row i is 1
// or, where cancellation has made it small, so that the sum of what was added to a_ii is.

#pragma once

namespace mechfmu {

/// Room for one block; the pointers are to arrays of the size given.
struct PivotWork {
  double* table;         // n × n
  double* scaling;       // n
  int* pivot_of_row;     // n: column exchanged with this row, or −1
  int* pivot_of_column;  // n: row exchanged with this column, or −1
};

struct Pivots {
  int rank = 0;
  double smallest = 1;  // relative size of the smallest pivot that was used
};

/// Exchanges as many pivots of the n × n block (by columns) as are larger than the tolerance.
/// `sums` are those of the absolute contributions to the diagonal. `most` bounds the scaling of rows, where given: what looks like a
/// pivot only when it is magnified further is roundoff.
Pivots exchange(const double* block, const double* sums, int n, double tolerance,
                const PivotWork& work, const double* most = nullptr);

/// The inverse on the pivots, zero in rows and columns without one.
void extract_inverse(const PivotWork& work, int n, double* inverse);

/// Row i without pivot, as a combination of the block's rows: its coupling to elsewhere is
/// B_i − Σ_l table(i, j_l) B_(i_l); and likewise for columns.
struct Rows {
  const double* data;
  int row_stride, column_stride;  // of the coupling block B, whose rows belong to the pivot block
  int columns;
};
/// Largest coupling that is left of row (or column) i, relative to what it is composed of and to
/// sqrt(sum · sums of the other side), whichever is larger.
double coupling_left(const PivotWork& work, int n, bool row, int i, const Rows& B,
                     const double* sums, const double* sums_beyond);

}  // namespace mechfmu
