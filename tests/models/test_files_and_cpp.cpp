// Mechanism files and the same mechanisms in C++ agree: variables, and every output of a run with
// equal steps.
//
// Equations and coordinates are equal up to roundoff. Two parts are written differently: angles
// that do not begin at zero (an offset of the measure in C++, a sum in the file), and the torque on
// the wheel (along a direction in C++, a vector in the file).

#include "models/andrews_bodies/andrews_bodies.h"
#include "models/rolling_wheel/rolling_wheel.h"
#include "models/slider_crank_bodies/slider_crank_bodies.h"
#include "models/spatial_four_bar/spatial_four_bar.h"
#include "tests/models/model_files.h"

namespace mechfmu::tests {
namespace {

struct Case {
  const char* name;
  mechanics::Mechanism (*in_cpp)();
  double step;
  double tolerance;  // of an output relative to its largest value, or to 1
  MechanismRun::Settings settings;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class FilesAndCpp : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    Models, FilesAndCpp,
    testing::Values(
        Case{"slider_crank",
             [] { return models::slider_crank_bodies(); },
             2e-3,
             1e-10,
             {{"torque", 1.5}, {"l1", 0.25}, {"m3", 0.2}, {"spring_length", 0.2}}},
        Case{
            "andrews", [] { return models::andrews_bodies(); }, 1e-4, 1e-10, {{"stiffness", 4000}}},
        Case{"spatial_four_bar",
             models::spatial_four_bar,
             2e-3,
             1e-10,
             {{"torque", 0.1}, {"m2", 0.7}, {"damping", 3}}},
        Case{"rolling_wheel",
             models::rolling_wheel,
             5e-3,
             1e-10,
             {{"torque", 0.3}, {"r", 0.8}, {"lean_start", 0.2}, {"g", 8}}}),
    [](const auto& test) { return std::string(test.param.name); });

std::string described(const Variable& v) {
  std::ostringstream text;
  text << v.name() << " [" << v.unit() << "] " << v.min() << " … " << v.max()
       << (v.fixed() ? ", fixed" : "");
  return text.str();
}

TEST_P(FilesAndCpp, HaveTheSameVariables) {
  const mechanics::Mechanism file = from_file(GetParam().name);
  const mechanics::Mechanism cpp = GetParam().in_cpp();
  const auto variables = [](const mechanics::Mechanism& m) {
    std::vector<std::string> all;
    for (const auto& s : m.settings)
      all.push_back(described(s.variable) + " = " + std::to_string(s.start));
    for (const auto& o : m.outputs) all.push_back(described(o.variable));
    std::sort(all.begin(), all.end());
    return all;
  };
  EXPECT_EQ(variables(file), variables(cpp));
  EXPECT_EQ(file.experiment.stop, cpp.experiment.stop);
  EXPECT_EQ(file.experiment.step, cpp.experiment.step);
  EXPECT_EQ(file.experiment.tolerance, cpp.experiment.tolerance);
}

TEST_P(FilesAndCpp, MoveTheSame) {
  const Case& c = GetParam();
  MechanismRun file(from_file(c.name), converged(0.8), c.settings);
  MechanismRun cpp(c.in_cpp(), converged(0.8), c.settings);
  std::vector<std::string> outputs;
  for (const Variable& v : cpp.system.variables().outputs()) outputs.push_back(v.name());
  Vector largest = Vector::Ones(static_cast<Index>(outputs.size())), worst = 0 * largest;
  for (int i = 0; i <= 100; ++i) {
    if (i > 0) file.step(c.step), cpp.step(c.step);
    const Vector a = file.read(outputs), b = cpp.read(outputs);
    largest = largest.cwiseMax(b.cwiseAbs());
    worst = worst.cwiseMax((a - b).cwiseAbs());
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto k = static_cast<Index>(i);
    EXPECT_LT(worst[k], c.tolerance * largest[k]) << outputs[i];
  }
}

}  // namespace
}  // namespace mechfmu::tests
