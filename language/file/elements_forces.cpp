// Force elements: springs, stops, friction, contact, forces.

#include "language/file/elements_attributes.h"

namespace mechfmu::elements {

namespace {

ElementType spring() {
  return {.name = "spring",
          .about =
              "Spring and damper between two points, or along a joint or a measure. Its force is "
              "positive in tension.",
          .equation = "$F = k(\\varphi - l) + c\\,\\dot\\varphi + p$",
          .example = R"xml(<spring name="tie" between="ground rocker" from="3 1 0" to="2 1 0"
        stiffness="800" damping="15" length="0.9"/>
<spring name="torsion" joint="A" stiffness="20"/>)xml",
          .attributes = Attributes{a_name()} + along() +
                        Attributes{a_number("stiffness", "k", "N/m or N.m/rad", "0"),
                                   a_number("damping", "c", "N.s/m or N.m.s/rad", "0"),
                                   a_number("length", "l, the free length", "m or rad", "0"),
                                   a_number("preload", "p", "N or N.m", "0")},
          .choices = {along_choice}};
}

AttributeType three(std::string_view its_name, std::string_view about, std::string_view unit) {
  return {.name = its_name, .kind = vector, .about = about, .unit = unit, .fallback = "0 0 0"};
}

/// A point or direction whose default is another attribute of the element.
AttributeType as_before(std::string_view its_name, std::string_view about, std::string_view unit,
                        Placed placed) {
  return {.name = its_name, .kind = vector, .about = about, .unit = unit, .placed = placed};
}

ElementType bushing() {
  return {
      .name = "bushing",
      .about =
          "Six springs and dampers between a frame of a and one of b, which coincide at t = 0 "
          "unless `to`, `axis_b` or `axis2_b` are given.",
      .equation =
          "$F_i = k_i (d_i - l_i) + c_i\\dot d_i + p_i$, $T_i = k_{\\varphi i}(\\varphi_i - "
          "\\alpha_i) + c_{\\varphi i}\\dot\\varphi_i + q_i$, i = x, y, z of a; with `matrix` $(F, "
          "T) = K(e + \\tau\\dot e) + (p, q)$ of $e = (d - l, \\varphi - \\alpha)$, in addition to "
          "the other stiffnesses",
      .example = R"xml(<bushing name="mount" between="ground rocker" at="2 1 0"
         stiffness="1e6 1e6 2e6" damping="1e3 1e3 1e3" torsion="500 500 50"/>
<bushing name="leaf" between="ground rocker" at="2 1.2 0" to="2 1 0" length="0 -0.15 0"
         stiffness="1e4 2e4 1e4" preload="0 50 0"/>)xml",
      .attributes = {
          a_name(),
          a_between(),
          a_point("at", "origin of both frames, or of the frame of a"),
          a_direction("axis", "z axis of both frames", "0 0 1"),
          a_direction("axis2", "x axis of both frames", "1 0 0"),
          as_before("to", "origin of the frame of b; default: `at`", "m", Placed::point),
          as_before("axis_b", "z axis of the frame of b; default: `axis`", "1", Placed::direction),
          as_before("axis2_b", "x axis of the frame of b; default: `axis2`", "1",
                    Placed::direction),
          three("stiffness", "along x, y, z", "N/m"),
          three("damping", "along x, y, z", "N.s/m"),
          three("torsion", "stiffness about x, y, z", "N.m/rad"),
          three("torsion_damping", "damping about x, y, z", "N.m.s/rad"),
          three("length", "l: displacement of b from a at which the springs are relaxed", "m"),
          three("angle", "α: angles of b relative to a at which they are relaxed", "rad"),
          three("preload", "p: forces that pull b back at that position", "N"),
          three("preload_torque", "q: torques that turn b back at that position", "N.m"),
          {.name = "matrix",
           .kind = numbers,
           .about = "K, symmetric, for displacements and angles: the upper triangle, row by row",
           .counts = "21"},
          {.name = "matrix_damping",
           .about = "τ: damping of the matrix",
           .unit = "s",
           .fallback = "0",
           .needs = "matrix"}}};
}

