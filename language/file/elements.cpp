#include "language/file/elements.h"

#include <algorithm>
#include <initializer_list>

#include "model_desc/text.h"

namespace mechfmu {

namespace {

using enum AttributeKind;
using Attributes = std::vector<AttributeType>;

constexpr std::string_view joint_types =
    "fixed revolute prismatic cylindrical spherical universal planar point_in_plane point_on_line "
    "distance constant_orientation screw";

Attributes operator+(Attributes a, const Attributes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Attributes that many elements share

AttributeType a_name(std::string_view about = "name of the element, unique in the mechanism") {
  return {.name = "name", .kind = name, .about = about, .required = true};
}

AttributeType a_plain_name(std::string_view about) {
  return {.name = "name", .kind = plain_name, .about = about, .required = true};
}

AttributeType a_between(std::string_view about = "the two bodies, a and b") {
  return {.name = "between",
          .kind = references,
          .about = about,
          .required = true,
          .words = "body",
          .counts = "2"};
}

AttributeType a_point(std::string_view its_name, std::string_view about) {
  return {.name = its_name,
          .kind = vector,
          .about = about,
          .unit = "m",
          .fallback = "0 0 0",
          .placed = Placed::point};
}

AttributeType a_direction(std::string_view its_name, std::string_view about,
                          std::string_view fallback) {
  return {.name = its_name,
          .kind = vector,
          .about = about,
          .unit = "1",
          .fallback = fallback,
          .placed = Placed::direction};
}

AttributeType a_number(std::string_view its_name, std::string_view about, std::string_view unit,
                       std::string_view fallback) {
  return {.name = its_name, .about = about, .unit = unit, .fallback = fallback};
}

AttributeType a_switch(std::string_view its_name, std::string_view about,
                       std::string_view fallback = "false") {
  return {.name = its_name, .kind = boolean, .about = about, .fallback = fallback};
}

AttributeType a_unit(std::string_view about = "unit, as in N.m or rad/s") {
  return {.name = "unit", .kind = unit, .about = about, .fallback = "1"};
}

AttributeType a_local(std::string_view about =
                          "points and axes are in body axes from the reference point of their "
                          "body, not in the world as it stands at the start") {
  return a_switch("local", about);
}

AttributeType a_bound(std::string_view its_name, std::string_view about) {
  return {.name = its_name, .about = about, .unit = "unit", .knows = Knows::constants};
}

/// What a spring, a stop, friction or a force acts along: a coordinate of a joint, a measure, or the distance of two
/// points.
Attributes along() {
  return {
      {.name = "joint",
       .kind = reference,
       .about = "acts along the coordinate of this joint",
       .words = "joint"},
      {.name = "coordinate",
       .kind = word,
       .about = "which one, of joints that have two (cylindrical, screw)",
       .words = "angle displacement",
       .needs = "joint"},
      {.name = "measure",
       .kind = reference,
       .about = "acts along this measure",
       .words = "measure"},
      {.name = "between",
       .kind = references,
       .about = "acts along the distance of a point of a and a point of b",
       .words = "body",
       .counts = "2"},
      {.name = "from",
       .kind = vector,
       .about = "the point of a",
       .unit = "m",
       .placed = Placed::point,
       .needs = "between",
       .required_with = "between"},
      {.name = "to",
       .kind = vector,
       .about = "the point of b",
       .unit = "m",
       .placed = Placed::point,
       .needs = "between",
       .required_with = "between"},
      {.name = "local",
       .kind = boolean,
       .about = "points are in body axes from the reference point of their body, not in the world "
                "as it stands at the start",
       .fallback = "false",
       .needs = "between"},
  };
}

const Choice along_choice{"joint measure between"};

/// Solid shapes of uniform density.
Attributes shapes() {
  return {
      {.name = "box",
       .kind = numbers,
       .about = "lengths along x, y, z",
       .unit = "m",
       .counts = "3"},
      {.name = "cylinder",
       .kind = numbers,
       .about = "radius and length",
       .unit = "m",
       .counts = "2"},
      {.name = "sphere", .about = "radius", .unit = "m"},
      {.name = "rod", .about = "length of a thin rod; its density is in kg/m", .unit = "m"},
      {.name = "axis",
       .kind = vector,
       .about = "of the cylinder or rod, in body axes",
       .unit = "1",
       .fallback = "0 0 1",
       .needs = "cylinder rod"},
  };
}

// The elements

ElementType root() {
  return {.name = "mechanism",
          .about = "The root of a file: a mechanism, with gravity at every centre of mass.",
          .equation = "$M(y)\\,a = f - G^T\\lambda$",
          .example = R"xml(<mechanism name="Pendulum" gravity="0 0 -9.81">
  <body name="bob" at="1 0 0" mass="1" sphere="0.05"/>
  <joint name="pivot" type="spherical" between="ground bob"/>
</mechanism>)xml",
          .parents = "",
          .attributes = {a_plain_name("name of the model and of its FMU"),
                         {.name = "gravity",
                          .kind = vector,
                          .about = "acceleration of free fall",
                          .unit = "m/s2",
                          .fallback = "0 0 0"},
                         a_number(
                             "length_scale",
                             "errors of positions are relative to it; 0: the size of the mechanism",
                             "m", "0"),
                         a_switch("track_energy",
                                  "adds the states energy.dissipated and energy.work and the "
                                  "output energy.imbalance: the sum of "
                                  "energies is constant")},
          .takes_defaults = false};
}

ElementType part() {
  return {.name = "part",
          .about = "The root of a file that others include; it holds elements as a mechanism does.",
          .example = R"xml(<part>
  <body name="bracket" mass="0.4" box="0.1 0.1 0.02"/>
</part>)xml",
          .parents = "",
          .takes_defaults = false};
}

ElementType include() {
  return {.name = "include",
          .about =
              "The elements of another file, as if they stood here. The file is in the folder "
              "of the mechanism file or below it, and its root is `part`. Defaults reach into "
              "it, but not out of it.",
          .example = R"xml(<include file="parts/leg.xml"/>)xml",
          .attributes = {{.name = "file",
                          .kind = file,
                          .about = "path from the file that includes, with / between folders",
                          .required = true}},
          .takes_defaults = false};
}

ElementType defaults() {
  return {.name = "default",
          .about =
              "Values for attributes that the following elements of a type leave out, to the "
              "end of the file or group. Defaults that do not go with what an element says "
              "itself are not used for it.",
          .example = R"xml(<default element="joint" type="revolute" axis="0 0 1"/>)xml",
          .attributes = {{.name = "element",
                          .kind = word,
                          .about = "the type of elements they are for",
                          .required = true}},
          .takes_defaults = false,
          .open = true};
}

ElementType group() {
  return {.name = "group",
          .about =
              "Elements to be used several times, each time under another name and in another "
              "place. Attributes beside its own are parameters of the group with their usual "
              "values; an empty one has to be given with each use. In the group a parameter "
              "stands for a number, for a vector where it is alone, or for the name of an element "
              "outside.",
          .example = R"xml(<group name="leg" base="" length="0.3">
  <body name="thigh" at="0 0 -0.5*length" mass="2" rod="length"/>
  <joint name="hip" type="revolute" between="base thigh" axis="0 1 0"/>
</group>
<use group="leg" name="left" at="0 0.2 0" base="crank"/>
<use group="leg" name="right" at="0 -0.2 0" base="crank" length="0.35"/>)xml",
          .parents = "mechanism part",
          .attributes = {a_plain_name("name of the group")},
          .takes_defaults = false,
          .open = true};
}

