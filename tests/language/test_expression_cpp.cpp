// Expressions as C++ text.

#include <gtest/gtest.h>

#include "language/expression/check.h"
#include "language/expression/cpp.h"
#include "tests/language/problems.h"

namespace mechfmu::expression {
namespace {

class Names : public Environment {
 public:
  std::optional<Symbol> find(const Node& name) const override {
    Symbol symbol;
    if (name.text == "v" || name.text == "w") symbol.type = ValueType::vector;
    if (name.text == "map") symbol.type = ValueType::table;
    if (name.text == "on") symbol.type = ValueType::boolean;
    if (name.pieces[0].called) {
      symbol.function = true;
      symbol.arguments.resize(name.children.size());
      return symbol;
    }
    if (name.pieces.size() == 3 && name.pieces[1].called) {
      symbol.type = ValueType::vector;
      symbol.arguments = {{ValueType::name}};
      return symbol;
    }
    const bool known =
        symbol.type != ValueType::scalar || name.text.size() == 1 || name.text == "time";
    return known && name.text != "e" ? std::optional(symbol) : std::nullopt;
  }
};

std::string naming(const Node& name, int component) {
  if (name.text == "time") return "s.t";
  if (name.text == "k") return "s(k)";
  if (name.text == "x") return "s[0]";
  if (name.function) return "models::" + name.pieces[0].word;
  if (name.pieces.size() == 3)
    return "s.relative(" + name.pieces[0].word + ", " + name.children[0]->text + ")" +
           (component < 0 ? "" : "[" + std::to_string(component) + "]");
  if (component >= 0) return name.text + "[" + std::to_string(component) + "]";
  return name.text;
}

std::string cpp(const std::string& text) {
  Problems problems;
  const Checked c = check(parse(text, problems), Names(), problems);
  EXPECT_TRUE(c.expression) << text << ": " << problems.text();
  return c.expression ? to_cpp(c.expression, naming) : "";
}

TEST(ExpressionCpp, IsWhatAPersonWouldWrite) {
  struct Row {
    const char* text;
    const char* code;
  };
  const Row table[] = {
      {"k*x + 2", "s(k) * s[0] + 2.0"},
      {"(a + b)*c", "(a + b) * c"},
      {"a + b + c", "a + b + c"},
      {"(a + b) + c", "a + b + c"},
      {"a + (b + c)", "a + (b + c)"},
      {"a - (b - c)", "a - (b - c)"},
      {"a - b*c", "a - b * c"},
      {"a/(b*c)", "a / (b * c)"},
      {"a/b/c", "a / b / c"},
      {"a*(b/c)", "a * (b / c)"},
      {"-a*b", "-a * b"},
      {"-(a*b)", "-a * b"},
      {"-(a + b)", "-(a + b)"},
      {"- -a", "-(-a)"},
      {"a - -b", "a + b"},
      {"a + -2", "a - 2.0"},
      {"a - -2", "a + 2.0"},
      {"a*-2", "a * -2.0"},
      {"a^2", "a * a"},
      {"a/b^2", "a / (b * b)"},
      {"(a + b)^2", "power(a + b, 2)"},
      {"a^3", "power(a, 3)"},
      {"a^1", "a"},
      {"a^0.5", "power(a, 0.5)"},
      {"a^b", "power(a, b)"},
      {"-a^2", "-a * a"},
      {"pow(a, -1)", "power(a, -1)"},
      {"1/2", "0.5"},
      {"2*3*a", "2.0 * 3.0 * a"},
      {"(2*3)*a", "6.0 * a"},
      {"30deg", "0.5235987755982988"},
      {"30deg + a", "0.5235987755982988 + a"},
      {"sin(0)*a", "0.0 * a"},
      {"-5", "-5.0"},
      {"1e300", "1e300"},
      {"0.1 + 0.2", "0.30000000000000004"},
      {"a + 1/0", "a + 1.0 / 0.0"},
      {"2*pi*a", "2.0 * std::numbers::pi * a"},
      {"e", "std::numbers::e"},
      {"g0*a", "9.80665 * a"},
      {"sin(2*pi*time)", "sin(2.0 * std::numbers::pi * s.t)"},
      {"min(a, b, 0)", "minimum(a, b, 0.0)"},
      {"max(a, b)", "maximum(a, b)"},
      {"abs(a) + floor(b) + sign(c)", "abs(a) + floor(b) + sign(c)"},
      {"step(time, 0, 0, 1, k)", "step(s.t, 0.0, 0.0, 1.0, s(k))"},
      {"table(map, x + 1)", "map(s[0] + 1.0)"},
      {"if(a < b, a, b)", "a < b ? a : b"},
      {"2*if(a < b, a, b)", "2.0 * (a < b ? a : b)"},
      {"if(a < b, if(on, 1, 2), if(on, 3, 4))", "a < b ? (on ? 1.0 : 2.0) : on ? 3.0 : 4.0"},
      {"max(if(on, a, b), 1)", "maximum(on ? a : b, 1.0)"},
      {"if(a < b and b < c or not on, 1, 0)", "(a < b && b < c) || !on ? 1.0 : 0.0"},
      {"if(not (a < b or on), 1, 0)", "!(a < b || on) ? 1.0 : 0.0"},
      {"if(on and (on or a != b), 1, 0)", "on && (on || a != b) ? 1.0 : 0.0"},
      {"if(a + b >= 2*c, 1, 0)", "a + b >= 2.0 * c ? 1.0 : 0.0"},
      {"v.y", "v[1]"},
      {"norm(v)", "norm(v)"},
      {"cross(v, w).z", "v[0] * w[1] - v[1] * w[0]"},
      {"(2*v).x", "2.0 * v[0]"},
      {"-v + w*v.x", "-v + w * v[0]"},
      {"if(on, v, [a, 0, 0])", "on ? v : vec(a, 0.0, 0.0)"},
      {"norm(A.relative_to(B).position)", "norm(s.relative(A, B))"},
      {"A.relative_to(B).position.z", "s.relative(A, B)[2]"},
      {"tyre(x, k*v.z)", "models::tyre(s[0], s(k) * v[2])"},
      {"-tyre(a, b)*2", "-models::tyre(a, b) * 2.0"},
      {"tyre(2*3)^2", "power(models::tyre(6.0), 2)"},
      {"spin()", "models::spin()"},
      {"[a, b, 1]", "vec(a, b, 1.0)"},
      {"dot(v, [1, 0, 0])", "dot(v, vec(1.0, 0.0, 0.0))"},
  };
  for (const Row& row : table) EXPECT_EQ(cpp(row.text), row.code) << row.text;
}

}  // namespace
}  // namespace mechfmu::expression
