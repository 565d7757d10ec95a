// Programs give the same as the tree of an expression on duals: value, derivatives and second
// derivatives, for random expressions.

#include <gtest/gtest.h>

#include <random>

#include "language/backend/program.h"
#include "language/expression/check.h"
#include "language/expression/evaluate.h"

namespace mechfmu {
namespace {

using expression::Expression;
using mechanics::Calculation;
using mechanics::Code;
using mechanics::LawValue;
using mechanics::Operation;
using mechanics::Program;
using mechanics::RelationAlong;
using mechanics::RelationValue;
using mechanics::Scope;
using mechanics::ScopeAlong;

const std::array<std::string, 6> names = {"a", "b", "c", "time", "p", "q"};  // p, q: settings

Expression parsed(const std::string& text) {
  Diagnostics diagnostics;
  Report report{diagnostics, {}, "test", "value"};
  expression::Symbols symbols;
  for (const std::string& name : names) symbols.add(name, {});
  const Expression made = expression::parse(text, report);
  EXPECT_TRUE(made) << text << "\n" << diagnostics.text();
  Expression checked = expression::check(made, symbols, report).expression;
  EXPECT_TRUE(checked) << text << "\n" << diagnostics.text();
  return checked;
}

Formula formula(const std::string& text) {
  Formula made{parsed(text)};
  for (const std::string& name : names) made.uses.push_back({name, {}});
  return made;
}

Source source(const Use& use, int /*component*/) {
  if (use.text == "time") return {Source::Kind::time};
  if (use.text == "p") return {Source::Kind::setting, 1};
  if (use.text == "q") return {Source::Kind::setting, 0, 0.5};
  return {Source::Kind::argument, use.text[0] - 'a'};
}

class Random {
 public:
  explicit Random(unsigned seed) : random_(seed) {}
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  double number() { return std::uniform_real_distribution<double>(-2, 2)(random_); }

  std::string scalar(int depth) {
    if (depth == 0) {
      if (below(3) == 0) return "(" + std::to_string(number()) + ")";
      return names[static_cast<std::size_t>(below(6))];
    }
    const auto s = [&] { return scalar(depth - 1); };
    switch (below(24)) {
      case 0:
      case 1: return "(" + s() + " + " + s() + " - " + s() + ")";
      case 2:
      case 3: return s() + "*" + s();
      case 4: return s() + "/" + s();
      case 5: return "(-" + s() + ")";
      case 6: return "sin(" + s() + ")";
      case 7: return "cos(" + s() + ")*tanh(" + s() + ")";
      case 8: return "exp(sin(" + s() + "))";
      case 9: return "sqrt(1.5 + sin(" + s() + "))";
      case 10: return "atan2(" + s() + ", " + s() + ")";
      case 11: return "(" + s() + ")^" + std::to_string(below(5) - 1);
      case 12: return "(2 + cos(" + s() + "))^(" + s() + ")";
      case 13: return "if(" + truth(depth - 1) + ", " + s() + ", " + s() + ")";
      case 14: return "min(" + s() + ", " + s() + ", " + s() + ")";
      case 15: return "max(" + s() + ", " + s() + ")";
      case 16: return "norm(" + vector(depth - 1) + ")";
      case 17: return "dot(" + vector(depth - 1) + ", " + vector(depth - 1) + ")";
      case 18: return "step(" + s() + ", -1, " + s() + ", 1.5, " + s() + ")";
      case 19: return "smooth_max(" + s() + ", " + s() + ", 0.3)";
      case 20: return "smooth_min(" + s() + ", " + s() + ", 0.3)";
      case 21: return "(abs(" + s() + ") + sign(" + s() + ") + floor(" + s() + "))";
      case 22: return "(log(3 + sin(" + s() + ")) + asin(0.4*sin(" + s() + ")))";
      default: return vector(depth - 1) + ".y";
    }
  }

 private:
  std::string vector(int depth) {
    const auto literal = [&] {
      return "[" + scalar(depth) + ", " + scalar(depth) + ", " + scalar(depth) + "]";
    };
    switch (below(5)) {
      case 0: return "cross(" + literal() + ", " + literal() + ")";
      case 1: return "(" + literal() + " - " + literal() + ")";
      case 2: return "(" + scalar(depth) + "*" + literal() + "/2)";
      case 3: return "(-" + literal() + ")";
      default: return literal();
    }
  }
  std::string truth(int depth) {
    static const std::array<const char*, 6> signs = {" < ", " <= ", " > ", " >= ", " == ", " != "};
    const std::string one =
        scalar(depth) + signs[static_cast<std::size_t>(below(6))] + scalar(depth);
    if (below(3) > 0) return one;
    return "(" + one + (below(2) == 0 ? " and " : " or ") + "not " + scalar(depth) + " < 0.3)";
  }

