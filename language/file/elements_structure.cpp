// The structure of a mechanism file: parts, groups, repetition, names.

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
          .attributes =
              {a_plain_name("name of the model and of its FMU"),
               {.name = "gravity",
                .kind = vector,
                .about = "gravitational acceleration",
                .unit = "m/s2",
                .fallback = "0 0 0"},
               a_number("length_scale",
                        "length that position errors are relative to; 0: the size of the mechanism",
                        "m", "0"),
               a_switch("track_energy",
                        "adds the states energy.dissipated and energy.work and the output "
                        "energy.imbalance, the integration error of the energy")},
          .takes_defaults = false};
}

ElementType part() {
  return {.name = "part",
          .about = "The root of an included file; it holds the same elements as a mechanism.",
          .example = R"xml(<part>
  <body name="bracket" mass="0.4" box="0.1 0.1 0.02"/>
</part>)xml",
          .parents = "",
          .takes_defaults = false};
}

ElementType include() {
  return {.name = "include",
          .about =
              "Inserts the elements of another file. The file must be in the folder of the "
              "mechanism file or below it, and its root must be `part`. Defaults apply inside it; "
              "its own defaults end with it.",
          .example = R"xml(<include file="parts/leg.xml"/>)xml",
          .attributes = {{.name = "file",
                          .kind = file,
                          .about = "path relative to the including file, with / between folders",
                          .required = true}},
          .takes_defaults = false};
}

ElementType defaults() {
  return {.name = "default",
          .about =
              "Default attributes for the following elements of a type, up to the end of the file "
              "or group. A default that conflicts with an attribute of an element is ignored for "
              "that element.",
          .example = R"xml(<default element="joint" type="revolute" axis="0 0 1"/>)xml",
          .attributes =
              {{.name = "element", .kind = word, .about = "the element type", .required = true}},
          .takes_defaults = false,
          .open = true};
}

ElementType group() {
  return {.name = "group",
          .about =
              "A template of elements, inserted by `use` under another name and at another place. "
              "Its other attributes are parameters of the group with their default values; an "
              "empty one must be given with every use. Inside the group a parameter stands for a "
              "number, for a vector if it is used alone, or for the name of an element outside.",
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
          "Inserts a copy of a group. Its elements are named name.element, and all their positions "
          "and axes in world coordinates are moved by the pose given here; a force vector in world "
          "axes is not rotated. All other attributes are parameters of the group.",
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
                      .about = "position of the group's origin",
                      .unit = "m",
                      .fallback = "0 0 0"},
                     {.name = "rotation",
                      .kind = vector,
                      .about = "orientation of its axes: Cardan angles about x, then y', then z''",
                      .unit = "rad",
                      .fallback = "0 0 0"}},
      .takes_defaults = false,
      .open = true};
}

ElementType repeat() {
  return {
      .name = "repeat",
      .about =
          "Copies its content once per value of its index. The index can be used by name in "
          "expressions, and in brackets after names, which hold whole numbers built from indices "
          "with + - * and parentheses. Every name in a repeat must contain its index, so that the "
          "copies have different names.",
      .example = R"xml(<body name="link[1]" at="0.1 0 2" mass="0.2" inertia="1e-4 1e-4 1e-4"/>
<joint name="J[1]" type="spherical" between="ground link[1]" at="0.05 0 2"/>
<repeat name="i" from="2" to="5">
  <body name="link[i]" at="0.1*i 0 2" mass="0.2" inertia="1e-4 1e-4 1e-4"/>
  <joint name="J[i]" type="spherical" between="link[i-1] link[i]" at="0.1*i - 0.05 0 2"/>
</repeat>
<output name="sag" value="2m - link[5].position.z" unit="m"/>)xml",
      .attributes = {a_plain_name("name of the index"),
                     {.name = "from",
                      .about = "first value; may use numbers, indices of enclosing repeats and "
                               "parameters of the group",
                      .unit = "1",
                      .fallback = "1",
                      .knows = Knows::constants},
                     {.name = "to",
                      .about = "last value; no copies if it is below the first",
                      .unit = "1",
                      .required = true,
                      .knows = Knows::constants},
                     a_switch("ring", "references wrap around: the first copy follows the last")},
      .takes_defaults = false};
}