ElementType use() {
  return {
      .name = "use",
      .about =
          "A copy of a group. Its elements are called name.element, and everything in them "
          "that is placed in the world is moved by the pose given here; a vector force in "
          "world axes is not turned. Attributes beside these are the group's parameters.",
      .example = R"xml(<group name="weight" m="2">
  <body name="block" mass="m" sphere="0.1" free="true"/>
</group>
<use group="weight" name="first" at="0 0 1" rotation="0 0 90deg"/>
<output name="height" value="first.block.position.z" unit="m"/>)xml",
      .attributes = {{.name = "group",
                      .kind = reference,
                      .about = "the group",
                      .required = true,
                      .words = "group"},
                     a_name("name of the copy"),
                     {.name = "at",
                      .kind = vector,
                      .about = "where the group's origin is placed",
                      .unit = "m",
                      .fallback = "0 0 0"},
                     {.name = "rotation",
                      .kind = vector,
                      .about = "how its axes are turned: Cardan angles about x, then y', then z''",
                      .unit = "rad",
                      .fallback = "0 0 0"}},
      .takes_defaults = false,
      .open = true};
}

ElementType repeat() {
  return {.name = "repeat",
          .about =
              "Copies of what stands in it, one for each whole number of its index. The index "
              "stands for its number: in expressions by its name, and in brackets after names, "
              "which hold whole numbers made of indices by + - * and parentheses. Each name in a "
              "repeat holds its index, as the copies would have the same name otherwise.",
          .example = R"xml(<body name="link[1]" at="0.1 0 2" mass="0.2" inertia="1e-4 1e-4 1e-4"/>
<joint name="J[1]" type="spherical" between="ground link[1]" at="0.05 0 2"/>
<repeat name="i" from="2" to="5">
  <body name="link[i]" at="0.1*i 0 2" mass="0.2" inertia="1e-4 1e-4 1e-4"/>
  <joint name="J[i]" type="spherical" between="link[i-1] link[i]" at="0.1*i - 0.05 0 2"/>
</repeat>
<output name="sag" value="2m - link[5].position.z" unit="m"/>)xml",
          .attributes = {a_plain_name("name of the index"),
                         {.name = "from",
                          .about = "first number: of numbers, indices of repeats around it and "
                                   "parameters of its group",
                          .unit = "1",
                          .fallback = "1",
                          .knows = Knows::constants},
                         {.name = "to",
                          .about = "last number; there are no copies where it is below the first",
                          .unit = "1",
                          .required = true,
                          .knows = Knows::constants},
                         a_switch("ring",
                                  "references to its copies go round: after the last comes the "
                                  "first, before the first the last")},
          .takes_defaults = false};
}

ElementType parameter() {
  return {
      .name = "parameter",
      .about = "A number that the user of the FMU may set.",
      .example =
          R"xml(<parameter name="k" value="800" unit="N/m" min="0" about="stiffness of the tie"/>)xml",
      .attributes = {a_name(),
                     {.name = "value",
                      .about = "its value unless it is set",
                      .unit = "unit",
                      .required = true,
                      .knows = Knows::constants},
                     a_unit(),
                     a_bound("min", "least value"),
                     a_bound("max", "greatest value"),
                     a_switch("fixed",
                              "it says how a run starts, and cannot be changed "
                              "while the run goes on")}};
}

ElementType input() {
  return {
      .name = "input",
      .about = "A number that is set at every communication point.",
      .example = R"xml(<input name="drive" start="0" unit="N.m" about="torque of the motor"/>)xml",
      .attributes = {a_name(),
                     {.name = "start",
                      .about = "its value at the start",
                      .unit = "unit",
                      .fallback = "0",
                      .knows = Knows::constants},
                     a_unit(),
                     a_bound("min", "least value"),
                     a_bound("max", "greatest value")}};
}

ElementType variable() {
  return {.name = "variable",
          .about = "A name for an expression, to be used in others.",
          .example = R"xml(<variable name="slip" value="A.rate - 0.5*S.rate" unit="rad/s"/>)xml",
          .attributes = {a_name(),
                         {.name = "value",
                          .kind = value,
                          .about = "the expression",
                          .unit = "unit",
                          .required = true,
                          .knows = Knows::motion},
                         {.name = "unit",
                          .kind = unit,
                          .about = "unit; where it is given, the expression is checked for it"}}};
}

