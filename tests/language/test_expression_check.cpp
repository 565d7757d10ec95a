// Types, dimensions and kinds of expressions. Messages about wrong ones:
// tests/messages/expressions.txt.

#include <gtest/gtest.h>

#include <cmath>

#include "language/expression/check.h"
#include "language/expression/evaluate.h"
#include "tests/language/expression_names.h"
#include "tests/language/problems.h"

namespace mechfmu::expression {
namespace {

Checked checked(const std::string& text, Problems& problems, const Expected& expected = {}) {
  const Expression e = parse(text, problems);
  EXPECT_TRUE(e) << text << ": " << problems.text();
  return check(e, Mechanism(), problems, expected);
}

std::string unit_of(const std::string& text) {
  Problems problems;
  const Checked c = checked(text, problems);
  if (!c.expression) return problems.text();
  EXPECT_TRUE(problems.all().empty()) << text << ": " << problems.text();
  const std::string type = c.quantity.type == ValueType::scalar    ? ""
                           : c.quantity.type == ValueType::vector  ? "vector "
                           : c.quantity.type == ValueType::boolean ? "boolean "
                                                                   : "table ";
  if (c.plain) return type + "plain";
  return type + (c.quantity.dimension ? mechfmu::expression::text(*c.quantity.dimension) : "?");
}

TEST(ExpressionCheck, KnowsTheDimensionOfTheResult) {
  struct Row {
    const char* text;
    const char* unit;
  };
  const Row table[] = {
      {"1", "plain"},
      {"2*3 + 1", "plain"},
      {"-2", "plain"},
      {"2^3", "plain"},
      {"5mm", "m"},
      {"30deg", "rad"},
      {"pi", "1"},
      {"2*pi", "?"},
      {"e", "1"},
      {"g0", "m/s2"},
      {"m*g0", "N"},
      {"k*l", "N"},
      {"l + 0.1", "m"},
      {"0.1 + l", "m"},
      {"l + 2*3", "m"},
      {"0.1 + 5mm", "m"},
      {"2*l", "?"},
      {"2/l", "?"},
      {"l/2", "?"},
      {"l^2", "m2"},
      {"l^2*m", "kg.m2"},
      {"pow(l, 3)", "m3"},
      {"sqrt(l^2 + 0.01)", "m"},
      {"sqrt(k/m)", "1/s"},
      {"sqrt(l)", "m^0.5"},
      {"l^(1/2)*l^(1/2)", "m"},
      {"sin(A.angle)", "1"},
      {"sin(2)", "1"},
      {"sin(time*A.rate)", "1"},
      {"l*A.rate + 2m/s", "m.rad/s"},
      {"atan2(l, 1)", "rad"},
      {"atan2(crank.position.y, crank.position.x)", "rad"},
      {"asin(n)", "rad"},
      {"abs(F)", "N"},
      {"sign(F)", "1"},
      {"exp(-time/2s)", "1"},
      {"exp(-time/2)", "1"},
      {"exp(-time)", "column 5: exp needs a plain number, not a value in s"},
      {"min(0, F)", "N"},
      {"max(F, k*l, 0)", "N"},
      {"step(time, 0, 0, 1, F)", "N"},
      {"smooth_max(F, 0, 1e-3)", "N"},
      {"smooth_abs(A.rate, 1e-3)", "rad/s"},
      {"if(time < 2, 0, F)", "N"},
      {"if(on, F, 0)", "N"},
      {"time < 2", "boolean 1"},
      {"on and not F > 0", "boolean 1"},
      {"[1, 2, 3]", "vector plain"},
      {"[l, 0, 0]", "vector m"},
      {"crank.position", "vector m"},
      {"crank.position.y", "m"},
      {"crank.quaternion.w", "1"},
      {"part.x", "kg"},
      {"crank.point(0.1, l, 0).velocity", "vector m/s"},
      {"crank.point(0.1, 0, 5mm).velocity.z", "m/s"},
      {"2*crank.position/time", "vector ?"},
      {"crank.position/time", "vector m/s"},
      {"crank.position*k", "vector N"},
      {"crank.position + [0, 0, 1]", "vector m"},
      {"-crank.position", "vector m"},
      {"norm(B.force)", "N"},
      {"dot(B.force, crank.velocity)", "W"},
      {"cross(crank.position, B.force)", "vector N.m"},
      {"cross(crank.position, B.force).z", "N.m"},
      {"if(on, crank.position, [0, 0, 0]).x", "m"},
      {"table(map, l)", "N"},
      {"table(map, 0.5)", "N"},
      {"free", "?"},
      {"free*l", "?"},
      {"free + l", "m"},
      {"sin(free)", "1"},
      {"F/(m*l)", "1/s2"},
      {"tyre(0.1, 2*F)", "N"},
      {"tyre(sin(A.angle), tyre(n, F))*l", "N.m"},
      {"crank.relative_to(rocker).position", "vector m"},
      {"crank.relative_to((leg.x)).position.y", "m"},
  };
  for (const Row& row : table) EXPECT_EQ(unit_of(row.text), row.unit) << row.text;
}

TEST(ExpressionCheck, NamesTheAttributeAndInLongTextsThePlace) {
  Diagnostics list;
  const auto say = [&list](const std::string& text) {
    Report report{list, {"crank.xml", 15}, "spring 'S'", "stiffness"};
    (void)check(parse(text, report), Mechanism(), report);
    EXPECT_TRUE(report.failed()) << text;
  };
  say("2*kk");
  say("2*k*cos(A.angle)*cos(A.angel)");
  say("2**k");
  say("0.5*(k + k*cos(A.angle)");
  EXPECT_EQ(list.text(),
            "crank.xml:15: spring 'S': stiffness: 'kk' is not declared; did you mean "
            "'k'?\ncrank.xml:15: spring 'S': stiffness: 'A.angel' is not declared; did you mean "
            "'A.angle'? (column 22)\ncrank.xml:15: spring 'S': stiffness: '**' is not allowed: "
            "write ^ for a power\ncrank.xml:15: spring 'S': stiffness: '(' of column 5 is not "
            "closed: ')' is missing (column 24)\n");
  // checked with another report than the one it was parsed with
  Problems problems;
  const Expression e = parse("k*cos(A.angle) + 3*kk", problems);
  Diagnostics others;
  Report report{others, {"crank.xml", 15}, "spring 'S'", "stiffness"};
  (void)check(e, Mechanism(), report);
  EXPECT_EQ(others.text(),
            "crank.xml:15: spring 'S': stiffness: 'kk' is not declared; did you mean 'k'? (column "
            "20)\n");
  EXPECT_EQ(others.sorted()[0].column, 20);
}

TEST(ExpressionCheck, ManyUnknownNamesTakeNoLongTime) {
  std::string text = "unknown0";
  for (int i = 1; i < 7000; ++i) text += "+unknown" + std::to_string(i);
  Problems problems;
  (void)checked(text, problems);
  EXPECT_EQ(problems.all().size(), Diagnostics::limit);
}

TEST(ExpressionCheck, ChecksTheRequirementsOfThePlace) {
  const auto said = [](const std::string& text, const Expected& expected) {
    Problems problems;
    (void)checked(text, problems, expected);
    return problems.text();
  };
  const Expected mass = {.type = ValueType::scalar,
                         .dimension = dimension("kg"),
                         .kinds = kind::parameter,
                         .what = "the mass"};
  EXPECT_EQ(said("2*m", mass), "");
  EXPECT_EQ(said("1.2", mass), "");
  EXPECT_EQ(said("free", mass), "");
  EXPECT_EQ(said("2*l", mass), "");  // 2 kg/m, perhaps
  EXPECT_EQ(said("l", mass), "column 1: the mass must be in kg, not in m");
  EXPECT_EQ(said("crank.position", mass),
            "column 1: the mass cannot depend on 'crank.position' (positions and velocities): it "
            "may depend on "
            "parameters");
  EXPECT_EQ(said("[1, 2, 3]", mass), "column 1: the mass must be a number, not a vector");
  const Expected start = {.kinds = 0, .what = "the start"};
  EXPECT_EQ(said("2*tyre(0.1, 2)", start),
            "column 3: the start cannot depend on 'tyre(0.1,2)': it may use numbers only");
  EXPECT_EQ(said("tyre(F/1N, 2)", mass),
            "column 6: the mass cannot depend on 'F' (inputs): it may depend on parameters");
  const Expected force = {.kinds = kind::any & ~kind::acceleration, .what = "a force"};
  EXPECT_EQ(said("F + norm(B.force)", force),
            "column 10: a force cannot depend on 'B.force' (accelerations and reactions): it may "
            "depend on "
            "parameters, inputs, time, states and positions and velocities");
}

TEST(ExpressionCheck, ReportsTheKindsInUse) {
  Problems problems;
  EXPECT_EQ(checked("1 + pi", problems).kinds, 0U);
  EXPECT_EQ(checked("k*l", problems).kinds, unsigned{kind::parameter});
  EXPECT_EQ(checked("F*sin(time/1s)", problems).kinds, unsigned{kind::input} | kind::time);
  EXPECT_EQ(checked("table(map, crank.position.x)", problems).kinds, unsigned{kind::measure});
  EXPECT_EQ(checked("tyre(A.angle, F)", problems).kinds,
            unsigned{kind::parameter} | kind::measure | kind::input);
  EXPECT_EQ(checked("crank.point(l, 0, 0).velocity", problems).kinds,
            unsigned{kind::measure} | kind::parameter);
  EXPECT_FALSE(problems.failed()) << problems.text();
}

TEST(ExpressionCheck, WarnsOfUnitsThatLookLikeNames) {
  Problems problems;
  EXPECT_TRUE(checked("5N/m*l", problems).expression);
  EXPECT_FALSE(problems.failed());
  EXPECT_EQ(problems.all().size(), 1U) << problems.text();
  EXPECT_EQ(unit_of("5N / m"), "m/s2");
}

TEST(ExpressionCheck, DeclaredNamesComeBeforeConstants) {
  Symbols names;
  names.add("e", quantity_in("m"));
  Problems problems;
  const Checked c = check(parse("e + 1mm", problems), names, problems);
  ASSERT_TRUE(c.expression) << problems.text();
  EXPECT_EQ(references(c.expression).size(), 1U);
  const Checked pi = check(parse("pi", problems), names, problems);
  EXPECT_TRUE(references(pi.expression).empty());
  EXPECT_EQ(literal_value(pi.expression), 3.141592653589793);
}

TEST(ExpressionCheck, ReferencesKnowComponents) {
  Problems problems;
  const Checked c = checked(
      "crank.position.y + norm(crank.position) + crank.point(l, 0, 0).velocity.x*1s", problems);
  ASSERT_TRUE(c.expression) << problems.text();
  const std::vector<Reference> all = references(c.expression);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].name->text, "crank.position");
  EXPECT_EQ(all[0].component, 1);
  EXPECT_EQ(all[1].component, -1);
  EXPECT_EQ(all[2].name->text, "crank.point(l,0,0).velocity");
  EXPECT_EQ(all[2].component, 0);
  EXPECT_EQ(all[3].name->text, "l");
}

