// The dense elimination against Eigen's decompositions.

#include <gtest/gtest.h>

#include <Eigen/QR>

#include "solver/dense_lu.h"

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
      lu.resize(A.rows());
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
  lu.resize(9);
  lu.matrix() = kkt(6, 3, 2, 5);
  EXPECT_FALSE(lu.factor(false));
}

TEST(DenseLu, FindsTheMinimumNormSolutionOfAConsistentSystem) {
  const Matrix A = kkt(6, 4, 2, 5);
  const Vector b = A * random_matrix(10, 1, 11);
  DenseLu lu;
  lu.resize(10);
  lu.matrix() = A;
  ASSERT_TRUE(lu.factor(true));
  EXPECT_EQ(lu.rank(), 8);
  Vector x = b;
  lu.solve(x);
  const Vector smallest = A.completeOrthogonalDecomposition().solve(b);
  EXPECT_LT((x - smallest).norm(), 1e-10);
}

TEST(DenseLu, BadlyScaledRowsDoNoHarm) {
  Matrix A = kkt(8, 4, 4, 2);
  const Vector x = random_matrix(12, 1, 4);
  for (Index i = 0; i < 12; ++i) A.row(i) *= std::pow(10.0, static_cast<double>(3 * (i % 5) - 6));
  DenseLu lu;
  lu.resize(12);
  lu.matrix() = A;
  ASSERT_TRUE(lu.factor(false));
  Vector b = A * x;
  lu.solve(b);
  EXPECT_LT((b - x).norm(), 1e-10);
}

}  // namespace
}  // namespace mechfmu::tests
