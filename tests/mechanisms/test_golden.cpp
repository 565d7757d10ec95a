// The C++ of a mechanism file, letter by letter: gough_stewart.golden is what people read, so a change of it is looked at.
//
// Where it should change:   build/mechfmu generate models/gough_stewart/gough_stewart.xml -o tests/mechanisms/gough_stewart.golden

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

TEST(Golden, CppOfTheHexapodIsWhatItWas) {
  Diagnostics diagnostics;
  const MechanismText text =
      read_mechanism_file(MECHFMU_MODELS "/gough_stewart/gough_stewart.xml", diagnostics);
  const std::string now = mechanism_cpp(make_plan(text, diagnostics));
  const std::string golden = read("gough_stewart.golden");
  EXPECT_EQ(now.substr(0, now.find('\n')),
            "// gough_stewart, made by " + tool_name() +
                " from gough_stewart.xml: change that file, not this one.");
  EXPECT_EQ(after_first_line(now), after_first_line(golden))
      << "If that is better, run\n  build/mechfmu generate models/gough_stewart/gough_stewart.xml "
         "-o "
         "tests/mechanisms/gough_stewart.golden";
}

TEST(Golden, LinesFitIntoHundredColumns) {
  for (const MechanismFile& file : mechanism_files()) {
    std::istringstream text(mechanism_cpp(load(file).plan));
    for (std::string line; std::getline(text, line);) EXPECT_LE(line.size(), 100U) << line;
  }
}

}  // namespace mechfmu::tests