ElementType parameter() {
  return {
      .name = "parameter",
      .about = "A number that users of the FMU can set.",
      .example =
          R"xml(<parameter name="k" value="800" unit="N/m" min="0" about="stiffness of the tie"/>)xml",
      .attributes = {
          a_name(),
          {.name = "value",
           .about = "default value",
           .unit = "unit",
           .required = true,
           .knows = Knows::constants},
          a_unit(),
          a_bound("min", "minimum"),
          a_bound("max", "maximum"),
          a_switch("fixed", "it can be set before a run only, not while the run is going on")}};
}

ElementType input() {
  return {
      .name = "input",
      .about = "A number that the master sets at every communication point.",
      .example = R"xml(<input name="drive" start="0" unit="N.m" about="torque of the motor"/>)xml",
      .attributes = {a_name(),
                     {.name = "start",
                      .about = "value at t = 0",
                      .unit = "unit",
                      .fallback = "0",
                      .knows = Knows::constants},
                     a_unit(),
                     a_bound("min", "minimum"),
                     a_bound("max", "maximum")}};
}

ElementType variable() {
  return {.name = "variable",
          .about = "A named expression for use in other expressions.",
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
                          .about = "unit; if given, the expression is checked against it"}}};
}

ElementType table() {
  return {
      .name = "table",
      .about = "A function given by points. Expressions evaluate it with table(name, x).",
      .equation =
          "$y(x_i) = y_i$, with cubics without overshoot or straight lines between the points. A "
          "smooth table that holds its last values has slope 0 at its ends, so that its slope is "
          "continuous everywhere; extend it if it must end with a slope.",
      .example =
          R"xml(<table name="spring_curve" x="-0.1 0 0.1" y="-900 0 700" x_unit="m" unit="N"/>)xml",
      .attributes =
          {a_name(),
           {.name = "x",
            .kind = numbers,
            .about = "x values, increasing",
            .unit = "x_unit",
            .knows = Knows::constants},
           {.name = "y",
            .kind = numbers,
            .about = "y values, one per x",
            .unit = "unit",
            .knows = Knows::constants,
            .needs = "x",
            .required_with = "x"},
           {.name = "file",
            .kind = file,
            .about = "file with two columns, x and y, separated by commas or spaces"},
           {.name = "x_unit", .kind = unit, .about = "unit of x", .fallback = "1"},
           a_unit("unit of y"),
           {.name = "interpolation",
            .kind = word,
            .about =
                "interpolation between the points: cubics with continuous slope, or straight lines",
            .fallback = "smooth",
            .words = "smooth linear"},
           {.name = "beyond",
            .kind = word,
            .about = "outside the points: hold the last value, or continue with the last slope",
            .fallback = "hold",
            .words = "hold extend"}},
      .choices = {{"x file"}}};
}

ElementType function() {
  return {.name = "function",
          .about =
              "A user-defined function, written in C++ and compiled into the FMU. Expressions call "
              "it by name: tyre(slip, load).",
          .equation =
              "$y = f(x_1, \\dots)$, `mechfmu::Function<2> tyre([](const auto& slip, const auto& "
              "load) { return 0.9 * load * tanh(12.0 * slip); });`",
          .example = R"xml(<function name="tyre" arguments="1 N" unit="N"/>)xml",
          .parents = "mechanism part",
          .attributes = {a_plain_name("name of the element, unique in the mechanism"),
                         {.name = "arguments",
                          .kind = units,
                          .about = "units of the arguments, one per argument",
                          .required = true,
                          .counts = "1 2 3 4 5 6"},
                         a_unit("unit of its value")},
          .takes_defaults = false};
}

ElementType output() {
  return {.name = "output",
          .about =
              "An output of the FMU: a number, or a vector with the components name.x, name.y and "
              "name.z. Dots in the name form groups.",
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
                         a_bound("min", "minimum"),
                         a_bound("max", "maximum")}};
}

}  // namespace

std::vector<ElementType> structure() {
  return {root(),      part(),  include(),  defaults(), group(),    use(),   repeat(),
          parameter(), input(), variable(), table(),    function(), output()};
}

}  // namespace mechfmu::elements
