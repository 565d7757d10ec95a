#include <array>
#include <random>

#include "mechanics/mechanism.h"
#include "mechanics/placement.h"
#include "tests/mechanics/elements.h"

namespace mechfmu::tests {

namespace {

using namespace mechanics;

enum class Side { ground, spatial, rotor, planar, point, planar_point };

const char* word(Side side) {
  switch (side) {
    case Side::ground: return "ground";
    case Side::spatial: return "spatial";
    case Side::rotor: return "rotor";
    case Side::planar: return "planar";
    case Side::point: return "point";
    case Side::planar_point: return "planar point";
  }
  return "?";
}

bool flat(Side side) {
  return side == Side::ground || side == Side::planar || side == Side::planar_point;
}
/// Both bodies move, in the same directions.
bool between(Side a, Side b) {
  return a != Side::ground && b != Side::ground && flat(a) == flat(b);
}
bool turns(Side side) {
  return side == Side::spatial || side == Side::rotor || side == Side::planar;
}

const Vec3 joint_axis(0.3, -0.5, 0.8);

/// A body with any position and rotation, with its centre of mass off the reference point.
Body add(Mechanism& m, Side side, const std::string& name, const Vec3& at, const Vec3& rotation) {
  if (side == Side::ground) return ground;
  BodyData b;
  b.name = name;
  b.mass = 1.3;
  b.at = at;
  b.inertia = {0.3, 0.4, 0.5, 0.02, -0.03, 0.01};
  if (side == Side::spatial || side == Side::rotor) {
    b.type = BodyType::spatial;
    b.rotation = rotation;
    b.centre = {0.05, 0.02, -0.03};
    if (side == Side::rotor) {  // about the axis of the joints
      b.spins = Spins::yes;
      const Vec3 e = rotation_matrix(rotation).transpose() * joint_axis.normalized();
      const Mat3 J = 0.3 * Mat3::Identity() + 0.2 * e * e.transpose();
      b.inertia = {J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2)};
    }
  } else if (side == Side::planar) {
    b.type = BodyType::planar;
    b.at = {at[0], at[1], 0};
    b.rotation = {0, 0, rotation[2]};
    b.centre = {0.04, -0.06, 0};
  } else if (side == Side::point) {
    b.type = BodyType::point;
  } else {
    b.type = BodyType::planar_point;
    b.at = {at[0], at[1], 0};
  }
  return m.body(b);
}

const Vec3 place_a(0.3, -0.2, 0.4);
const Vec3 place_b(-0.4, 0.5, 0.1);
const Vec3 place_c(0.1, 0.6, -0.5);

struct Two {
  Mechanism m;
  Body a, b;
  Two(Side side_a, Side side_b) : m("element") {
    a = add(m, side_a, "a", place_a, {0.3, -0.5, 0.7});
    b = add(m, side_b, "b", place_b, {-0.6, 0.2, 1.1});
  }
};

Element finished(std::string name, Mechanism m, bool internal = true) {
  return {.name = std::move(name), .mechanism = std::move(m), .internal = internal};
}

// Joints

constexpr std::array all_joints = {JointType::fixed,
                                   JointType::revolute,
                                   JointType::prismatic,
                                   JointType::cylindrical,
                                   JointType::spherical,
                                   JointType::universal,
                                   JointType::planar,
                                   JointType::point_in_plane,
                                   JointType::point_on_line,
                                   JointType::distance,
                                   JointType::constant_orientation,
                                   JointType::screw};
constexpr std::array planar_joints = {JointType::fixed,
                                      JointType::revolute,
                                      JointType::prismatic,
                                      JointType::spherical,
                                      JointType::point_on_line,
                                      JointType::distance,
                                      JointType::constant_orientation,
                                      JointType::point_in_plane};
constexpr std::array point_joints = {JointType::spherical, JointType::point_in_plane,
                                     JointType::point_on_line, JointType::distance};

const char* word(JointType type) {
  const char* const words[] = {"fixed",
                               "revolute",
                               "prismatic",
                               "cylindrical",
                               "spherical",
                               "universal",
                               "planar",
                               "point_in_plane",
                               "point_on_line",
                               "distance",
                               "constant_orientation",
                               "screw"};
  return words[static_cast<int>(type)];
}

JointData joint_between(JointType type, Side side_a, Side side_b, Body a, Body b) {
  JointData j;
  j.name = "joint";
  j.type = type;
  j.a = a;
  j.b = b;
  const bool plane = flat(side_a) && flat(side_b);
  // Forces on a point mass act at the point.
  const Vec3 at = !turns(side_b) && side_b != Side::ground   ? place_b
                  : !turns(side_a) && side_a != Side::ground ? place_a
                                                             : Vec3(0.1, 0.15, 0.25);
  j.at = plane ? Vec3(at[0], at[1], 0) : at;
  j.axis = !plane ? joint_axis : type == JointType::revolute ? Vec3(0, 0, 1) : Vec3(0.6, 0.8, 0);
  j.axis2 = {0.8, 0.3, 0.1};
  j.pitch = 0.4;
  if (type == JointType::distance) {
    j.apart = true;
    j.at_b = plane ? Vec3(place_b[0], place_b[1], 0) : place_b;
    if (turns(side_a)) j.at = plane ? Vec3(0.2, 0.1, 0) : Vec3(0.2, 0.1, 0.3);
    if (!turns(side_a)) j.at = plane ? Vec3(place_a[0], place_a[1], 0) : place_a;
  }
  return j;
}

template <class Types>
Family joints(const std::string& name, Side side_a, Side side_b, const Types& types) {
  Family family{name, {}};
  for (const JointType type : types) {
    Two two(side_a, side_b);
    two.m.joint(joint_between(type, side_a, side_b, two.a, two.b));
    Element e = finished(std::string(word(type)) + ", " + word(side_a) + " and " + word(side_b),
                         two.m, between(side_a, side_b));
    e.coincides = type == JointType::fixed || type == JointType::revolute ||
                  type == JointType::spherical || type == JointType::universal;
    e.moments = side_a != Side::point && side_a != Side::planar_point && side_b != Side::point &&
                side_b != Side::planar_point;
    family.elements.push_back(e);
  }
  return family;
}

Family joints_given_in_body_axes() {
  Family family{"JointsGivenInBodyAxes", {}};
  for (const JointType type : all_joints) {
    Two two(Side::spatial, Side::spatial);
    two.m.joint({.name = "joint",
                 .type = type,
                 .a = two.a,
                 .b = two.b,
                 .at = {0.1, -0.2, 0.1},
                 .axis = {0.3, 0.2, 0.9},
                 .axis2 = {-0.8, 0.1, 0.4},
                 .apart = true,
                 .at_b = {-0.1, 0.2, 0.3},
                 .pitch = -0.3,
                 .local = true});
    Element e = finished(word(type), two.m);
    e.coincides = true;  // the points are apart at t = 0
    family.elements.push_back(e);
  }
  return family;
}

// Measures

Family measures(const std::string& name, Side side_a, Side side_b) {
  Family family{name, {}};
  const bool plane = flat(side_a) && flat(side_b);
  const bool points =
      (!turns(side_a) && side_a != Side::ground) || (!turns(side_b) && side_b != Side::ground);
  const std::pair<const char*, MeasureType> types[] = {
      {"distance", MeasureType::distance}, {"displacement", MeasureType::displacement},
      {"angle", MeasureType::angle},       {"alignment", MeasureType::alignment},
      {"force", MeasureType::force},       {"torque", MeasureType::torque}};
  for (const auto& [type_name, type] : types)
    for (const bool axes_of_b : {false, true}) {
      const bool direction = type == MeasureType::force || type == MeasureType::torque;
      if (axes_of_b && !direction) continue;
      if (points && (type == MeasureType::angle || type == MeasureType::alignment ||
                     type == MeasureType::torque))
        continue;
      Two two(side_a, side_b);
      MeasureData data;
      data.name = "measure";
      data.type = type;
      data.a = {two.a, plane ? Vec3(0.5, -0.3, 0) : Vec3(0.5, -0.3, 0.2)};
      data.b = {two.b, plane ? Vec3(-0.2, 0.3, 0) : Vec3(-0.2, 0.3, 0.4)};
      data.axis = plane && type != MeasureType::angle && type != MeasureType::torque
                      ? Vec3(0.6, 0.7, 0)
                  : plane ? Vec3(0, 0, 1)
                          : Vec3(0.3, -0.5, 0.8);
      data.axis2 = plane ? Vec3(-0.5, 0.6, 0) : Vec3(0.7, 0.6, 0.2);
      data.axes_of_b = axes_of_b;
      data.offset = 0.2;
      data.from_start = true;
      const Measure measure = two.m.measure(data);
      if (direction)
        two.m.force({.name = "force",
                     .along = measure,
                     .value = law<1>({Mechanism::rate(measure)},
                                     [](const auto& s) { return 1.5 - 0.4 * s[0] * s[0]; })});
      else
        two.m.force({.name = "force",
                     .along = measure,
                     .value = law<2>({Mechanism::value(measure), Mechanism::rate(measure)},
                                     [](const auto& s) {
                                       return 1.5 - 2.0 * s[0] * s[0] - 0.4 * s[0] * s[1];
                                     })});
      Element e = finished(std::string(type_name) + (axes_of_b ? " in axes of b" : ""), two.m,
                           between(side_a, side_b));
      e.moments = !points;
      family.elements.push_back(e);
    }
  return family;
}

// Rolling

Family rolling(const std::string& name, Side side_a, Side side_b) {
  Family family{name, {}};
  struct Kind {
    const char* name;
    RollingType type;
    double tube;
    bool contact;
  };
  const bool plane = flat(side_a) && flat(side_b);
  for (const Kind& kind : {Kind{"knife edge", RollingType::knife_edge, 0, true},
                           Kind{"thin wheel", RollingType::wheel, 0, true},
                           Kind{"torus wheel", RollingType::wheel, 0.1, true},
                           Kind{"wheel held by something else", RollingType::wheel, 0.1, false},
                           Kind{"sphere", RollingType::sphere, 0, true}}) {
    Two two(side_a, side_b);
    two.m.rolling({.name = "rolling",
                   .type = kind.type,
                   .a = two.a,
                   .b = two.b,
                   .centre = plane ? Vec3(-0.3, 0.4, 0) : Vec3(-0.3, 0.4, 0.3),
                   .axle = plane ? Vec3(0.9, -0.3, 0) : Vec3(0.2, 1, 0.3),
                   .plane = plane ? Vec3(0.1, 0.1, 0) : Vec3(0.1, 0.1, -0.2),
                   .normal = plane ? Vec3(-0.3, 1, 0) : Vec3(0.1, -0.2, 1),
                   .radius = 0.45,
                   .tube = kind.tube,
                   .contact = kind.contact});
    family.elements.push_back(finished(kind.name, two.m, side_a != Side::ground));
  }
  return family;
}

// Forces

Measure distance_of(Two& two) {
  return two.m.distance({two.a, Vec3(0.5, -0.3, 0)}, {two.b, Vec3(-0.2, 0.3, 0)});
}

Joint hinge(Two& two, Side side) {
  return two.m.joint(joint_between(JointType::revolute, side, side, two.a, two.b));
}

Family forces(const std::string& name, Side side) {
  Family family{name, {}};
  const auto take = [&](const std::string& what, const Two& two, bool internal = true,
                        bool coincides = false) {
    Element e = finished(what, two.m, internal);
    e.coincides = coincides;
    family.elements.push_back(e);
  };
  {
    Two two(side, side);
    two.m.gravity = {0.3, -9.81, 0.5};
    take("gravity", two, false);
  }
  {
    Two two(side, side);
    const Parameter k = two.m.parameter("k", 30, "N/m");
    two.m.spring({.name = "spring",
                  .along = distance_of(two),
                  .stiffness = k,
                  .damping = 2,
                  .length = 0.4,
                  .preload = 3});
    take("spring and damper", two);
  }
  {
    Two two(side, side);
    two.m.spring({.name = "torsion",
                  .along = two.m.angle(hinge(two, side)),
                  .stiffness = 4,
                  .damping = 0.5,
                  .length = 0.3});
    take("torsion spring", two, true, true);
  }
  {
    Two two(side, side);
    two.m.bushing({.name = "bushing",
                   .a = two.a,
                   .b = two.b,
                   .at = side == Side::planar ? Vec3(0.1, 0.15, 0) : Vec3(0.1, 0.15, 0.25),
                   .axis = side == Side::planar ? Vec3(0, 0, 1) : Vec3(0.2, -0.4, 1),
                   .axis2 = side == Side::planar ? Vec3(0.8, 0.6, 0) : Vec3(1, 0.5, 0),
                   .stiffness = {20, 30, 40},
                   .damping = {1, 2, 3},
                   .torsion = {2, 3, 4},
                   .torsion_damping = {0.1, 0.2, 0.3}});
    take("bushing", two);
  }
  for (const bool matrix : {false, true}) {
    Two two(side, side);
    BushingData data;
    data.name = "bushing";
    data.a = two.a;
    data.b = two.b;
    data.at = side == Side::planar ? Vec3(0.1, 0.15, 0) : Vec3(0.1, 0.15, 0.25);
    data.to = side == Side::planar ? Vec3(0.3, -0.05, 0) : Vec3(0.3, -0.05, 0.15);
    if (side != Side::planar) {
      data.axis_b = Vec3(0.2, -0.3, 1);
      data.axis2_b = Vec3(1, 0.3, -0.1);
    }
    data.stiffness = {20, 30, 40};
    data.damping = {1, 2, 3};
    data.torsion = {2, 3, 4};
    data.torsion_damping = {0.1, 0.2, 0.3};
    data.length = {0.1, -0.2, 0.05};
    data.angle = {0.1, 0.2, -0.1};
    data.preload = {2, -1, 3};
    data.preload_torque = {0.4, 0.2, 0.6};
    if (matrix) {
      for (int r = 0; r < 6; ++r)
        for (int c = r; c < 6; ++c) data.matrix.emplace_back(r == c ? 15 - r : 1.0 / (1 + r + c));
      data.matrix_damping = 0.1;
    }
    two.m.bushing(data);
    take(matrix ? "bushing with a matrix" : "bushing between frames apart", two);
  }
  {
    Two two(side, side);
    BeamData data;
    data.name = "beam";
    data.a = two.a;
    data.b = two.b;
    data.from = side == Side::planar ? Vec3(0.1, 0.15, 0) : Vec3(0.1, 0.15, 0.25);
    data.to = side == Side::planar ? Vec3(0.9, -0.25, 0) : Vec3(0.9, -0.25, 0.35);
    data.E = 30;
    data.G = 12;
    data.area = 0.4;
    data.i_y = 0.1;
    data.i_z = 0.2;
    data.torsion = 0.3;
    data.density = side == Side::rotor ? 0 : 2;  // otherwise it would not be symmetric any more
    data.damping = 0.1;
    two.m.beam(data);
    take("beam", two);
  }
  struct Limits {
    const char* name;
    double lower, upper;
  };
  for (const Limits& limits : {Limits{"stop below", 1.5, 1e30}, Limits{"stop above", -1e30, 0.4},
                               Limits{"stop far away", -1e30, 1e30}}) {
    Two two(side, side);
    two.m.stop({.name = "stop",
                .along = distance_of(two),
                .lower = limits.lower,
                .upper = limits.upper,
                .stiffness = 20,
                .damping = 0.2});
    take(limits.name, two);
  }
  {
    Two two(side, side);
    two.m.friction({.name = "friction",
                    .along = distance_of(two),
                    .coulomb = 0.5,
                    .breakaway = 0.8,
                    .viscous = 0.1,
                    .stribeck = 0.6,
                    .regularization = 0.4});
    take("friction", two);
  }
  for (const double coulomb : {0.5, 0.9}) {  // bristles that stick, and that slide
    Two two(side, side);
    two.m.friction({.name = "friction",
                    .along = distance_of(two),
                    .coulomb = coulomb,
                    .breakaway = 0.8,
                    .viscous = 0.1,
                    .stribeck = 0.6,
                    .law = FrictionLaw::lugre,
                    .presliding = 0.7,
                    .bristle_damping = 0.3});
    take("friction of LuGre", two);
  }
  for (const JointType type :
       {JointType::revolute, JointType::prismatic, JointType::point_on_line,
        JointType::point_in_plane, JointType::distance, JointType::spherical}) {
    Two two(side, side);
    const Joint joint = two.m.joint(joint_between(type, side, side, two.a, two.b));
    two.m.friction({.name = "friction",
                    .along = distance_of(two),
                    .coulomb = 0.3,
                    .breakaway = 0.5,
                    .viscous = 0.1,
                    .stribeck = 0.6,
                    .regularization = 0.4,
                    .law = type == JointType::prismatic ? FrictionLaw::lugre : FrictionLaw::smooth,
                    .presliding = 0.7,
                    .bristle_damping = 0.3,
                    .load = joint,
                    .arm = 0.7});
    take(std::string("friction loaded by ") + word(type), two, true, true);
  }
  using Axes = VectorForceData::Axes;
  for (const bool torque : {false, true})
    for (const Axes axes : {Axes::world, Axes::reaction_body, Axes::body}) {
      Two two(side, side);
      const Input input = two.m.input("push", 0.8);
      const Measure m = distance_of(two);
      VectorForceData data;
      data.name = "vector";
      data.torque = torque;
      data.at = {two.b, Vec3(-0.2, 0.3, 0)};
      data.reaction = axes == Axes::world ? ground : two.a;
      data.axes = axes;
      data.value = {Law(input), Law(1.2), law<1>({Mechanism::rate(m)}, [](const auto& s) {
                      return 0.3 - s[0] + sin(s.t);
                    })};
      two.m.force(data);
      take(std::string(torque ? "torque in " : "force in ") + (axes == Axes::world ? "world axes"
                                                               : axes == Axes::body
                                                                   ? "body axes"
                                                                   : "axes of the reaction"),
           two, axes != Axes::world);
    }
  {
    // A force between a and b that depends on a third body, and on inputs, parameters, states and
    // time.
    Two two(side, side);
    const Body c = add(two.m, side, "c", place_c, {0.4, 0.8, -0.9});
    const Measure along = distance_of(two);
    const Measure far = two.m.distance({two.b, Vec3(0.2, 0.2, 0)}, {c, Vec3(-0.6, 0.5, 0)});
    const Measure turn =
        two.m.measure({.name = "turn", .type = MeasureType::angle, .a = {two.a, {}}, .b = {c, {}}});
    const Input input = two.m.input("push", 0.8);
    const Parameter gain = two.m.parameter("gain", 1.7);
    const StateVariable x = two.m.state({.name = "x", .start = 0.1, .rate = Law(0.0)});
    two.m.force(
        {.name = "governed",
         .along = along,
         .value = law<5>({Mechanism::value(far), Mechanism::rate(far), Mechanism::value(turn),
                          Mechanism::rate(turn), Mechanism::value(x)},
                         [=](const auto& s) {
                           return s(gain) * s[0] * s[1] + s(input) * sin(s[2]) - s[3] * s[4] +
                                  cos(s.t) * s[4] * s[4];
                         })});
    take("law of a third body, inputs, states and time", two);
  }
  {
    Two two(side, side);
    const Joint joint = hinge(two, side);
    const Measure angle = two.m.angle(joint);
    const StateVariable current{0};
    const StateVariable filter{1};
    two.m.state({.name = "current",
                 .rate = law<4>({Mechanism::value(angle), Mechanism::rate(angle),
                                 Mechanism::value(current), Mechanism::value(filter)},
                                [](const auto& s) {
                                  return sin(s.t) - s[0] * s[1] - 3.0 * s[2] + s[2] * s[3];
                                })});
    two.m.state({.name = "filter",
                 .rate = law<3>({Mechanism::multiplier(joint, 0), Mechanism::multiplier(joint, 1),
                                 Mechanism::value(filter)},
                                [](const auto& s) { return s[0] * s[0] + 0.5 * s[1] - s[2]; })});
    two.m.force(
        {.name = "motor",
         .along = angle,
         .value = law<1>({Mechanism::value(current)}, [](const auto& s) { return 2.0 * s[0]; })});
    take("states that follow the motion, each other and reactions", two, true, true);
  }
  return family;
}

// Constraints

Family constraints(const std::string& name, Side side) {
  Family family{name, {}};
  const auto take = [&](const std::string& what, const Two& two, bool internal = true,
                        bool coincides = false) {
    Element e = finished(what, two.m, internal);
    e.coincides = coincides;
    family.elements.push_back(e);
  };
  {
    Two two(side, side);
    const Parameter w = two.m.parameter("w", 2.0);
    two.m.driver("drive", two.m.angle(hinge(two, side)),
                 [w](const auto& s) { return 0.5 * sin(s(w) * s.t); });
    take("driver", two, true, true);
  }
  {
    Two two(side, side);
    const bool plane = side == Side::planar;
    const Joint A =
        two.m.joint({.name = "A", .a = ground, .b = two.a, .at = {0.2, 0.1, 0}, .axis = {0, 0, 1}});
    const Joint B = two.m.joint({.name = "B",
                                 .a = two.a,
                                 .b = two.b,
                                 .at = {-0.2, 0.3, 0},
                                 .axis = plane ? Vec3(0, 0, 1) : Vec3(0.1, 0.3, 1)});
    two.m.coupling("gear", {{two.m.angle(A), 1.0}, {two.m.angle(B), -2.5}}, 0.1);
    take("gear", two, false);
  }
  {
    Two two(side, side);
    const Joint pinion =
        two.m.joint({.name = "pinion", .a = ground, .b = two.a, .at = {0.2, 0.1, 0}});
    const Joint rack = two.m.joint({.name = "rack",
                                    .type = JointType::prismatic,
                                    .a = ground,
                                    .b = two.b,
                                    .at = {-0.2, 0.3, 0},
                                    .axis = {1, 0, 0}});
    two.m.coupling("rack and pinion",
                   {{two.m.angle(pinion), 0.3}, {two.m.displacement(rack), -1.0}});
    take("rack and pinion", two, false);
  }
  {
    Two two(side, side);
    const Body c = add(two.m, side, "c", place_c, {0.4, 0.8, -0.9});
    const Measure d = distance_of(two);
    const Measure e = two.m.distance({two.b, Vec3(0.2, 0.2, 0)}, {c, Vec3(-0.6, 0.5, 0)});
    const Measure f =
        two.m.measure({.name = "turn", .type = MeasureType::angle, .a = {two.a, {}}, .b = {c, {}}});
    two.m.constraint(
        {"relation", relation<3>({Mechanism::value(d), Mechanism::value(e), Mechanism::value(f)},
                                 [](const auto& s) {
                                   return s[0] * s[1] - 0.3 * s[2] * s[2] * cos(s.t) +
                                          0.2 * sin(2.0 * s.t) * s[0];
                                 })});
    take("relation of three measures and time", two);
  }
  {
    Two two(side, side);
    const Measure d = distance_of(two);
    const Measure f = two.m.measure(
        {.name = "turn", .type = MeasureType::angle, .a = {two.a, {}}, .b = {two.b, {}}});
    const Measure speed = two.m.measure({.name = "speed",
                                         .type = MeasureType::force,
                                         .a = {two.a, {}},
                                         .b = {two.b, Vec3(0.1, 0.2, 0)},
                                         .axis = {1, 0.5, 0},
                                         .axes_of_b = true});
    two.m.constraint({"blade",
                      relation<4>({Mechanism::rate(speed), Mechanism::rate(f), Mechanism::value(d),
                                   Mechanism::value(f)},
                                  [](const auto& s) {
                                    return s[0] * cos(s[3]) - 0.4 * s[1] * s[1] * s[2] +
                                           0.2 * sin(s.t) * s[0] * s[1] + s[2];
                                  }),
                      true});
    take("relation of rates, values and time", two);
  }
  return family;
}

// Forces by pose and velocity

struct Twist {
  template <class T>
  void operator()(const Moving<T>& a, const Moving<T>& b, const PairContext& c, Wrench<T>& on_a,
                  Wrench<T>& on_b) const {
    const Vec<T, 3> P = b.point(c.geometry[0]);
    const Vec<T, 3> Q = a.point(c.geometry[1]);
    const Vec<T, 3> n = turned<T>(a.R, c.geometry[2]);
    const Vec<T, 3> d = P - Q;
    const T strength = T(c.constants[0]) / (T(1.0) + dot<T>(d, d)) + sin(T(c.t));
    const Vec<T, 3> v = b.velocity(P) - a.velocity(P);
    push<T>(P, cross<T>(n, v) * strength - d * strength, a, b, on_a, on_b);
    const Vec<T, 3> torque = cross<T>(n, b.w - a.w) + n * dot<T>(n, v);
    on_b.moment += torque;
    on_a.moment -= torque;
  }
};

Family pairs(const std::string& name, Side side_a, Side side_b) {
  Family family{name, {}};
  const bool internal = side_a != Side::ground;
  const bool plane = flat(side_a) && flat(side_b);
  const auto up = [&](const Vec3& v) { return plane ? Vec3(v[0], v[1], 0) : v; };
  {
    Two two(side_a, side_b);
    two.m.pair({.name = "twist",
                .a = two.a,
                .b = two.b,
                .geometry = {{two.b, up({-0.2, 0.3, 0.4})},
                             {two.a, up({0.4, -0.1, 0.2})},
                             {two.a, plane ? Vec3(0, 0, 1) : Vec3(0.5, 0.7, -0.4), true}},
                .constants = {3.0},
                .function = wrench_function(Twist{})});
    family.elements.push_back(finished("function of one's own", two.m, internal));
  }
  struct Kind {
    const char* name;
    ContactData::Shape shape;
    double radius, length;
    Vec3 at;
  };
  using Shape = ContactData::Shape;
  // Centre of b's sphere; every place below makes it about 0.2 deep.
  const Vec3 centre = plane ? Vec3(-0.2, 0.6, 0) : Vec3(-0.2, 0.6, 0.3);
  const Vec3 axis = plane ? Vec3(-0.3, 1, 0).normalized() : Vec3(0.1, -0.3, 1).normalized();
  const Vec3 side = plane ? Vec3(axis[1], -axis[0], 0) : axis.cross(Vec3::UnitX()).normalized();
  for (const Kind& kind :
       {Kind{"sphere on plane", Shape::plane, 0.3, 0, centre - 0.1 * axis},
        Kind{"point on plane", Shape::plane, 0, 0, centre + 0.2 * axis},
        Kind{"sphere off plane", Shape::plane, 0.3, 0, centre - 0.9 * axis},
        Kind{"sphere on sphere", Shape::sphere, 0.3, 0, centre - 0.6 * axis},
        Kind{"point on sphere", Shape::sphere, 0, 0, centre - 0.3 * axis},
        Kind{"sphere on endless cylinder", Shape::cylinder, 0.3, 0, centre - 0.6 * side},
        Kind{"sphere on mantle", Shape::cylinder, 0.3, 2, centre - 0.6 * side + 0.5 * axis},
        Kind{"sphere on end of cylinder", Shape::cylinder, 0.3, 2,
             centre - 1.1 * axis + 0.2 * side},
        Kind{"sphere on other end of cylinder", Shape::cylinder, 0.3, 2,
             centre + 1.1 * axis + 0.2 * side},
        Kind{"sphere on rim", Shape::cylinder, 0.3, 2, centre - 1.07 * axis - 0.62 * side},
        Kind{"point in cylinder", Shape::cylinder, 0, 2, centre - 0.3 * side}}) {
    Two two(side_a, side_b);
    two.m.contact({.name = "contact",
                   .a = two.a,
                   .b = two.b,
                   .centre = centre,
                   .radius = kind.radius,
                   .shape = kind.shape,
                   .at = kind.at,
                   .axis = axis,
                   .radius_a = 0.5,
                   .length = kind.length,
                   .stiffness = 60,
                   .damping = 0.2,
                   .friction = 0.4,
                   .static_friction = 0.7,
                   .stribeck = 0.8,
                   .regularization = 0.5});
    Element e = finished(kind.name, two.m, internal);
    e.spread = 0.02;
    family.elements.push_back(e);
  }
  struct More {
    const char* name;
    ContactData::Shape shape;
    Vec3 at;
    ContactSide side = ContactSide::outside;
    ContactLaw law = ContactLaw::hertz;
    double v_0 = 0;  // of bounded friction
  };
  for (const More& more :
       {More{"sphere on capsule", Shape::capsule, centre - 0.6 * side + 0.3 * axis},
        More{"sphere on end of capsule", Shape::capsule, centre - 1.4 * axis - 0.4 * side},
        More{"sphere on box", Shape::box, centre - 1.1 * axis},
        More{"sphere on edge of box", Shape::box, centre - 1.02 * axis - 0.62 * side},
        More{"sphere on profile", Shape::profile, centre - 0.75 * side},
        More{"sphere in sphere", Shape::sphere, centre - 0.32 * axis, ContactSide::inside},
        More{"sphere in cylinder", Shape::cylinder, centre - 0.32 * side, ContactSide::inside},
        More{"sphere in profile", Shape::profile, centre - 0.32 * side, ContactSide::inside},
        More{"linear law", Shape::plane, centre - 0.1 * axis, ContactSide::outside,
             ContactLaw::linear},
        More{"creeping, bounded", Shape::plane, centre - 0.1 * axis, ContactSide::outside,
             ContactLaw::hertz, 2.0},
        More{"sliding, bounded", Shape::plane, centre - 0.1 * axis, ContactSide::outside,
             ContactLaw::hertz, 0.02}}) {
    Two two(side_a, side_b);
    ContactData data;
    data.name = "contact";
    data.a = two.a;
    data.b = two.b;
    data.centre = centre;
    data.radius = 0.3;
    data.shape = more.shape;
    data.at = more.at;
    data.axis = axis;
    data.axis2 = side;
    data.radius_a = 0.5;
    data.length = more.shape == Shape::capsule || more.shape == Shape::profile ? 2 : 0;
    data.size = {1, 1.4, 1.8};
    data.side = more.side;
    data.law = more.law;
    if (more.shape == Shape::profile)
      data.profile = more.side == ContactSide::inside
                         ? std::vector<Number>{1, 0.3, -0.4, 1, -0.3, 0.4, 1}
                         : std::vector<Number>{3, 0.5, 0.1, -0.1, 0.2, 0.5, 0.2};
    data.stiffness = 60;
    data.damping = 0.2;
    data.damping_depth = 1;
    data.friction = 0.4;
    data.static_friction = 0.7;
    data.stribeck = 0.8;
    data.regularization = 5;
    if (more.v_0 > 0) {
      data.friction_law = ContactFriction::bounded;
      data.regularization = more.v_0;
    }
    two.m.contact(data);
    Element e = finished(more.name, two.m, internal);
    e.spread = 0.02;
    family.elements.push_back(e);
  }
  return family;
}

// Flexible bodies: their own equations, nodes, and what is joined to nodes

Family flexible_bodies() {
  Family family{"FlexibleBodies", {}};
  struct Level {
    const char* name;
    std::int32_t modes;
    bool first_order;
    std::int32_t second_order;
  };
  for (const Level level : {Level{"no modes", 0, false, 0},
                            {"constant inertia", 8, false, 0},
                            {"inertia of first order", 8, true, 0},
                            {"all terms", 8, true, 7}}) {
    Mechanism m("flexible");
    m.gravity = {0.3, -1, 2};
    const Modal numbers = m.modal(
        random_modal_body(8, 7).reduced(level.modes, level.first_order, level.second_order));
    const Body beam = m.body({.name = "beam",
                              .type = BodyType::flexible,
                              .at = place_a,
                              .rotation = {0.3, -0.5, 0.7},
                              .modal = numbers});
    Element free = finished(std::string("free, ") + level.name, m, false);
    free.spread = 0.1;
    family.elements.push_back(free);
    const Body left = m.node(beam, "left");
    const Body right = m.node(beam, "right");
    const Body other = add(m, Side::spatial, "other", place_b, {-0.6, 0.2, 1.1});
    m.joint({.name = "hinge",
             .type = JointType::revolute,
             .a = right,
             .b = other,
             .at = place_c,
             .axis = joint_axis});
    m.spring({.name = "spring",
              .along = m.distance({left, place_c}, {other, place_a}),
              .stiffness = 20,
              .damping = 0.3,
              .length = 0.2});
    Element held = finished(std::string("with nodes, ") + level.name, m, false);
    held.spread = 0.1;
    family.elements.push_back(held);
  }
  return family;
}

}  // namespace

