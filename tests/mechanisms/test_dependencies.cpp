// modelDescription.xml of both versions of FMI declares the dependencies that the expressions of a file have: all of them,
// and no others.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "analysis/dependencies.h"
#include "model_desc/fmi2_xml.h"
#include "model_desc/fmi3_xml.h"
#include "model_desc/read_description.h"
#include "tests/mechanisms/mechanisms.h"

namespace mechfmu::tests {

namespace {

using Words = std::set<std::string>;

/// What outputs depend on: inputs and time, and parameters, which are knowns in FMI 3.0.
struct Expected {
  Words inputs, parameters;
};
const std::map<std::string, Expected>& expected() {
  static const std::map<std::string, Expected> all = {
      {"angle", {}},
      {"rate", {}},
      {"acceleration", {{"torque"}, {"k", "m"}}},
      {"motor", {{"torque"}, {}}},
      {"pin", {{"torque"}, {"k", "m"}}},
      {"across", {}},  // the links move in a plane
      {"coil", {{}, {"k"}}},
      {"slide", {{"push", "gust", "time"}, {}}},
      {"rail", {}},
      {"sideways", {}},
      {"upwards", {{"lift"}, {}}},
      {"lag", {}},
      {"lag_rate", {{"volts"}, {}}},
      {"kinetic", {{}, {"m"}}},
      {"power", {{"torque", "push", "gust", "lift", "time"}, {}}},
      {"constant", {}},
      {"parameters", {{}, {"k"}}},
      {"clock", {{"time"}, {}}},
      {"product", {{"torque"}, {}}},
      {"late", {{"time", "idle"}, {}}},
      {"one_sided", {{"push"}, {}}},
      {"both", {{"push", "gust", "lift"}, {}}},
      {"saturated", {{"push"}, {}}},
      {"tiny", {{"push"}, {}}},
      {"read", {{"push"}, {}}},
      {"stepped", {{"time", "push"}, {}}},
      {"switched", {{"push"}, {"mode"}}},
      {"either", {{"push", "gust", "time", "lift"}, {}}}};
  return all;
}

std::string listed(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += word + " ";
  return text;
}

void expect_declared(const std::string& xml, bool parameters) {
  const FmuDescription d = read_description(xml, "modelDescription.xml");
  std::size_t found = 0;
  for (const FmuOutput& output : d.outputs) {
    const std::string& name = d.variables[output.variable].name;
    const auto wanted = expected().find(name);
    if (wanted == expected().end()) continue;
    ++found;
    ASSERT_TRUE(output.dependencies.has_value()) << name;
    Words declared;
    for (const std::size_t k : *output.dependencies) declared.insert(d.variables[k].name);
    Words all = wanted->second.inputs;
    if (parameters) all.insert(wanted->second.parameters.begin(), wanted->second.parameters.end());
    EXPECT_EQ(listed(declared), listed(all)) << name;
  }
  EXPECT_EQ(found, expected().size());
}

void expect_dependencies(System& system) {
  Description d = describe("Dependencies", system);
  find_dependencies(d, system);
  const Origin origin = make_origin(d);
  expect_declared(fmi2_model_description(d, origin), false);
  expect_declared(fmi3_model_description(d, origin), true);
}

}  // namespace

TEST(Dependencies, AreThoseOfTheExpressionsWhenCompiled) {
  expect_dependencies(*compiled({"dependencies", &tables::dependencies_tables}));
}

TEST(Dependencies, AreThoseOfTheExpressionsWhenInterpreted) {
  expect_dependencies(*interpreted({"dependencies"}));
}

}  // namespace mechfmu::tests