ElementType table() {
  return {
      .name = "table",
      .about = "A function given by points, read in expressions by table(name, x).",
      .equation =
          "$y(x_i) = y_i$; between the points a cubic without overshoot or a straight line. "
          "A smooth table that holds its last values has slope 0 at its ends, so that its "
          "slope is continuous everywhere; extend it where it has to arrive with a slope.",
      .example =
          R"xml(<table name="spring_curve" x="-0.1 0 0.1" y="-900 0 700" x_unit="m" unit="N"/>)xml",
      .attributes = {a_name(),
                     {.name = "x",
                      .kind = numbers,
                      .about = "abscissas, ascending",
                      .unit = "x_unit",
                      .knows = Knows::constants},
                     {.name = "y",
                      .kind = numbers,
                      .about = "as many values",
                      .unit = "unit",
                      .knows = Knows::constants,
                      .needs = "x",
                      .required_with = "x"},
                     {.name = "file",
                      .kind = file,
                      .about = "a file of two columns, x and y, separated by a comma or spaces"},
                     {.name = "x_unit", .kind = unit, .about = "unit of x", .fallback = "1"},
                     a_unit("unit of y"),
                     {.name = "interpolation",
                      .kind = word,
                      .about = "between the points: cubics with a continuous slope, or straight "
                               "lines",
                      .fallback = "smooth",
                      .words = "smooth linear"},
                     {.name = "beyond",
                      .kind = word,
                      .about = "outside them: keep the last value, or go on along the last slope",
                      .fallback = "hold",
                      .words = "hold extend"}},
      .choices = {{"x file"}}};
}

ElementType function() {
  return {
      .name = "function",
      .about =
          "A function of one's own, written in C++ and compiled into the FMU. Expressions call it "
          "by its name: tyre(slip, load).",
      .equation =
          "$y = f(x_1, \\dots)$, `mechfmu::Function<2> tyre([](const auto& slip, const auto& "
          "load) { return 0.9 * load * tanh(12.0 * slip); });`",
      .example = R"xml(<function name="tyre" arguments="1 N" unit="N"/>)xml",
      .parents = "mechanism part",
      .attributes = {a_plain_name("name of the element, unique in the mechanism"),
                     {.name = "arguments",
                      .kind = units,
                      .about = "the units of its arguments, one for each",
                      .required = true,
                      .counts = "1 2 3 4 5 6"},
                     a_unit("unit of its value")},
      .takes_defaults = false};
}

ElementType output() {
  return {.name = "output",
          .about =
              "A number that the FMU shows, or a vector: three numbers, called name.x, name.y and "
              "name.z. Dots in its name make groups.",
          .example = R"xml(<output name="crank.angle" value="A.angle" unit="rad"/>
<output name="tip" value="rocker.position" unit="m"/>
<output name="pin" value="norm(B.force)" unit="N" about="force in the pin"/>)xml",
          .attributes = {{.name = "name",
                          .kind = output_name,
                          .about = "name of the FMU's variable",
                          .required = true},
                         {.name = "value",
                          .kind = value,
                          .about = "the expression",
                          .unit = "unit",
                          .required = true,
                          .knows = Knows::motion},
                         a_unit(),
                         a_bound("min", "least value"),
                         a_bound("max", "greatest value")}};
}

ElementType body() {
  return {.name = "body",
          .about =
              "A rigid body. Its mass and inertia are given as numbers, by a solid shape about the "
              "centre of mass, or by `shape` elements inside. The body `ground` is always there.",
          .equation =
              "$m\\,\\ddot r = F$, $J\\dot\\omega + \\omega\\times J\\omega = T$ about the centre "
              "of mass",
          .example = R"xml(<body name="lever" at="0 0.1 0" mass="1.2" inertia="4e-3 1e-4 4e-3"/>
<body name="drum" at="1 0 0" density="7850" cylinder="0.1 0.4" axis="0 1 0"/>
<joint name="J1" type="revolute" between="ground lever"/>
<joint name="J2" type="revolute" between="lever drum" at="1 0 0" axis="0 1 0"/>)xml",
          .selector = "type",
          .attributes =
              Attributes{
                  a_name(),
                  {.name = "type",
                   .kind = word,
                   .about =
                       "`spatial`: 6 velocities; `planar`: x, y and the angle about z; `point`: x, "
                       "y, z; `planar_point`: x, y",
                   .fallback = "spatial",
                   .words = "spatial planar point planar_point"},
                  a_point("at", "reference point in the world at the start"),
                  {.name = "rotation",
                   .kind = vector,
                   .about = "body axes at the start: Cardan angles about x, then y', then z''",
                   .unit = "rad",
                   .fallback = "0 0 0",
                   .placed = Placed::rotation,
                   .only_for = "spatial planar"},
                  {.name = "mass",
                   .about = "mass; may be 0 where joints determine the motion",
                   .unit = "kg"},
                  {.name = "density",
                   .about = "density of the shape, instead of its mass",
                   .unit = "kg/m3",
                   .needs = "box cylinder sphere rod"},
                  {.name = "inertia",
                   .kind = numbers,
                   .about =
                       "moments about the centre of mass in body axes: xx yy zz, or xx yy zz xy xz "
                       "yz, or zz alone of a planar body",
                   .unit = "kg.m2",
                   .fallback = "0 0 0",
                   .counts = "1 3 6",
                   .only_for = "spatial planar"},
              } +
              shapes() +
              Attributes{
                  {.name = "centre",
                   .kind = vector,
                   .about = "centre of mass, from the reference point in body axes",
                   .unit = "m",
                   .fallback = "0 0 0",
                   .only_for = "spatial planar"},
                  {.name = "velocity",
                   .kind = vector,
                   .about = "of the reference point at the start, world axes; what is left out, or "
                            "0, follows from what is given here and for other bodies",
                   .unit = "m/s",
                   .fallback = "0 0 0",
                   .placed = Placed::direction},
                  {.name = "angular_velocity",
                   .kind = vector,
                   .about = "at the start, world axes; likewise",
                   .unit = "rad/s",
                   .fallback = "0 0 0",
                   .placed = Placed::direction,
                   .only_for = "spatial planar"},
                  {.name = "spins",
                   .kind = word,
                   .about = "coordinates that do not spin with the body, so that steps follow its "
                            "axle: `auto` where two moments of inertia are equal and a joint, "
                            "rolling or the start turns it about that axis, `true` always; a "
                            "parameter must not change the symmetry then",
                   .fallback = "auto",
                   .words = "auto true false",
                   .only_for = "spatial"},
                  {.name = "hold",
                   .kind = word_list,
                   .about = "what initialization leaves alone, position and velocity: x y z of the "
                            "centre of mass, rotations about the body's axes",
                   .words = "x y z about_x about_y about_z all"},
                  {.name = "hold_position",
                   .kind = word_list,
                   .about = "the same for the position only",
                   .words = "x y z about_x about_y about_z all"},
                  {.name = "hold_velocity",
                   .kind = word_list,
                   .about = "the same for the velocity only",
                   .words = "x y z about_x about_y about_z all"},
                  a_switch("free",
                           "nothing is meant to hold it: no warning when it is connected to "
                           "nothing"),
              },
          .choices = {{"mass density"}, {"inertia box cylinder sphere rod", false}}};
}

