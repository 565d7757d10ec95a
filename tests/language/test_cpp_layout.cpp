#include <gtest/gtest.h>

#include <algorithm>

#include "language/backend/cpp_layout.h"

namespace mechfmu {
namespace {

TEST(CppLayout, KeepsWhatFits) {
  EXPECT_EQ(laid_out("m.gravity = {0, -9.81, 0};", 2), "  m.gravity = {0, -9.81, 0};\n");
  EXPECT_EQ(laid_out("m.of([=](const auto& s) { return s(k); });", 0),
            "m.of([=](const auto& s) { return s(k); });\n");
}

TEST(CppLayout, FillsItemsIntoLines) {
  EXPECT_EQ(laid_out("const Joint A = m.joint({.name = \"A\", .a = ground, .b = crank});", 2, 40),
            "  const Joint A = m.joint({\n"
            "      .name = \"A\", .a = ground,\n"
            "      .b = crank});\n");
  EXPECT_EQ(laid_out("f({a1, a2, a3, a4}, {b1, b2, b3, b4, b5, b6, b7, b8, b9});", 0, 30),
            "f({a1, a2, a3, a4},\n"
            "  {b1, b2, b3, b4, b5, b6, b7,\n"
            "   b8, b9});\n");
}

TEST(CppLayout, GivesALambdaAtTheEndItsLines) {
  EXPECT_EQ(
      laid_out("m.output(\"phi\", [=](const Motion& q) { return q.value(A); }).unit(\"deg\");", 2,
               50),
      "  m.output(\"phi\", [=](const Motion& q) {\n"
      "    return q.value(A);\n"
      "  }).unit(\"deg\");\n");
  EXPECT_EQ(laid_out("f(x, [=](S s) {\nconst auto a = s[0];\nreturn a;\n});", 0),
            "f(x, [=](S s) {\n"
            "  const auto a = s[0];\n"
            "  return a;\n"
            "});\n");
}

TEST(CppLayout, BreaksBeforeTheLoosestOperators) {
  EXPECT_EQ(laid_out("return alpha * beta + gamma * delta - epsilon;", 0, 24),
            "return alpha * beta\n"
            "    + gamma * delta\n"
            "    - epsilon;\n");
  EXPECT_EQ(laid_out("return 2.0 * (alpha + beta + gamma + delta);", 0, 30),
            "return 2.0 * (alpha + beta\n"
            "              + gamma\n"
            "              + delta);\n");
}

TEST(CppLayout, BreaksTextAtBlanksAndNowhereElse) {
  EXPECT_EQ(laid_out("m.about = \"one two three (four, five)\";", 0, 24),
            "m.about =\n"
            "    \"one two three \"\n"
            "    \"(four, five)\";\n");
  EXPECT_EQ(laid_out("m.about = \"a\\\"b + c\";", 0), "m.about = \"a\\\"b + c\";\n");
}

/// Once this took minutes.
TEST(CppLayout, LongTextsEnd) {
  std::string text;
  for (int i = 0; i < 30'000; ++i) text += "a ? ";
  const std::string laid = laid_out("m.about = \"" + text + "\";", 0);
  EXPECT_GT(std::count(laid.begin(), laid.end(), '\n'), 1000);
}

}  // namespace
}  // namespace mechfmu