TEST(ExpressionCheck, FunctionsAndNamesOfElementsAreNotReferences) {
  Problems problems;
  const Checked c =
      checked("tyre(n, F) + tyre(n, k*crank.relative_to(rocker).position.x)", problems);
  ASSERT_TRUE(c.expression) << problems.text();
  const std::vector<Reference> all = references(c.expression);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].name->text, "n");
  EXPECT_EQ(all[1].name->text, "F");
  EXPECT_EQ(all[2].name->text, "k");
  EXPECT_EQ(all[3].name->text, "crank.relative_to(rocker).position");
  ASSERT_EQ(all[3].name->children.size(), 1U);
  EXPECT_EQ(all[3].name->children[0]->type, ValueType::name);
  EXPECT_EQ(all[3].name->children[0]->text, "rocker");
  EXPECT_TRUE(c.expression->children[0]->function);
  EXPECT_EQ(c.expression->children[0]->pieces[0].word, "tyre");
}

TEST(ExpressionCheck, FunctionsCountAsZeroForTheInterpreter) {
  Problems problems;
  const Checked c = checked("2N + 3*tyre(n, F)", problems);
  ASSERT_TRUE(c.expression) << problems.text();
  EXPECT_EQ(evaluate<double>(c.expression, [](const Node&, int) { return 5.0; }), 2);
}