ModalBody random_modal_body(std::int32_t modes, std::int32_t second) {
  ModalBody body;
  body.nodes = {"left", "middle", "right"};
  body.stresses = {"top"};
  body.modes = modes;
  body.second = second;
  std::mt19937 numbers(11);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto place = [&](double x, double y, double z) {
    body.numbers.insert(body.numbers.end(), {x, y, z});
  };
  body.numbers = {1.7, 0.1, -0.05, 0.07, 0.3, 0.4, 0.5, 0.02, -0.03, 0.01};
  place(-0.4, 0.1, 0), place(0.1, 0.2, -0.1), place(0.5, -0.1, 0.2);
  for (int k = 0; k < modes; ++k) body.numbers.push_back(2 + k);
  for (int k = 0; k < modes; ++k) body.numbers.push_back(0.01 * (k + 1));
  while (body.numbers.size() < body.size()) body.numbers.push_back(0.4 * uniform(numbers));
  return body;
}

std::vector<Family> families() {
  std::vector<Family> all = {
      joints("JointsOfSpatialBodies", Side::spatial, Side::spatial, all_joints),
      joints("JointsOfGroundAndSpatialBody", Side::ground, Side::spatial, all_joints),
      joints("JointsOfSpatialBodyAndGround", Side::spatial, Side::ground, all_joints),
      joints("JointsOfPlanarBodies", Side::planar, Side::planar, planar_joints),
      joints("JointsOfGroundAndPlanarBody", Side::ground, Side::planar, planar_joints),
      joints("JointsOfPlanarAndSpatialBody", Side::planar, Side::spatial, all_joints),
      joints("JointsOfPointAndSpatialBody", Side::point, Side::spatial, point_joints),
      joints("JointsOfGroundAndPoint", Side::ground, Side::point, point_joints),
      joints("JointsOfPoints", Side::point, Side::point, point_joints),
      joints("JointsOfPlanarPointAndPlanarBody", Side::planar_point, Side::planar, point_joints),
      joints("JointsOfPlanarPointAndSpatialBody", Side::planar_point, Side::spatial, point_joints),
      joints("JointsOfRotors", Side::rotor, Side::rotor, all_joints),
      joints("JointsOfSpatialBodyAndRotor", Side::spatial, Side::rotor, all_joints),
      joints("JointsOfRotorAndSpatialBody", Side::rotor, Side::spatial, all_joints),
      joints("JointsOfGroundAndRotor", Side::ground, Side::rotor, all_joints),
      joints("JointsOfRotorAndGround", Side::rotor, Side::ground, all_joints),
      joints_given_in_body_axes(),
      measures("MeasuresOfSpatialBodies", Side::spatial, Side::spatial),
      measures("MeasuresOfGroundAndSpatialBody", Side::ground, Side::spatial),
      measures("MeasuresOfRotors", Side::rotor, Side::rotor),
      measures("MeasuresOfPlanarBodies", Side::planar, Side::planar),
      measures("MeasuresOfGroundAndPlanarBody", Side::ground, Side::planar),
      measures("MeasuresOfPlanarAndSpatialBody", Side::planar, Side::spatial),
      measures("MeasuresOfPointAndSpatialBody", Side::point, Side::spatial),
      measures("MeasuresOfPoints", Side::point, Side::point),
      measures("MeasuresOfPlanarPointAndPlanarBody", Side::planar_point, Side::planar),
      rolling("RollingOnGround", Side::ground, Side::spatial),
      rolling("RollingOnSpatialBody", Side::spatial, Side::spatial),
      rolling("RollingOfRotorOnGround", Side::ground, Side::rotor),
      rolling("RollingOfRotors", Side::rotor, Side::rotor),
      rolling("RollingOfPlanarBodyOnGround", Side::ground, Side::planar),
      rolling("RollingOfPlanarBodies", Side::planar, Side::planar),
      forces("ForcesOfSpatialBodies", Side::spatial),
      forces("ForcesOfRotors", Side::rotor),
      forces("ForcesOfPlanarBodies", Side::planar),
      constraints("ConstraintsOfSpatialBodies", Side::spatial),
      constraints("ConstraintsOfRotors", Side::rotor),
      constraints("ConstraintsOfPlanarBodies", Side::planar),
      flexible_bodies(),
      pairs("PairsOfSpatialBodies", Side::spatial, Side::spatial),
      pairs("PairsOfGroundAndSpatialBody", Side::ground, Side::spatial),
      pairs("PairsOfRotors", Side::rotor, Side::rotor),
      pairs("PairsOfPlanarBodies", Side::planar, Side::planar),
  };
  return all;
}

}  // namespace mechfmu::tests
