// The dense elimination against Eigen's decompositions.

#include <gtest/gtest.h>

#include <Eigen/QR>

#include "solver/dense_lu.h"
#include "tests/solver/runs.h"

namespace mechfmu::tests {
namespace {

Matrix random_matrix(Index rows, Index columns, unsigned seed) {
  std::srand(seed);
  return Matrix::Random(rows, columns);
}

/// [M Cᵀ; C 0] with C of the given rank.
Matrix kkt(Index n, Index m, Index rank, unsigned seed) {
  const Matrix root = random_matrix(n, n, seed);
  const Matrix C = random_matrix(m, rank, seed + 1) * random_matrix(rank, n, seed + 2);
  Matrix A = Matrix::Zero(n + m, n + m);
  A.topLeftCorner(n, n) = root * root.transpose() + Matrix::Identity(n, n);
  A.topRightCorner(n, m) = C.transpose();
  A.bottomLeftCorner(m, n) = C;
  return A;
}

TEST(DenseLu, SolvesRegularSystemsToRounding) {
  for (const Index n : {1, 2, 7, 30, 80}) {
    const Matrix A = kkt(n, n / 2, n / 2, 3);
    const Vector x = random_matrix(A.rows(), 1, 9);
    for (const bool complete : {false, true}) {
      DenseLu lu;
      lu.resize(n, n / 2);
      lu.matrix() = A;
      ASSERT_TRUE(lu.factor(complete));
      Vector b = A * x;
      lu.solve(b);
      EXPECT_LT((b - x).norm(), 1e-9 * x.norm()) << n;
      EXPECT_EQ(lu.rank(), A.rows());
    }
  }
}

TEST(DenseLu, ReportsASingularMatrix) {
  DenseLu lu;
  lu.resize(6, 3);
  lu.matrix() = kkt(6, 3, 2, 5);
  EXPECT_FALSE(lu.factor(false));
}

TEST(DenseLu, FindsTheMinimumNormSolutionOfAConsistentSystem) {
  const Matrix A = kkt(6, 4, 2, 5);
  const Vector b = A * random_matrix(10, 1, 11);
  DenseLu lu;
  lu.resize(6, 4);
  lu.matrix() = A;
  ASSERT_TRUE(lu.factor(true));
  EXPECT_EQ(lu.rank(), 8);
  Vector x = b;
  lu.solve(x);
  const Vector smallest = A.completeOrthogonalDecomposition().solve(b);
  EXPECT_LT((x - smallest).norm(), 1e-10);
}

TEST(DenseLu, FindsTheSameRankWhateverTheUnitOfMassAndLength) {
  // A mechanism in kg and m, and the same in other units: M → m M, C → l C.
  const Matrix A = kkt(6, 4, 2, 5);
  Vector b = Vector::Zero(10);
  b.head(6) = random_matrix(6, 1, 11);
  const Vector a = A.completeOrthogonalDecomposition().solve(b).head(6);
  for (const double mass : {1e-25, 1e-14, 1e-11, 1e-6, 1.0, 1e9, 1e20})
    for (const double length : {1e-9, 1e-3, 1.0, 1e6}) {
      SCOPED_TRACE(mass);
      SCOPED_TRACE(length);
      DenseLu lu;
      lu.resize(6, 4);
      lu.matrix() = A;
      lu.matrix().topLeftCorner(6, 6) *= mass;
      lu.matrix().topRightCorner(6, 4) *= length;
      lu.matrix().bottomLeftCorner(4, 6) *= length;
      ASSERT_TRUE(lu.factor(true));
      EXPECT_EQ(lu.rank(), 8);
      Vector x = mass * b;
      lu.solve(x);
      EXPECT_LT((x.head(6) - a).norm(), 1e-11 * a.norm());

      Matrix regular = kkt(6, 3, 3, 5);
      const Vector unknowns = random_matrix(9, 1, 3);
      regular.topLeftCorner(6, 6) *= mass;
      regular.topRightCorner(6, 3) *= length;
      regular.bottomLeftCorner(3, 6) *= length;
      lu.resize(6, 3);
      lu.matrix() = regular;
      ASSERT_TRUE(lu.factor(false));
      Vector y = unknowns;
      y.tail(3) *= mass / length;
      Vector right = regular * y;
      lu.solve(right);
      EXPECT_LT((right - y).head(6).norm(), 1e-10);
    }
}

TEST(DenseLu, DropsMultipliersButNoMotion) {
  // Two equal constraints, and a third coordinate without mass that none of them restrains.
  for (const double mass : {1e-12, 1.0, 1e12}) {
    DenseLu lu;
    lu.resize(3, 2);
    lu.matrix().setZero();
    lu.matrix()(0, 0) = lu.matrix()(1, 1) = mass;
    for (const Index row : {3, 4}) {
      lu.matrix()(row, 0) = lu.matrix()(0, row) = 0.6;
      lu.matrix()(row, 1) = lu.matrix()(1, row) = -0.8;
    }
    const Matrix A = lu.matrix();
    EXPECT_FALSE(lu.factor(true));
    // With mass it is free, and everything but one multiplier is determined.
    lu.matrix() = A;
    lu.matrix()(2, 2) = 1e-9 * mass;
    ASSERT_TRUE(lu.factor(true));
    EXPECT_EQ(lu.rank(), 4);
  }
}

TEST(DenseLu, JudgesConstraintsByGeometryWhereMassesDifferWidely) {
  // Independent constraints on a light and a heavy mass, and a doubled one.
  const double light = 1e-13;
  DenseLu lu;
  lu.resize(3, 3);
  lu.matrix().setZero();
  lu.matrix()(0, 0) = light;
  lu.matrix()(1, 1) = lu.matrix()(2, 2) = 1;
  Matrix C(3, 3);
  C << 1, 1, 0, 1, 0, 0, 1, 0, 0;
  lu.matrix().bottomLeftCorner(3, 3) = C;
  lu.matrix().topRightCorner(3, 3) = C.transpose();
  ASSERT_TRUE(lu.factor(true));
  EXPECT_EQ(lu.rank(), 5);
  Vector x = vector({2, 3, 5, 0, 0, 0});
  lu.solve(x);
  EXPECT_LT((x - vector({0, 0, 5, 3, -0.5, -0.5})).norm(), 1e-12);
}

TEST(DenseLu, BadlyScaledRowsDoNoHarm) {
  Matrix A = kkt(8, 4, 4, 2);
  const Vector x = random_matrix(12, 1, 4);
  for (Index i = 0; i < 12; ++i) A.row(i) *= std::pow(10.0, static_cast<double>(3 * (i % 5) - 6));
  DenseLu lu;
  lu.resize(8, 4);
  lu.matrix() = A;
  ASSERT_TRUE(lu.factor(false));
  Vector b = A * x;
  lu.solve(b);
  EXPECT_LT((b - x).norm(), 1e-10);
}

}  // namespace
}  // namespace mechfmu::tests
