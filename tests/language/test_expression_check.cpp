// Types, dimensions and kinds of expressions: what is accepted, what is refused and how that is said.

#include <gtest/gtest.h>

#include <cmath>

#include "language/expression/check.h"
#include "language/expression/evaluate.h"
#include "tests/language/problems.h"

namespace mechfmu::expression {
namespace {

Symbol quantity_in(const char* unit, unsigned kinds = kind::parameter,
                   ValueType type = ValueType::scalar) {
  Symbol s;
  s.type = type;
  s.dimension = dimension(unit);
  s.kinds = kinds;
  return s;
}

/// Names of bodies with points beside plain ones.
class Mechanism : public Environment {
 public:
  Mechanism() {
    Symbol unknown;
    Symbol map = quantity_in("N", 0, ValueType::table);
    map.table = std::make_shared<functions::Table>(std::vector<double>{0, 1, 2},
                                                   std::vector<double>{0, 10, 20});
    map.table_of = dimension("m");
    Symbol flag;
    flag.type = ValueType::boolean;
    flag.kinds = kind::input;
    Symbol tyre = quantity_in("N");
    tyre.function = true;
    tyre.arguments = {{ValueType::scalar, dimension("1")}, {ValueType::scalar, dimension("N")}};
    plain_.add("l", quantity_in("m"))
        .add("m", quantity_in("kg"))
        .add("k", quantity_in("N/m"))
        .add("F", quantity_in("N", kind::input))
        .add("n", quantity_in("1"))
        .add("free", unknown)
        .add("time", quantity_in("s", kind::time))
        .add("A.angle", quantity_in("rad", kind::measure))
        .add("A.rate", quantity_in("rad/s", kind::measure))
        .add("B.force", quantity_in("N", kind::acceleration, ValueType::vector))
        .add("crank.position", quantity_in("m", kind::measure, ValueType::vector))
        .add("crank.velocity", quantity_in("m/s", kind::measure, ValueType::vector))
        .add("crank.quaternion.w", quantity_in("1", kind::measure))
        .add("part.x", quantity_in("kg"))
        .add("map", map)
        .add("tyre", tyre)
        .add("on", flag);
  }
  std::optional<Symbol> find(const Node& name) const override {
    const auto& p = name.pieces;
    if (p.size() == 3 && p[0].word == "crank" && p[1].word == "point" && p[1].called &&
        p[2].word == "velocity") {
      Symbol s = quantity_in("m/s", kind::measure, ValueType::vector);
      s.arguments.assign(3, {ValueType::scalar, dimension("m"), kind::parameter});
      return s;
    }
    if (p.size() == 3 && p[0].word == "crank" && p[1].word == "relative_to" && p[1].called &&
        p[2].word == "position") {
      Symbol s = quantity_in("m", kind::measure, ValueType::vector);
      s.arguments = {{ValueType::name}};
      return s;
    }
    return plain_.find(name);
  }
  std::vector<std::string> names() const override { return plain_.names(); }

