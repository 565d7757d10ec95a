// Bodies, joints, measures and constraints.

#include "language/file/elements_attributes.h"

namespace mechfmu::elements {

namespace {

ElementType body() {
  return {.name = "body",
          .about =
              "A rigid body. Its mass and inertia are given as numbers, by a solid shape about the "
              "centre of mass, or by `shape` elements inside. The body `ground` always exists.",
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
                  a_point("at", "reference point in world coordinates at t = 0"),
                  {.name = "rotation",
                   .kind = vector,
                   .about = "body axes at t = 0: Cardan angles about x, then y', then z''",
                   .unit = "rad",
                   .fallback = "0 0 0",
                   .placed = Placed::rotation,
                   .only_for = "spatial planar"},
                  {.name = "mass",
                   .about = "mass; may be 0 if joints determine the motion",
                   .unit = "kg"},
                  {.name = "density",
                   .about = "density of the shape, instead of its mass",
                   .unit = "kg/m3",
                   .needs = "box cylinder sphere rod"},
                  {.name = "inertia",
                   .kind = numbers,
                   .about = "moments about the centre of mass in body axes: xx yy zz, or xx yy zz "
                            "xy xz yz, or zz alone for a planar body",
                   .unit = "kg.m2",
                   .fallback = "0 0 0",
                   .counts = "1 3 6",
                   .only_for = "spatial planar"},
              } +
              shapes() +
              Attributes{
                  {.name = "centre",
                   .kind = vector,
                   .about = "centre of mass relative to the reference point, in body axes",
                   .unit = "m",
                   .fallback = "0 0 0",
                   .only_for = "spatial planar"},
                  {.name = "velocity",
                   .kind = vector,
                   .about = "velocity of the reference point at t = 0, world axes; components that "
                            "are omitted or 0 follow from those given here and for other bodies",
                   .unit = "m/s",
                   .fallback = "0 0 0",
                   .placed = Placed::direction},
                  {.name = "angular_velocity",
                   .kind = vector,
                   .about = "angular velocity at t = 0, world axes; likewise",
                   .unit = "rad/s",
                   .fallback = "0 0 0",
                   .placed = Placed::direction,
                   .only_for = "spatial planar"},
                  {.name = "spins",
                   .kind = word,
                   .about = "use coordinates that do not spin with the body, so that step sizes "
                            "follow its axle: `auto` if two moments of inertia are equal and a "
                            "joint, rolling or the initial velocity rotates it about that axis; "
                            "`true` always. Parameters must then not change the symmetry",
                   .fallback = "auto",
                   .words = "auto true false",
                   .only_for = "spatial"},
                  {.name = "hold",
                   .kind = word_list,
                   .about = "coordinates whose position and velocity initialization keeps: x y z "
                            "of the centre of mass, rotations about the body's axes",
                   .words = "x y z about_x about_y about_z all"},
                  {.name = "hold_position",
                   .kind = word_list,
                   .about = "the same for the position only",
                   .words = "x y z about_x about_y about_z all"},
                  {.name = "hold_velocity",
                   .kind = word_list,
                   .about = "the same for the velocity only",
                   .words = "x y z about_x about_y about_z all"},
                  a_switch(
                      "free",
                      "the body is meant to move freely: no warning if it is connected to nothing"),
              },
          .choices = {{"mass density"}, {"inertia box cylinder sphere rod", false}}};
}

ElementType flexible() {
  return {
      .name = "flexible",
      .about =
          "A flexible body: a sum of modes from a `.flex` file ([flexible.md](flexible.md)). Loads "
          "act on its nodes: `frame.n3` is a body that joints, springs, contacts and expressions "
          "can use like any other.",
      .equation =
          "$u(x) = \\sum\\varphi_k(x)\\,q_k$, $\\ddot q_k + 2\\zeta_k\\omega_k\\dot q_k + "
          "\\omega_k^2 q_k = Q_k + \\dots$ in mean axes",
      .example = R"xml(<flexible name="frame" file="beam.flex" at="0 0 1" modes="below 2kHz"/>
<joint name="root" type="fixed" between="ground frame.root" at="0 0 1"/>)xml",
      .attributes = {
          a_name(),
          {.name = "file",
           .kind = file,
           .about = "its modes, written by `python -m mechfmu.flex`",
           .required = true},
          a_point("at", "position of the file's origin at t = 0, undeformed"),
          {.name = "rotation",
           .kind = vector,
           .about = "axes of the file at t = 0: Cardan angles about x, then y', then z''",
           .unit = "rad",
           .fallback = "0 0 0",
           .placed = Placed::rotation},
          {.name = "modes",
           .kind = text,
           .about = "modes to keep: `all`, the first `12`, or those `below 2kHz`",
           .fallback = "all"},
          {.name = "damping",
           .about = "damping ratio of all modes; default: as in the file",
           .unit = "1"},
          {.name = "coupling",
           .kind = word,
           .about = "effect of deformation on inertia: `full` all terms of the file, `partial` "
                    "first order, `constant` none",
           .fallback = "full",
           .words = "full partial constant"},
          {.name = "velocity",
           .kind = vector,
           .about = "velocity of the file's origin at t = 0, world axes",
           .unit = "m/s",
           .fallback = "0 0 0",
           .placed = Placed::direction},
          {.name = "angular_velocity",
           .kind = vector,
           .about = "angular velocity at t = 0, world axes",
           .unit = "rad/s",
           .fallback = "0 0 0",
           .placed = Placed::direction},
          a_switch(
              "free",
              "the body is meant to move freely: no warning if nothing is connected to its nodes"),
      }};
}