ElementType shape() {
  return {
      .name = "shape",
      .about =
          "A solid part of a body. The body's mass, centre of mass and inertia are those of its "
          "shapes together.",
      .equation =
          "$m = \\sum m_i$, $m\\,c = \\sum m_i c_i$, "
          "$J = \\sum J_i + m_i(|d_i|^2 - d_i d_i^T)$, $d_i = c_i - c$",
      .example = R"xml(<body name="hammer" free="true">
  <shape box="0.1 0.03 0.03" density="7850" at="0 0 0.3"/>
  <shape cylinder="0.015 0.3" mass="0.2" at="0 0 0.15"/>
</body>)xml",
      .parents = "body",
      .attributes =
          shapes() +
          Attributes{{.name = "mass", .about = "mass", .unit = "kg"},
                     {.name = "density", .about = "density, instead of the mass", .unit = "kg/m3"},
                     {.name = "at",
                      .kind = vector,
                      .about = "its middle, from the reference point in body axes",
                      .unit = "m",
                      .fallback = "0 0 0"},
                     {.name = "rotation",
                      .kind = vector,
                      .about = "its axes in those of the body: Cardan angles",
                      .unit = "rad",
                      .fallback = "0 0 0"}},
      .choices = {{"box cylinder sphere rod"}, {"mass density"}}};
}

ElementType joint() {
  return {
      .name = "joint",
      .about =
          "Joins two bodies at a point of the world as they stand at the start. A closed loop is "
          "one more joint. Reactions are what it does to body b.",
      .equation = "$g(y) = 0$: docs/mechanics.md has the rows of every type",
      .example =
          R"xml(<joint name="C" type="revolute" between="coupler rocker" at="2 1 0" axis="0 0 1"/>
<joint name="stay" type="distance" between="carriage coupler" to="1 1 0" length="sqrt(2)"/>
<joint name="lead" type="screw" between="ground wheel" axis="1 0 0" pitch="5mm"/>)xml",
      .selector = "type",
      .attributes = {
          a_name(),
          {.name = "type",
           .kind = word,
           .about = "what motion it leaves",
           .required = true,
           .words = joint_types},
          a_between(),
          a_point("at", "its point"),
          a_direction("axis",
                      "of rotation or translation; normal of planes; of a universal joint its axis "
                      "in a",
                      "0 0 1"),
          {.name = "axis2",
           .kind = vector,
           .about = "of a universal joint, its axis in b",
           .unit = "1",
           .fallback = "1 0 0",
           .placed = Placed::direction,
           .only_for = "universal"},
          {.name = "to",
           .kind = vector,
           .about = "the point of b: of a distance joint, or where the parts have to be brought "
                    "together first",
           .unit = "m",
           .placed = Placed::point,
           .required_for = "distance"},
          {.name = "length",
           .about = "of a distance joint; left out: as placed",
           .unit = "m",
           .only_for = "distance"},
          {.name = "pitch",
           .about = "of a screw: way per turn, right-handed when positive",
           .unit = "m",
           .only_for = "screw",
           .required_for = "screw"},
          {.name = "angle",
           .about =
               "at the start, within ±180 deg; what hangs on the joint is moved along, loops are "
               "closed again; left out: as placed, or as others ask for",
           .unit = "rad",
           .only_for = "revolute cylindrical screw planar"},
          {.name = "angle_rate",
           .about = "at the start; left out: follows from other rates and velocities",
           .unit = "rad/s",
           .only_for = "revolute cylindrical screw planar"},
          {.name = "displacement",
           .about = "the same along the axis",
           .unit = "m",
           .only_for = "prismatic cylindrical screw"},
          {.name = "displacement_rate",
           .about = "the same along the axis",
           .unit = "m/s",
           .only_for = "prismatic cylindrical screw"},
          a_local("`at`, `axis` are in the axes of a from its reference point, `to`, `axis2` in "
                  "those of b")}};
}

