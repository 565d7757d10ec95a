// Products with small matrices of sizes known to the compiler, and tables to pick them by size.
//
//   C −= A B,   A r × k,  B k × n,  C r × n          all by columns and contiguous
//   B ← P B,    P k × k
//   y −= A x,   y ← P y,   and steps of a solution made of these
//
// Sizes from 1 to 6 have specialized code; loops serve the other sizes.

#pragma once

#include <array>
#include <cmath>
#include <cstring>
#include <utility>

namespace mechfmu::kernels {

constexpr int largest = 6;

/// Two numbers at a time: blocks are too short for more complex code.
inline void copy(const double* __restrict from, double* __restrict to, int count) {
  int i = 0;
  for (; i + 1 < count; i += 2) {
    const double a = from[i];
    const double b = from[i + 1];
    to[i] = a;
    to[i + 1] = b;
  }
  if (i < count) to[i] = from[i];
}

/// R numbers of a column, in pairs. They are written out because compilers recognize the pairs only
/// in some of the functions that use this.
template <int R>
class Column {
 public:
  explicit Column(const double* a) {
    for (int i = 0; i < pairs; ++i) pair_[i] = load(a + 2 * i);
    if constexpr (odd) last_ = a[R - 1];
  }
  /// a x
  Column(const double* a, double x) {
    const Pair both{x, x};
    for (int i = 0; i < pairs; ++i) pair_[i] = load(a + 2 * i) * both;
    if constexpr (odd) last_ = a[R - 1] * x;
  }
  void add(const double* a, double x) {
    const Pair both{x, x};
    for (int i = 0; i < pairs; ++i) pair_[i] += load(a + 2 * i) * both;
    if constexpr (odd) last_ += a[R - 1] * x;
  }
  void subtract(const double* a, double x) {
    const Pair both{x, x};
    for (int i = 0; i < pairs; ++i) pair_[i] -= load(a + 2 * i) * both;
    if constexpr (odd) last_ -= a[R - 1] * x;
  }
  void add(const Column& other) {
    for (int i = 0; i < pairs; ++i) pair_[i] += other.pair_[i];
    if constexpr (odd) last_ += other.last_;
  }
  void subtract(const Column& other) {
    for (int i = 0; i < pairs; ++i) pair_[i] -= other.pair_[i];
    if constexpr (odd) last_ -= other.last_;
  }
  double operator[](int i) const { return i < 2 * pairs ? pair_[i / 2][i % 2] : last_; }
  void store(double* a) const {
    for (int i = 0; i < pairs; ++i) std::memcpy(a + 2 * i, &pair_[i], sizeof(Pair));
    if constexpr (odd) a[R - 1] = last_;
  }

 private:
  static constexpr int pairs = R / 2;
  static constexpr bool odd = R % 2 != 0;
  using Pair [[gnu::vector_size(16)]] = double;
  static Pair load(const double* a) {
    Pair pair;
    std::memcpy(&pair, a, sizeof(Pair));
    return pair;
  }

