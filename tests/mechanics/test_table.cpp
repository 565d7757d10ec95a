// Tables: values and slopes, also beyond the ends, on doubles, duals and duals of duals.

#include <gtest/gtest.h>

#include <cmath>

#include "mechanics/table.h"

namespace mechfmu::functions {
namespace {

using enum Interpolation;
using enum Beyond;
using D = Dual<double, 1>;
using D2 = Dual<D, 1>;

const std::vector<double> xs = {0, 1, 2.5, 3};
const std::vector<double> ys = {0, 2, 3, 1};

/// y, y', y'' at x.
struct Jet {
  double y, first, second;
};
Jet jet(const Table& t, double x) {
  const D once = t(D::seed(x, 0));
  const D2 twice = t(D2::seed(D::seed(x, 0), 0));
  EXPECT_EQ(once.v, t(x));
  EXPECT_EQ(value(twice), t(x));
  EXPECT_EQ(twice.d[0].v, once.d[0]);
  EXPECT_EQ(twice.v.d[0], once.d[0]);
  return {once.v, once.d[0], twice.d[0].d[0]};
}

TEST(Table, HasTheSlopesOfPchip) {
  // scipy.interpolate.PchipInterpolator([0, 1, 2.5, 3], [0, 2, 3, 1]).derivative()
  const Table t(xs, ys, smooth, extend);
  const double slopes[] = {2.533333333333333, 1.0344827586206897, 0.0, -5.166666666666666};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(t.slopes()[i], slopes[i], 1e-14) << i;
  const double values[][2] = {{0.4, 0.9694896551724139},
                              {0.9, 1.883006896551724},
                              {1.7, 2.656051085568327},
                              {2.4, 2.9936960408684548},
                              {2.9, 1.5386666666666673}};
  for (const auto& [x, y] : values) EXPECT_NEAR(t(x), y, 1e-14) << x;
}

TEST(Table, IsSmoothAndHoldsByDefault) {
  const Table t(xs, ys);
  // (1 + 2s)(1 − s)² y_i + s²(3 − 2s) y_{i+1} + s²(s − 1) Δ m_{i+1}, with m = 0 at the ends and the
  // inner slopes of PCHIP
  EXPECT_NEAR(t(0.4), 0.16 * 2.2 * 2 - 0.16 * 0.6 * 1.0344827586206897, 1e-14);
  EXPECT_NEAR(t(1.7), 2.656051085568327, 1e-14);
  EXPECT_NEAR(t(2.9), 0.104 * 3 + 0.896 * 1, 1e-14);
  const double beyond[][2] = {{-3, 0}, {0, 0}, {3, 1}, {50, 1}};
  for (const auto& [x, y] : beyond) {
    const Jet j = jet(t, x);
    EXPECT_EQ(j.y, y);
    EXPECT_EQ(j.first, 0);
    EXPECT_EQ(j.second, 0);
  }
}

TEST(Table, SmoothOnesGoThroughTheirPointsWithContinuousSlope) {
  for (const Beyond beyond : {hold, extend}) {
    const Table t(xs, ys, smooth, beyond);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(t(xs[i]), ys[i]);
      for (const double side : {-1e-9, 1e-9}) {
        const Jet j = jet(t, xs[i] + side);
        EXPECT_NEAR(j.y, ys[i], 1e-7);
        EXPECT_NEAR(j.first, t.slopes()[i], 1e-7);
      }
    }
  }
}

TEST(Table, ExtendContinuesStraight) {
  const Table t(xs, ys, smooth, extend);
  for (const double x : {-2.0, 5.0}) {
    const Jet j = jet(t, x);
    const std::size_t end = x < 0 ? 0 : 3;
    EXPECT_DOUBLE_EQ(j.y, ys[end] + t.slopes()[end] * (x - xs[end]));
    EXPECT_DOUBLE_EQ(j.first, t.slopes()[end]);
    EXPECT_EQ(j.second, 0);
  }
}

TEST(Table, LinearOnesAreStraightBetweenTheirPoints) {
  struct Row {
    Beyond beyond;
    double x, y, slope;
  };
  const Row rows[] = {{hold, 0.25, 0.5, 2},   {hold, 1.75, 2.5, 2.0 / 3}, {hold, 2.75, 2, -4},
                      {hold, 1, 2, 2.0 / 3},  {hold, -1, 0, 0},           {hold, 4, 1, 0},
                      {extend, 0.25, 0.5, 2}, {extend, -1, -2, 2},        {extend, 4, -3, -4}};
  for (const Row& row : rows) {
    const Jet j = jet(Table(xs, ys, linear, row.beyond), row.x);
    EXPECT_DOUBLE_EQ(j.y, row.y) << row.x;
    EXPECT_DOUBLE_EQ(j.first, row.slope) << row.x;
    EXPECT_EQ(j.second, 0) << row.x;
  }
  for (const Beyond beyond : {hold, extend})
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(Table(xs, ys, linear, beyond)(xs[i]), ys[i]);
}

TEST(Table, KeepsMonotonyAndStraightLines) {
  for (const Beyond beyond : {hold, extend}) {
    const Table t({0, 1, 2, 3, 4, 5}, {0, 0, 0.1, 9, 10, 11}, smooth, beyond);
    double last = t(0.0);
    for (int i = 0; i <= 500; ++i) {
      const double x = 0.01 * i;
      EXPECT_GE(t(x), last - 1e-14) << x;
      last = t(x);
    }
  }
  const Table line({0, 0.5, 2}, {1, 2, 5}, smooth, extend);
  for (const double x : {-1.0, 0.2, 1.7, 3.0}) EXPECT_NEAR(line(x), 1 + 2 * x, 1e-14);
  const Table two({1, 3}, {5, 1}, smooth, extend);
  EXPECT_DOUBLE_EQ(two(1.5), 4);
  EXPECT_DOUBLE_EQ(Table({1, 3}, {5, 1})(1.5), 5 - 4 * 0.15625);  // s²(3 − 2s) at s = 1/4
}

TEST(Table, RefusesPointsThatAreNotAFunction) {
  EXPECT_THROW(Table({1}, {1}), std::invalid_argument);
  EXPECT_THROW(Table({1, 1}, {1, 2}), std::invalid_argument);
  EXPECT_THROW(Table({1, 0}, {1, 2}), std::invalid_argument);
  EXPECT_THROW(Table({0, 1}, {1}), std::invalid_argument);
  EXPECT_THROW(Table({0, NAN}, {1, 2}), std::invalid_argument);
}

}  // namespace
}  // namespace mechfmu::functions