TEST(ExpressionCheck, CheckedVectorsAreEvaluated) {
  Problems problems;
  const auto lookup = [](const Node& name, int i) {
    if (name.text == "crank.position") return 1.0 + i;
    return name.text == "l" ? 2.0 : 10.0;
  };
  const Checked v = checked("l*crank.position - [0, 0, 1]*l*l", problems);
  ASSERT_TRUE(v.expression) << problems.text();
  const Vector3<double> value = evaluate_vector<double>(v.expression, lookup);
  EXPECT_EQ(value.x, 2);
  EXPECT_EQ(value.y, 4);
  EXPECT_EQ(value.z, 2);
  EXPECT_EQ(evaluate<double>(component(v.expression, 1), lookup), 4);
  const Checked y = checked("crank.position.y + cross([1, 0, 0], crank.position).z", problems);
  EXPECT_EQ(evaluate<double>(y.expression, lookup), 4);
  const Checked t = checked("table(map, crank.position.x/2)", problems);
  ASSERT_TRUE(t.expression) << problems.text();
  EXPECT_DOUBLE_EQ(evaluate<double>(t.expression, lookup),
                   3.75);  // 10 s²(3 − 2s) + 10 s²(s − 1), s = 1/2
  const Checked on = checked("on and l < 3", problems);
  EXPECT_TRUE(evaluate_condition<double>(on.expression, lookup));
}

}  // namespace
}  // namespace mechfmu::expression