ElementType shape() {
  return {
      .name = "shape",
      .about =
          "A solid part of a body. Mass, centre of mass and inertia of the body are those of all "
          "its shapes together.",
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
          Attributes{{.name = "mesh",
                      .kind = file,
                      .about = "solid inside a closed triangle mesh: an STL or OBJ file below the "
                               "folder of the mechanism file; it is also drawn"},
                     {.name = "scale",
                      .about = "scale of the mesh: 0.001 if it is in millimetres",
                      .unit = "1",
                      .fallback = "1",
                      .needs = "mesh"},
                     {.name = "mass", .about = "mass", .unit = "kg"},
                     {.name = "density", .about = "density, instead of the mass", .unit = "kg/m3"},
                     {.name = "at",
                      .kind = vector,
                      .about = "its centre, or the origin of its mesh, relative to the reference "
                               "point in body axes",
                      .unit = "m",
                      .fallback = "0 0 0"},
                     {.name = "rotation",
                      .kind = vector,
                      .about = "orientation of its axes in the body: Cardan angles",
                      .unit = "rad",
                      .fallback = "0 0 0"}},
      .choices = {{"box cylinder sphere rod mesh"}, {"mass density"}}};
}

ElementType look() {
  return {
      .name = "look",
      .about =
          "Appearance without mass, fixed to a body: a shape, a mesh, axes or a text. A body is "
          "drawn with its looks and its own solids. A look without a shape sets the color of the "
          "body. Looks do not affect the motion.",
      .example = R"xml(<look body="carriage" box="0.3 0.2 0.1" at="0 0 0.5" color="#c0392b"/>
<look plane="2 2" at="0 0 -0.1" opacity="0.5"/>
<look body="wheel" color="#2f6fdb"/>)xml",
      .attributes =
          {{.name = "body",
            .kind = reference,
            .about = "the body it is fixed to",
            .fallback = "ground",
            .words = "body"},
           {.name = "box",
            .kind = numbers,
            .about = "lengths along x, y, z",
            .unit = "m",
            .counts = "3"},
           {.name = "sphere", .kind = numbers, .about = "radius", .unit = "m", .counts = "1"},
           {.name = "cylinder",
            .kind = numbers,
            .about = "radius and length",
            .unit = "m",
            .counts = "2"},
           {.name = "ellipsoid",
            .kind = numbers,
            .about = "semi-axes along x, y, z",
            .unit = "m",
            .counts = "3"},
           {.name = "cone",
            .kind = numbers,
            .about = "radius and length; the tip points along `axis`",
            .unit = "m",
            .counts = "2"},
           {.name = "capsule",
            .kind = numbers,
            .about = "radius and length between the centres of the round ends",
            .unit = "m",
            .counts = "2"},
           {.name = "torus",
            .kind = numbers,
            .about = "radius of the ring and radius of its tube",
            .unit = "m",
            .counts = "2"},
           {.name = "plane",
            .kind = numbers,
            .about = "length and width of a sheet perpendicular to `axis`",
            .unit = "m",
            .counts = "2"},
           {.name = "frame",
            .kind = numbers,
            .about = "length of x, y, z axes",
            .unit = "m",
            .counts = "1"},
           {.name = "text", .kind = AttributeKind::text, .about = "text to show"},
           {.name = "height",
            .about = "height of the letters",
            .unit = "m",
            .fallback = "0.05",
            .needs = "text"},
           {.name = "file",
            .kind = file,
            .about =
                "triangle mesh: an STL, OBJ or glTF file below the folder of the mechanism file"},
           {.name = "scale",
            .about = "scale of the mesh: 0.001 if it is in millimetres",
            .unit = "1",
            .fallback = "1",
            .needs = "file"},
           a_point("at", "its middle"),
           {.name = "rotation",
            .kind = vector,
            .about = "its axes: Cardan angles about x, then y', then z''",
            .unit = "rad",
            .fallback = "0 0 0",
            .placed = Placed::rotation},
           a_direction("axis",
                       "axis of cylinder, cone, capsule, torus and plane, before the rotation",
                       "0 0 1"),
           {.name = "local",
            .kind = boolean,
            .about = "point and axes are in body axes, relative to the reference point, instead of "
                     "world coordinates",
            .fallback = "false"},
           {.name = "color", .kind = AttributeKind::text, .about = "color as #rrggbb"},
           {.name = "opacity",
            .about = "from 0 (invisible) to 1 (opaque)",
            .unit = "1",
            .fallback = "1"}},
      .choices = {
          {"box sphere cylinder ellipsoid cone capsule torus plane frame text file", false}}};
}