ElementType beam() {
  const auto of_section = [](std::string_view its_name, std::string_view about,
                             std::string_view unit) {
    return AttributeType{.name = its_name, .about = about, .unit = unit, .required = true};
  };
  return {.name = "beam",
          .about =
              "A straight elastic Euler-Bernoulli beam between two bodies, loaded at its ends. "
              "Half of its mass is added to each body, which may have none of its own. A chain of "
              "beams and bodies can bend arbitrarily far.",
          .equation =
              "$F = \\mathrm{diag}(EA/L,\\ 12EI_z/L^3,\\ 12EI_y/L^3)\\,d$, $T = "
              "\\mathrm{diag}(GJ/L,\\ EI_y/L,\\ EI_z/L)\\,\\varphi$ at its middle, with x along it "
              "and z = `across`; damping is $\\tau$ times that",
          .example =
              R"xml(<beam name="leg" between="ground rocker" from="2 0 0" to="2 1 0" across="0 0 1"
      area="1e-4" i_y="8.3e-10" i_z="8.3e-10" torsion="1.4e-9" density="7850" damping="1e-4"/>)xml",
          .attributes = {a_name(),
                         a_between(),
                         {.name = "from",
                          .kind = vector,
                          .about = "the end on a",
                          .unit = "m",
                          .required = true,
                          .placed = Placed::point},
                         {.name = "to",
                          .kind = vector,
                          .about = "the end on b",
                          .unit = "m",
                          .required = true,
                          .placed = Placed::point},
                         a_direction("across", "z axis of the section", "0 0 1"),
                         of_section("area", "A of the section", "m2"),
                         of_section("i_y", "I_y of the section, for deflection along z", "m4"),
                         of_section("i_z", "I_z of the section, for deflection along y", "m4"),
                         of_section("torsion", "J, torsion constant of the section", "m4"),
                         a_number("E", "Young's modulus", "Pa", "2.1e11"),
                         a_number("G", "shear modulus, for torsion", "Pa", "8.1e10"),
                         a_number("density", "density of the material; 0: no mass", "kg/m3", "0"),
                         a_number("damping", "τ, damping proportional to stiffness", "s", "0")}};
}

