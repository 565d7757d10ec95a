// The functions of mechanism files where derivatives are easily lost. Their values and derivatives
// in general: tests/language/test_expression_functions.cpp.

#include <gtest/gtest.h>

#include "mechanics/functions.h"

namespace mechfmu::functions {
namespace {

using D = Dual<double, 1>;
using D2 = Dual<D, 1>;

TEST(Functions, WholePowersHaveAllDerivativesAtZero) {
  const double second[] = {0, 0, 2, 0};
  for (int n = 0; n < 4; ++n) {
    const D2 y = power(D2::seed(D::seed(0, 0), 0), n);
    EXPECT_EQ(y.d[0].v, n == 1 ? 1 : 0) << n;
    EXPECT_EQ(y.d[0].d[0], second[n]) << n;
  }
}

TEST(Functions, NegativeBasesMayHaveExponentsThatDoNotVary) {
  const D y = power(D::seed(-2, 0), D(2.0));
  EXPECT_EQ(y.v, 4);
  EXPECT_EQ(y.d[0], -4);
}

TEST(Functions, StepIsContinuousWithItsSlope) {
  for (const double end : {1.0, 3.0})
    for (const double side : {-1e-9, 0.0, 1e-9}) {
      const D y = step(D::seed(end + side, 0), 1, 2, 3, 10);
      EXPECT_NEAR(y.v, end == 1 ? 2 : 10, 1e-12);
      EXPECT_NEAR(y.d[0], 0, 1e-7);
    }
  EXPECT_EQ(step(0.999, 1, 2, 1, 10), 2);
  EXPECT_EQ(step(1.0, 1, 2, 1, 10), 10);
}

TEST(Functions, ScalarsMayBeMixed) {
  const D x = D::seed(0.5, 0);
  EXPECT_EQ(maximum(x, 0.0).d[0], 1);
  EXPECT_EQ(minimum(x, 0.0, 1.0).d[0], 0);
  EXPECT_EQ(smooth_max(x, 0.5, 0.1).v, 0.55);
  EXPECT_EQ(dot(vec(1.0, x, 2.0), vec(3.0, 4.0, 5.0)).d[0], 4);
  EXPECT_EQ((x * vec(1.0, 2.0, 3.0)).z.d[0], 3);
}

TEST(Functions, LengthOfAVectorHasADerivative) {
  const D length = norm(vec(D::seed(1, 0), 2.0, 2.0));
  EXPECT_EQ(length.v, 3);
  EXPECT_DOUBLE_EQ(length.d[0], 1.0 / 3);
  EXPECT_EQ(norm(vec(D::seed(0, 0), 0.0, 0.0)).d[0], 0);
}

}  // namespace
}  // namespace mechfmu::functions