ElementType measure() {
  return {
      .name = "measure",
      .about =
          "A distance, displacement or angle between two bodies, for forces and constraints to "
          "act along and for expressions to use. `force` and `torque` are directions: they have "
          "a rate and no value.",
      .equation =
          "distance $\\varphi = |P_b - P_a|$, displacement $n_a\\cdot(P_b - P_a)$, alignment "
          "$n_a\\cdot u_b$",
      .example =
          R"xml(<measure name="reach" type="distance" between="ground rocker" from="0 0 0" to="2 1 0"/>
<measure name="swing" type="angle" between="ground rocker" axis="0 0 1"/>)xml",
      .selector = "type",
      .attributes = {
          a_name(),
          {.name = "type",
           .kind = word,
           .about = "what is measured",
           .required = true,
           .words = "distance displacement angle alignment force torque"},
          a_between(),
          a_point("from", "the point of a"),
          {.name = "to",
           .kind = vector,
           .about = "the point of b; left out: where the point of a is at the start",
           .unit = "m",
           .placed = Placed::point,
           .required_for = "distance"},
          a_direction("axis", "fixed in a", "0 0 1"),
          {.name = "axis2",
           .kind = vector,
           .about = "fixed in b",
           .unit = "1",
           .fallback = "1 0 0",
           .placed = Placed::direction,
           .only_for = "alignment"},
          {.name = "axis_in",
           .kind = word,
           .about = "the body that the axis is fixed in",
           .fallback = "a",
           .words = "a b",
           .only_for = "force torque"},
          {.name = "from_start",
           .kind = boolean,
           .about = "a displacement counts from the start position, as angles always do",
           .fallback = "false",
           .only_for = "displacement"},
          {.name = "offset",
           .about = "value at the start of an angle, or of a displacement counted from there",
           .unit = "rad or m",
           .fallback = "0",
           .only_for = "displacement angle"},
          a_local()}};
}

ElementType driver() {
  return {.name = "driver",
          .about = "Makes a joint or a measure follow a function of time and parameters.",
          .equation = "$\\varphi = value(t)$; its force is the multiplier, against $\\varphi$",
          .example = R"xml(<driver name="crank_drive" joint="A" value="2*pi*time"/>)xml",
          .attributes = {a_name(),
                         {.name = "joint",
                          .kind = reference,
                          .about = "the joint that is driven",
                          .words = "joint"},
                         {.name = "coordinate",
                          .kind = word,
                          .about = "which one, of joints that have two (cylindrical, screw)",
                          .words = "angle displacement",
                          .needs = "joint"},
                         {.name = "measure",
                          .kind = reference,
                          .about = "the measure that is driven",
                          .words = "measure"},
                         {.name = "value",
                          .about = "position; joint coordinates are 0 at the start, that of a "
                                   "distance joint is its length",
                          .unit = "rad or m",
                          .required = true,
                          .knows = Knows::time}},
          .choices = {{"joint measure"}}};
}

ElementType coupling() {
  return {.name = "coupling",
          .about = "A relation between coordinates, linear with `of` and `factors`.",
          .equation = "$\\sum c_i\\varphi_i = constant$, or $0 = value$",
          .example = R"xml(<coupling name="differential" of="A B S" factors="1 1 -2"/>
<coupling name="link" value="A.angle + 2*B.angle"/>)xml",
          .attributes = {a_name(),
                         {.name = "of",
                          .kind = references,
                          .about = "joints with one coordinate, or measures; one to twelve",
                          .words = "joint measure"},
                         {.name = "factors",
                          .kind = numbers,
                          .about = "the factor of each",
                          .needs = "of",
                          .required_with = "of"},
                         {.name = "constant", .about = "the sum", .fallback = "0", .needs = "of"},
                         {.name = "value",
                          .about = "an expression of measures and joint coordinates that stays 0",
                          .knows = Knows::motion}},
          .choices = {{"of value"}}};
}

ElementType gear() {
  return {
      .name = "gear",
      .about = "Gear pair between the coordinates of two joints.",
      .equation =
          "$\\varphi_1 + ratio\\cdot\\varphi_2 = 0$; negative for an internal gear or a "
          "belt",
      .example = R"xml(<gear name="stage" joints="A B" ratio="2.5"/>)xml",
      .attributes = {a_name(),
                     {.name = "joints",
                      .kind = references,
                      .about = "the two joints",
                      .required = true,
                      .words = "joint",
                      .counts = "2"},
                     {.name = "ratio", .about = "of the angles", .unit = "1", .required = true}}};
}

ElementType rack() {
  return {.name = "rack",
          .about = "Rack and pinion: a sliding joint and a turning one.",
          .equation = "$s_1 - radius\\cdot\\varphi_2 = 0$",
          .example = R"xml(<rack name="steering" joints="S A" radius="0.02"/>)xml",
          .attributes = {a_name(),
                         {.name = "joints",
                          .kind = references,
                          .about = "the joint of the rack, then that of the pinion",
                          .required = true,
                          .words = "joint",
                          .counts = "2"},
                         {.name = "radius",
                          .about = "of the pinion's pitch circle; negative: the other side",
                          .unit = "m",
                          .required = true}}};
}

ElementType constraint() {
  return {.name = "constraint",
          .about = "A constraint of one's own.",
          .equation =
              "$0 = value(\\varphi, t)$, or nonholonomic $0 = value(\\varphi, "
              "\\dot\\varphi, t)$",
          .example = R"xml(<constraint name="cam" value="S.displacement - 0.01*cos(3*A.angle)"/>
<constraint name="skate" value="S.rate - 0.1*A.rate" nonholonomic="true"/>)xml",
          .attributes = {a_name(),
                         {.name = "value",
                          .about = "the expression that stays 0",
                          .required = true,
                          .knows = Knows::motion},
                         a_switch("nonholonomic", "it uses rates")}};
}

ElementType rolling() {
  return {.name = "rolling",
          .about = "Rolling without slip of b on a plane of a.",
          .equation =
              "wheel: $n\\cdot(P-P_0) - \\rho\\sqrt{1-(n\\cdot a)^2} - \\tau = 0$ and no speed of "
              "the material point of contact",
          .example = R"xml(<rolling name="tyre" type="wheel" between="ground wheel" centre="0 0 0.3"
         axle="0 1 0" radius="0.25" tube="0.05"/>)xml",
          .selector = "type",
          .attributes = {
              a_name(),
              {.name = "type",
               .kind = word,
               .about = "`knife_edge`: no motion across the blade; `wheel`: thin disc or torus",
               .required = true,
               .words = "knife_edge wheel sphere"},
              a_between("the body of the plane, a, and the one that rolls, b"),
              a_point("centre", "of the wheel or sphere; the edge's point of contact"),
              {.name = "axle",
               .kind = vector,
               .about = "of the wheel; of the knife edge, the direction across the blade",
               .unit = "1",
               .fallback = "0 1 0",
               .placed = Placed::direction,
               .only_for = "wheel knife_edge"},
              a_point("plane", "a point of the plane"),
              a_direction("normal", "of the plane, towards b", "0 0 1"),
              {.name = "radius",
               .about = "of the sphere or disc; of a torus: to the middle of its tube",
               .unit = "m",
               .only_for = "wheel sphere",
               .required_for = "wheel sphere"},
              {.name = "tube",
               .about = "radius of the tube; 0: thin disc",
               .unit = "m",
               .fallback = "0",
               .only_for = "wheel"},
              {.name = "contact",
               .kind = boolean,
               .about = "also keeps b on the plane; false where something else does",
               .fallback = "true",
               .only_for = "wheel sphere"}}};
}

