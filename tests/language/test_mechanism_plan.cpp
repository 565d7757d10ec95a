// Names and texts of any kind and length on their way to a mechanism. The messages are in
// tests/messages.

#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "language/backend/cpp.h"
#include "tests/language/allocated_bytes.h"
#include "tests/language/complaints.h"

namespace mechfmu {
namespace {

std::string free_body(const std::string& elements) {
  return "<mechanism name='M'><body name='b' mass='1' inertia='1 1 1' free='true'/>" + elements +
         "</mechanism>";
}

std::string cpp_of(const std::string& content) {
  Diagnostics diagnostics;
  const MechanismText text = read_mechanism_text(content, "m.xml", diagnostics);
  const Plan plan = make_plan(text, diagnostics);
  EXPECT_EQ(diagnostics.text(), "");
  return mechanism_cpp(plan);
}

TEST(MechanismPlan, WordsOfCppAreNamesLikeOthers) {
  const std::string cpp =
      cpp_of(free_body("<parameter name='class' value='1'/><input name='new' start='2'/>"
                       "<body name='double' mass='class*1kg' inertia='1 1 1' free='true'/>"
                       "<output name='int' value='new'/>"));
  for (const char* name : {"\"class\"", "\"new\"", "\"double\"", "\"int\""})
    EXPECT_NE(cpp.find(name), std::string::npos) << name << cpp;
  for (const char* declared : {" class =", " new =", " double ="})
    EXPECT_EQ(cpp.find(declared), std::string::npos) << declared << cpp;
}

TEST(MechanismPlan, NamesThatAreTheSameInCppStayApart) {
  Diagnostics diagnostics;
  const MechanismText text = read_mechanism_text(
      free_body("<group name='g'><parameter name='b' value='1'/><parameter name='b_c' value='2'/>"
                "</group><use group='g' name='a'/><parameter name='a_b' value='3'/>"
                "<parameter name='a_b_c' value='4'/><parameter name='a_b_2' value='5'/>"
                "<output name='o' value='a.b + a.b_c + a_b + a_b_c + a_b_2'/>"),
      "m.xml", diagnostics);
  const Plan plan = make_plan(text, diagnostics);
  EXPECT_EQ(diagnostics.text(), "");
  std::set<std::string> ids;
  std::size_t parameters = 0;
  for (const Item& item : plan.items)
    if (item.call == "parameter") {
      ids.insert(item.id);
      ++parameters;
    }
  EXPECT_EQ(parameters, 5U);
  EXPECT_EQ(ids.size(), 5U);
  const std::optional<MechanismCheck> check = check_mechanism(plan, diagnostics);
  ASSERT_TRUE(check);
  EXPECT_EQ(check->outputs.at(0).value, 15);
}

TEST(MechanismPlan, LongNamesAreNamesLikeOthers) {
  const std::string name(5000, 'n');
  EXPECT_EQ(complaints(free_body("<parameter name='" + name +
                                 "' value='1'/><output name='o' value='" + name + "'/>")),
            "");
}

TEST(MechanismPlan, AnyTextMayStandInAbout) {
  const std::string cpp = cpp_of(free_body(
      "<parameter name='p' value='1' about='a &quot;b&quot; \\ \\n ?\?/ &#10; */ //&#9;ü'/>"));
  EXPECT_NE(cpp.find(R"x("a \"b\" \\ \\n)x"), std::string::npos) << cpp;
  EXPECT_EQ(cpp.find("?\?/"), std::string::npos) << cpp;
}

TEST(MechanismPlan, VariablesMadeOfEachOtherInALongChain) {
  constexpr int count = 10'000;
  for (const bool forward : {true, false}) {
    std::ostringstream content;
    content << "<mechanism name='M'><body name='b' mass='1' sphere='1' free='true'/>\n"
               "<variable name='v0' value='1'/>\n";
    for (int k = 1; k <= count; ++k) {
      const int i = forward ? k : count + 1 - k;
      content << "<variable name='v" << i << "' value='v" << i - 1 << "+1'/>\n";
    }
    content << "<output name='o' value='v" << count << "'/></mechanism>";
    EXPECT_EQ(complaints(content.str()), "");
  }
}

TEST(MechanismPlan, NamesOfManyPartsTakeMemoryInProportion) {
  const auto bytes = [](int parts) {
    std::string name = "b";
    for (int i = 0; i < parts; ++i) name += ".x";
    const std::size_t before = allocated_bytes();
    const std::string text = complaints(
        "<mechanism name='M'><body name='b' mass='1' sphere='1' free='true'/>\n"
        "<output name='o' value='" +
        name + "'/></mechanism>");
    EXPECT_TRUE(text.find("body 'b' has no 'x'") != std::string::npos) << text;
    return allocated_bytes() - before;
  };
  EXPECT_LT(bytes(49'000), 20 * bytes(4900));  // 100 would be quadratic; strings double
}

}  // namespace
}  // namespace mechfmu
