// Values and derivatives of all functions of expressions.

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "language/expression/check.h"
#include "language/expression/evaluate.h"
#include "tests/language/problems.h"

namespace mechfmu::expression {
namespace {

/// x and y vary, k does not; t is a table.
class Names : public Environment {
 public:
  std::optional<Symbol> find(const Node& name) const override {
    Symbol symbol;
    if (name.text == "t") {
      symbol.type = ValueType::table;
      symbol.table = std::make_shared<functions::Table>(
          std::vector<double>{0, 1, 2.5, 3}, std::vector<double>{0, 2, 3, 1},
          functions::Interpolation::smooth, functions::Beyond::extend);
      return symbol;
    }
    if (name.text == "x" || name.text == "y" || name.text == "k") return symbol;
    return {};
  }
};

Expression made(const std::string& text) {
  Problems problems;
  const Checked c = check(parse(text, problems), Names(), problems);
  EXPECT_TRUE(c.expression) << text << ": " << problems.text();
  return c.expression;
}

template <class T>
T at(const Expression& e, const T& x, const T& y) {
  return evaluate<T>(e, [&](const Node& name, int) {
    if (name.text == "x") return x;
    return name.text == "y" ? y : T(-1.5);
  });
}

struct Row {
  const char* text;
  double x, y;
  double value;
};

const Row all_functions[] = {
    {"sin(x)", 0.7, 0, 0.644217687237691},
    {"cos(x)", 0.7, 0, 0.7648421872844885},
    {"tan(x)", 0.7, 0, 0.8422883804630794},
    {"asin(x)", 0.3, 0, 0.30469265401539753},
    {"acos(x)", 0.3, 0, 1.2661036727794992},
    {"atan(x)", 0.3, 0, 0.2914567944778671},
    {"atan2(y, x)", -0.3, 0.4, 2.214297435588181},
    {"sinh(x)", 0.7, 0, 0.7585837018395335},
    {"cosh(x)", 0.7, 0, 1.255169005630943},
    {"tanh(x)", 0.7, 0, 0.6043677771171636},
    {"exp(x)", 0.7, 0, 2.0137527074704766},
    {"log(x)", 0.7, 0, -0.35667494393873245},
    {"sqrt(x)", 0.7, 0, 0.8366600265340756},
    {"abs(x)", -0.7, 0, 0.7},
    {"sign(x)", -0.7, 0, -1},
    {"floor(x)", -0.7, 0, -1},
    {"pow(x, y)", 0.7, 1.3, 0.6289664092534478},
    {"pow(x, k)", 0.7, 0, 1.7074694419062766},
    {"x^3", -0.7, 0, -0.343},
    {"x^-2", 0.5, 0, 4},
    {"x^2.5", 0.7, 0, 0.409963413001697},
    {"2^x", 0.5, 0, 1.4142135623730951},
    {"min(x, y, 2)", 0.7, 0.2, 0.2},
    {"max(x, y, 0.1)", 0.7, 0.2, 0.7},
    {"norm([x, y, 2])", 1, 2, 3},
    {"dot([x, y, 1], [y, 2, x])", 0.5, 3, 8},
    {"cross([x, y, 1], [y, 2, x]).z", 0.5, 3, -8},
    {"step(x, 0, 1, 2, 5)", 0.5, 0, 1.625},
    {"step(x, 0, 1, 2, 5)", -0.5, 0, 1},
    {"step(x, 0, 1, 2, 5)", 2.5, 0, 5},
    {"step(x, 2, 5, 0, 1)", 0.5, 0, 1.625},
    {"step(x, y, 1, 2, 5)", 0.5, 0.1, 1.457209505758857},
    {"smooth_max(x, y, 0.1)", 0.7, 0.7, 0.75},
    {"smooth_min(x, y, 0.1)", 0.7, 0.7, 0.65},
    {"smooth_max(x, y, 0.4)", 0.3, 0, 0.4},
    {"smooth_min(x, y, 0.4)", 0.3, 0, -0.1},
    {"smooth_abs(x, 0.4)", -0.3, 0, 0.5},
    {"smooth_abs(x, y)", 0, 0.5, 0.5},
    {"table(t, x)", 0.4, 0, 0.9694896551724139},
    {"table(t, x)", 1, 0, 2},
    {"table(t, x)", 2.9, 0, 1.5386666666666673},
    {"if(x < y, x^2, 3*y)", 0.5, 1, 0.25},
    {"if(x < y, x^2, 3*y)", 1.5, 1, 3},
    {"-x + 2*y - x*y/(1 + x)", 1, 2, 2},
};

TEST(ExpressionFunctions, AllAreTested) {
  std::set<std::string> missing;
  for (const std::string& name : function_names()) missing.insert(name);
  for (const Row& row : all_functions)
    for (const std::string& name : function_names())
      if (std::string(row.text).find(name + "(") != std::string::npos) missing.erase(name);
  EXPECT_TRUE(missing.empty()) << *missing.begin();
}

TEST(ExpressionFunctions, HaveTheirValues) {
  for (const Row& row : all_functions)
    EXPECT_NEAR(at<double>(made(row.text), row.x, row.y), row.value, 1e-12) << row.text;
}

TEST(ExpressionFunctions, HaveTheDerivativesOfTheirDifferenceQuotients) {
  using D = Dual<double, 2>;
  using D2 = Dual<D, 2>;
  for (const Row& row : all_functions) {
    const Expression e = made(row.text);
    const double h = 1e-5;
    const D y = at<D>(e, D::seed(row.x, 0), D::seed(row.y, 1));
    const D2 yy = at<D2>(e, D2::seed(D::seed(row.x, 0), 0), D2::seed(D::seed(row.y, 1), 1));
    EXPECT_DOUBLE_EQ(y.v, at<double>(e, row.x, row.y)) << row.text;
    EXPECT_DOUBLE_EQ(value(yy), y.v) << row.text;
    if (std::string(row.text) == "table(t, x)" && row.x == 1) continue;  // the curvature jumps
    const double dx = (at<double>(e, row.x + h, row.y) - at<double>(e, row.x - h, row.y)) / (2 * h);
    const double dy = (at<double>(e, row.x, row.y + h) - at<double>(e, row.x, row.y - h)) / (2 * h);
    EXPECT_NEAR(y.d[0], dx, 1e-8 * (1 + std::abs(dx))) << row.text;
    EXPECT_NEAR(y.d[1], dy, 1e-8 * (1 + std::abs(dy))) << row.text;
    const D right = at<D>(e, D::seed(row.x + h, 0), D::seed(row.y, 1));
    const D left = at<D>(e, D::seed(row.x - h, 0), D::seed(row.y, 1));
    for (int i = 0; i < 2; ++i) {
      const double second = (right.d[i] - left.d[i]) / (2 * h);
      EXPECT_NEAR(yy.d[0].d[i], second, 1e-7 * (1 + std::abs(second))) << row.text << " " << i;
    }
  }
}

}  // namespace
}  // namespace mechfmu::expression
