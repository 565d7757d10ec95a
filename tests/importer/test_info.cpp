// The page about an FMU: it contains everything a user needs to know, and it fits the terminal.

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "importer/info.h"
#include "tests/importer/folders.h"

namespace mechfmu::tests {
namespace {

TEST(Info, PageOfAnFmu) {
  const Integrator fmu(2);
  const std::string own = own_platforms(2).front();
  EXPECT_EQ(describe_text(fmu.path(), 80), R"(integrator
x' = gain u

  FMI         2.0, co-simulation
  tool        by hand
  experiment  from 0 to 1 s, step 0.1 s
  abilities   canHandleVariableCommunicationStepSize, canInterpolateInputs,
              canGetAndSetFMUstate
  binaries    )" + own + R"(

Inputs (3)
  name  start  unit
  u     0      m/s
  n     0
  on    true

Outputs (1)
  name  unit
  x     m

Parameters (6)
  name     start  unit  range   description
  gain     1            -5 … 5
  largest  0
  fails    0      s
  ends     0
  status   error                discard | error | fatal
  label

and 3 local variables
)");
}

TEST(Info, ArraysHaveTheirSizesAndMissingBinariesAreNamed) {
  const Integrator fmu(3);
  std::filesystem::remove_all(fmu.path() / "binaries");
  const std::string page = describe_text(fmu.path(), 80);
  EXPECT_NE(page.find("\n  w[2]  0 2\n"), std::string::npos) << page;
  EXPECT_NE(page.find("\n  v[1,2]\n"), std::string::npos) << page;
  EXPECT_NE(page.find("\n  binaries    none\n"), std::string::npos) << page;
}

std::size_t longest_line(const std::string& page) {
  std::size_t longest = 0;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    const auto is_first = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80; };
    longest = std::max(longest, static_cast<std::size_t>(std::ranges::count_if(line, is_first)));
    EXPECT_FALSE(line.ends_with(' ')) << line;
  }
  return longest;
}

TEST(Info, LinesFitTheWidth) {
  for (const char* model : {"pendulum", "slider_crank", "andrews_file"})
    for (const int major : {2, 3}) {
      const BuiltFmu fmu(model, major);
      for (const std::size_t width : {60U, 80U, 120U, 200U})
        EXPECT_LE(longest_line(describe_text(fmu.path(), width)), width) << model;
      EXPECT_GT(longest_line(describe_text(fmu.path(), 1)), 1U);  // words are not split
    }
}

TEST(Info, ControlCharactersOfForeignFilesDoNotReachTheTerminal) {
  FmuDescription fmu;
  fmu.version = "3.0";
  fmu.model =
      "a\x1b[31mb\xc2\x9b"
      "2Jc";
  fmu.about = "tab\there\nand\x7fthere";
  FmuVariable& x = fmu.variables.emplace_back();
  x.name = "x\rfake";
  x.unit = "€";
  x.causality = FmuVariable::Causality::output;
  const std::string page = describe_text(fmu, {"evil\x07\xff"}, 80);
  EXPECT_TRUE(page.starts_with("a [31mb 2Jc\ntab here and there\n")) << page;
  for (const char c : page) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= ' ');
  EXPECT_NE(page.find("evil ?\n"), std::string::npos) << page;  // names of folders are any bytes
  EXPECT_NE(page.find("x fake  €\n"), std::string::npos) << page;
}

TEST(Info, LongStartValuesAreCut) {
  FmuDescription fmu;
  std::string start;
  for (int i = 0; i < 100; ++i) start += "€ ";
  FmuVariable& x = fmu.variables.emplace_back();
  x.name = "x";
  x.start = start;
  x.causality = FmuVariable::Causality::input;
  const std::string page = describe_text(fmu, {}, 80);
  std::string shown;
  for (int i = 0; i < 17; ++i) shown += "€ ";
  EXPECT_NE(page.find("  x     " + shown + "€…\n"), std::string::npos) << page;
}

}  // namespace
}  // namespace mechfmu::tests
