// Derivatives by duals against formulas and against each other.

#include <gtest/gtest.h>

#include <cmath>

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