  std::mt19937 random_;
};

/// Values from the tree, with time as the last variable.
template <class T, class Seed>
T by_tree(const Expression& e, const std::array<double, 4>& x, const std::array<double, 2>& u,
          Seed&& seed) {
  return expression::evaluate<T>(e, [&](const expression::Node& name, int) -> T {
    if (name.text == "time") return seed(x[3], 3);
    if (name.text == "p") return T(u[1]);
    if (name.text == "q") return T(u[0]) * 0.5;
    const int i = name.text[0] - 'a';
    return seed(x[static_cast<std::size_t>(i)], i);
  });
}

void expect_close(double got, double wanted, double size, const std::string& what) {
  if (!std::isfinite(wanted) || size > 1e8) return;  // near a pole no result is right to rounding
  EXPECT_NEAR(got, wanted, 1e-9 * (1 + size)) << what;
}

TEST(Programs, OfRandomExpressionsGiveValuesAndDerivativesOfTheTree) {
  Random random(4);
  Programs programs;
  using Once = Dual<double, 4>;
  using Twice = Dual<Once, 4>;
  int finite = 0;
  for (int k = 0; k < 3000; ++k) {
    const std::string text = random.scalar(1 + k % 4);
    const Formula f = formula(text);
    const Calculation made = programs.compile(f, source, 3);
    std::array<double, 4> x{};
    std::array<double, 2> u{};
    for (double& number : x) number = random.number();
    for (double& number : u) number = random.number();
    const Scope<double> s{x[3], x.data(), {u.data()}, nullptr};

    const Twice wanted = by_tree<Twice>(f.expression, x, u, [](double value, int i) {
      return Twice::seed(Once::seed(value, i), i);
    });
    double size = std::abs(wanted.v.v);
    for (const Once& d : wanted.d) {
      size = std::max(size, std::abs(d.v));
      for (const double dd : d.d) size = std::max(size, std::abs(dd));
    }
    finite += std::isfinite(size) && size <= 1e8 ? 1 : 0;
    LawValue once;
    RelationValue twice;
    made.derive(s, once);
    made.derive_twice(s, twice);
    expect_close(made.value(s), wanted.v.v, size, text);
    expect_close(once.value, wanted.v.v, size, text);
    for (int i = 0; i < 3; ++i) expect_close(once.gradient[i], wanted.d[i].v, size, text);
    for (int i = 0; i < 4; ++i) {
      expect_close(twice.gradient[i], wanted.d[i].v, size, text);
      for (int j = 0; j < 4; ++j) expect_close(twice.hessian[i][j], wanted.d[i].d[j], size, text);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(finite, 2000);
}

/// Along a change of arguments, time and settings: the tree on numbers that carry that change.
TEST(Programs, OfRandomExpressionsKnowTheirChangeAlongEverythingTheyDependOn) {
  Random random(5);
  Programs programs;
  using Once = Dual<Along, 4>;
  using Twice = Dual<Once, 4>;
  int finite = 0;
  int by_settings = 0;
  for (int k = 0; k < 1500; ++k) {
    const std::string text = random.scalar(1 + k % 4);
    const Formula f = formula(text);
    const Calculation made = programs.compile(f, source, 3);
    std::array<Along, 4> x{};
    std::array<double, 2> u{};
    std::array<double, 2> du{};
    for (Along& number : x) number = along(random.number(), random.number());
    for (double& number : u) number = random.number();
    for (double& number : du) number = random.number();
    const ScopeAlong s{x[3], x.data(), {u.data()}, du.data(), nullptr};

    const auto lifted = [](const Along& value) {
      Twice number;
      number.v.v = value;
      return number;
    };
    const Twice wanted =
        expression::evaluate<Twice>(f.expression, [&](const expression::Node& name, int) -> Twice {
          if (name.text == "p") return lifted(along(u[1], du[1]));
          if (name.text == "q") return lifted(along(u[0], du[0]) * 0.5);
          const int i = name.text == "time" ? 3 : name.text[0] - 'a';
          return Twice::seed(Once::seed(x[static_cast<std::size_t>(i)], i), i);
        });
    double size = std::max(std::abs(wanted.v.v.v), std::abs(wanted.v.v.d[0]));
    for (const Once& d : wanted.d) {
      size = std::max(size, std::abs(d.v.d[0]));
      for (const Along& dd : d.d) size = std::max(size, std::abs(dd.d[0]));
    }
    finite += std::isfinite(size) && size <= 1e8 ? 1 : 0;
    expect_close(made.along(s).v, wanted.v.v.v, size, text);
    expect_close(made.along(s).d[0], wanted.v.v.d[0], size, text);
    RelationAlong twice;
    made.derive_twice_along(s, twice);
    for (int i = 0; i < 4; ++i) {
      expect_close(twice.gradient[i].d[0], wanted.d[i].v.d[0], size, text);
      for (int j = 0; j < 4; ++j)
        expect_close(twice.hessian[i][j].d[0], wanted.d[i].d[j].d[0], size, text);
    }
    const ScopeAlong settings_stay{x[3], x.data(), {u.data()}, nullptr, nullptr};
    by_settings += made.along(settings_stay).d[0] != made.along(s).d[0] ? 1 : 0;
    if (HasFailure()) return;
  }
  EXPECT_GT(finite, 1000);
  EXPECT_GT(by_settings, 300);
}

TEST(Programs, OfTheSameShapeAreOne) {
  Programs programs;
  const Calculation first = programs.compile(formula("2*a + 3*sin(p*b)"), source, 2);
  const Calculation second = programs.compile(formula("5*a + 7*sin(p*b)"), source, 2);
  EXPECT_EQ(first.program, second.program);
  EXPECT_EQ(second.constants, (std::vector<double>{5, 7}));
  EXPECT_NE(programs.compile(formula("2*a - 3*sin(p*b)"), source, 2).program, first.program);
  EXPECT_EQ(programs.size(), 2U);
}

TEST(Programs, ComputeFixedValuesOnceAndReuseSlots) {
  Programs programs;
  const Program& p = *programs.compile(formula("sin(p)*cos(q)*a + sin(p)*b"), source, 2).program;
  EXPECT_GT(p.fixed, 0);
  std::string sum = "a";
  for (int i = 0; i < 200; ++i) sum += " + sin(b)";
  EXPECT_LE(programs.compile(formula(sum), source, 2).program->moving, 3);
}

TEST(Programs, ThatReferToMissingNumbersAreRefused) {
  Programs programs;
  const Program good =
      *programs.compile(formula("p*a + sin(q)*step(b, 0, 1, 2, 3)"), source, 2).program;
  EXPECT_NO_THROW(good.check());
  int refused = 0;
  int changed = 0;
  // A program with any number changed is refused, or runs within its slots (the sanitizers check).
  for (std::size_t i = 0; i < good.operations.size(); ++i)
    for (std::int32_t Operation::*const field : {&Operation::to, &Operation::a, &Operation::b})
      for (const std::int32_t wrong : {-1, 0, 1, 5, 12, 1000, 2147483647}) {
        Program bad = good;
        bad.operations[i].*field = wrong;
        ++changed;
        try {
          bad.check();
        } catch (const std::invalid_argument&) {
          ++refused;
          continue;
        }
        Calculation c = programs.compile(formula("p*a + sin(q)*step(b, 0, 1, 2, 3)"), source, 2);
        c.program = std::make_shared<const Program>(bad);
        const std::array<double, 2> x = {1, 2};
        const std::array<double, 2> u = {3, 4};
        RelationValue out;
        c.derive_twice({0, x.data(), {u.data()}, nullptr}, out);
      }
  EXPECT_GT(refused, changed / 3);
  const auto refuses = [&](auto&& change) {
    Program bad = good;
    change(bad);
    EXPECT_THROW(bad.check(), std::invalid_argument);
  };
  refuses([](Program& p) { p.moving = -1; });
  refuses([](Program& p) { p.constants = 2147483647; });
  refuses([](Program& p) { p.results = {}; });
  refuses([](Program& p) { p.results = {10000}; });
  refuses([](Program& p) { p.operations[0].code = static_cast<Code>(200); });
  refuses([](Program& p) { p.operations[0] = {Code::table, p.operations[0].to, 0, 0, 0}; });
}

}  // namespace
}  // namespace mechfmu
