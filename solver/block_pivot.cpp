#include "solver/block_pivot.h"

#include <algorithm>
#include <cmath>

namespace mechfmu {

namespace {

/// Computes s_i with s_i a_ij s_j about 1 for the largest in row or column i (Ruiz). The sums count
/// on the diagonal. Scaling by diagonals alone would fail: that of a massless coordinate is almost
/// zero compared to its couplings.
void equilibrate(const double* A, const double* sums, int n, double* s) {
  const auto size_of = [&](int i, int j) {
    const double a = std::max(std::abs(A[j * n + i]), std::abs(A[i * n + j]));
    return i == j ? std::max(a, sums[i]) : a;
  };
  std::fill(s, s + n, 1.0);
  constexpr int passes = 4;
  for (int pass = 0; pass < passes; ++pass)
    for (int i = 0; i < n; ++i) {
      double largest = 0;
      for (int j = 0; j < n; ++j) largest = std::max(largest, s[i] * size_of(i, j) * s[j]);
      if (largest > 0) s[i] /= std::sqrt(largest);
    }
}

}  // namespace

Pivots exchange(const double* block, const double* sums, int n, double tolerance,
                const PivotWork& work, const double* most) {
  double* W = work.table;
  double* s = work.scaling;
  int* column_of = work.pivot_of_row;
  int* row_of = work.pivot_of_column;
  std::copy(block, block + n * n, W);
  equilibrate(block, sums, n, s);
  for (int i = 0; most != nullptr && i < n; ++i) s[i] = std::min(s[i], most[i]);
  std::fill(column_of, column_of + n, -1);
  std::fill(row_of, row_of + n, -1);

  Pivots result;
  while (result.rank < n) {
    // The largest number in the remaining rows and columns; of equal ones the first.
    double largest = tolerance;
    int row = -1;
    int column = -1;
    for (int j = 0; j < n; ++j) {
      if (row_of[j] >= 0) continue;
      for (int i = 0; i < n; ++i) {
        if (column_of[i] >= 0) continue;
        const double size = std::abs(W[j * n + i]) * s[i] * s[j];
        if (size > largest * (1 + 1e-12)) {
          largest = size;
          row = i;
          column = j;
        }
      }
    }
    if (row < 0) break;
    result.smallest = std::min(result.smallest, largest);
    ++result.rank;
    column_of[row] = column;
    row_of[column] = row;

    const double inverse = 1 / W[column * n + row];
    for (int j = 0; j < n; ++j) {
      if (j == column) continue;
      const double w = W[j * n + row] * inverse;
      if (w == 0) continue;
      for (int i = 0; i < n; ++i)
        if (i != row) W[j * n + i] -= W[column * n + i] * w;
      W[j * n + row] = -w;
    }
    for (int i = 0; i < n; ++i)
      if (i != row) W[column * n + i] *= inverse;
    W[column * n + row] = inverse;
  }
  return result;
}

void extract_inverse(const PivotWork& work, int n, double* inverse) {
  std::fill(inverse, inverse + n * n, 0.0);
  for (int row = 0; row < n; ++row) {
    if (work.pivot_of_row[row] < 0) continue;
    for (int column = 0; column < n; ++column) {
      if (work.pivot_of_column[column] < 0) continue;
      // x_(pivot of row) = Σ w_(row, column) y_(pivot of column)
      inverse[work.pivot_of_column[column] * n + work.pivot_of_row[row]] =
          work.table[column * n + row];
    }
  }
}

double coupling_left(const PivotWork& work, int n, bool row, int i, const Rows& B,
                     const double* sums, const double* sums_beyond) {
  double worst = 0;
  for (int c = 0; c < B.columns; ++c) {
    const auto b = [&](int k) { return B.data[k * B.row_stride + c * B.column_stride]; };
    double left = b(i);
    double composed = std::abs(left);
    for (int k = 0; k < n; ++k) {
      if (row && work.pivot_of_column[k] >= 0) {
        const double part = work.table[k * n + i] * b(work.pivot_of_column[k]);
        left -= part;
        composed += std::abs(part);
      } else if (!row && work.pivot_of_row[k] >= 0) {
        const double part = work.table[i * n + k] * b(work.pivot_of_row[k]);
        left += part;
        composed += std::abs(part);
      }
    }
    const double scale = std::max(composed, std::sqrt(sums[i] * sums_beyond[c]));
    if (left != 0) worst = std::max(worst, std::abs(left) / scale);
  }
  return worst;
}

}  // namespace mechfmu
