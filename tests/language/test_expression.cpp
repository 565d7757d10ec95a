// The grammar of expressions: values, precedence, units, lists and names. Messages about wrong
// ones: tests/messages/expressions.txt and lists.txt.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "language/expression/evaluate.h"
#include "language/expression/expression.h"
#include "tests/language/problems.h"

namespace mechfmu::expression {
namespace {

constexpr double pi = std::numbers::pi;

/// Names have the values a = 2, b = 3, c = 5, others 7.
double named(const Node& name, int /*component*/) {
  if (name.text == "a") return 2;
  if (name.text == "b") return 3;
  return name.text == "c" ? 5 : 7;
}

double value_of(const std::string& text) {
  Problems problems;
  const Expression e = parse(text, problems);
  EXPECT_TRUE(e) << text << ": " << problems.text();
  return e ? evaluate<double>(e, named) : NAN;
}

/// The message about a text that is not an expression; there must be exactly one.
std::string refusal(const std::string& text) {
  Problems problems;
  EXPECT_FALSE(parse(text, problems)) << text;
  EXPECT_EQ(problems.all().size(), 1U) << text;
  return problems.text();
}

std::string list_refusal(const std::string& text) {
  Problems problems;
  EXPECT_TRUE(parse_list(text, problems).empty()) << text;
  EXPECT_TRUE(problems.failed()) << text;
  return problems.text();
}

struct Row {
  const char* text;
  double value;
};

TEST(Expression, HasTheValueOfMathematics) {
  const Row table[] = {
      {"1", 1},
      {" 1.5e-3 ", 1.5e-3},
      {".5", 0.5},
      {"2.", 2},
      {"1e3", 1000},
      {"1+2*3", 7},
      {"(1+2)*3", 9},
      {"1-2-3", -4},
      {"1 - 2 + 3", 2},
      {"1 -2", -1},
      {"8/4/2", 1},
      {"8/4*2", 4},
      {"2^3^2", 512},
      {"-2^2", -4},
      {"(-2)^2", 4},
      {"2^-1", 0.5},
      {"2^-1*4", 2},
      {"2*-3", -6},
      {"2--3", 5},
      {"- -3", 3},
      {"+3", 3},
      {"-a*b", -6},
      {"a*b^2", 18},
      {"2*a+b/c", 4.6},
      {"a < b", 1},
      {"a > b", 0},
      {"a <= 2", 1},
      {"a >= 2.5", 0},
      {"a == 2", 1},
      {"a != 2", 0},
      {"a < b and b < c", 1},
      {"a > b or b < c", 1},
      {"not a > b", 1},
      {"not (a < b)", 0},
      {"a > b and b < c or true", 1},
      {"false or a < b and not false", 1},
      {"if(a < b, c, 7)", 5},
      {"if(a > b, c, 7)", 7},
      {"sin(0)", 0},
      {"sin(pi_)+0*sin(a)", std::sin(7)},
      {"min(a,b,c)", 2},
      {"max(a, b, c)", 5},
      {"[a, b, c].y", 3},
      {"([a, b, c] + 2*[1, 0, 1]).z", 7},
      {"cross([1,0,0], [0,1,0]).z", 1},
      {"dot([1,2,3], [4,5,6])", 32},
      {"norm([2,3,6])", 7},
      {"a\t+\n b", 5},
      {"crank.point(0.1, 0, 0).velocity.x", 7},
      {"_private", 7},
  };
  for (const Row& row : table) EXPECT_DOUBLE_EQ(value_of(row.text), row.value) << row.text;
}

TEST(Expression, ReadsUnitsDirectlyAfterNumbers) {
  const Row table[] = {
      {"30deg", pi / 6},
      {"5mm", 0.005},
      {"2kN", 2000},
      {"1e3N.m", 1000},
      {"1rev", 2 * pi},
      {"60rpm", 2 * pi},
      {"50%", 0.5},
      {"36km/h", 10},
      {"20degC", 293.15},
      {"5mm2", 5e-6},
      {"4J/(kg.K)", 4},
      {"3N.m.s/rad", 3},
      {"6m/a", 3},  // not a unit: a quotient
      {"6mm/bolt.length", 0.006 / 7},
      {"60m/s", 60},          // a speed
      {"60m / s", 60.0 / 7},  // a quotient
      {"14m/min(a, b)", 7},   // a function, not a minute
      {"21m/s_0", 3},
      {"21m/(a+b)", 4.2},
      {"5/2s", 2.5},
      {"5s-2s", 3},
      {"2*30deg", pi / 3},
      {"-30deg", -pi / 6},
      {"(3m)^2", 9},
  };
  for (const Row& row : table) EXPECT_DOUBLE_EQ(value_of(row.text), row.value) << row.text;
}

TEST(Expression, PowersOfTenOfUnitsAreRoundedOnce) {
  EXPECT_EQ(value_of("0.1mm"), 1e-4);
  EXPECT_EQ(value_of("12.3mm"), 0.0123);
  EXPECT_EQ(value_of("7g"), 0.007);
}

/// Texts that cannot stand in a line of tests/messages/expressions.txt.
TEST(Expression, EmptyTextAndBytesThatAreNotTextAreRefused) {
  EXPECT_EQ(refusal(""), "column 1: a value is missing: the text ends here");
  EXPECT_EQ(refusal("\xff"),
            "column 1: a character that is neither letter, digit nor operator is not allowed");
  EXPECT_EQ(list_refusal(" "), "column 2: a value is missing: the text ends here");
}

TEST(Expression, ListsEndAtWhitespaceWithoutOperator) {
  struct Split {
    const char* text;
    std::vector<double> values;
  };
  const Split table[] = {
      {"0 0.1 2*a", {0, 0.1, 4}},
      {"0 -9.81 0", {0, -9.81, 0}},
      {"1 -2", {1, -2}},
      {"1 - 2", {-1}},
      {"1- 2", {-1}},
      {"1-2", {-1}},
      {"a -.5", {2, -0.5}},
      {"a +1", {2, 1}},
      {"a * b c", {6, 5}},
      {"a* b c", {6, 5}},
      {"a *b c", {6, 5}},
      {"(a -b) c", {-1, 5}},
      {"a (-b)", {2, -3}},
      {"max(a, b) c", {3, 5}},
      {"max(a -b, c) -1", {5, -1}},
      {"a < b c", {1, 5}},
      {"a<b and b<c 4", {1, 4}},
      {"  30deg\n5mm\t1 ", {pi / 6, 0.005, 1}},
  };
  for (const Split& row : table) {
    Problems problems;
    const std::vector<Expression> list = parse_list(row.text, problems);
    ASSERT_EQ(list.size(), row.values.size()) << row.text << ": " << problems.text();
    for (std::size_t i = 0; i < list.size(); ++i)
      EXPECT_DOUBLE_EQ(evaluate<double>(list[i], named), row.values[i]) << row.text;
  }
}

TEST(Expression, NamesAreKeptWithTheirCalls) {
  Problems problems;
  const Expression e = parse("crank.point(0.1, -a ,0).velocity", problems);
  ASSERT_TRUE(e) << problems.text();
  EXPECT_EQ(e->text, "crank.point(0.1,-a,0).velocity");
  ASSERT_EQ(e->pieces.size(), 3U);
  EXPECT_EQ(e->pieces[1].word, "point");
  EXPECT_TRUE(e->pieces[1].called);
  EXPECT_EQ(e->pieces[1].arguments, 3U);
  EXPECT_EQ(e->children.size(), 3U);
  EXPECT_FALSE(e->pieces[2].called);
  const Expression tyre = parse("tyre(a, b) + sin(a)", problems);
  ASSERT_TRUE(tyre) << problems.text();
  const Node& call = *tyre->children[0];
  EXPECT_EQ(call.form, Form::name);
  EXPECT_EQ(call.text, "tyre(a,b)");
  ASSERT_EQ(call.pieces.size(), 1U);
  EXPECT_EQ(call.pieces[0].word, "tyre");
  EXPECT_EQ(call.pieces[0].arguments, 2U);
  EXPECT_EQ(tyre->children[1]->form, Form::call);
}

TEST(Expression, ReferencesAreAllNamesOnce) {
  Problems problems;
  const Expression e = parse(
      "if(time < t0, a*k, k + table(map, B.angle)) + crank.point(l, 0, 0).velocity.x", problems);
  std::vector<std::string> names;
  const std::vector<Reference> found = references(e);
  names.reserve(found.size());
  for (const Reference& r : found) names.push_back(r.name->text);
  EXPECT_EQ(names, (std::vector<std::string>{"time", "t0", "a", "k", "map", "B.angle",
                                             "crank.point(l,0,0).velocity.x", "l"}));
  EXPECT_TRUE(references(parse("1 + 2", problems)).empty());
  EXPECT_TRUE(references(nullptr).empty());
}

std::vector<Definition> definitions(const std::vector<std::pair<const char*, const char*>>& texts) {
  Problems problems;
  std::vector<Definition> all;
  all.reserve(texts.size());
  for (const auto& [name, text] : texts) all.push_back({name, parse(text, problems)});
  EXPECT_FALSE(problems.failed()) << problems.text();
  return all;
}

TEST(Expression, DefinitionsFollowTheNamesTheyUse) {
  Problems problems;
  const auto sorted = order(
      definitions({{"a", "b + c"}, {"b", "2*c.x"}, {"c", "[k, 0, 0]"}, {"d", "1"}}), problems);
  EXPECT_EQ(sorted, (std::vector<std::size_t>{2, 3, 1, 0}));
  EXPECT_FALSE(problems.failed());
}

TEST(Expression, DefinitionsInACircleAreNamed) {
  Problems problems;
  const auto sorted = order(definitions({{"a", "b + d"},
                                         {"b", "2*a"},
                                         {"c", "c + 1"},
                                         {"d", "1"},
                                         {"e", "a"},
                                         {"f", "g"},
                                         {"g", "h*d"},
                                         {"h", "f - 1"}}),
                            problems);
  EXPECT_EQ(sorted, (std::vector<std::size_t>{3}));
  EXPECT_EQ(problems.text(),
            "circular definition: a -> b -> a; remove one of the references\n'c' is defined by "
            "itself: c -> c\ncircular definition: f -> g -> h -> f; remove one of the references");
}

TEST(Expression, CirclesAreReportedWhereTheyBegin) {
  std::vector<Definition> all = definitions({{"a", "1"}, {"b", "c"}, {"c", "b"}});
  all[1].place = {"crank.xml", 7};
  all[1].element = "variable 'b'";
  Diagnostics list;
  Report report{list, {"crank.xml", 1}, "mechanism 'M'"};
  (void)order(all, report);
  EXPECT_TRUE(report.failed());
  EXPECT_EQ(list.text(),
            "crank.xml:7: variable 'b': circular definition: b -> c -> b; remove one of the "
            "references\n");
}

TEST(Expression, LongChainsOfDefinitionsAreSorted) {
  std::vector<Definition> chain;
  chain.reserve(20000);
  Problems problems;
  for (int i = 0; i < 20000; ++i)
    chain.push_back({"v" + std::to_string(i), parse("v" + std::to_string(i + 1), problems)});
  EXPECT_EQ(order(chain, problems).size(), 20000U);
}

std::string repeated(const std::string& piece, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += piece;
  return text;
}

TEST(Expression, IsNestedAtMost200Deep) {
  const std::string deep = "nested deeper than 200 levels: give parts of it a name";
  for (const char* piece : {"(", "-", "sin(", "[", "2^", "not ", "if(", "a.b(", "f(", "1+("}) {
    EXPECT_NE(refusal(repeated(piece, 300)).find(deep), std::string::npos) << piece;
    EXPECT_NE(refusal(repeated(piece, 20000)).find(deep), std::string::npos) << piece;
  }
  EXPECT_NE(refusal(repeated("(1+2*", 150) + "1" + repeated(")", 150)).find(deep),
            std::string::npos);
  EXPECT_EQ(value_of(repeated("(", 150) + "1" + repeated(")", 150)), 1);
  EXPECT_EQ(value_of(repeated("-", 150) + "1"), 1);
}

TEST(Expression, LongSumsAreNotDeep) {
  EXPECT_EQ(value_of("1" + repeated("+1", 40000)), 40001);
  EXPECT_EQ(value_of("1" + repeated("*1", 40000)), 1);
  EXPECT_EQ(value_of("1" + repeated(" - 1", 20000)), -19999);
}

TEST(Expression, HasAtMost100000Characters) {
  EXPECT_EQ(refusal(repeated("1", 100001)),
            "column 1: an expression has at most 100000 characters, this text has 100001");
}

TEST(Expression, NestedDualsOfDeepTreesFitOnTheStack) {
  using D = Dual<Dual<double, 13>, 13>;
  for (const char* piece : {"step(x,0,", "smooth_max(x,1,", "sin(x+", "atan2(x,"}) {
    const std::string tail = std::string(piece) == "step(x,0," ? ",1,2)" : ")";
    Problems problems;
    const Expression e = parse(repeated(piece, 99) + "1" + repeated(tail, 99), problems);
    ASSERT_TRUE(e) << problems.text();
    const D y = evaluate<D>(e, [](const Node&, int) { return D(0.5); });
    EXPECT_TRUE(std::isfinite(value(y)));
  }
}

void expect_few_looks(const std::string& text) {
  Problems problems;
  (void)parse(text, problems);
  (void)parse_list(text, problems);
  EXPECT_LT(problems.looks(), 30 * text.size()) << text.substr(0, 20);
}

TEST(Expression, GarbageIsRefusedAfterFewLooksAtEachCharacter) {
  const std::string pieces[] = {"(",   ")",    "a.",   "1e",     "5m/",  "[1,",   " ",    "- ", "-",
                                "5 -", "\xff", "not",  "a(",     "a.b(", "9",     "5N/(", "1/", "/",
                                ".",   ",",    "and ", "5mm/s.", "x^",   "if(1,", "% "};
  for (const std::string& first : pieces)
    for (const std::string& second : pieces) {
      const std::string text =
          repeated(first + second, length_limit / (first.size() + second.size()));
      expect_few_looks(text);
    }
  // endless units
  for (const char* more : {"m", "m.", "/m", "/(m.m)", ".m/m", "%"})
    expect_few_looks("5m" + repeated(more, length_limit / 6 - 1));
}

TEST(Expression, EveryEndAndEveryOmissionOfATextIsHandled) {
  const std::string text =
      "if(a < 2kN.m and not b.point(1, 2, 3).x == -3.5e-2, [1, 2, 3].x^2, step(t, 0, 1mm/s, 1, 2)) "
      "+ max(a, 5J/(kg.K))";
  for (std::size_t i = 0; i <= text.size(); ++i)
    for (const std::string& variant :
         {text.substr(0, i), text.substr(i), std::string(text).erase(i, 1)}) {
      Problems problems;
      const Expression e = parse(variant, problems);
      EXPECT_EQ(e == nullptr, problems.failed()) << variant;
      for (const Diagnostic& d : problems.all()) {
        EXPECT_GE(d.column, 1);
        EXPECT_LE(d.column, static_cast<int>(variant.size()) + 1);
      }
    }
}

TEST(Expression, ReservedWordsAreNotNames) {
  for (const char* word : {"and", "or", "not", "if", "true", "false", "time"})
    EXPECT_TRUE(is_reserved(word)) << word;
  EXPECT_FALSE(is_reserved("sin"));
  EXPECT_FALSE(is_reserved("pi"));
}

}  // namespace
}  // namespace mechfmu::expression