  Pair pair_[pairs > 0 ? pairs : 1];
  double last_ = 0;
};

// Sums have two independent halves: a chain of bodies is a chain of dependent operations.

/// y −= A x; x is an array or a column.
template <int R, int K, class X>
[[gnu::always_inline]] inline void subtract(const double* A, const X& x, double* y) {
  constexpr int half = K / 2;
  Column<R> t(y);
  for (int k = 0; k < half; ++k) t.subtract(A + k * R, x[k]);
  Column<R> u(A + half * R, x[half]);
  for (int k = half + 1; k < K; ++k) u.add(A + k * R, x[k]);
  t.subtract(u);
  t.store(y);
}

/// P y
template <int K>
[[gnu::always_inline]] inline Column<K> product(const double* P, const double* y) {
  constexpr int half = K / 2;
  Column<K> t(P + half * K, y[half]);
  for (int k = half + 1; k < K; ++k) t.add(P + k * K, y[k]);
  if constexpr (half > 0) {
    Column<K> u(P, y[0]);
    for (int k = 1; k < half; ++k) u.add(P + k * K, y[k]);
    t.add(u);
  }
  return t;
}
template <int K>
[[gnu::always_inline]] inline void apply(const double* P, double* y) {
  product<K>(P, y).store(y);
}

inline void subtract(const double* __restrict A, const double* __restrict x, double* __restrict y,
                     int r, int k) {
  for (int l = 0; l < k; ++l)
    for (int i = 0; i < r; ++i) y[i] -= A[l * r + i] * x[l];
}

/// t ← P y, then y ← t.
inline void apply(const double* __restrict P, double* __restrict y, int k, double* __restrict t) {
  for (int i = 0; i < k; ++i) t[i] = 0;
  for (int l = 0; l < k; ++l)
    for (int i = 0; i < k; ++i) t[i] += P[l * k + i] * y[l];
  for (int i = 0; i < k; ++i) y[i] = t[i];
}

template <int R, int K>
void subtract_product(const double* A, const double* B, double* C, int n) {
  for (int j = 0; j < n; ++j) subtract<R, K>(A, B + j * K, C + j * R);
}

/// C −= A B with many columns in A.
template <int R>
void subtract_long_product(const double* A, const double* B, double* C, int n, int inner) {
  for (int j = 0; j < n; ++j) {
    Column<R> t(C + j * R);
    for (int k = 0; k < inner; ++k) t.subtract(A + k * R, B[j * inner + k]);
    t.store(C + j * R);
  }
}

template <int K>
void apply_to_columns(const double* P, double* B, int n) {
  for (int j = 0; j < n; ++j) apply<K>(P, B + j * K);
}

/// A ← A⁻¹ by pivots on the diagonal, each larger than `least` times the sum of the absolute
/// contributions to it. False if a pivot is smaller; A is then unchanged.
template <int K>
bool invert(double* A, const double* sums, double least) {
  double W[K * K];
  double sum[K];
  for (int i = 0; i < K * K; ++i) W[i] = A[i];
  for (int i = 0; i < K; ++i) sum[i] = sums[i];
  for (int k = 0; k < K; ++k) {
    if (!(std::abs(W[k * K + k]) > least * sum[k])) return false;
    const double inverse = 1 / W[k * K + k];
    double column[K];
    for (int i = 0; i < K; ++i) column[i] = i == k ? 0 : W[k * K + i];
    for (int j = 0; j < K; ++j) {
      if (j == k) continue;
      const double w = W[j * K + k] * inverse;
      for (int i = 0; i < K; ++i) W[j * K + i] -= column[i] * w;
      W[j * K + k] = w;
      sum[j] += std::abs(column[j] * w);
    }
    for (int i = 0; i < K; ++i) W[k * K + i] = -column[i] * inverse;
    W[k * K + k] = inverse;
  }
  for (int i = 0; i < K * K; ++i) A[i] = W[i];
  return true;
}

// Steps of a solution. f points to the next numbers of the factors; a step returns a pointer to the
// numbers of the following step.
using StepKernel = const double* (*)(const double* f, double* y, double* b);

/// y ← P y, b −= A y: forward through a node and to its first neighbour.
template <int K, int R>
const double* apply_and_subtract(const double* f, double* y, double* b) {
  const Column<K> Py = product<K>(f, y);
  Py.store(y);
  subtract<R, K>(f + K * K, Py, b);  // Py is still in registers: the next node waits for b
  return f + K * K + R * K;
}
/// b −= A y: forward to the other neighbours, and all the way back.
template <int R, int K>
const double* subtract_step(const double* f, double* y, double* b) {
  subtract<R, K>(f, y, b);
  return f + R * K;
}
/// y ← P y.
template <int K>
const double* apply_step(const double* f, double* y, double* /*b*/) {
  apply<K>(f, y);
  return f + K * K;
}
/// y −= A (factor x).
template <int R, int K>
void subtract_scaled(const double* A, double factor, const double* x, double* y) {
  double scaled[K];
  for (int k = 0; k < K; ++k) scaled[k] = factor * x[k];
  subtract<R, K>(A, scaled, y);
}

using ProductKernel = void (*)(const double*, const double*, double*, int);
using LongProductKernel = void (*)(const double*, const double*, double*, int, int);
using ApplyKernel = void (*)(const double*, double*, int);
using InvertKernel = bool (*)(double*, const double*, double);
using ScaledKernel = void (*)(const double*, double, const double*, double*);

struct Tables {
  ProductKernel product[largest][largest];
  ScaledKernel scaled[largest][largest];
  LongProductKernel long_product[largest];
  ApplyKernel apply[largest];
  InvertKernel invert[largest];
  StepKernel step[(2 * largest + 1) * largest];
};
// Index in the tables, for y of size k and b of size r
constexpr int apply_and_subtract_number(int k, int r) { return (k - 1) * largest + r - 1; }
constexpr int subtract_number(int k, int r) { return (largest + k - 1) * largest + r - 1; }
constexpr int apply_number(int k) { return 2 * largest * largest + k - 1; }

template <int R, int... K>
constexpr void fill_row(Tables& t, std::integer_sequence<int, K...>) {
  ((t.product[R][K] = subtract_product<R + 1, K + 1>), ...);
  ((t.scaled[R][K] = subtract_scaled<R + 1, K + 1>), ...);
  ((t.step[apply_and_subtract_number(K + 1, R + 1)] = apply_and_subtract<K + 1, R + 1>), ...);
  ((t.step[subtract_number(K + 1, R + 1)] = subtract_step<R + 1, K + 1>), ...);
}
template <int... R>
constexpr Tables make_tables(std::integer_sequence<int, R...> sizes) {
  Tables t{};
  (fill_row<R>(t, sizes), ...);
  ((t.apply[R] = apply_to_columns<R + 1>), ...);
  ((t.invert[R] = invert<R + 1>), ...);
  ((t.long_product[R] = subtract_long_product<R + 1>), ...);
  ((t.step[apply_number(R + 1)] = apply_step<R + 1>), ...);
  return t;
}

inline constexpr Tables tables = make_tables(std::make_integer_sequence<int, largest>{});

}  // namespace mechfmu::kernels
