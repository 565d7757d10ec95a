// What acts: springs, stops, friction, contact, forces.

#include "language/file/elements_attributes.h"

namespace mechfmu::elements {

namespace {

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

}  // namespace

std::vector<ElementType> forces() {
  return {spring(), bushing(), stop(), friction(), contact(), force(), torque()};
}

}  // namespace mechfmu::elements