ElementType joint() {
  return {
      .name = "joint",
      .about =
          "Connects two bodies at a point given in world coordinates at t = 0. A closed loop is "
          "one more joint. Reactions are those on body b.",
      .equation = "$g(y) = 0$: [the equations of every type](mechanics.md)",
      .example =
          R"xml(<joint name="C" type="revolute" between="coupler rocker" at="2 1 0" axis="0 0 1"/>
<joint name="stay" type="distance" between="carriage coupler" to="1 1 0" length="sqrt(2)"/>
<joint name="lead" type="screw" between="ground wheel" axis="1 0 0" pitch="5mm"/>)xml",
      .selector = "type",
      .attributes = {
          a_name(),
          {.name = "type",
           .kind = word,
           .about = "the motion it allows",
           .required = true,
           .words = joint_types},
          a_between(),
          a_point("at", "its point"),
          a_direction("axis",
                      "axis of rotation or translation; normal of planes; for a universal joint "
                      "the axis in a",
                      "0 0 1"),
          {.name = "axis2",
           .kind = vector,
           .about = "axis of a universal joint in b",
           .unit = "1",
           .fallback = "1 0 0",
           .placed = Placed::direction,
           .only_for = "universal"},
          {.name = "to",
           .kind = vector,
           .about = "the point of b: for a distance joint, or if initialization must bring the two "
                    "points together",
           .unit = "m",
           .placed = Placed::point,
           .required_for = "distance"},
          {.name = "length",
           .about = "length of a distance joint; default: as placed",
           .unit = "m",
           .only_for = "distance"},
          {.name = "pitch",
           .about = "displacement of a screw per turn, right-handed if positive",
           .unit = "m",
           .only_for = "screw",
           .required_for = "screw"},
          {.name = "angle",
           .about = "angle at t = 0, within ±180 deg; bodies on both sides of the joint move as "
                    "little as possible, unless other joints have start values too or `hold` keeps "
                    "a body; default: as placed, or as other joints require",
           .unit = "rad",
           .only_for = "revolute cylindrical screw planar"},
          {.name = "angle_rate",
           .about = "rate at t = 0; default: follows from other rates and velocities",
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
          a_local("`at` and `axis` are in the axes of a relative to its reference point, `to` and "
                  "`axis2` in those of b")}};
}

ElementType measure() {
  return {
      .name = "measure",
      .about =
          "A distance, displacement or angle between two bodies. Forces and constraints can act "
          "along it, and expressions can use it. `force` and `torque` are directions: they have a "
          "rate but no value.",
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
           .about = "the measured quantity",
           .required = true,
           .words = "distance displacement angle alignment force torque"},
          a_between(),
          a_point("from", "the point of a"),
          {.name = "to",
           .kind = vector,
           .about = "the point of b; default: the point of a at t = 0",
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
           .about = "the body the axis is fixed to",
           .fallback = "a",
           .words = "a b",
           .only_for = "force torque"},
          {.name = "from_start",
           .kind = boolean,
           .about = "measure the displacement from the initial position, as angles always are",
           .fallback = "false",
           .only_for = "displacement"},
          {.name = "offset",
           .about =
               "initial value of an angle, or of a displacement measured from the initial position",
           .unit = "rad or m",
           .fallback = "0",
           .only_for = "displacement angle"},
          a_local()}};
}

