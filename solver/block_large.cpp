#include "solver/block_large.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <utility>

namespace mechfmu::large {

namespace {

constexpr int panel = 16;  // columns eliminated together

/// C −= A B with A rows × inner, B inner × columns, all with n numbers from column to column.
void subtract_product(const double* A, const double* B, double* C, int rows, int inner, int columns,
                      int n) {
  int j = 0;
  for (; j + 1 < columns; j += 2) {
    const double* b = B + j * n;
    double* __restrict c = C + j * n;
    double* __restrict d = c + n;
    int k = 0;
    for (; k + 3 < inner; k += 4) {
      const double* __restrict a0 = A + k * n;
      const double* __restrict a1 = a0 + n;
      const double* __restrict a2 = a1 + n;
      const double* __restrict a3 = a2 + n;
      const double b0 = b[k], b1 = b[k + 1], b2 = b[k + 2], b3 = b[k + 3];
      const double e0 = b[n + k], e1 = b[n + k + 1], e2 = b[n + k + 2], e3 = b[n + k + 3];
      for (int i = 0; i < rows; ++i) {
        c[i] -= (a0[i] * b0 + a1[i] * b1) + (a2[i] * b2 + a3[i] * b3);
        d[i] -= (a0[i] * e0 + a1[i] * e1) + (a2[i] * e2 + a3[i] * e3);
      }
    }
    for (; k < inner; ++k) {
      const double* __restrict a = A + k * n;
      const double b0 = b[k], e0 = b[n + k];
      for (int i = 0; i < rows; ++i) {
        c[i] -= a[i] * b0;
        d[i] -= a[i] * e0;
      }
    }
  }
  if (j == columns) return;
  const double* b = B + j * n;
  double* __restrict c = C + j * n;
  int k = 0;
  for (; k + 3 < inner; k += 4) {
    const double* __restrict a0 = A + k * n;
    const double* __restrict a1 = a0 + n;
    const double* __restrict a2 = a1 + n;
    const double* __restrict a3 = a2 + n;
    const double b0 = b[k], b1 = b[k + 1], b2 = b[k + 2], b3 = b[k + 3];
    for (int i = 0; i < rows; ++i) c[i] -= (a0[i] * b0 + a1[i] * b1) + (a2[i] * b2 + a3[i] * b3);
  }
  for (; k < inner; ++k) {
    const double* __restrict a = A + k * n;
    const double b0 = b[k];
    for (int i = 0; i < rows; ++i) c[i] -= a[i] * b0;
  }
}

/// X ← L⁻¹ X for the triangle of `size` rows and columns at L, with ones on its diagonal.
void solve_lower(const double* L, int size, double* X, int columns, int n) {
  for (int c = 0; c < columns; ++c) {
    double* __restrict x = X + c * n;
    for (int j = 0; j + 1 < size; ++j)
      for (int i = j + 1; i < size; ++i) x[i] -= L[j * n + i] * x[j];
  }
}

/// Computes S such that the largest number in each row or column of S A S is about 1; the sums
/// count on the diagonal.
void equilibrate(int n, const double* numbers, const double* sums, double* scale) {
  const Eigen::Map<const Eigen::MatrixXd> A(numbers, n, n);
  Eigen::Map<Eigen::ArrayXd> s(scale, n);
  const Eigen::Map<const Eigen::ArrayXd> sum(sums, n);
  s.setOnes();
  constexpr int passes = 3;
  constexpr int at_once = 64;
  for (int pass = 0; pass < passes; ++pass) {
    for (int first = 0; first < n; first += at_once) {
      const int count = std::min(at_once, n - first);
      Eigen::Array<double, Eigen::Dynamic, 1, 0, at_once, 1> largest =
          sum.segment(first, count) * s.segment(first, count).square();
      for (int j = 0; j < n; ++j)
        largest = largest.max(A.col(j).segment(first, count).array().abs() *
                              s.segment(first, count) * s[j]);
      for (int i = 0; i < count; ++i)
        largest[i] =
            std::max(largest[i], (A.col(first + i).array().abs() * s).maxCoeff() * s[first + i]);
      for (int i = 0; i < count; ++i)
        if (largest[i] > 0) s[first + i] /= std::sqrt(largest[i]);
    }
  }
}

}  // namespace

double factor(int n, double* A, const double* sums, double least, double* scale, int* swap) {
  equilibrate(n, A, sums, scale);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) A[j * n + i] *= scale[i] * scale[j];

  double smallest = 1;
  for (int first = 0; first < n; first += panel) {
    const int end = std::min(first + panel, n);
    for (int j = first; j < end; ++j) {
      double* __restrict column = A + j * n;
      int row = j;
      for (int i = j + 1; i < n; ++i)
        if (std::abs(column[i]) > std::abs(column[row])) row = i;
      swap[j] = row;
      const double pivot = std::abs(column[row]);
      if (!(pivot > least)) return pivot;
      smallest = std::min(smallest, pivot);
      if (row != j)
        for (int c = first; c < end; ++c) std::swap(A[c * n + j], A[c * n + row]);
      const double inverse = 1 / column[j];
      for (int i = j + 1; i < n; ++i) column[i] *= inverse;
      for (int c = j + 1; c < end; ++c) {
        double* __restrict other = A + c * n;
        const double top = other[j];
        for (int i = j + 1; i < n; ++i) other[i] -= column[i] * top;
      }
    }
    for (int c = 0; c < n; ++c) {
      if (c >= first && c < end) continue;
      for (int j = first; j < end; ++j) std::swap(A[c * n + j], A[c * n + swap[j]]);
    }
    solve_lower(A + first * n + first, end - first, A + end * n + first, n - end, n);
    subtract_product(A + first * n + end, A + end * n + first, A + end * n + end, n - end,
                     end - first, n - end, n);
  }
  return smallest;
}

void solve(const Lu& lu, double* X, int columns) {
  const int n = lu.n;
  const double* A = lu.A;
  for (int c = 0; c < columns; ++c) {
    double* x = X + c * n;
    for (int i = 0; i < n; ++i) x[i] *= lu.scale[i];
    for (int i = 0; i < n; ++i) std::swap(x[i], x[lu.swap[i]]);
  }
  for (int first = 0; first < n; first += panel) {
    const int end = std::min(first + panel, n);
    solve_lower(A + first * n + first, end - first, X + first, columns, n);
    subtract_product(A + first * n + end, X + first, X + end, n - end, end - first, columns, n);
  }
  for (int first = (n - 1) / panel * panel; first >= 0; first -= panel) {
    const int end = std::min(first + panel, n);
    for (int c = 0; c < columns; ++c) {
      double* __restrict x = X + c * n;
      for (int j = end - 1; j >= first; --j) {
        x[j] /= A[j * n + j];
        for (int i = first; i < j; ++i) x[i] -= A[j * n + i] * x[j];
      }
    }
    subtract_product(A + first * n, X + first, X, first, end - first, columns, n);
  }
  for (int c = 0; c < columns; ++c)
    for (int i = 0; i < n; ++i) X[c * n + i] *= lu.scale[i];
}

}  // namespace mechfmu::large
