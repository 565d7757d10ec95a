// modelDescription.xml of both versions of FMI declares all dependencies of the expressions in a
// file, and no others.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>

#include "analysis/dependencies.h"
#include "model/model.h"
#include "model_desc/fmi2_xml.h"
#include "model_desc/fmi3_xml.h"
#include "model_desc/read_description.h"
#include "tests/mechanisms/mechanisms.h"

namespace mechfmu::tests {

namespace {

using Words = std::set<std::string>;

/// Knowns on which outputs depend: inputs and time, and parameters, which are knowns in FMI 3.0.
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

namespace {

/// Masses on a line, each pushed by its own force; outputs show the accelerations of some, and sums
/// of inputs.
template <int count>
struct Pushed : Model<2> {
  std::array<double, count> u{};
  std::shared_ptr<long> evaluations = std::make_shared<long>(0);

  template <class T>
  Mat<T, 2> M(T, const Vec<T, 2>&) const {
    return Mat<T, 2>::Identity();
  }
  template <class T>
  Vec<T, 2> f(T, const Vec<T, 2>&, const Vec<T, 2>&) const {
    ++*evaluations;
    return {T(u[0] + 2 * u[count - 1]), T(u[1])};
  }
  void variables(Variables& v) {
    for (int i = 0; i < count; ++i)
      v.input("u" + std::to_string(i), u[static_cast<std::size_t>(i)]);
    v.output("first", [](const Point& p) { return p.a[0]; });
    v.output("second", [](const Point& p) { return p.a[1]; });
    v.output("place", [](const Point& p) { return p.y[0]; });
    v.output("five", [this](const Point&) {
      double sum = 0;
      for (std::size_t i = 20; i < 120; i += 20) sum += u[i] * u[i + 1];
      return sum;
    });
    v.output("hidden",
             [this](const Point&) { return std::max(u[count - 2], 1e3) + std::tanh(1000 * u[7]); });
    v.output("all", [this](const Point&) {
      double sum = 0;
      for (const double x : u) sum += x;
      return sum;
    });
  }
};

template <int count>
std::map<std::string, Words> found(long& evaluations) {
  ModelSystem<Pushed<count>> system;
  Description d = describe("Pushed", system);
  find_dependencies(d, system);
  evaluations = *system.model().evaluations;
  std::map<std::string, Words> all;
  for (const Entry& e : d.entries)
    if (e.source == Source::output)
      for (const std::size_t k : e.depends_on) all[e.name].insert(d.entries[k].name);
  return all;
}

}  // namespace

TEST(Dependencies, AreFoundOfManyInputsInTheWorkOfAFew) {
  long few = 0, many = 0, ignored = 0;
  std::map<std::string, Words> of = found<120>(ignored);
  const Words five = {"u20", "u21", "u40", "u41", "u60", "u61", "u80", "u81", "u100", "u101"};
  EXPECT_EQ(listed(of["first"]), "u0 u119 ");
  EXPECT_EQ(listed(of["second"]), "u1 ");
  EXPECT_EQ(listed(of["place"]), "");
  EXPECT_EQ(of["five"], five);
  EXPECT_EQ(listed(of["hidden"]), "u118 u7 ");
  EXPECT_EQ(of["all"].size(), 120U);

  of = found<1000>(ignored);
  EXPECT_EQ(listed(of["first"]), "u0 u999 ");
  EXPECT_EQ(listed(of["second"]), "u1 ");
  EXPECT_EQ(listed(of["place"]), "");
  EXPECT_TRUE(std::ranges::includes(of["five"], five));
  EXPECT_LE(of["five"].size(), five.size() + 5);
  EXPECT_EQ(listed(of["hidden"]), "u7 u998 ");
  EXPECT_EQ(of["all"].size(), 1000U);

  found<300>(few);
  found<3000>(many);
  EXPECT_LT(many, 1.2 * static_cast<double>(few));
}

}  // namespace mechfmu::tests
