// Derivatives by duals against formulas and against each other.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model/dual.h"
#include "model/types.h"

namespace mechfmu::tests {
namespace {

using D = Dual<double, 1>;
using DD = Dual<D, 1>;

struct Function {
  const char* name;
  D (*dual)(D);
  double (*plain)(double);
  double at;
};

TEST(Dual, EveryFunctionAgreesWithACentralDifference) {
  const Function functions[] = {
      {"sin", [](D x) { return sin(x); }, [](double x) { return std::sin(x); }, 0.7},
      {"cos", [](D x) { return cos(x); }, [](double x) { return std::cos(x); }, 0.7},
      {"tan", [](D x) { return tan(x); }, [](double x) { return std::tan(x); }, 0.7},
      {"asin", [](D x) { return asin(x); }, [](double x) { return std::asin(x); }, 0.3},
      {"acos", [](D x) { return acos(x); }, [](double x) { return std::acos(x); }, 0.3},
      {"atan", [](D x) { return atan(x); }, [](double x) { return std::atan(x); }, 1.3},
      {"atan2", [](D x) { return atan2(x, 2.0 - x); },
       [](double x) { return std::atan2(x, 2.0 - x); }, 0.4},
      {"exp", [](D x) { return exp(x); }, [](double x) { return std::exp(x); }, 0.4},
      {"log", [](D x) { return log(x); }, [](double x) { return std::log(x); }, 1.4},
      {"sqrt", [](D x) { return sqrt(x); }, [](double x) { return std::sqrt(x); }, 1.4},
      {"sinh", [](D x) { return sinh(x); }, [](double x) { return std::sinh(x); }, 0.4},
      {"cosh", [](D x) { return cosh(x); }, [](double x) { return std::cosh(x); }, 0.4},
      {"tanh", [](D x) { return tanh(x); }, [](double x) { return std::tanh(x); }, 0.4},
      {"abs", [](D x) { return abs(x); }, [](double x) { return std::abs(x); }, -1.4},
      {"hypot", [](D x) { return hypot(x, D(3.0)); }, [](double x) { return std::hypot(x, 3.0); },
       1.4},
      {"pow", [](D x) { return pow(x, 2.5); }, [](double x) { return std::pow(x, 2.5); }, 1.4},
      {"pow dual", [](D x) { return pow(x, x); }, [](double x) { return std::pow(x, x); }, 1.4},
      {"arithmetic", [](D x) { return 2.0 / (1 + x) - x * x / 3.0 + (4.0 - x) * 2.0; },
       [](double x) { return 2.0 / (1 + x) - x * x / 3.0 + (4.0 - x) * 2.0; }, 1.4},
  };
  for (const Function& f : functions) {
    const D y = f.dual(D::seed(f.at, 0));
    const double h = 1e-5;
    const double difference = (f.plain(f.at + h) - f.plain(f.at - h)) / (2 * h);
    EXPECT_DOUBLE_EQ(y.v, f.plain(f.at)) << f.name;
    EXPECT_NEAR(y.d[0], difference, 1e-9) << f.name;
  }
}

TEST(Dual, IsFiniteWithItsDerivatives) {
  const double infinity = std::numeric_limits<double>::infinity();
  D x = D::seed(1.0, 0);
  EXPECT_TRUE(isfinite(x));
  x.d[0] = infinity;
  EXPECT_FALSE(isfinite(x));
  EXPECT_FALSE(isfinite(D(std::nan(""))));
  DD y = DD::seed(D::seed(1.0, 0), 0);
  EXPECT_TRUE(isfinite(y));
  y.d[0].d[0] = std::nan("");
  EXPECT_FALSE(isfinite(y));
}

TEST(Dual, AtTheEndOfTheRangeDerivativesAreTheOneSidedOnes) {
  struct Case {
    const char* name;
    D (*dual)(D);
    double (*plain)(double);
  };
  const Case cases[] = {
      {"pow 1.5", [](D x) { return pow(x, 1.5); }, [](double x) { return std::pow(x, 1.5); }},
      {"pow 1", [](D x) { return pow(x, 1.0); }, [](double x) { return x; }},
      {"pow 2", [](D x) { return pow(x, 2.0); }, [](double x) { return x * x; }},
      {"pow 0", [](D x) { return pow(x, 0.0); }, [](double) { return 1.0; }},
      {"pow dual 1.5", [](D x) { return pow(x, D(1.5)); },
       [](double x) { return std::pow(x, 1.5); }},
      {"pow dual 1", [](D x) { return pow(x, D(1.0)); }, [](double x) { return x; }},
      {"pow dual 0", [](D x) { return pow(x, D(0.0)); }, [](double) { return 1.0; }},
      {"pow of zero by a changing exponent", [](D x) { return pow(D(0.0), 0.5 + x); },
       [](double x) { return std::pow(0.0, 0.5 + x); }},
      {"sqrt of a square plus a constant", [](D x) { return sqrt(x * x + 1.0); },
       [](double x) { return std::sqrt(x * x + 1); }},
      {"sqrt of a constant", [](D x) { return x + sqrt(D(0.0)); }, [](double x) { return x; }},
      {"sqrt of x cubed", [](D x) { return sqrt(x * x * x); },
       [](double x) { return std::sqrt(x * x * x); }},
      {"pow of a constant", [](D x) { return x + pow(D(0.0), 0.3); }, [](double x) { return x; }},
      {"asin of a constant", [](D x) { return x + asin(D(1.0)); },
       [](double x) { return x + std::asin(1.0); }},
      {"acos of a constant", [](D x) { return x + acos(D(1.0)); }, [](double x) { return x; }},
  };
  for (const Case& c : cases) {
    const D y = c.dual(D::seed(0.0, 0));
    const double h = 1e-10;
    EXPECT_DOUBLE_EQ(y.v, c.plain(0)) << c.name;
    EXPECT_NEAR(y.d[0], (c.plain(h) - c.plain(0)) / h, 2e-5) << c.name;
  }
  EXPECT_EQ(sqrt(D::seed(0.0, 0)).d[0], std::numeric_limits<double>::infinity());
  EXPECT_EQ(pow(D::seed(0.0, 0), 0.5).d[0], std::numeric_limits<double>::infinity());
}

TEST(Dual, APowerWithAConstantExponentHasAnyBase) {
  // (−2)³ and its derivative 3 (−2)²: no logarithm is needed.
  const D y = pow(D::seed(-2.0, 0), D(3.0));
  EXPECT_DOUBLE_EQ(y.v, -8);
  EXPECT_DOUBLE_EQ(y.d[0], 12);
  const DD z = pow(DD::seed(D::seed(-2.0, 0), 0), DD(3.0));
  EXPECT_DOUBLE_EQ(z.d[0].d[0], -12);
  EXPECT_TRUE(std::isnan(pow(D(-2.0), D::seed(3.0, 0)).d[0]));
}

TEST(Dual, ADistanceOfZeroHasNoSlope) {
  using G = Dual<double, 2>;
  using GG = Dual<G, 2>;
  const G x = G::seed(0.0, 0);
  const G y = G::seed(0.0, 1);
  for (const G& r : {hypot(x, y), sqrt(x * x + y * y), Vec<G, 2>(x, y).norm()}) {
    EXPECT_EQ(r.v, 0);
    EXPECT_EQ(r.d[0], 0);
    EXPECT_EQ(r.d[1], 0);
  }
  // First derivatives also exist where second ones, which have no limit, are computed with them.
  const GG xx = GG::seed(x, 0);
  const GG yy = GG::seed(y, 1);
  const GG root = sqrt(xx * xx + yy * yy);
  EXPECT_EQ(root.d[0].v, 0);
  EXPECT_EQ(root.d[1].v, 0);
  EXPECT_EQ(hypot(xx, yy).d[0].v, 0);
  // Neither overflow nor underflow on the way.
  const G far = hypot(G::seed(3e200, 0), G::seed(4e200, 1));
  EXPECT_DOUBLE_EQ(far.v, 5e200);
  EXPECT_DOUBLE_EQ(far.d[0], 0.6);
  EXPECT_DOUBLE_EQ(far.d[1], 0.8);
}

TEST(Dual, SecondDerivativesAtTheEndOfTheRangeAreTheOneSidedOnes) {
  const DD x = DD::seed(D::seed(0.0, 0), 0);
  EXPECT_DOUBLE_EQ(pow(x, 1.0).d[0].d[0], 0);
  EXPECT_DOUBLE_EQ(pow(x, 2.0).d[0].d[0], 2);
  EXPECT_DOUBLE_EQ(pow(x, 2.5).d[0].d[0], 0);
  EXPECT_DOUBLE_EQ(pow(x, DD(2.5)).d[0].d[0], 0);
  EXPECT_DOUBLE_EQ(pow(x, DD(2.0)).d[0].d[0], 2);
  EXPECT_EQ(pow(x, 1.5).d[0].d[0], std::numeric_limits<double>::infinity());
  EXPECT_EQ(sqrt(x).d[0].d[0], -std::numeric_limits<double>::infinity());
  // (b x^(b−1) + xᵇ log x)' at 0 for b = 2
  EXPECT_DOUBLE_EQ(pow(x, DD::seed(D(2.0), 0)).d[0].d[0], 2);
}

TEST(Dual, NestedDualsGiveSecondDerivatives) {
  // d²/dx² of x³ sin x at 0.8
  const double x = 0.8;
  const DD y = DD::seed(D::seed(x, 0), 0);
  const DD value = y * y * y * sin(y);
  const double s = std::sin(x);
  const double c = std::cos(x);
  EXPECT_NEAR(value.d[0].d[0], 6 * x * s + 6 * x * x * c - x * x * x * s, 1e-14);
  EXPECT_NEAR(value.d[0].v, 3 * x * x * s + x * x * x * c, 1e-14);
  EXPECT_DOUBLE_EQ(mechfmu::value(value), x * x * x * s);
}

TEST(Dual, WorksInsideEigen) {
  using G = Dual<double, 3>;
  const Vec<G, 3> v(G::seed(1, 0), G::seed(2, 1), G::seed(3, 2));
  const G squared = v.squaredNorm();
  EXPECT_DOUBLE_EQ(squared.v, 14);
  EXPECT_DOUBLE_EQ(squared.d[1], 4);
  Eigen::Matrix3d R;
  R << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  const Vec<G, 3> turned = R * v;
  EXPECT_DOUBLE_EQ(turned[0].v, -2);
  EXPECT_DOUBLE_EQ(turned[0].d[1], -1);
}

}  // namespace
}  // namespace mechfmu::tests
