// The C++ of a mechanism file, letter by letter: people read gough_stewart.golden, so every change
// of it is reviewed. To update it, write the output of
//
//   build/mechfmu generate models/gough_stewart/gough_stewart.xml -o gough_stewart.golden

#include <gtest/gtest.h>

#include <sstream>

#include "language/backend/cpp.h"
#include "model_desc/origin.h"
#include "tests/mechanisms/mechanisms.h"

namespace mechfmu::tests {

namespace {

/// The text without the version of the tool.
std::string after_first_line(const std::string& text) { return text.substr(text.find('\n')); }

}  // namespace

TEST(Golden, CppOfTheHexapodIsUnchanged) {
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