 private:
  Symbols plain_;
};

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

TEST(ExpressionCheck, SaysWhatDoesNotFit) {
  struct Row {
    const char* text;
    const char* message;
  };
  const Row table[] = {
      {"l + F", "column 5: only equal dimensions are added: this is in N, what is before it in m"},
      {"l + k*l",
       "column 5: only equal dimensions are added: this is in N, what is before it in m"},
      {"l < F",
       "column 5: only equal dimensions are compared: this is in N, what is before it in m"},
      {"pi + l", "column 6: only equal dimensions are added: this is in m, what is before it in 1"},
      {"sin(l)", "column 5: sin needs an angle or a plain number, not a value in m"},
      {"log(F)", "column 5: log needs a plain number, not a value in N"},
      {"asin(A.rate)", "column 6: asin needs a plain number, not a value in rad/s"},
      {"l^n",
       "column 3: the base is in m: the exponent has to be made of numbers only, so that the "
       "dimension of "
       "the result is known"},
      {"2^l", "column 3: the exponent has to be a plain number, not in m"},
      {"l^1000", "column 3: the exponent is too large for a value in m"},
      {"max(F, l)",
       "column 8: the arguments of max have one dimension: this is in m, what is before it in N"},
      {"step(time, 0, l, 1, F)",
       "column 21: these arguments of step have one dimension: this is in N, what is before it in "
       "m"},
      {"smooth_max(F, 0, l)",
       "column 18: these arguments of smooth_max have one dimension: this is in m, what is before "
       "it in N"},
      {"if(on, F, l)",
       "column 11: the choices of if have one dimension: this is in m, what is before it in N"},
      {"if(F, 1, 2)",
       "column 4: the first argument of if has to be a condition, not a number: write a "
       "comparison"},
      {"if(on, 1, [1, 2, 3])",
       "column 11: the second choice of if has to be, as the first, a number, not a vector"},
      {"[l, F, 0]",
       "column 5: the components of a vector have one dimension: this is in N, what is before it "
       "in m"},
      {"[[1, 2, 3], 0, 0]", "column 2: a component of a vector has to be a number, not a vector"},
      {"crank.position*B.force",
       "column 16: vectors are multiplied by dot(a, b) or cross(a, b), not by *"},
      {"1/crank.position", "column 3: nothing can be divided by a vector; norm(a) is its length"},
      {"crank.position + l",
       "column 18: this is a number, what is before it a vector: only numbers or only vectors are "
       "added"},
      {"crank.position^2", "column 1: the base of a power has to be a number, not a vector"},
      {"crank.position < 2",
       "column 1: '<' compares numbers: this has to be a number, not a vector"},
      {"abs(crank.position)",
       "column 5: argument 1 of abs has to be a number, not a vector; norm(a) is the length of a "
       "vector"},
      {"norm(l)", "column 6: argument 1 of norm has to be a vector, not a number"},
      {"dot(crank.position, l)", "column 21: argument 2 of dot has to be a vector, not a number"},
      {"l.x", "column 1: only vectors have components .x .y .z; this is a number"},
      {"(l + 1).x", "column 2: only vectors have components .x .y .z; this is a number"},
      {"on + 1", "column 1: numbers and vectors are added, not a condition"},
      {"2*(l < 1)", "column 4: numbers and vectors are multiplied, not a condition"},
      {"-on", "column 1: '-' needs a number or a vector, not a condition; write not"},
      {"l and on", "column 1: 'and' needs a condition, not a number: write a comparison"},
      {"not 1", "column 5: 'not' needs a condition, not a number: write a comparison"},
      {"on == on", "column 1: '==' compares numbers: this has to be a number, not a condition"},
      {"crnk.position",
       "column 1: 'crnk.position' is not declared; did you mean 'crank.position'?"},
      {"A.angel", "column 1: 'A.angel' is not declared; did you mean 'A.angle'?"},
      {"whatever", "column 1: 'whatever' is not declared"},
      {"mm",
       "column 1: 'mm' is not declared; did you mean 'm'? (a unit stands directly after its "
       "number: 5mm)"},
      {"sin", "column 1: 'sin' is a function: write sin(x)"},
      {"2*step", "column 3: 'step' is a function: write step(x, x0, y0, x1, y1)"},
      {"crank.point(0.1, 0).velocity",
       "column 1: 'crank.point(0.1,0).velocity' has 2 arguments and needs 3"},
      {"crank.point(0.1, 0, k).velocity", "column 21: this argument has to be in m, not in N/m"},
      {"crank.point(0.1, 0, l < 1).velocity",
       "column 21: this argument has to be a number, not a condition"},
      {"crank.point(0.1, l*sin(A.angle), 0).velocity",
       "column 24: this argument of 'point' cannot depend on 'A.angle' (positions and "
       "velocities): it may depend on parameters"},
      {"crank.point(0.1, 0, tyre(A.angle, 1)*1m/N).velocity",
       "column 26: this argument of 'point' cannot depend on 'A.angle' (positions and "
       "velocities): it may depend on parameters"},
      {"crank.relative_to(2*rocker).position",
       "column 19: this argument has to be the name of an element alone"},
      {"crank.relative_to(tyre(1, 2)).position",
       "column 19: this argument has to be the name of an element alone"},
      {"crank.relative_to(rocker()).position",
       "column 19: this argument has to be the name of an element alone"},
      {"crank.relative_to().position",
       "column 1: 'crank.relative_to().position' has 0 arguments and needs 1"},
      {"crank.relative_to(rocker, rod).position",
       "column 1: 'crank.relative_to(rocker,rod).position' has 2 arguments and needs 1"},
      {"rocker + 1", "column 1: 'rocker' is not declared"},
      {"sine(l)", "column 1: there is no function 'sine'; did you mean 'sin'?"},
      {"atn2(l, l)", "column 1: there is no function 'atn2'; did you mean 'atan2'?"},
      {"tire(0.1, F)", "column 1: there is no function 'tire'; did you mean 'tyre'?"},
      {"l(2)", "column 1: 'l' is no function: write l*(...) to multiply"},
      {"2*tyre", "column 3: 'tyre' is a function: write tyre(...)"},
      {"tyre(0.1)", "column 1: 'tyre(0.1)' has 1 argument and needs 2"},
      {"tyre(0.1, l)", "column 11: this argument has to be in N, not in m"},
      {"tyre(crank.position, F)", "column 6: this argument has to be a number, not a vector"},
      {"tyre(0.1, F).x", "column 1: only vectors have components .x .y .z; this is a number"},
      {"tyre(0.1, F).force", "column 1: 'tyre(0.1,F).force' is not declared"},
      {"table(l, 1)", "column 7: 'l' is a number, not a table"},
      {"table(2, 1)", "column 7: the first argument of table is the name of a table"},
      {"table(map, F)", "column 12: table 'map' is a function of a value in m, not in N"},
      {"map", "column 1: a table needs an argument: write table(map, x)"},
      {"1/0",
       "column 1: the value is inf, which is no finite number: check what it divides by, and its "
       "roots"},
      {"map + 1", "column 1: numbers and vectors are added, not a table"},
  };
  for (const Row& row : table) {
    Problems problems;
    EXPECT_FALSE(checked(row.text, problems).expression) << row.text;
    EXPECT_EQ(problems.text(), row.message) << row.text;
  }
}

TEST(ExpressionCheck, UnknownFunctionsAreToldWhichThereAre) {
  Problems problems;
  (void)checked("frobnicate(l)", problems);
  EXPECT_NE(problems.text().find("no function 'frobnicate'; there are abs, acos, "),
            std::string::npos);
  EXPECT_NE(problems.text().find(", tanh, tyre"), std::string::npos);
}

TEST(ExpressionCheck, SaysWhichAttributeAndInLongTextsWhere) {
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
            "crank.xml:15: spring 'S': stiffness: 'kk' is not declared; did you mean 'k'?\n"
            "crank.xml:15: spring 'S': stiffness: 'A.angel' is not declared; did you mean "
            "'A.angle'? (column 22)\n"
            "crank.xml:15: spring 'S': stiffness: '**' is not understood: write ^ for a power\n"
            "crank.xml:15: spring 'S': stiffness: '(' of column 5 is not closed: ')' is missing "
            "(column 24)\n");
  // checked by another report than the one it was parsed by
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

TEST(ExpressionCheck, ReportsAllUnknownNamesAtOnce) {
  Problems problems;
  (void)checked("one + two*sin(three)", problems);
  EXPECT_EQ(problems.all().size(), 3U) << problems.text();
}

TEST(ExpressionCheck, ManyUnknownNamesTakeNoLongTime) {
  std::string text = "unknown0";
  for (int i = 1; i < 7000; ++i) text += "+unknown" + std::to_string(i);
  Problems problems;
  (void)checked(text, problems);
  EXPECT_EQ(problems.all().size(), Diagnostics::limit);
}

TEST(ExpressionCheck, LooksAtWhatThePlaceAsksFor) {
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
  EXPECT_EQ(said("l", mass), "column 1: the mass has to be in kg, not in m");
  EXPECT_EQ(said("crank.position", mass),
            "column 1: the mass cannot depend on 'crank.position' (positions and velocities): it "
            "may depend on "
            "parameters");
  EXPECT_EQ(said("[1, 2, 3]", mass), "column 1: the mass has to be a number, not a vector");
  const Expected start = {.kinds = 0, .what = "the start"};
  EXPECT_EQ(
      said("2*tyre(0.1, 2)", start),
      "column 3: the start cannot depend on 'tyre(0.1,2)': it has to be made of numbers only");
  EXPECT_EQ(said("tyre(F/1N, 2)", mass),
            "column 6: the mass cannot depend on 'F' (inputs): it may depend on parameters");
  const Expected force = {.kinds = kind::any & ~kind::acceleration, .what = "a force"};
  EXPECT_EQ(said("F + norm(B.force)", force),
            "column 10: a force cannot depend on 'B.force' (accelerations and reactions): it may "
            "depend on "
            "parameters, inputs, time, states and positions and velocities");
}

TEST(ExpressionCheck, TellsWhatKindsAreUsed) {
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
  EXPECT_EQ(problems.text(),
            "column 1: warning: 'm' in the unit N/m is not the 'm' that is declared; to divide by "
            "that one, write "
            "' / m' with spaces");
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

TEST(ExpressionCheck, FunctionsAndNamesOfElementsAreNoReferences) {
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