ElementType spring() {
  return {.name = "spring",
          .about =
              "Spring and damper between two points, or along a joint or a measure. Its force is "
              "positive when it pulls.",
          .equation = "$F = k(\\varphi - l) + c\\,\\dot\\varphi + p$",
          .example = R"xml(<spring name="tie" between="ground rocker" from="3 1 0" to="2 1 0"
        stiffness="800" damping="15" length="0.9"/>
<spring name="torsion" joint="A" stiffness="20"/>)xml",
          .attributes = Attributes{a_name()} + along() +
                        Attributes{a_number("stiffness", "k", "N/m or N.m/rad", "0"),
                                   a_number("damping", "c", "N.s/m or N.m.s/rad", "0"),
                                   a_number("length", "l, where it is relaxed", "m or rad", "0"),
                                   a_number("preload", "p", "N or N.m", "0")},
          .choices = {along_choice}};
}

ElementType bushing() {
  const auto three = [](std::string_view its_name, std::string_view about, std::string_view unit) {
    return AttributeType{
        .name = its_name, .kind = vector, .about = about, .unit = unit, .fallback = "0 0 0"};
  };
  return {.name = "bushing",
          .about = "Six springs and dampers between frames of a and b that coincide at the start.",
          .equation =
              "$F_i = k_i d_i + c_i\\dot d_i$, $T_i = k_{\\varphi i}\\varphi_i + "
              "c_{\\varphi i}\\dot\\varphi_i$, i = x, y, z of a",
          .example = R"xml(<bushing name="mount" between="ground rocker" at="2 1 0"
         stiffness="1e6 1e6 2e6" damping="1e3 1e3 1e3" torsion="500 500 50"/>)xml",
          .attributes = {a_name(), a_between(), a_point("at", "origin of the frames"),
                         a_direction("axis", "z axis of the frames", "0 0 1"),
                         a_direction("axis2", "their x axis", "1 0 0"),
                         three("stiffness", "along x, y, z", "N/m"),
                         three("damping", "along x, y, z", "N.s/m"),
                         three("torsion", "stiffness about x, y, z", "N.m/rad"),
                         three("torsion_damping", "damping about x, y, z", "N.m.s/rad")}};
}

ElementType stop() {
  return {
      .name = "stop",
      .about = "End stops of a joint or a measure; with `between` and `upper`, a rope.",
      .equation = "$F = k\\,d^n(1 + c\\,\\dot d)$ at the depth d beyond a stop, never pulling",
      .example =
          R"xml(<stop name="bumper" joint="S" lower="-0.1" upper="0.1" stiffness="1e5"/>)xml",
      .attributes =
          Attributes{a_name()} + along() +
          Attributes{
              {.name = "lower", .about = "the lower stop", .unit = "m or rad"},
              {.name = "upper", .about = "the upper stop", .unit = "m or rad"},
              {.name = "stiffness", .about = "k", .unit = "N/m^n or N.m/rad^n", .required = true},
              a_number("damping", "c", "s/m or s/rad", "0"),
              a_number("exponent", "n, at least 1", "1", "1.5"),
          },
      .choices = {along_choice}};
}

ElementType friction() {
  return {
      .name = "friction",
      .about = "Friction against the rate v of a joint or a measure, smooth at v = 0.",
      .equation = "$F = (C + (S - C)e^{-(v/v_s)^2})\\tanh(v/v_0) + c\\,v$ against v",
      .example = R"xml(<friction name="bearing" joint="A" coulomb="0.1" load="A" arm="8mm"/>)xml",
      .attributes =
          Attributes{a_name()} + along() +
          Attributes{
              a_number("coulomb", "C; with `load`, a coefficient", "N or N.m", "0"),
              {.name = "breakaway",
               .about = "S, likewise; left out: as coulomb",
               .unit = "N or N.m"},
              a_number("viscous", "c", "N.s/m or N.m.s/rad", "0"),
              a_number("stribeck", "v_s", "m/s or rad/s", "0.1"),
              a_number("regularization", "v_0", "m/s or rad/s", "1e-3"),
              {.name = "load",
               .kind = reference,
               .about = "joint whose reaction force presses: C and S are coefficients on arm times "
                        "its magnitude",
               .words = "joint"},
              {.name = "arm",
               .about = "radius of the pin; 1 for sliding",
               .unit = "m or 1",
               .fallback = "1",
               .needs = "load"},
          },
      .choices = {along_choice}};
}

