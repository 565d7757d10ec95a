// An impossible description is refused with a sentence that names the element and the remedy.

#include <gtest/gtest.h>

#include <functional>

#include "mechanics/mechanism.h"
#include "mechanics/system.h"

namespace mechfmu::tests {

namespace {

using namespace mechanics;

void expect_refusal(const std::function<void(Mechanism&, Body a, Body b)>& describe,
                    std::initializer_list<const char*> words) {
  Mechanism m("wrong");
  const Body a = m.body({.name = "crank", .inertia = {1, 1, 1}});
  const Body b = m.body({.name = "rod", .inertia = {1, 1, 1}, .at = {1, 0, 0}});
  try {
    describe(m, a, b);
    MechanismSystem system(m);
    ADD_FAILURE() << "was not refused: " << *words.begin();
  } catch (const std::invalid_argument& e) {
    for (const char* word : words)
      EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what();
  }
}

}  // namespace

TEST(Refusals, OfBodies) {
  expect_refusal(
      [](Mechanism& m, Body, Body) {
        m.body({.name = "ghost", .mass = -1, .inertia = {1, 1, 1}});
      },
      {"body 'ghost'", "mass must not be negative"});
  expect_refusal(
      [](Mechanism& m, Body, Body) {
        m.body({.name = "needle", .inertia = {1, 1, 3}});
      },
      {"body 'needle'", "inertia", "none may exceed the sum of the other two"});
  expect_refusal(
      [](Mechanism& m, Body, Body) {
        m.body({.name = "odd", .inertia = {1, 1, 1, 2, 0, 0}});
      },
      {"body 'odd'", "inertia"});
  expect_refusal(
      [](Mechanism& m, Body, Body) {
        m.body({.name = "disc", .type = BodyType::planar, .inertia = {.zz = -1}});
      },
      {"body 'disc'", "moment of inertia must not be negative"});
}

TEST(Refusals, OfJoints) {
  expect_refusal([](Mechanism& m, Body a, Body) { m.joint({.name = "knot", .a = a, .b = a}); },
                 {"joint 'knot'", "'crank'", "must join two bodies"});
  expect_refusal(
      [](Mechanism& m, Body a, Body) { m.joint({.name = "knot", .a = a, .b = Body{17}}); },
      {"joint 'knot'", "body that does not exist"});
  expect_refusal(
      [](Mechanism& m, Body a, Body b) {
        m.joint({.name = "pin", .a = a, .b = b, .axis = {0, 0, 0}});
      },
      {"joint 'pin'", "length zero", "0 0 1"});
  expect_refusal(
      [](Mechanism& m, Body a, Body) {
        const Body p = m.body({.name = "bead", .type = BodyType::point});
        m.joint({.name = "pin", .a = a, .b = p});
      },
      {"joint 'pin'", "'bead' is a point mass", "revolute", "use spherical"});
  expect_refusal(
      [](Mechanism& m, Body a, Body b) {
        m.joint({.name = "cross",
                 .type = JointType::universal,
                 .a = a,
                 .b = b,
                 .axis = {0, 0, 1},
                 .axis2 = {0, 0, 2}});
      },
      {"joint 'cross'", "parallel", "perpendicular"});
  expect_refusal(
      [](Mechanism& m, Body a, Body b) {
        m.joint({.name = "rod", .type = JointType::distance, .a = a, .b = b});
      },
      {"joint 'rod'", "coincide", "spherical"});
  const auto planar = [](JointType type, const Vec3& axis) {
    return [type, axis](Mechanism& m, Body, Body) {
      const Body p = m.body({.name = "link", .type = BodyType::planar, .inertia = {.zz = 1}});
      m.joint({.name = "guide", .type = type, .a = ground, .b = p, .axis = axis});
    };
  };
  expect_refusal(planar(JointType::revolute, {1, 0, 0}), {"joint 'guide'", "axis must be 0 0 1"});
  expect_refusal(planar(JointType::prismatic, {0, 0, 1}), {"joint 'guide'", "x-y plane"});
  expect_refusal(planar(JointType::universal, {0, 0, 1}),
                 {"joint 'guide'", "universal", "use revolute"});
}

TEST(Refusals, OfMeasures) {
  expect_refusal(
      [](Mechanism& m, Body a, Body) {
        m.measure({.name = "self", .a = {a, {}}, .b = {a, {1, 0, 0}}});
      },
      {"measure 'self'", "'crank'", "two bodies"});
  expect_refusal(
      [](Mechanism& m, Body a, Body b) {
        m.measure({.name = "gap", .a = {a, {}}, .b = {b, {}}});
      },
      {"measure 'gap'", "coincide", "displacement"});
  expect_refusal(
      [](Mechanism& m, Body a, Body b) {
        m.measure({.name = "tilt",
                   .type = MeasureType::angle,
                   .a = {a, {}},
                   .b = {b, {}},
                   .axis = {0, 0, 0}});
      },
      {"measure 'tilt'", "length zero"});
  expect_refusal(
      [](Mechanism& m, Body a, Body) {
        const Body bead = m.body({.name = "bead", .type = BodyType::point});
        m.measure({.name = "spin", .type = MeasureType::torque, .a = {a, {}}, .b = {bead, {}}});
      },
      {"measure 'spin'", "'bead' is a point mass", "bodies that rotate"});
  expect_refusal(
      [](Mechanism& m, Body a, Body b) {
        m.angle(m.joint({.name = "ball", .type = JointType::spherical, .a = a, .b = b}));
      },
      {"joint 'ball'", "no angle", "revolute"});
  expect_refusal([](Mechanism& m, Body a,
                    Body b) { m.displacement(m.joint({.name = "pin", .a = a, .b = b})); },
                 {"joint 'pin'", "no displacement", "prismatic"});
}

TEST(Refusals, OfConstraints) {
  const auto with = [](const std::function<ConstraintData(Measure)>& make) {
    return [make](Mechanism& m, Body a, Body b) {
      m.constraint(make(m.distance({a, {}}, {b, {1, 0, 0}})));
    };
  };
  expect_refusal(with([](Measure d) {
                   return ConstraintData{
                       "tie", law<1>({Mechanism::value(d)}, [](const auto& s) { return s[0]; })};
                 }),
                 {"constraint 'tie'", "relation<K>", "law<K>"});
  expect_refusal(with([](Measure d) {
                   return ConstraintData{"tie", relation<1>({Mechanism::rate(d)},
                                                            [](const auto& s) { return s[0]; })};
                 }),
                 {"constraint 'tie'", "rate", "nonholonomic"});
  expect_refusal(with([](Measure) {
                   return ConstraintData{"tie", relation<1>({Mechanism::value(StateVariable{0})},
                                                            [](const auto& s) { return s[0]; })};
                 }),
                 {"constraint 'tie'", "not on states"});
  expect_refusal([](Mechanism& m, Body, Body) { m.coupling("gear", {}); },
                 {"coupling 'gear'", "one to twelve"});
}

TEST(Refusals, OfForcesAndStates) {
  expect_refusal([](Mechanism& m, Body, Body) { m.force(ForceData{.name = "push", .value = 1.0}); },
                 {"force 'push'", "measure that does not exist"});
  expect_refusal(
      [](Mechanism& m, Body a, Body b) {
        m.force({.name = "push", .along = m.distance({a, {}}, {b, {1, 0, 0}}), .value = {}});
      },
      {"force 'push'", "no law"});
  expect_refusal(
      [](Mechanism& m, Body a, Body b) {
        const Measure n =
            m.measure({.name = "north", .type = MeasureType::force, .a = {a, {}}, .b = {b, {}}});
        m.force({.name = "push",
                 .along = n,
                 .value = law<1>({Mechanism::value(n)}, [](const auto& s) { return s[0]; })});
      },
      {"force 'push'", "'north'", "direction"});
  expect_refusal(
      [](Mechanism& m, Body a, Body b) {
        VectorForceData f;
        f.name = "thrust";
        f.at = {b, {}};
        f.reaction = a;
        m.force(f);
      },
      {"force 'thrust'", "axes"});
  expect_refusal(
      [](Mechanism& m, Body a, Body b) {
        const Joint joint =
            m.joint({.name = "guide", .type = JointType::constant_orientation, .a = a, .b = b});
        m.friction({.name = "rub",
                    .along = m.distance({a, {}}, {b, {1, 0, 0}}),
                    .coulomb = 1,
                    .load = joint});
      },
      {"friction 'rub'", "'guide'", "no force"});
  expect_refusal([](Mechanism& m, Body, Body) { m.state({.name = "x", .rate = {}}); },
                 {"state 'x'", "no law"});
  expect_refusal([](Mechanism& m, Body a,
                    Body b) { m.pair({.name = "wind", .a = a, .b = b, .function = {}}); },
                 {"force 'wind'", "wrench_function"});
}

TEST(Refusals, OfRollingAndContact) {
  expect_refusal([](Mechanism& m, Body,
                    Body b) { m.rolling({.name = "wheel", .a = ground, .b = b, .radius = 0}); },
                 {"rolling 'wheel'", "radius must be above zero"});
  expect_refusal(
      [](Mechanism& m, Body, Body) {
        m.rolling(
            {.name = "wheel", .a = ground, .b = m.body({.name = "bead", .type = BodyType::point})});
      },
      {"rolling 'wheel'", "'bead'", "cannot rotate"});
  expect_refusal(
      [](Mechanism& m, Body, Body) {
        m.rolling({.name = "wheel",
                   .a = ground,
                   .b = m.body({.name = "disc", .type = BodyType::planar, .inertia = {.zz = 1}})});
      },
      {"rolling 'wheel'", "normal", "x-y plane"});
  expect_refusal([](Mechanism& m, Body a,
                    Body b) { m.contact({.name = "bump", .a = a, .b = b, .exponent = 0.5}); },
                 {"contact 'bump'", "exponent", "at least 1"});
  expect_refusal(
      [](Mechanism& m, Body a, Body b) {
        m.contact({.name = "bump", .a = a, .b = b, .shape = ContactData::Shape::sphere});
      },
      {"contact 'bump'", "radius_a"});
  expect_refusal([](Mechanism& m, Body a,
                    Body b) { m.contact({.name = "bump", .a = a, .b = b, .regularization = 0}); },
                 {"contact 'bump'", "regularization"});
}

}  // namespace mechfmu::tests
