// What a mechanism file is made of: parts, groups, repetition, names.

#include "language/file/elements_attributes.h"

namespace mechfmu::elements {

namespace {

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

}  // namespace

std::vector<ElementType> structure() {
  return {root(),      part(),  include(),  defaults(), group(),    use(),   repeat(),
          parameter(), input(), variable(), table(),    function(), output()};
}

}  // namespace mechfmu::elements