ElementType contact() {
  return {
      .name = "contact",
      .about = "Contact of a sphere or point of b with a plane, sphere or cylinder of a.",
      .equation =
          "$N = k\\,\\delta^n(1 + c\\,\\dot\\delta)$, $F = N n - \\mu(v)N v_t/\\sqrt{v_t^2 + "
          "v_0^2}$, $\\mu(v) = \\mu + (\\mu_s - \\mu)e^{-v_t^2/v_s^2}$",
      .example = R"xml(<contact name="floor" between="ground wheel" centre="0 0 0.3" radius="0.3"
         shape="plane" axis="0 0 1" stiffness="1e6" damping="0.3" friction="0.4"/>)xml",
      .selector = "shape",
      .attributes = {
          a_name(),
          a_between("the body of the shape, a, and that of the sphere, b"),
          a_point("centre", "of the sphere of b"),
          a_number("radius", "of the sphere of b; 0: a point", "m", "0"),
          {.name = "shape",
           .kind = word,
           .about = "`plane` through `at`; `sphere` about `at`; `cylinder` with `at` in the middle",
           .fallback = "plane",
           .words = "plane sphere cylinder"},
          a_point("at", "place of the shape"),
          {.name = "axis",
           .kind = vector,
           .about = "normal of the plane towards b; axis of the cylinder",
           .unit = "1",
           .fallback = "0 0 1",
           .placed = Placed::direction,
           .only_for = "plane cylinder"},
          {.name = "radius_a",
           .about = "of the sphere or cylinder of a",
           .unit = "m",
           .only_for = "sphere cylinder",
           .required_for = "sphere cylinder"},
          {.name = "length",
           .about = "of the cylinder, between flat ends; 0: infinite",
           .unit = "m",
           .fallback = "0",
           .only_for = "cylinder"},
          a_local(),
          a_number("stiffness", "k", "N/m^n", "1e6"),
          a_number("exponent", "n, at least 1; 1.5 for spheres", "1", "1.5"),
          a_number("damping", "c: restitution falls by about 2c/3 for every m/s of impact speed",
                   "s/m", "0"),
          a_number("friction", "coefficient µ", "1", "0"),
          {.name = "static_friction",
           .about = "coefficient µ_s for slow sliding; left out: as friction",
           .unit = "1"},
          a_number("stribeck", "v_s", "m/s", "0.1"),
          a_number("regularization", "v_0: bodies at rest on a slope creep at this speed or less",
                   "m/s", "1e-3")}};
}

Attributes vector_force() {
  return {
      {.name = "body", .kind = reference, .about = "the body a vector acts on", .words = "body"},
      {.name = "reaction",
       .kind = reference,
       .about = "the body its reaction acts on, at the same point",
       .fallback = "ground",
       .words = "body",
       .needs = "body"},
      {.name = "axes",
       .kind = word,
       .about = "axes of the vector: the world's, those of the body, or those of the body that "
                "takes the reaction",
       .fallback = "world",
       .words = "world body reaction",
       .needs = "body"}};
}

Attributes scalar_force(std::string_view needs) {
  return {{.name = "energy",
           .about = "potential energy as an expression, where the force has one",
           .unit = "J",
           .knows = Knows::motion,
           .needs = needs},
          {.name = "passive",
           .kind = boolean,
           .about = "takes energy away: counted as dissipated, not as work of inputs",
           .fallback = "false",
           .needs = needs}};
}

ElementType force() {
  Attributes attributes = Attributes{a_name()} + along() + vector_force() +
                          Attributes{{.name = "at",
                                      .kind = vector,
                                      .about = "the point the vector acts at",
                                      .unit = "m",
                                      .fallback = "0 0 0",
                                      .placed = Placed::point,
                                      .needs = "body"},
                                     {.name = "value",
                                      .kind = value,
                                      .about = "three components with `body`, else one number",
                                      .unit = "N or N.m",
                                      .required = true,
                                      .knows = Knows::motion}} +
                          scalar_force("joint measure between");
  for (AttributeType& a : attributes)
    if (a.name == "local") a.needs = "between body";
  return {.name = "force",
          .about =
              "Any force: a vector on a body, or one number along a joint, a measure or the "
              "distance of two points, positive when it tends to increase it.",
          .equation = "$Q = value\\cdot\\varphi_y$",
          .example = R"xml(<force name="wind" body="rocker" at="2 1 0" value="5*sin(3*time) 0 0"/>
<force name="actuator" between="ground rocker" from="3 1 0" to="2 1 0" value="100"/>)xml",
          .attributes = std::move(attributes),
          .choices = {{"joint measure between body"}}};
}

ElementType torque() {
  return {.name = "torque",
          .about =
              "A torque: a vector on a body, or one number about the axis of a joint or along "
              "a measured angle, positive when it tends to increase it.",
          .equation = "$Q = value\\cdot\\varphi_y$",
          .example = R"xml(<torque name="motor" joint="A" value="2 - 0.02*A.rate"/>
<torque name="drag" body="wheel" axes="body" value="0 -0.1*wheel.angular_velocity.y 0"/>)xml",
          .attributes = Attributes{a_name(),
                                   {.name = "joint",
                                    .kind = reference,
                                    .about = "acts about the axis of this joint",
                                    .words = "joint"},
                                   {.name = "measure",
                                    .kind = reference,
                                    .about = "acts along this angle",
                                    .words = "measure"}} +
                        vector_force() +
                        Attributes{{.name = "value",
                                    .kind = value,
                                    .about = "three components with `body`, else one number",
                                    .unit = "N.m",
                                    .required = true,
                                    .knows = Knows::motion}} +
                        scalar_force("joint measure"),
          .choices = {{"joint measure body"}}};
}

ElementType state() {
  return {
      .name = "state",
      .about =
          "A first-order state: a filter, an actuator, a pressure, solved together with "
          "the motion.",
      .equation = "$\\dot x = rate$",
      .example = R"xml(<state name="current" start="0" rate="(12 - 0.5*current - 0.1*A.rate)/2e-3"
       unit="A"/>)xml",
      .attributes = {
          a_name(),
          {.name = "start", .about = "value at the start", .unit = "unit", .fallback = "0"},
          {.name = "rate",
           .about = "its derivative by time",
           .unit = "unit/s",
           .required = true,
           .knows = Knows::motion},
          {.name = "nominal",
           .about = "size below which errors count as absolute",
           .unit = "unit",
           .fallback = "1",
           .knows = Knows::constants},
          a_unit()}};
}

AttributeType a_setting(std::string_view its_name, std::string_view about, std::string_view unit,
                        std::string_view fallback) {
  return {.name = its_name,
          .about = about,
          .unit = unit,
          .fallback = fallback,
          .knows = Knows::constants};
}

