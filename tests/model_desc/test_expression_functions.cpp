// Values and derivatives of all functions of expressions; tables.

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "model_desc/expression_check.h"
#include "model_desc/expression_csv.h"
#include "model_desc/expression_evaluate.h"

namespace mechfmu::expression {
namespace {

using functions::Table;

/// x and y vary, k does not; t is a table.
class Names : public Environment {
 public:
  std::optional<Symbol> find(const Node& name) const override {
    Symbol symbol;
    if (name.text == "t") {
      symbol.type = ValueType::table;
      symbol.table = std::make_shared<Table>(std::vector<double>{0, 1, 2.5, 3},
                                             std::vector<double>{0, 2, 3, 1});
      return symbol;
    }
    if (name.text == "x" || name.text == "y" || name.text == "k") return symbol;
    return {};
  }
};

Expression made(const std::string& text) {
  Diagnostics problems;
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

TEST(ExpressionFunctions, WholePowersHaveAllDerivativesAtZero) {
  using D = Dual<double, 1>;
  using D2 = Dual<D, 1>;
  const double second[] = {0, 0, 2, 0};
  for (int n = 0; n < 4; ++n) {
    const D2 y = at<D2>(made("x^" + std::to_string(n)), D2::seed(D::seed(0, 0), 0), D2(0.0));
    EXPECT_EQ(y.d[0].v, n == 1 ? 1 : 0) << n;
    EXPECT_EQ(y.d[0].d[0], second[n]) << n;
  }
}

TEST(ExpressionFunctions, NegativeBasesMayHaveExponentsThatDoNotVary) {
  using D = Dual<double, 1>;
  const Expression e = made("x^(k + 3.5)");  // k = -1.5
  const D y = at<D>(e, D::seed(-2, 0), D(0.0));
  EXPECT_EQ(y.v, 4);
  EXPECT_EQ(y.d[0], -4);
}

TEST(ExpressionFunctions, StepIsContinuousWithItsSlope) {
  using D = Dual<double, 1>;
  const Expression e = made("step(x, 1, 2, 3, 10)");
  for (const double end : {1.0, 3.0})
    for (const double side : {-1e-9, 0.0, 1e-9}) {
      const D y = at<D>(e, D::seed(end + side, 0), D(0.0));
      EXPECT_NEAR(y.v, end == 1 ? 2 : 10, 1e-12);
      EXPECT_NEAR(y.d[0], 0, 1e-7);
    }
  EXPECT_EQ(at<double>(made("step(x, 1, 2, 1, 10)"), 0.999, 0), 2);
  EXPECT_EQ(at<double>(made("step(x, 1, 2, 1, 10)"), 1, 0), 10);
}

// Tables --------------------------------------------------------------------------------------------------------------

TEST(ExpressionTable, HasTheSlopesOfPchip) {
  // scipy.interpolate.PchipInterpolator([0, 1, 2.5, 3], [0, 2, 3, 1]).derivative()
  const Table t({0, 1, 2.5, 3}, {0, 2, 3, 1});
  const double slopes[] = {2.533333333333333, 1.0344827586206897, 0.0, -5.166666666666666};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(t.slopes()[i], slopes[i], 1e-14) << i;
  const double values[][2] = {{0.4, 0.9694896551724139},
                              {0.9, 1.883006896551724},
                              {1.7, 2.656051085568327},
                              {2.4, 2.9936960408684548},
                              {2.9, 1.5386666666666673}};
  for (const auto& [x, y] : values) EXPECT_NEAR(t(x), y, 1e-14) << x;
}

TEST(ExpressionTable, GoesThroughItsPointsWithContinuousSlope) {
  using D = Dual<double, 1>;
  const Table t({0, 1, 2.5, 3}, {0, 2, 3, 1});
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(t(t.x()[i]), t.y()[i]);
    for (const double side : {-1e-9, 1e-9}) {
      const D y = t(D::seed(t.x()[i] + side, 0));
      EXPECT_NEAR(y.v, t.y()[i], 1e-7);
      EXPECT_NEAR(y.d[0], t.slopes()[i], 1e-7);
    }
  }
}

TEST(ExpressionTable, GoesOnStraightBeyondItsEnds) {
  using D = Dual<Dual<double, 1>, 1>;
  const Table t({0, 1, 2.5, 3}, {0, 2, 3, 1});
  for (const double x : {-2.0, 5.0}) {
    const D y = t(D::seed(Dual<double, 1>::seed(x, 0), 0));
    const std::size_t end = x < 0 ? 0 : 3;
    EXPECT_DOUBLE_EQ(value(y), t.y()[end] + t.slopes()[end] * (x - t.x()[end]));
    EXPECT_DOUBLE_EQ(y.d[0].v, t.slopes()[end]);
    EXPECT_EQ(y.d[0].d[0], 0);
  }
}

TEST(ExpressionTable, KeepsMonotonyAndStraightLines) {
  const Table t({0, 1, 2, 3, 4, 5}, {0, 0, 0.1, 9, 10, 10});
  double last = t(0.0);
  for (int i = 0; i <= 500; ++i) {
    const double x = 0.01 * i;
    EXPECT_GE(t(x), last - 1e-14) << x;
    last = t(x);
  }
  const Table line({0, 0.5, 2}, {1, 2, 5});
  for (const double x : {-1.0, 0.2, 1.7, 3.0}) EXPECT_NEAR(line(x), 1 + 2 * x, 1e-14);
  const Table two({1, 3}, {5, 1});
  EXPECT_DOUBLE_EQ(two(2.0), 3);
}

TEST(ExpressionTable, RefusesWhatIsNoFunction) {
  EXPECT_THROW(Table({1}, {1}), std::invalid_argument);
  EXPECT_THROW(Table({1, 1}, {1, 2}), std::invalid_argument);
  EXPECT_THROW(Table({1, 0}, {1, 2}), std::invalid_argument);
  EXPECT_THROW(Table({0, 1}, {1}), std::invalid_argument);
  EXPECT_THROW(Table({0, NAN}, {1, 2}), std::invalid_argument);
}

TEST(ExpressionTable, IsReadFromText) {
  for (const char* text : {"0,1\n1,2.5\n", "# comment\nx [m], F [N]\r\n0 , 1 # here\r\n\r\n1, 2.5",
                           "0;1\n1;2.5", "0 1\n1\t  2.5\n", "\xef\xbb\xbfx;y\n0;+1\n1;25e-1"}) {
    Diagnostics problems;
    const auto table = read_table(text, problems);
    ASSERT_TRUE(table) << text << problems.text();
    EXPECT_EQ(table->x(), (std::vector<double>{0, 1}));
    EXPECT_EQ(table->y(), (std::vector<double>{1, 2.5}));
  }
  Diagnostics problems;
  EXPECT_EQ(read_table("t,a,b\n0,1,2\n1,3,4", problems, 3)->y(), (std::vector<double>{2, 4}));
}

TEST(ExpressionTable, NamesTheLineThatIsWrong) {
  const auto said = [](const char* text) {
    Diagnostics problems;
    EXPECT_FALSE(read_table(text, problems)) << text;
    return problems.text();
  };
  EXPECT_EQ(said(""), "a table needs two points or more");
  EXPECT_EQ(said("x,y\n1,2\n"), "a table needs two points or more");
  EXPECT_EQ(said("0,1\n1\n2,3"), "line 2: has 1 column, 2 are needed: write x, y");
  EXPECT_EQ(said("0,1\n\n1,two\n2,3"), "line 3: 'two' is no number");
  EXPECT_EQ(said("0,1\n1,2\n1,3"),
            "line 3: x = 1 is not above 1 of the point before: x has to ascend");
  EXPECT_EQ(said("0;1,5\n1;2"), "line 1: '1,5' is no number: write a decimal point");
  EXPECT_EQ(said("0,1\n1,1e999"), "line 2: '1e999' is no number");
  EXPECT_EQ(said("x,y\na,b\n1,2"), "line 2: 'a' is no number");
  EXPECT_EQ(said("0,1\n1,nan"), "line 2: 'nan' is no number");
}

}  // namespace
}  // namespace mechfmu::expression
