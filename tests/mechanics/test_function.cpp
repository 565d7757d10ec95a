// User-defined functions: on any scalar they give the same as the lambda.

#include <gtest/gtest.h>

#include "mechanics/function.h"

namespace {

using namespace mechfmu;

constexpr auto magic = [](const auto& slip, const auto& load) {
  const auto x = 10.0 * slip;
  return load * (1.0 - 0.1 * load) * sin(1.65 * atan(x - 0.97 * (x - atan(x)))) + pow(load, 1.5);
};
constexpr auto cube = [](const auto& x) { return x * x * x; };
constexpr auto mixed = [](const auto& a, const auto& b, const auto& c) {
  return a * b * c + a * exp(-b) / (1.0 + c * c);
};

}  // namespace

// Exists before any code runs, and its type does not name the lambda: as generated code sees it.
extern mechfmu::Function<2> test_tyre;
constinit mechfmu::Function<2> test_tyre(magic);
constinit mechfmu::Function<3> test_mixed(mixed);
constinit mechfmu::Function<1> test_level([](const auto&) { return 4.0; });

namespace {

/// The scalars of laws: derivatives with respect to K variables, each argument depending on all of
/// them.
template <int K>
Dual<double, K> once(double v, double salt) {
  Dual<double, K> x(v);
  for (int i = 0; i < K; ++i) x.d[i] = std::sin(salt + i);
  return x;
}
template <int K, int L>
Dual<Dual<double, K>, L> twice(double v, double salt) {
  Dual<Dual<double, K>, L> x;
  x.v = once<K>(v, salt);
  for (int i = 0; i < L; ++i) x.d[i] = once<K>(std::cos(salt + i), salt * (2 + i));
  return x;
}

void expect_same(double a, double b) { EXPECT_NEAR(a, b, 1e-13 * (1 + std::abs(b))); }
template <class T, int K>
void expect_same(const Dual<T, K>& a, const Dual<T, K>& b) {
  expect_same(a.v, b.v);
  for (int i = 0; i < K; ++i) expect_same(a.d[i], b.d[i]);
}

TEST(Function, IsTheLambdaOnDoubles) {
  EXPECT_EQ(test_tyre(0.07, 2.5), magic(0.07, 2.5));
  EXPECT_EQ(Function<1>(cube)(3), 27);
}

TEST(Function, HasTheFirstDerivativesOfTheLambda) {
  const auto slip = once<4>(0.07, 1), load = once<4>(2.5, 2);
  expect_same(test_tyre(slip, load), magic(slip, load));
  const auto a = once<1>(0.3, 1), b = once<1>(-0.2, 2), c = once<1>(0.7, 3);
  expect_same(test_mixed(a, b, c), mixed(a, b, c));
}

TEST(Function, HasTheSecondDerivativesOfTheLambda) {
  const auto slip = twice<4, 4>(0.07, 1), load = twice<4, 4>(2.5, 2);
  expect_same(test_tyre(slip, load), magic(slip, load));
  const auto a = twice<2, 3>(0.3, 1), b = twice<2, 3>(-0.2, 2), c = twice<2, 3>(0.7, 3);
  expect_same(test_mixed(a, b, c), mixed(a, b, c));
  // (x³)' = 3x², (x³)'' = 6x
  using D = Dual<double, 1>;
  using D2 = Dual<D, 1>;
  const D2 y = Function<1>(cube)(D2::seed(D::seed(2, 0), 0));
  EXPECT_EQ(y.d[0].v, 12);
  EXPECT_EQ(y.v.d[0], 12);
  EXPECT_EQ(y.d[0].d[0], 12);
}

TEST(Function, TakesNumbersAmongDuals) {
  const auto slip = twice<2, 2>(0.07, 1);
  expect_same(test_tyre(slip, 2.5), magic(slip, decltype(slip)(2.5)));
  const auto load = once<3>(2.5, 2);
  expect_same(test_tyre(0.07, load), magic(decltype(load)(0.07), load));
  EXPECT_EQ(test_tyre(0, 1), magic(0.0, 1.0));
}

TEST(Function, MayBeConstant) {
  EXPECT_EQ(test_level(1.0), 4);
  EXPECT_EQ(test_level(once<2>(1, 1)).d[1], 0);
}

}  // namespace