ElementType experiment() {
  return {
      .name = "experiment",
      .about = "The run a user of the FMU most likely wants.",
      .example = R"xml(<experiment stop="10" step="1e-3" tolerance="1e-9"/>)xml",
      .parents = "mechanism part",
      .attributes = {a_setting("stop", "end of the run", "s", "1"),
                     a_setting("step", "communication step", "s", "1e-3"),
                     a_setting("tolerance", "relative error that one step may make", "1", "1e-8")},
      .once = true,
      .takes_defaults = false};
}

ElementType solver() {
  return {
      .name = "solver",
      .about =
          "Settings of the integrator: the values that the FMU's parameters solver.method, "
          "solver.rho_inf … start with.",
      .example = R"xml(<solver method="soi2" rho_inf="0.9" h_max="1e-2"/>)xml",
      .parents = "mechanism part",
      .attributes =
          {{.name = "method",
            .kind = word,
            .about = "integration method",
            .fallback = "soi2",
            .words = "soi2 hht_i3 arnold_bruls"},
           a_setting("rho_inf", "damping of the highest frequencies: 1 none, 0 all", "1", "0.8"),
           a_setting("alpha_hht", "damping of hht_i3: 0 none, -1/3 most", "1", "-0.3"),
           a_setting("tolerance", "0: that of the experiment, or of the master where it is tighter",
                     "1", "0"),
           a_setting("fixed_step", "0: substeps follow the tolerance", "s", "0"),
           a_setting("h_min", "smallest substep", "s", "1e-12"),
           a_setting("h_max", "largest substep; 0: no limit", "s", "0"),
           a_setting("h_init", "first substep; 0: chosen", "s", "0"),
           a_setting("max_substeps",
                     "most substeps in a communication step; 0: 100000, fewer for large models",
                     "1", "0"),
           a_switch("rescale", "keeps second order when the step changes", "true"),
           a_switch("jump_shift", "treats jumps of inputs", "true")},
      .once = true,
      .takes_defaults = false};
}

std::vector<ElementType> make_elements() {
  std::vector<ElementType> all = {
      root(),       part(),    include(),  defaults(),   group(),    use(),      repeat(),
      parameter(),  input(),   variable(), table(),      function(), output(),   body(),
      shape(),      joint(),   measure(),  driver(),     coupling(), gear(),     rack(),
      constraint(), rolling(), spring(),   bushing(),    stop(),     friction(), contact(),
      force(),      torque(),  state(),    experiment(), solver()};
  static const std::string targets = [&all] {
    std::string list;
    for (const ElementType& e : all)
      if (e.takes_defaults) list += (list.empty() ? "" : " ") + std::string(e.name);
    return list;
  }();
  for (ElementType& e : all) {
    if (e.name == "default") e.attributes[0].words = targets;
    e.attributes.push_back({.name = "about", .kind = text, .about = "a description for readers"});
  }
  return all;
}

}  // namespace

const AttributeType* ElementType::find(std::string_view attribute) const {
  const auto found =
      std::find_if(attributes.begin(), attributes.end(),
                   [attribute](const AttributeType& a) { return a.name == attribute; });
  return found == attributes.end() ? nullptr : &*found;
}

const std::vector<ElementType>& mechanism_elements() {
  static const std::vector<ElementType> elements = make_elements();
  return elements;
}

const ElementType* find_element_type(std::string_view name) {
  for (const ElementType& e : mechanism_elements())
    if (e.name == name) return &e;
  return nullptr;
}

std::string_view example_parts() {
  return R"xml(<body name="crank" at="0.5 0.5 0" mass="1" inertia="0.1 0.1 0.1"/>
<body name="coupler" at="1.5 1 0" mass="1" inertia="0.1 0.1 0.1"/>
<body name="rocker" at="2 0.5 0" mass="1" inertia="0.1 0.1 0.1"/>
<body name="carriage" mass="1" inertia="0.1 0.1 0.1"/>
<body name="wheel" at="0 0 0.3" mass="1" inertia="0.1 0.2 0.1" free="true"/>
<joint name="A" type="revolute" between="ground crank"/>
<joint name="B" type="revolute" between="crank coupler" at="1 1 0"/>
<joint name="D" type="revolute" between="ground rocker" at="2 0 0"/>
<joint name="S" type="prismatic" between="ground carriage" axis="1 0 0"/>
)xml";
}

const std::vector<std::string>& reserved_names() {
  static const std::vector<std::string> names = {"ground", "time", "pi",    "e",        "g0",
                                                 "energy", "true", "false", "mechanism"};
  return names;
}

std::string_view joint_coordinates(std::string_view type) {
  if (type == "revolute" || type == "planar") return "angle";
  if (type == "prismatic" || type == "distance") return "displacement";
  if (type == "cylindrical" || type == "screw") return "angle displacement";
  return "";
}

std::vector<std::string> words_of(std::string_view text) {
  constexpr std::string_view spaces = " \t\r\n";
  std::vector<std::string> words;
  for (std::size_t at = text.find_first_not_of(spaces); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(spaces, at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = text.find_first_not_of(spaces, end);
  }
  return words;
}

std::vector<std::string> marked_words_of(std::string_view text, char mark) {
  std::vector<std::string> words = words_of(text);
  for (std::string& word : words) {
    word.insert(word.begin(), mark);
    word.push_back(mark);
  }
  return words;
}

bool has_word(std::string_view list, std::string_view word) {
  if (word.empty()) return false;
  for (std::size_t at = list.find(word); at != std::string_view::npos;
       at = list.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' ')) return true;
  }
  return false;
}

std::string listed(const std::vector<std::string>& words, std::string_view last) {
  std::string all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) all += i + 1 == words.size() ? " " + std::string(last) + " " : std::string(", ");
    all += words[i];
  }
  return all;
}

bool is_name(std::string_view text) {
  return !text.empty() && is_letter(text[0]) && std::all_of(text.begin(), text.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '_';
  });
}

}  // namespace mechfmu