ElementType stop() {
  return {
      .name = "stop",
      .about = "End stops of a joint or a measure; with `between` and `upper`, a rope.",
      .equation = "$F = k\\,d^n(1 + c\\,\\dot d)$ at depth d beyond a stop, never in tension",
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
      .about =
          "Friction against the rate v of a joint or a measure: smooth at v = 0, which allows "
          "creep, or LuGre, whose bristles stick.",
      .equation =
          "$F = G\\tanh(v/v_0) + c\\,v$ against v, $G(v) = C + (S - C)e^{-(v/v_s)^2}$; LuGre: $F = "
          "C(\\zeta + \\tau\\dot\\zeta e^{-(v/v_s)^2}) + c\\,v$, $d\\,\\dot\\zeta = v - \\lvert "
          "v\\rvert\\zeta C/G(v)$",
      .example = R"xml(<friction name="bearing" joint="A" coulomb="0.1" load="A" arm="8mm"/>)xml",
      .attributes =
          Attributes{a_name()} + along() +
          Attributes{
              a_number("coulomb", "C; with `load`, a coefficient", "N or N.m", "0"),
              {.name = "breakaway", .about = "S, likewise; default: `coulomb`", .unit = "N or N.m"},
              a_number("viscous", "c", "N.s/m or N.m.s/rad", "0"),
              a_number("stribeck", "v_s", "m/s or rad/s", "0.1"),
              a_number("regularization",
                       "v_0 of the smooth law: creep under load is about this fast", "m/s or rad/s",
                       "1e-3"),
              {.name = "law",
               .kind = word,
               .about = "`smooth`, a function of the speed, or `lugre`, with the bristle "
                        "deflection as a state",
               .fallback = "smooth",
               .words = "smooth lugre"},
              a_number(
                  "presliding",
                  "d of LuGre: elastic displacement before sliding, reached at the full force C",
                  "m or rad", "1e-5"),
              a_number("bristle_damping", "τ of LuGre: the damping of the bristles is τ C/d", "s",
                       "1e-3"),
              {.name = "load",
               .kind = reference,
               .about = "joint whose reaction force is the load: C and S are then coefficients of "
                        "arm times its magnitude",
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
  AttributeType bodies = a_between(
      "the body of the shape, a, and of the sphere, b. Each may name several bodies, as `shoe*` or "
      "`pin[1],pin[2]`: then every pair has a contact, and `name` takes their indices");
  bodies.several = true;
  return {
      .name = "contact",
      .about =
          "Contact of a sphere or point of b with a shape of a, from outside, or from inside a "
          "sphere, cylinder or profile.",
      .equation =
          "$N = k\\,\\delta^n(1 + c\\,\\dot\\delta)$ or, linear, $k\\,\\delta^n + "
          "c\\min(\\delta/d_c, "
          "1)\\dot\\delta$, never below 0; $F = N n - \\mu(v)N v_t/\\sqrt{v_t^2 + "
          "v_0^2}$ or, bounded, $F = N n - \\mu(v)N s(v_t/v_0) v_t/\\lvert v_t\\rvert$ with $s(x) "
          "= "
          "(15x - 10x^3 + 3x^5)/8$ below 1, 1 above; $\\mu(v) = \\mu + (\\mu_s - "
          "\\mu)e^{-v_t^2/v_s^2}$",
      .example = R"xml(<contact name="floor" between="ground wheel" centre="0 0 0.3" radius="0.3"
         shape="plane" axis="0 0 1" stiffness="1e6" damping="0.3" friction="0.4"/>
<contact name="gear" between="crank wheel" local="true" radius="0.02" shape="profile" periods="6"
         outline="0.2 0 0  0.19 0.06 -0.3  0.15 0.1 0.1" length="0.1" law="linear" stiffness="1e7"/>)xml",
      .selector = "shape",
      .attributes =
          {a_name(),
           bodies,
           a_point("centre", "of the sphere of b"),
           a_number("radius", "radius of the sphere of b; 0: a point", "m", "0"),
           {.name = "shape",
            .kind = word,
            .about = "`plane` through `at`; `sphere` about `at`; `cylinder`, `capsule` or `box` "
                     "with `at` at the centre; `profile`, a closed outline in the plane through "
                     "`at` perpendicular to `axis`, extruded like a cylinder",
            .fallback = "plane",
            .words = "plane sphere cylinder capsule box profile"},
           a_point("at", "position of the shape"),
           {.name = "axis",
            .kind = vector,
            .about = "normal of the plane towards b; axis of the cylinder, capsule or profile; z "
                     "of the box",
            .unit = "1",
            .fallback = "0 0 1",
            .placed = Placed::direction,
            .only_for = "plane cylinder capsule box profile"},
           {.name = "axis2",
            .kind = vector,
            .about = "x of the box or profile",
            .unit = "1",
            .fallback = "1 0 0",
            .placed = Placed::direction,
            .only_for = "box profile"},
           {.name = "radius_a",
            .about = "radius of the sphere, cylinder or capsule of a",
            .unit = "m",
            .only_for = "sphere cylinder capsule",
            .required_for = "sphere cylinder capsule"},
           {.name = "length",
            .about = "length of the cylinder or profile between its flat ends, 0: infinite; for a "
                     "capsule, between the centres of its ends",
            .unit = "m",
            .fallback = "0",
            .only_for = "cylinder capsule profile",
            .required_for = "capsule"},
           {.name = "size",
            .kind = vector,
            .about = "size of the box along its x, y, z",
            .unit = "m",
            .only_for = "box",
            .required_for = "box"},
           {.name = "outline",
            .kind = numbers,
            .about = "x, y and bulge of each point of the profile, counter-clockwise; the bulge is "
                     "tan(angle/4) of the arc to the next point, positive for left turns, 0 for a "
                     "straight line",
            .only_for = "profile"},
           {.name = "file",
            .kind = AttributeKind::file,
            .about = "CSV file with x, y and bulge, one point per line; without a third column the "
                     "lines are straight",
            .only_for = "profile"},
           {.name = "periods",
            .about = "number of copies of the points, rotated about `axis`, that close the profile",
            .unit = "1",
            .fallback = "1",
            .knows = Knows::constants,
            .only_for = "profile"},
           {.name = "side",
            .kind = word,
            .about = "side of b: `inside` for a hollow sphere, cylinder or profile",
            .fallback = "outside",
            .words = "outside inside",
            .only_for = "sphere cylinder profile"},
           a_local(),
           {.name = "law",
            .kind = word,
            .about = "law of the normal force: `hertz` with Hunt-Crossley damping, or `linear`, a "
                     "spring and a damper",
            .fallback = "hertz",
            .words = "hertz linear"},
           a_number("stiffness", "k", "N/m^n", "1e6"),
           {.name = "exponent",
            .about = "n, at least 1; default: 1.5 for `hertz`, 1 for `linear`",
            .unit = "1"},
           a_number("damping",
                    "c, in s/m: restitution falls by about 2c/3 per m/s of impact speed; for the "
                    "linear law in N.s/m",
                    "", "0"),
           a_number("damping_depth", "d_c: depth at which the damping of the linear law reaches c",
                    "m", "1e-4"),
           a_number("friction", "coefficient µ", "1", "0"),
           {.name = "friction_law",
            .kind = word,
            .about = "growth of friction at low speed: `smooth`, or `bounded`, which reaches its "
                     "full value at v_0",
            .fallback = "smooth",
            .words = "smooth bounded"},
           {.name = "static_friction",
            .about = "coefficient µ_s for slow sliding; default: `friction`",
            .unit = "1"},
           a_number("stribeck", "v_s", "m/s", "0.1"),
           a_number("regularization",
                    "v_0: contacts that stick creep. `smooth`: at this speed at 0.7 of the "
                    "friction limit, slower below, faster above; `bounded`: at this speed or less "
                    "up to the limit",
                    "m/s", "1e-3")},
      .choices = {{"outline file", false}}};
}

Attributes vector_force() {
  return {{.name = "body",
           .kind = reference,
           .about = "the body that a vector acts on",
           .words = "body"},
          {.name = "reaction",
           .kind = reference,
           .about = "the body that takes the reaction, at the same point",
           .fallback = "ground",
           .words = "body",
           .needs = "body"},
          {.name = "axes",
           .kind = word,
           .about = "axes of the vector: those of the world, of the body, or of the body that "
                    "takes the reaction",
           .fallback = "world",
           .words = "world body reaction",
           .needs = "body"}};
}

Attributes scalar_force(std::string_view needs) {
  return {{.name = "energy",
           .about = "potential energy as an expression, if the force has one",
           .unit = "J",
           .knows = Knows::motion,
           .needs = needs},
          {.name = "passive",
           .kind = boolean,
           .about = "the force dissipates energy: count it as dissipated, not as work of inputs",
           .fallback = "false",
           .needs = needs}};
}

ElementType force() {
  Attributes attributes = Attributes{a_name()} + along() + vector_force() +
                          Attributes{{.name = "at",
                                      .kind = vector,
                                      .about = "point of application of the vector",
                                      .unit = "m",
                                      .fallback = "0 0 0",
                                      .placed = Placed::point,
                                      .needs = "body"},
                                     {.name = "value",
                                      .kind = value,
                                      .about = "three components with `body`, otherwise one number",
                                      .unit = "N or N.m",
                                      .required = true,
                                      .knows = Knows::motion}} +
                          scalar_force("joint measure between");
  for (AttributeType& a : attributes)
    if (a.name == "local") a.needs = "between body";
  return {.name = "force",
          .about =
              "A force: a vector on a body, or one number along a joint, a measure or the distance "
              "between two points, positive if it tends to increase that coordinate.",
          .equation = "$Q = value\\cdot\\varphi_y$",
          .example = R"xml(<force name="wind" body="rocker" at="2 1 0" value="5*sin(3*time) 0 0"/>
<force name="actuator" between="ground rocker" from="3 1 0" to="2 1 0" value="100"/>)xml",
          .attributes = std::move(attributes),
          .choices = {{"joint measure between body"}}};
}

ElementType torque() {
  return {.name = "torque",
          .about =
              "A torque: a vector on a body, or one number about the axis of a joint or along a "
              "measured angle, positive if it tends to increase that angle.",
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
                                    .about = "three components with `body`, otherwise one number",
                                    .unit = "N.m",
                                    .required = true,
                                    .knows = Knows::motion}} +
                        scalar_force("joint measure"),
          .choices = {{"joint measure body"}}};
}

}  // namespace

std::vector<ElementType> forces() {
  return {spring(), bushing(), beam(), stop(), friction(), contact(), force(), torque()};
}

}  // namespace mechfmu::elements