ElementType driver() {
  return {
      .name = "driver",
      .about = "Drives a joint or a measure along a function of time and parameters.",
      .equation = "$\\varphi = value(t)$",
      .example = R"xml(<driver name="crank_drive" joint="A" value="2*pi*time"/>)xml",
      .attributes =
          {a_name(),
           {.name = "joint", .kind = reference, .about = "the joint to drive", .words = "joint"},
           {.name = "coordinate",
            .kind = word,
            .about = "selects the coordinate of joints that have two (cylindrical, screw)",
            .words = "angle displacement",
            .needs = "joint"},
           {.name = "measure",
            .kind = reference,
            .about = "the measure to drive",
            .words = "measure"},
           {.name = "value",
            .about =
                "position; joint coordinates are 0 at t = 0, and the length for a distance joint",
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
          .attributes =
              {a_name(),
               {.name = "of",
                .kind = references,
                .about = "joints with one coordinate, or measures; one to twelve",
                .words = "joint measure"},
               {.name = "factors",
                .kind = numbers,
                .about = "one factor per coordinate",
                .needs = "of",
                .required_with = "of"},
               {.name = "constant", .about = "value of the sum", .fallback = "0", .needs = "of"},
               {.name = "value",
                .about = "expression of measures and joint coordinates that is kept at 0",
                .knows = Knows::motion}},
          .choices = {{"of value"}}};
}

ElementType gear() {
  return {.name = "gear",
          .about = "Gear pair between the coordinates of two joints.",
          .equation =
              "$\\varphi_1 + ratio\\cdot\\varphi_2 = 0$; negative for an internal gear or a "
              "belt",
          .example = R"xml(<gear name="stage" joints="A B" ratio="2.5"/>)xml",
          .attributes = {
              a_name(),
              {.name = "joints",
               .kind = references,
               .about = "the two joints",
               .required = true,
               .words = "joint",
               .counts = "2"},
              {.name = "ratio", .about = "ratio of the angles", .unit = "1", .required = true}}};
}

ElementType rack() {
  return {
      .name = "rack",
      .about = "Rack and pinion between a sliding and a rotating joint.",
      .equation = "$s_1 - radius\\cdot\\varphi_2 = 0$",
      .example = R"xml(<rack name="steering" joints="S A" radius="0.02"/>)xml",
      .attributes = {a_name(),
                     {.name = "joints",
                      .kind = references,
                      .about = "the joint of the rack, then the joint of the pinion",
                      .required = true,
                      .words = "joint",
                      .counts = "2"},
                     {.name = "radius",
                      .about = "radius of the pinion's pitch circle; negative: on the other side",
                      .unit = "m",
                      .required = true}}};
}

ElementType constraint() {
  return {.name = "constraint",
          .about = "A user-defined constraint.",
          .equation =
              "$0 = value(\\varphi, t)$, or nonholonomic $0 = value(\\varphi, "
              "\\dot\\varphi, t)$",
          .example = R"xml(<constraint name="cam" value="S.displacement - 0.01*cos(3*A.angle)"/>
<constraint name="skate" value="S.rate - 0.1*A.rate" nonholonomic="true"/>)xml",
          .attributes = {a_name(),
                         {.name = "value",
                          .about = "expression that is kept at 0",
                          .required = true,
                          .knows = Knows::motion},
                         a_switch("nonholonomic", "the expression uses rates")}};
}

ElementType rolling() {
  return {
      .name = "rolling",
      .about = "Rolling of b on a plane of a without slip.",
      .equation =
          "wheel: $n\\cdot(P-P_0) - \\rho\\sqrt{1-(n\\cdot a)^2} - \\tau = 0$ and zero velocity of "
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
          a_point("centre", "centre of the wheel or sphere; point of contact of the knife edge"),
          {.name = "axle",
           .kind = vector,
           .about = "axle of the wheel; for a knife edge, the direction across the blade",
           .unit = "1",
           .fallback = "0 1 0",
           .placed = Placed::direction,
           .only_for = "wheel knife_edge"},
          a_point("plane", "a point of the plane"),
          a_direction("normal", "normal of the plane, towards b", "0 0 1"),
          {.name = "radius",
           .about = "radius of the sphere or disc; for a torus, to the centre of its tube",
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
           .about = "also keep b on the plane; set to false if another element does",
           .fallback = "true",
           .only_for = "wheel sphere"}}};
}

}  // namespace

std::vector<ElementType> mechanics() {
  return {body(),   shape(),    look(), flexible(), joint(),      measure(),
          driver(), coupling(), gear(), rack(),     constraint(), rolling()};
}

}  // namespace mechfmu::elements
