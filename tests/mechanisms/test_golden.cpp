// The C++ of a mechanism file, letter by letter: four_bar.golden is what people read, so a change of it is looked at.
//
// Where it should change:   build/mechfmu generate tests/mechanisms/four_bar.xml -o tests/mechanisms/four_bar.golden

#include <gtest/gtest.h>

#include <sstream>

#include "language/backend/cpp.h"
#include "model_desc/origin.h"
#include "tests/mechanisms/mechanisms.h"

namespace mechfmu::tests {

namespace {

/// Without the version of the tool.
std::string after_first_line(const std::string& text) { return text.substr(text.find('\n')); }

}  // namespace

TEST(Golden, CppOfTheFourBarIsWhatItWas) {
  const std::string now = mechanism_cpp(load({"four_bar", nullptr}).plan);
  const std::string golden = read("four_bar.golden");
  EXPECT_EQ(
      now.substr(0, now.find('\n')),
      "// FourBar, made by " + tool_name() + " from four_bar.xml: change that file, not this one.");
  EXPECT_EQ(after_first_line(now), after_first_line(golden))
      << "If that is better, run\n  build/mechfmu generate tests/mechanisms/four_bar.xml -o "
         "tests/mechanisms/four_bar.golden";
}

TEST(Golden, LinesFitIntoHundredColumns) {
  for (const MechanismFile& file : mechanism_files()) {
    std::istringstream text(mechanism_cpp(load(file).plan));
    for (std::string line; std::getline(text, line);) EXPECT_LE(line.size(), 100U) << line;
  }
}

}  // namespace mechfmu::tests
