// Units in groups, and the variables of an output that is a vector.

#include <gtest/gtest.h>

#include <array>
#include <charconv>

#include "language/backend/build.h"
#include "mechanics/motion.h"
#include "mechanics/system.h"
#include "solver/solver.h"

namespace mechfmu {
namespace {

/// The plan of a mechanism of these elements, and complaints about it.
struct Planned {
  explicit Planned(const std::string& elements) {
    text = read_mechanism_text("<mechanism name='M'>\n" + elements + "\n</mechanism>", "m.xml",
                               diagnostics);
    plan = make_plan(text, diagnostics);
  }
  /// Outputs at t = 0: "name unit value".
  std::vector<std::string> outputs() const {
    EXPECT_EQ(diagnostics.text(), "");
    mechanics::MechanismSystem system(build_mechanism(plan));
    Solver solver(system, {});
    State state;
    EXPECT_TRUE(solver.initialize(state, 0).ok());
    Point point;
    point.resize(system.sizes());
    EXPECT_TRUE(solver.output(state, point).ok());
    std::vector<std::string> all;
    for (std::size_t i = 0; i < system.variables().outputs().size(); ++i) {
      const Variable& v = system.variables().outputs()[i];
      std::array<char, 40> digits{};
      const double value = system.read(i);
      const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value);
      if (!v.name().starts_with("energy."))
        all.push_back(v.name() + " " + v.unit() + " " + std::string(digits.data(), end.ptr));
    }
    return all;
  }

  Diagnostics diagnostics;
  MechanismText text;
  Plan plan;
};

const char* const body =
    "<body name='b' mass='1' sphere='0.1' at='1 2 4' velocity='0.5 0 0' free='true'/>";

TEST(VectorOutputs, GiveThreeNumbers) {
  const Planned m(std::string(body) +
                  "<output name='b.place' value='b.position' unit='mm'/>"
                  "<output name='sum' value='norm([3, 4, 0])'/>"
                  "<output name='list' value='1 2*b.velocity.x 3' unit='m/s'/>");
  EXPECT_EQ(m.outputs(),
            (std::vector<std::string>{"b.place.x mm 1000", "b.place.y mm 2000", "b.place.z mm 4000",
                                      "sum 1 5", "list.x m/s 1", "list.y m/s 1", "list.z m/s 3"}));
}

TEST(Axes, MayBeDifferencesOfPoints) {
  const Planned m(
      "<variable name='p' value='[0m, 3m, 4m]'/>"
      "<body name='b' mass='12' cylinder='0.1 2' axis='p'/>"
      "<joint name='j' type='revolute' between='ground b' axis='p'/>"
      "<measure name='a' type='alignment' between='ground b' axis='0 0 1' axis2='p'/>"
      "<output name='cosine' value='a.value'/>");
  EXPECT_EQ(m.outputs(), (std::vector<std::string>{"cosine 1 0.8"}));
}

/// In the group, s is an element and h a parameter; after a number they are units.
TEST(Groups, UnitsOfNumbersAreNotNames) {
  const Planned m(
      "<group name='g' h='7'><variable name='s' value='64'/>"
      "<output name='speed' value='3m/s' unit='m/s'/>"
      "<output name='flow' value='2l/s' unit='m3/s'/>"
      "<output name='slow' value='36km/h' unit='m/s'/>"
      "<output name='heat' value='8J/(kg.K)' unit='J/(kg.K)'/>"
      "<output name='quotient' value='7 / s + 2*h/s'/>"
      "<output name='least' value='5m2/min(s, 1000) / 1m2'/></group>"
      "<use group='g' name='u'/>" +
      std::string(body));
  EXPECT_EQ(m.outputs(), (std::vector<std::string>{"u.speed m/s 3", "u.flow m3/s 0.002",
                                                   "u.slow m/s 10", "u.heat J/(kg.K) 8",
                                                   "u.quotient 1 0.328125", "u.least 1 0.078125"}));
}

}  // namespace
}  // namespace mechfmu
