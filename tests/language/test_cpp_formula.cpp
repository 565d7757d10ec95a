// Programs as readable C++: brackets only where needed, names for values used several times.

#include <gtest/gtest.h>

#include <algorithm>

#include "language/backend/cpp_formula.h"
#include "language/backend/cpp_text.h"

namespace mechfmu {
namespace {

using mechanics::Code;
using mechanics::Program;

const FormulaNames names = {[](std::int32_t i) { return i == 0 ? "0.5" : "-2.0"; },
                            [](std::int32_t i) { return i == 0 ? "s(k)" : "s.setting(0)"; }};

/// Slots: constants 0.5 and −2.0; settings s(k) and s.setting(0); fixed ones; arguments s[0], s[1];
/// time.
Program program(std::vector<mechanics::Operation> operations) {
  Program p;
  p.constants = 2, p.settings = 2, p.arguments = 2;
  p.operations = std::move(operations);
  for (const mechanics::Operation& o : p.operations) p.moving = std::max(p.moving, o.to - p.time());
  p.results = {p.operations.back().to};
  p.check();
  return p;
}

TEST(CppFormula, BracketsStandWhereTheyAreNeeded) {
  // k*(s[0] - 0.5) - (s[1] - t)
  EXPECT_EQ(cpp_lambda(program({{Code::subtract, 7, 4, 0},
                                {Code::multiply, 8, 2, 7},
                                {Code::subtract, 9, 5, 6},
                                {Code::subtract, 10, 8, 9}}),
                       names),
            "[](const auto& s) { return s(k) * (s[0] - 0.5) - (s[1] - s.t); }");
  EXPECT_EQ(cpp_lambda(program({{Code::negate, 7, 1}, {Code::divide, 8, 4, 7}}), names),
            "[](const auto& s) { return s[0] / -(-2.0); }");
}

TEST(CppFormula, ValuesUsedTwiceHaveNames) {
  EXPECT_EQ(cpp_lambda(program({{Code::sin_, 7, 4}, {Code::multiply, 8, 7, 7}}), names),
            "[](const auto& s) {\n  const auto v1 = sin(s[0]);\n  return v1 * v1;\n}");
}

TEST(CppFormula, SlotsThatAreUsedAgainHoldTheNewValue) {
  // 7 ← s[0] + s[1]; 7 ← sin(7); 7 ← 7 + 0.5
  EXPECT_EQ(
      cpp_lambda(program({{Code::add, 7, 4, 5}, {Code::sin_, 7, 7}, {Code::add, 7, 7, 0}}), names),
      "[](const auto& s) { return sin(s[0] + s[1]) + 0.5; }");
}

TEST(CppFormula, ConditionsAreConditions) {
  EXPECT_EQ(cpp_lambda(program({{Code::less, 7, 4, 5},
                                {Code::logical_not, 8, 7},
                                {Code::logical_or, 9, 8, 2},
                                {Code::select, 10, 9, 0, 4}}),
                       names),
            "[](const auto& s) { return pick(!(s[0] < s[1]) || holds(s(k)), s[0], 0.5); }");
}

TEST(CppFormula, FunctionsAndTablesAreCalled) {
  Program p = program({{Code::sin_, 7, 4}});
  p.tables = 1;
  p.calls = {{"tyre", {7, 3}}};
  p.operations = {{Code::table, 7, 4, 0}, {Code::call, 8, 0}};
  p.moving = 2;
  p.results = {8, 7, 0};
  p.check();
  EXPECT_EQ(cpp_lambda(p, names),
            "[](const auto& s) {\n  const auto v1 = s.table(0, s[0]);\n"
            "  return vec(::tyre(v1, s.setting(0)), v1, 0.5);\n}");
}

TEST(CppFormula, WithoutNamesThereIsNoScope) {
  EXPECT_EQ(cpp_lambda(program({{Code::sin_, 7, 0}}), names),
            "[](const auto&) { return sin(0.5); }");
}

TEST(CppText, LinesBreakBetweenFieldsFirst) {
  const std::string field = ".name = {" + std::string(30, 'x') + ", 1}";
  EXPECT_EQ(filled("{" + field + ", " + field + ", " + field + "}", 2, 1),
            "  {" + field + ", " + field + ",\n   " + field + "}\n");
}

TEST(CppText, LongStringsAreSeveral) {
  const std::string text = "\"" + std::string(60, 'a') + " " + std::string(60, 'b') + "\"";
  EXPECT_EQ(filled(text, 0),
            "\"" + std::string(60, 'a') + "\"\n    \" " + std::string(60, 'b') + "\"\n");
}

TEST(CppText, StringsKeepTheirCharacters) {
  EXPECT_EQ(cpp_string("a\"b\\c\n?\x01"), "\"a\\\"b\\\\c\\n\\077\\001\"");
}

}  // namespace
}  // namespace mechfmu
