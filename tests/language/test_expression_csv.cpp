// Tables from text.

#include <gtest/gtest.h>

#include "language/expression/csv.h"
#include "tests/language/problems.h"

namespace mechfmu::expression {
namespace {

TEST(ExpressionCsv, IsATable) {
  for (const char* text : {"0,1\n1,2.5\n", "# comment\nx [m], F [N]\r\n0 , 1 # here\r\n\r\n1, 2.5",
                           "0;1\n1;2.5", "0 1\n1\t  2.5\n", "\xef\xbb\xbfx;y\n0;+1\n1;25e-1"}) {
    Problems problems;
    const auto table = read_table(text, problems);
    ASSERT_TRUE(table) << text << problems.text();
    EXPECT_EQ(table->x(), (std::vector<double>{0, 1}));
    EXPECT_EQ(table->y(), (std::vector<double>{1, 2.5}));
  }
  Problems problems;
  EXPECT_EQ(read_table("t,a,b\n0,1,2\n1,3,4", problems, 3)->y(), (std::vector<double>{2, 4}));
}

TEST(ExpressionCsv, NamesTheLineThatIsWrong) {
  const auto said = [](const char* text) {
    Problems problems;
    EXPECT_FALSE(read_table(text, problems)) << text;
    return problems.text();
  };
  EXPECT_EQ(said(""), "a table needs two points or more");
  EXPECT_EQ(said("x,y\n1,2\n"), "a table needs two points or more");
  EXPECT_EQ(said("0,1\n1\n2,3"), "line 2: this line has 1 column, 2 are required: x, y");
  EXPECT_EQ(said("0,1\n\n1,two\n2,3"), "line 3: 'two' is not a number");
  EXPECT_EQ(said("0,1\n1,2\n1,3"),
            "line 3: x = 1 is not above 1 of the previous point: x must increase");
  EXPECT_EQ(said("0;1,5\n1;2"), "line 1: '1,5' is not a number: write a decimal point");
  EXPECT_EQ(said("0,1\n1,1e999"), "line 2: '1e999' is not a number");
  EXPECT_EQ(said("x,y\na,b\n1,2"), "line 2: 'a' is not a number");
  EXPECT_EQ(said("0,1\n1,nan"), "line 2: 'nan' is not a number");
}

}  // namespace
}  // namespace mechfmu::expression
