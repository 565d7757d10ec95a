// Cube roots agree with those of the C library.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "solver/cube_root.h"

namespace mechfmu::tests {
namespace {

TEST(CubeRoot, IsThatOfTheLibraryToTheLastBits) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  for (int i = -300; i <= 300; ++i) {
    const double x = 1.37 * std::pow(10.0, i);
    ASSERT_NEAR(static_cast<double>(cube_root(x) / std::cbrt(static_cast<long double>(x))), 1,
                epsilon)
        << x;
  }
  for (int i = 1; i <= 100; ++i) ASSERT_NEAR(cube_root(i * i * i), i, 2 * i * epsilon);
}

TEST(CubeRoot, OfNumbersWithoutOneIsTheNumber) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(cube_root(0), 0);
  EXPECT_EQ(cube_root(infinity), infinity);
  EXPECT_TRUE(std::isnan(cube_root(std::numeric_limits<double>::quiet_NaN())));
}

}  // namespace
}  // namespace mechfmu::tests
