// What people get wrong in the meaning of a mechanism file, and the very words they read then: names, units, numbers,
// and mechanisms that cannot be built or assembled.

#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <sstream>

#include "language/backend/cpp.h"
#include "tests/language/complaints.h"

namespace mechfmu {
namespace {

struct Case {
  const char* elements;  // from line 8 on
  const char* message;
  Files files{};
};

void expect(const std::vector<Case>& cases) {
  const std::string before = R"xml(<mechanism name="M">
<parameter name="k" value="2" unit="N/m"/>
<input name="torque" unit="N.m"/>
<body name="a" mass="1" inertia="1 1 1"/>
<body name="b" mass="1" inertia="1 1 1"/>
<joint name="A" type="revolute" between="ground a"/>
<joint name="B" type="revolute" between="a b" at="1 0 0"/>
)xml";
  for (const Case& c : cases)
    EXPECT_EQ(complaints(before + c.elements + "</mechanism>", c.files), c.message) << c.elements;
}

TEST(MechanismPlanErrors, NamesInExpressions) {
  expect({{"<spring name='s' joint='A' stiffness='kk'/>",
           "m.xml:8: spring 's': stiffness: 'kk' is not declared; did you mean 'k'?\n"},
          {"<torque name='t' joint='A' value='torqe'/>",
           "m.xml:8: torque 't': value: 'torqe' is not declared; did you mean 'torque'?\n"},
          {"<torque name='t' joint='A' value='xyzzy'/>",
           "m.xml:8: torque 't': value: 'xyzzy' is not declared\n"},
          {"<output name='o' value='A.displacement'/>",
           "m.xml:8: output 'o': value: joint 'A' has no 'displacement'; it has angle, angle_rate, "
           "angle_acceleration, rate, acceleration, force and torque\n"},
          {"<output name='o' value='A.angel'/>",
           "m.xml:8: output 'o': value: joint 'A' has no 'angel'; did you mean 'angle'?\n"},
          {"<output name='o' value='A.x'/>",
           "m.xml:8: output 'o': value: joint 'A' has no 'x'; it has angle, angle_rate, "
           "angle_acceleration, rate, acceleration, force and torque\n"},
          {"<output name='o' value='B'/>",
           "m.xml:8: output 'o': value: joint 'B' is not a number; use what it has: B.angle, or "
           "angle_rate, angle_acceleration, rate, acceleration, force or torque\n"},
          {"<output name='o' value='a'/>",
           "m.xml:8: output 'o': value: body 'a' is not a number; use what it has: a.position, or "
           "velocity, acceleration, angular_velocity, angular_acceleration, rotation, x_axis, "
           "y_axis, z_axis, quaternion_w, quaternion_x, quaternion_y or quaternion_z\n"},
          {"<output name='o' value='C.angle'/>",
           "m.xml:8: output 'o': value: 'C.angle': there is no element 'C'\n"},
          {"<output name='o' value='k.x'/>",
           "m.xml:8: output 'o': value: only vectors have components .x .y .z; this is a number\n"},
          {"<output name='o' value='energy.kinetics'/>",
           "m.xml:8: output 'o': value: 'energy.kinetics' is not known; did you mean "
           "'energy.kinetic'?\n"},
          {"<output name='o' value='energy.x'/>",
           "m.xml:8: output 'o': value: 'energy.x' is not known; there are energy.kinetic, "
           "energy.potential, energy.total, energy.dissipated_power, energy.supplied_power, "
           "mechanism.mass, mechanism.centre, mechanism.momentum and mechanism.angular_momentum\n"},
          {"<output name='o' value='a.relative_to(c).position.x'/>",
           "m.xml:8: output 'o': value: relative_to takes the name of a body; there is no body 'c' "
           "(column 1)\n"},
          {"<output name='o' value='a.relative_to(A).position.x'/>",
           "m.xml:8: output 'o': value: relative_to takes the name of a body; there is no body "
           "'A'; did you mean 'a'? (column 1)\n"},
          {"<output name='o' value='a.point(1, 0).position.x'/>",
           "m.xml:8: output 'o': value: point takes three coordinates in the axes of the body, as "
           "in a.point(0.1, 0, 0).position (column 1)\n"},
          {"<output name='o' value='a.point(1, 0, 0).rotation.x'/>",
           "m.xml:8: output 'o': value: a point of body 'a' has no 'rotation'; it has position, "
           "velocity and acceleration (column 1)\n"},
          {"<output name='o' value='a.position.w'/>",
           "m.xml:8: output 'o': value: body 'a': 'position' has no 'w'; components of vectors are "
           ".x .y .z\n"},
          {"<output name='o' value='ground.position.x'/>",
           "m.xml:8: output 'o': value: 'ground.position.x': the ground is not a body with "
           "quantities; it does not move (column 1)\n"}});
}

TEST(MechanismPlanErrors, FunctionsAndTables) {
  expect({{"<output name='o' value='sine(1)'/>",
           "m.xml:8: output 'o': value: there is no function 'sine'; did you mean 'sin'?\n"},
          {"<output name='o' value='sin(1, 2)'/>",
           "m.xml:8: output 'o': value: sin has 2 arguments; it is used as sin(x)\n"},
          {"<output name='o' value='atan2(1)'/>",
           "m.xml:8: output 'o': value: atan2 has 1 argument; it is used as atan2(y, x)\n"},
          {"<output name='o' value='sin'/>",
           "m.xml:8: output 'o': value: 'sin' is a function: write sin(x)\n"},
          {"<output name='o' value='k(2)'/>",
           "m.xml:8: output 'o': value: 'k' is no function: write k*(...) to multiply\n"},
          {"<output name='o' value='2 + table(k, 1)'/>",
           "m.xml:8: output 'o': value: 'k' is a number, not a table\n"},
          {"<output name='o' value='2 + table(nothing, 1)'/>",
           "m.xml:8: output 'o': value: 'nothing' is not declared (column 11)\n"},
          {"<table name='c' x='0 1' y='0 1'/><output name='o' value='c'/>",
           "m.xml:8: output 'o': value: a table needs an argument: write table(c, x)\n"},
          {"<table name='c' x='0 1' y='0 1'/><output name='o' value='c(1)'/>",
           "m.xml:8: output 'o': value: 'c' is a table: write table(c, x)\n"},
          {"<table name='c' x='0 1' y='0 1' x_unit='m'/><output name='o' value='table(c, time)'/>",
           "m.xml:8: output 'o': value: table 'c' is a function of a value in m, not in s\n"},
          {"<function name='tyre' arguments='1 N'/><output name='o' value='tyre(1)'/>",
           "m.xml:8: output 'o': value: 'tyre(1)' has 1 argument and needs 2\n"},
          {"<function name='tyre' arguments='1 N'/><output name='o' value='tyre'/>",
           "m.xml:8: output 'o': value: function 'tyre' is called with its arguments: tyre(…)\n"},
          {"<function name='tyre' arguments='1 N'/><output name='o' value='tyre(1, 2m)'/>",
           "m.xml:8: output 'o': value: this argument has to be in N, not in m\n"},
          {"<function name='tyre' arguments='1 N'/><body name='c' free='true' inertia='1 1 1' "
           "mass='tyre(1, 2)'/>",
           "m.xml:8: body 'c': mass: the mass has to be in kg, not in 1\n"},
          {"<function name='class' arguments='1'/>",
           "m.xml:8: function 'class': the name 'class' is taken in C++; use another one\n"},
          {"<function name='double' arguments='1' unit='N'/>",
           "m.xml:8: function 'double': the name 'double' is taken in C++; use another one\n"},
          {"<function name='tyre' arguments='1 furlong'/>",
           "m.xml:8: function 'tyre': unit \"furlong\" is unknown: \"furlong\" is no unit; write "
           "for example N.m, kg.m2, m/s2, rad/s, deg, %, 1\n"}});
}

TEST(MechanismPlanErrors, Units) {
  expect(
      {{"<spring name='s' joint='A' stiffness='5N'/>",
        "m.xml:8: spring 's': stiffness: the stiffness has to be in N.m/rad, not in N\n"},
       {"<joint name='P' type='prismatic' between='ground b'/><spring name='s' joint='P' "
        "stiffness='5N.m/rad'/>",
        "m.xml:8: spring 's': stiffness: the stiffness has to be in N/m, not in N.m/rad\n"},
       {"<joint name='P' type='prismatic' between='ground b'/><spring name='s' joint='P' "
        "stiffness='5N'/>",
        "m.xml:8: spring 's': stiffness: the stiffness has to be in N/m, not in N\n"},
       {"<spring name='s' joint='A' stiffness='k'/>",
        "m.xml:8: spring 's': stiffness: the stiffness has to be in N.m/rad, not in N/m\n"},
       {"<parameter name='p' value='1'/><torque name='t' joint='A' value='p'/>",
        "m.xml:8: torque 't': value: the value has to be in N.m, not in 1; 'p' is declared without "
        "unit: add unit=\"N.m\" to it\n"},
       {"<input name='p'/><torque name='t' joint='A' value='p'/>",
        "m.xml:8: torque 't': value: the value has to be in N.m, not in 1; 'p' is declared without "
        "unit: add unit=\"N.m\" to it\n"},
       {"<input name='p'/><torque name='t' joint='A' value='2*p'/>", ""},
       {"<input name='p'/><torque name='t' joint='A' value='torque - p'/>",
        "m.xml:8: torque 't': value: only equal dimensions are added: this is in 1, what is before "
        "it in N.m; 'p' is declared without unit: add unit=\"N.m\" to it\n"},
       {"<input name='p'/><torque name='t' joint='A' value='p - torque'/>",
        "m.xml:8: torque 't': value: only equal dimensions are added: this is in N.m, what is "
        "before it in 1; 'p' is declared without unit: add unit=\"N.m\" to it\n"},
       {"<input name='p'/><parameter name='q' value='1'/><torque name='t' joint='A' value='p*q'/>",
        "m.xml:8: torque 't': value: the value has to be in N.m, not in 1; 'p' is declared without "
        "unit: add unit=\"N.m\" to it\n"},
       {"<parameter name='p' value='1'/><variable name='v' value='p'/><torque name='t' joint='A' "
        "value='v'/>",
        "m.xml:8: torque 't': value: the value has to be in N.m, not in 1\n"},
       {"<parameter name='p' value='1'/><joint name='P' type='prismatic' between='ground "
        "b'/><force name='f' joint='P' value='k*p'/>",
        "m.xml:8: force 'f': value: the value has to be in N, not in N/m; 'p' is declared without "
        "unit: add unit=\"m\" to it\n"},
       {"<parameter name='p' value='1' unit='furlong'/>",
        "m.xml:8: parameter 'p': unit \"furlong\" is unknown: \"furlong\" is no unit; write for "
        "example N.m, kg.m2, m/s2, rad/s, deg, %, 1\n"},
       {"<parameter name='p' value='1' unit='furlong'/><torque name='t' joint='A' value='p'/>\n"
        "<output name='o' value='p + 2s'/>",
        "m.xml:8: parameter 'p': unit \"furlong\" is unknown: \"furlong\" is no unit; write for "
        "example N.m, kg.m2, m/s2, rad/s, deg, %, 1\n"
        "m.xml:9: output 'o': value: the value is in s; add unit=\"s\"\n"},
       {"<parameter name='p' value='1' unit='degC'/>",
        "m.xml:8: parameter 'p': the zero of degC is not that of SI; use K\n"},
       {"<output name='o' value='1' unit='degC'/>",
        "m.xml:8: output 'o': the zero of degC is not that of SI; use K\n"},
       {"<output name='o' value='A.angle' unit='m'/>",
        "m.xml:8: output 'o': value: the value has to be in m, not in rad\n"},
       {"<state name='x' rate='1' unit='mm'/>",
        "m.xml:8: state 'x': the unit mm is not one of SI without a factor, as it has to be here; "
        "use m\n"},
       {"<variable name='x' value='1' unit='mm'/>",
        "m.xml:8: variable 'x': the unit mm is not one of SI without a factor, as it has to be "
        "here; use m\n"},
       {"<function name='tyre' arguments='1' unit='kN'/>",
        "m.xml:8: function 'tyre': the unit kN is not one of SI without a factor, as it has to be "
        "here; use N\n"},
       {"<table name='c' x='0 1' y='0 1' unit='furlong'/><output name='o' value='table(c, 1)'/>",
        "m.xml:8: table 'c': unit \"furlong\" is unknown: \"furlong\" is no unit; write for "
        "example N.m, kg.m2, m/s2, rad/s, deg, %, 1\n"},
       {"<table name='c' x='0s 1s' y='0 1' x_unit='m'/>",
        "m.xml:8: table 'c': x: the x has to be in m, not in s\n"},
       {"<output name='o' value='1' unit='N m'/>",
        "m.xml:8: output 'o': unit \"N m\" is not understood at \" m\"\n"},
       {"<output name='o' value='k + 3m'/>",
        "m.xml:8: output 'o': value: only equal dimensions are added: this is in m, what is before "
        "it in N/m\n"},
       {"<body name='c' free='true' mass='3 m' inertia='1 1 1'/>",
        "m.xml:8: body 'c': mass: a unit stands directly after its number: remove the space before "
        "'m'\n"}});
}

TEST(MechanismPlanErrors, WhatAnExpressionMayUse) {
  expect(
      {{"<body name='c' free='true' mass='torque' inertia='1 1 1'/>",
        "m.xml:8: body 'c': mass: the mass cannot depend on 'torque' (inputs): it may depend on "
        "parameters\n"},
       {"<body name='c' free='true' mass='time' inertia='1 1 1'/>",
        "m.xml:8: body 'c': mass: the mass cannot depend on 'time': it may depend on parameters\n"},
       {"<body name='c' free='true' mass='A.angle' inertia='1 1 1'/>",
        "m.xml:8: body 'c': mass: the mass cannot depend on 'A.angle' (positions and velocities): "
        "it may depend on parameters\n"},
       {"<parameter name='p' value='k'/>",
        "m.xml:8: parameter 'p': value: the value cannot depend on 'k' (parameters): it has to be "
        "made of numbers only\n"},
       {"<torque name='t' joint='A' value='a.acceleration.x'/>",
        "m.xml:8: torque 't': value: the value has to be in N.m, not in m/s2\n"},
       {"<torque name='t' joint='A' value='A.angle_acceleration'/>",
        "m.xml:8: torque 't': value: the value has to be in N.m, not in rad/s2 (column 1)\n"},
       {"<torque name='t' joint='A' value='A.torque.z'/>",
        "m.xml:8: torque 't': 'A.torque' is known only when the equations of motion are solved; "
        "outputs may use it, the value of a torque may not\n"},
       {"<torque name='t' joint='A' value='energy.total'/>",
        "m.xml:8: torque 't': 'energy.total' is known only when the equations of motion are "
        "solved; outputs may use it, the value of a torque may not\n"},
       {"<torque name='t' joint='A' value='a.rotation.x'/>",
        "m.xml:8: torque 't': value: the value has to be in N.m, not in rad\n"},
       {"<joint name='P' type='prismatic' between='ground b'/><torque name='t' joint='A' "
        "value='P.force.x'/>",
        "m.xml:8: torque 't': value: the value has to be in N.m, not in N\n"},
       {"<joint name='P' type='prismatic' between='ground b'/><torque name='t' joint='A' "
        "value='norm(P.force)*1m'/>",
        "m.xml:8: torque 't': 'P.force' cannot be used here: joint 'P' is prismatic, and laws know "
        "the reactions of fixed, revolute, spherical and universal joints only; for friction use "
        "<friction … load=…>\n"},
       {"<constraint name='c' value='A.rate'/>",
        "m.xml:8: constraint 'c': 'A.rate' is a rate: a constraint of rates needs "
        "nonholonomic=\"true\"\n"},
       {"<constraint name='c' value='a.velocity.x'/>",
        "m.xml:8: constraint 'c': 'a.velocity' is a rate: a constraint of rates needs "
        "nonholonomic=\"true\"\n"},
       {"<constraint name='c' value='A.angle - B.force.x'/>",
        "m.xml:8: constraint 'c': value: only equal dimensions are added: this is in N, what is "
        "before it in rad (column 11)\n"},
       {"<constraint name='c' value='A.angle - 0.1*B.force.x'/>",
        "m.xml:8: constraint 'c': 'B.force' is a reaction, which the constraint cannot depend "
        "on\n"},
       {"<constraint name='c' value='A.angle - 0.1*B.acceleration'/>",
        "m.xml:8: constraint 'c': 'B.acceleration' is known only when the equations of motion are "
        "solved; outputs may use it, the value of a constraint may not\n"},
       {"<constraint name='c' value='A.angle - 0.1*A.rate' nonholonomic='true'/>", ""},
       {"<input name='u'/><constraint name='c' value='A.angle - u'/>",
        "m.xml:8: constraint 'c': 'u' is an input, whose rate is not known; a constraint may use "
        "measures, joint coordinates, parameters and time\n"},
       {"<torque name='t' joint='A' value='2*a.acceleration.x'/>",
        "m.xml:8: torque 't': 'a.acceleration' is known only when the equations of motion are "
        "solved; outputs may use it, the value of a torque may not\n"},
       {"<torque name='t' joint='A' value='A.torque.z + B.torque.z'/>",
        "m.xml:8: torque 't': 'A.torque' is known only when the equations of motion are solved; "
        "outputs may use it, the value of a torque may not\n"
        "m.xml:8: torque 't': 'B.torque' is known only when the equations of motion are solved; "
        "outputs may use it, the value of a torque may not\n"},
       {"<state name='x' rate='1'/><constraint name='c' value='A.angle - x'/>",
        "m.xml:8: constraint 'c': 'x' is a state; a constraint may use measures, joint "
        "coordinates, parameters and time\n"},
       {"<constraint name='c' value='A.angle - torque'/>",
        "m.xml:8: constraint 'c': value: only equal dimensions are added: this is in N.m, what is "
        "before it in rad\n"},
       {"<constraint name='c' value='time'/>",
        "m.xml:8: constraint 'c': value: it does not depend on the motion, so it constrains "
        "nothing\n"},
       {"<constraint name='c' value='0'/>",
        "m.xml:8: constraint 'c': value: it does not depend on the motion, so it constrains "
        "nothing\n"},
       {"<driver name='d' joint='A' value='torque'/>",
        "m.xml:8: driver 'd': value: the value cannot depend on 'torque' (inputs): it may depend "
        "on parameters and time\n"},
       {"<driver name='d' joint='A' value='B.angle'/>",
        "m.xml:8: driver 'd': value: the value cannot depend on 'B.angle' (positions and "
        "velocities): it may depend on parameters and time\n"},
       {"<torque name='t' joint='A' value='torque*(norm(a.x_axis) + norm(a.y_axis) + "
        "norm(a.z_axis) + norm(b.x_axis) + norm(b.y_axis))'/>",
        "m.xml:8: torque 't': it depends on 15 measures, states and reactions; 12 are the most\n"},
       {"<state name='x' rate='x.rate'/>",
        "m.xml:8: state 'x': 'x.rate' is known only when the equations of motion are solved; "
        "outputs may use it, the rate of a state may not\n"},
       {"<friction name='f' joint='A' coulomb='torque'/>",
        "m.xml:8: friction 'f': coulomb: the coulomb cannot depend on 'torque' (inputs): it may "
        "depend on parameters\n"},
       {"<measure name='m' type='force' between='a b'/><output name='o' value='m.value'/>",
        "m.xml:8: output 'o': value: measure 'm' has no 'value'; it has rate and acceleration\n"},
       {"<output name='o' value='a.relative_to(ground).position.x'/>",
        "m.xml:8: output 'o': value: relative_to takes the name of a body; seen from the ground "
        "things are without it (column 1)\n"},
       {"<output name='o' value='a.point(1, 0, torque).position.x'/>",
        "m.xml:8: output 'o': value: this argument of 'point' cannot depend on 'torque' (inputs): "
        "it may depend on parameters (column 15)\n"},
       {"<experiment stop='k'/>",
        "m.xml:8: experiment: stop: the stop cannot depend on 'k' (parameters): it has to be made "
        "of numbers only\n"}});
}

TEST(MechanismPlanErrors, NumbersAndVectors) {
  expect(
      {{"<output name='o' value='a.position'/>",
        "m.xml:8: output 'o': value: the value is in m; add unit=\"m\"\n"},
       {"<output name='o' value='time &lt; 1'/>",
        "m.xml:8: output 'o': value: the value has to be a number, not a condition\n"},
       {"<body name='c' free='true' mass='1' inertia='1 1 1' at='1'/>",
        "m.xml:8: body 'c': at: it has 1 number; it takes three, as in \"0 0.1 0\"\n"},
       {"<body name='c' free='true' mass='1' inertia='1 1 1' at='0 0'/>",
        "m.xml:8: body 'c': at: it has 2 numbers; it takes three, as in \"0 0.1 0\"\n"},
       {"<body name='c' free='true' mass='1' inertia='1 1 1' at='0 0 0 0'/>",
        "m.xml:8: body 'c': at: it has 4 numbers; it takes three, as in \"0 0.1 0\"\n"},
       {"<body name='c' free='true' mass='1' inertia='1 1 1' at='0 [0,1,0] 0'/>",
        "m.xml:8: body 'c': at: the at has to be a number, not a vector\n"},
       {"<body name='c' free='true' mass='1 2' inertia='1 1 1'/>",
        "m.xml:8: body 'c': mass: an operator is missing before '2': write * to multiply\n"},
       {"<body name='c' free='true' mass='[1,2,3]' inertia='1 1 1'/>",
        "m.xml:8: body 'c': mass: the mass has to be a number, not a vector\n"},
       {"<body name='c' free='true' mass='1' inertia='1 2'/>",
        "m.xml:8: body 'c': inertia: it has 2 numbers; it takes 1, 3 or 6: moments about the "
        "centre of mass in body axes: xx yy zz, or xx yy zz xy xz yz, or zz alone of a planar "
        "body\n"},
       {"<body name='c' free='true' mass='1' inertia='1'/>",
        "m.xml:8: body 'c': one moment of inertia is for type=\"planar\"; a spatial body takes xx "
        "yy zz\n"},
       {"<body name='c' type='planar' free='true' mass='1' inertia='1 1'/>",
        "m.xml:8: body 'c': inertia: it has 2 numbers; it takes 1, 3 or 6: moments about the "
        "centre of mass in body axes: xx yy zz, or xx yy zz xy xz yz, or zz alone of a planar "
        "body\n"},
       {"<body name='c' free='true' mass='1' box='1 1'/>",
        "m.xml:8: body 'c': box: it has 2 numbers; it takes 3: lengths along x, y, z\n"},
       {"<body name='c' free='true' mass='1' cylinder='1'/>",
        "m.xml:8: body 'c': cylinder: it has 1 number; it takes 2: radius and length\n"},
       {"<body name='c' free='true' mass='1' sphere='1 2'/>",
        "m.xml:8: body 'c': sphere: an operator is missing before '2': write * to multiply\n"},
       {"<torque name='t' joint='A' value='1 2 3'/>",
        "m.xml:8: torque 't': value: three components need a body: along a joint, a measure or two "
        "points a torque is one number\n"},
       {"<torque name='t' joint='A' value='[1,2,3]'/>",
        "m.xml:8: torque 't': value: the value has to be a number, not a vector\n"},
       {"<torque name='t' joint='A' value='1 2'/>",
        "m.xml:8: torque 't': value: an operator is missing before '2': write * to multiply\n"},
       {"<force name='f' body='a' value='1'/>",
        "m.xml:8: force 'f': value: it has 1 number; it takes three, as in \"0 0.1 0\"\n"},
       {"<force name='f' body='a' value='1 2'/>",
        "m.xml:8: force 'f': value: it has 2 numbers; it takes three, as in \"0 0.1 0\"\n"},
       {"<variable name='v' value='1 2'/>",
        "m.xml:8: variable 'v': value: it has 2 expressions; a variable is one number, or three "
        "for a vector\n"},
       {"<output name='o' value=''/>", "m.xml:8: output 'o': attribute 'value' is empty\n"},
       {"<output name='o' value='1 +'/>",
        "m.xml:8: output 'o': value: a value is missing after '+': the text ends here\n"},
       {"<output name='o' value='a.position + 1'/>",
        "m.xml:8: output 'o': value: this is a number, what is before it a vector: only numbers or "
        "only vectors are added\n"},
       {"<bushing name='m' between='a b' stiffness='1 2'/>",
        "m.xml:8: bushing 'm': stiffness: it has 2 numbers; it takes three, as in \"0 0.1 0\"\n"},
       {"<coupling name='c' of='A B' factors='1'/>",
        "m.xml:8: coupling 'c': 'of' names 2 coordinates and 'factors' has 1 number; they belong "
        "together one by one\n"},
       {"<coupling name='c' of='A B' factors='1 2 3'/>",
        "m.xml:8: coupling 'c': 'of' names 2 coordinates and 'factors' has 3 numbers; they belong "
        "together one by one\n"}});
}

TEST(MechanismPlanErrors, VariablesThatDependOnEachOther) {
  expect({{"<variable name='x' value='y'/>\n"
           "<variable name='y' value='x'/>",
           "m.xml:8: variable 'x': definitions go round in a circle: x -> y -> x; one of them has "
           "to do without the others\n"},
          {"<variable name='x' value='2*y'/>\n"
           "<variable name='y' value='z+1'/>\n"
           "<variable name='z' value='x'/>\n"
           "<output name='o' value='y'/>",
           "m.xml:8: variable 'x': definitions go round in a circle: x -> y -> z -> x; one of them "
           "has to do without the others\n"},
          {"<variable name='x' value='x'/>",
           "m.xml:8: variable 'x': 'x' is defined by itself: x -> x\n"},
          {"<variable name='x' value='kk'/>\n"
           "<output name='o' value='x'/>",
           "m.xml:8: variable 'x': value: 'kk' is not declared; did you mean 'k'?\n"},
          {"<variable name='x' value='1 +'/>\n"
           "<output name='o' value='x'/>",
           "m.xml:8: variable 'x': value: a value is missing after '+': the text ends here\n"},
          {"<variable name='x' value='k' unit='N'/>\n"
           "<output name='o' value='x'/>",
           "m.xml:8: variable 'x': value: the value has to be in N, not in N/m\n"},
          {"<variable name='x' value='a'/>",
           "m.xml:8: variable 'x': value: body 'a' is not a number; use what it has: a.position, "
           "or velocity, acceleration, angular_velocity, angular_acceleration, rotation, x_axis, "
           "y_axis, z_axis, quaternion_w, quaternion_x, quaternion_y or quaternion_z\n"},
          {"<table name='c' x='0 1' y='0 1'/><variable name='x' value='c'/>",
           "m.xml:8: variable 'x': value: a table needs an argument: write table(c, x)\n"}});
}

TEST(MechanismPlanErrors, NumbersOutOfRange) {
  expect({{"<body name='c' free='true' mass='1/0' inertia='1 1 1'/>",
           "m.xml:8: body 'c': mass: the mass is inf, which is no finite number: check what it "
           "divides by, and its roots\n"},
          {"<body name='c' free='true' mass='0/0' inertia='1 1 1'/>",
           "m.xml:8: body 'c': mass: the mass is nan, which is no finite number: check what it "
           "divides by, and its roots\n"},
          {"<body name='c' free='true' mass='1e400' inertia='1 1 1'/>",
           "m.xml:8: body 'c': mass: the number '1e400' is out of range: its size has to be "
           "between 2.3e-308 and 1.7e308\n"},
          {"<body name='c' free='true' mass='exp(1000)' inertia='1 1 1'/>",
           "m.xml:8: body 'c': mass: the mass is inf, which is no finite number: check what it "
           "divides by, and its roots\n"},
          {"<body name='c' free='true' mass='sqrt(-1)' inertia='1 1 1'/>",
           "m.xml:8: body 'c': mass: the mass is nan, which is no finite number: check what it "
           "divides by, and its roots\n"},
          {"<body name='c' free='true' mass='nan' inertia='1 1 1'/>",
           "m.xml:8: body 'c': mass: 'nan' is not declared\n"},
          {"<parameter name='p' value='inf'/>",
           "m.xml:8: parameter 'p': value: 'inf' is not declared\n"},
          {"<parameter name='p' value='1/0'/>",
           "m.xml:8: parameter 'p': value: the value is inf, which is no finite number: check what "
           "it divides by, and its roots\n"},
          {"<parameter name='p' value='1' min='2' max='1'/>",
           "m.xml:8: parameter 'p': min is 2 and above max, 1\n"},
          {"<parameter name='p' value='3' min='1' max='2'/>",
           "m.xml:8: parameter 'p': value is 3 and above max, 2\n"},
          {"<parameter name='p' value='0' min='1'/>",
           "m.xml:8: parameter 'p': value is 0 and below min, 1\n"},
          {"<input name='p' start='3' min='1' max='2'/>",
           "m.xml:8: input 'p': start is 3 and above max, 2\n"},
          {"<input name='p' min='1'/>", "m.xml:8: input 'p': start is 0 and below min, 1\n"},
          {"<output name='o' value='1' min='2' max='1'/>",
           "m.xml:8: output 'o': min is 2 and above max, 1\n"},
          {"<parameter name='p' value='30 mm' unit='m'/>",
           "m.xml:8: parameter 'p': value: a unit stands directly after its number: remove the "
           "space before 'mm'\n"},
          {"<parameter name='p' value='30mm' unit='m' max='2cm'/>",
           "m.xml:8: parameter 'p': value is 0.03 and above max, 0.02\n"},
          {"<parameter name='p' value='30s' unit='m'/>",
           "m.xml:8: parameter 'p': value: the value has to be in m, not in s\n"},
          {"<experiment stop='0'/>", "m.xml:8: experiment: 'stop' is 0; it has to be above zero\n"},
          {"<experiment stop='-1' step='0'/>",
           "m.xml:8: experiment: 'stop' is -1; it has to be above zero\n"
           "m.xml:8: experiment: 'step' is 0; it has to be above zero\n"},
          {"<experiment stop='1' step='2'/>",
           "m.xml:8: experiment: the step, 2 s, is longer than the run, 1 s\n"},
          {"<experiment stop='1m'/>",
           "m.xml:8: experiment: stop: the stop has to be in s, not in m\n"},
          {"<solver rho_inf='2'/>",
           "m.xml:8: solver: solver.rho_inf = 2 is out of range: 0 to 1 is allowed\n"},
          {"<solver alpha_hht='1'/>",
           "m.xml:8: solver: solver.alpha_hht = 1 is out of range: -0.333333 to 0 is allowed\n"},
          {"<solver tolerance='-1'/>",
           "m.xml:8: solver: solver.tolerance = -1 is out of range: 0 to 1 is allowed\n"},
          {"<solver max_substeps='1e300'/>",
           "m.xml:8: solver: solver.max_substeps = 1e+300 is out of range: 0 to 2.14748e+09 is "
           "allowed\n"},
          {"<solver max_substeps='0.5'/>",
           "m.xml:8: solver: solver.max_substeps = 0.5 is not a whole number\n"},
          {"<solver h_min='1' h_max='0.1'/>", ""},
          {"<solver fixed_step='-1'/>",
           "m.xml:8: solver: solver.fixed_step = -1 is out of range: 0 to inf is allowed\n"},
          {"<state name='x' rate='1' nominal='0'/>",
           "m.xml:8: state 'x': 'nominal' is 0; it has to be above zero\n"},
          {"<state name='x' rate='1' nominal='-2'/>",
           "m.xml:8: state 'x': 'nominal' is -2; it has to be above zero\n"},
          {"<parameter name='z' value='0' unit='kg'/><body name='c' free='true' mass='1/z*1kg2' "
           "inertia='1 1 1'/>",
           "m.xml:8: body 'c': its mass is not finite\n"},
          {"<parameter name='z' value='0'/><body name='c' free='true' mass='1' inertia='1 1 1' "
           "at='1/z 0 0'/>",
           "m.xml:8: body 'c': its position at the start is not finite\n"},
          {"<parameter name='z' value='0'/><spring name='s' joint='A' stiffness='1/z'/>",
           "m.xml:8: spring 's': it is not a finite number at the start; check what it divides by, "
           "and its roots\n"},
          {"<parameter name='z' value='0'/><output name='o' value='1/z'/>",
           "m.xml:8: warning: output 'o': it is not a finite number at the start\n"},
          {"<body name='c' mass='1' inertia='0.1 0.1 0.1' at='0.5 0 0' velocity='0 1 0' "
           "angular_velocity='0 0 3'/><joint name='C' type='revolute' between='ground c'/>",
           "m.xml:8: warning: body 'c': the start velocities contradict the constraints and were "
           "changed: 'c.rotation about z' from 3 to 2.28571 rad/s, 'c.y' from 1 to 1.14286 m/s; "
           "leave out what follows from the others\n"},
          {"<parameter name='z' value='0'/><torque name='t' joint='A' value='1/z'/>",
           "m.xml:8: torque 't': it is not a finite number at the start; check what it divides by, "
           "and its roots\n"}});
}

TEST(MechanismPlanErrors, Tables) {
  expect(
      {{"<table name='c' x='0 1 2' y='0 1'/>",
        "m.xml:8: table 'c': 'x' has 3 numbers and 'y' has 2; they belong together one by one\n"},
       {"<table name='c' x='0 2 1' y='0 1 2'/>",
        "m.xml:8: table 'c': x has to ascend; it does not from point 2 to the next\n"},
       {"<table name='c' x='0 0' y='0 1'/>",
        "m.xml:8: table 'c': x has to ascend; it does not from point 1 to the next\n"},
       {"<table name='c' x='0' y='1'/>", "m.xml:8: table 'c': a table needs two points or more\n"},
       {"<table name='c' x='0 1/0' y='1 2'/>",
        "m.xml:8: table 'c': x: the x is inf, which is no finite number: check what it divides by, "
        "and its roots\n"},
       {"<table name='c' x='0 k' y='1 2'/>",
        "m.xml:8: table 'c': x: the x cannot depend on 'k' (parameters): it has to be made of "
        "numbers only\n"},
       {"<table name='c' x='0 1' y='1 2'/><output name='o' value='table(c, 1m)'/>",
        "m.xml:8: output 'o': value: table 'c' is a function of a value in 1, not in m\n"},
       {"<table name='c' x='0 1 2' y='0 1'/><output name='o' value='table(c, 1)'/>",
        "m.xml:8: table 'c': 'x' has 3 numbers and 'y' has 2; they belong together one by one\n"},
       {"<table name='c' file='t.csv'/>",
        "m.xml:8: table 'c': \"t.csv\": the file does not exist\n",
        {}},
       {"<table name='c' file='t.csv'/><output name='o' value='table(c, 1)'/>",
        "t.csv:3: table 'c': 'two' is no number\n",
        {{"t.csv",
          "x,y\n"
          "0,1\n"
          "1,two\n"}}},
       {"<table name='c' file='t.csv'/>",
        "t.csv:2: table 'c': this line has 1 column, 2 are needed: write x, y\n",
        {{"t.csv",
          "0,1\n"
          "1\n"}}},
       {"<table name='c' file='t.csv'/>",
        "t.csv:3: table 'c': x = 1 is not above 2 of the point before: x has to ascend\n",
        {{"t.csv",
          "0,1\n"
          "2,1\n"
          "1,5\n"}}},
       {"<table name='c' file='t.csv'/>",
        "t.csv: table 'c': a table needs two points or more\n",
        {{"t.csv", ""}}},
       {"<table name='c' file='t.csv'/>",
        "t.csv: table 'c': a table needs two points or more\n",
        {{"t.csv", "0,1\n"}}}});
}

TEST(MechanismPlanErrors, Bodies) {
  expect({{"<body name='c' free='true' mass='-1' inertia='1 1 1'/>",
           "m.xml:8: body 'c': its mass must not be negative\n"},
          {"<parameter name='m' value='-1' unit='kg'/><body name='c' free='true' mass='m' "
           "inertia='1 1 1'/>",
           "m.xml:8: body 'c': its mass must not be negative\n"},
          {"<body name='c' free='true' mass='1' inertia='1 1 3'/>",
           "m.xml:8: body 'c': no body can have this inertia: principal moments must not be "
           "negative, and none may exceed the sum of the other two\n"},
          {"<body name='c' free='true' mass='1' inertia='-1 1 1'/>",
           "m.xml:8: body 'c': no body can have this inertia: principal moments must not be "
           "negative, and none may exceed the sum of the other two\n"},
          {"<body name='c' type='planar' free='true' mass='1' inertia='-1'/>",
           "m.xml:8: body 'c': its moment of inertia must not be negative\n"},
          {"<body name='c' free='true' mass='1' sphere='-1'/>",
           "m.xml:8: body 'c': its radius must be above zero\n"},
          {"<body name='c' free='true' mass='-1' sphere='1'/>",
           "m.xml:8: body 'c': its mass must not be negative\n"},
          {"<body name='c' free='true' density='-1' box='1 1 1'/>",
           "m.xml:8: body 'c': its density must not be negative\n"},
          {"<body name='c' free='true' mass='1' box='1 0 1'/>",
           "m.xml:8: body 'c': its length along y must be above zero\n"},
          {"<body name='c' free='true' mass='1' cylinder='0.1 1' axis='0 0 0'/>",
           "m.xml:8: body 'c': its axis has length zero; give a direction such as 0 0 1\n"},
          {"<body name='c' free='true'>\n"
           "<shape sphere='1' mass='1'/>\n"
           "<shape sphere='-1' mass='1'/></body>",
           "m.xml:8: body 'c': shape 2: its radius must be above zero\n"},
          {"<body name='c' free='true' mass='0'/>",
           "m.xml:8: the matrix of accelerations and multipliers is singular: the acceleration of "
           "coordinate 'c.x' is not determined; give it mass or inertia, or a constraint\n"},
          {"<body name='c' free='true' mass='1'/>",
           "m.xml:8: the matrix of accelerations and multipliers is singular: the acceleration of "
           "coordinate 'c.rotation about x' is not determined; give it mass or inertia, or a "
           "constraint\n"},
          {"<body name='c' type='point' free='true' mass='0'/>",
           "m.xml:8: the matrix of accelerations and multipliers is singular: the acceleration of "
           "coordinate 'c.x' is not determined; give it mass or inertia, or a constraint\n"},
          {"<body name='c' mass='1'/><joint name='C' type='spherical' between='a c'/>",
           "m.xml:8: the matrix of accelerations and multipliers is singular: the acceleration of "
           "coordinate 'c.rotation about x' is not determined; give it mass or inertia, or a "
           "constraint\n"},
          {"<body name='c' free='true' mass='1' inertia='1 1 1' hold='x y'/>", ""}});
}

TEST(MechanismPlanErrors, Joints) {
  expect(
      {{"<joint name='C' type='revolute' between='ground b' axis='0 0 0'/>",
        "m.xml:8: joint 'C': 'axis' has length zero; give a direction such as 0 0 1\n"},
       {"<joint name='C' type='revolute' between='ground b'\n"
        " at='1 0 0'\n"
        " axis='0 0 0'/>",
        "m.xml:10: joint 'C': 'axis' has length zero; give a direction such as 0 0 1\n"},
       {"<parameter name='n' value='0'/><joint name='C' type='revolute' between='ground b' "
        "axis='0 n 0'/>",
        "m.xml:8: joint 'C': 'axis' has length zero; give a direction such as 0 0 1\n"},
       {"<joint name='C' type='universal' between='ground b' axis='0 0 1' axis2='0 0 2'/>",
        "m.xml:8: joint 'C': its two axes are parallel; they should be perpendicular\n"},
       {"<joint name='C' type='universal' between='ground b' axis='0 0 1' axis2='0 0 0'/>",
        "m.xml:8: joint 'C': 'axis2' has length zero; give a direction such as 0 0 1\n"},
       {"<joint name='C' type='universal' between='ground b'/>", ""},
       {"<joint name='C' type='distance' between='ground b' at='0 0 0' to='0 0 0'/>",
        "m.xml:8: joint 'C': its two points coincide; a distance joint needs a length above "
        "zero (else use spherical)\n"},
       {"<body name='c' mass='1' inertia='1 1 1'/><joint name='C' type='revolute' between='ground "
        "c' "
        "angle='200deg'/>",
        "m.xml:8: joint 'C': its angle at the start is 200 deg; it must lie between -180 and 180 "
        "deg\n"},
       {"<body name='c' mass='1' inertia='1 1 1'/><joint name='C' type='spherical' between='ground "
        "c' "
        "angle='20deg'/>",
        "m.xml:8: joint 'C': attribute 'angle' is for type=\"revolute\", \"cylindrical\", "
        "\"screw\" or \"planar\", not for \"spherical\"\n"},
       {"<joint name='C' type='distance' between='ground b' at='0 0 0' to='1 0 0' length='0'/>",
        "m.xml:8: joint 'C': its length is 0 m; it must be above zero (without length: as "
        "placed)\n"},
       {"<joint name='C' type='distance' between='ground b' at='0 0 0' to='1 0 0' length='-0.5'/>",
        "m.xml:8: joint 'C': its length is -0.5 m; it must be above zero (without length: as "
        "placed)\n"},
       {"<body name='p' type='point' mass='1'/><joint name='C' type='revolute' between='ground "
        "p'/>",
        "m.xml:8: joint 'C': body 'p' is a point mass and cannot turn, so a revolute joint has "
        "no meaning; use spherical, point_on_line, point_in_plane or distance\n"},
       {"<body name='p' type='planar' mass='1' inertia='1'/><joint name='C' type='revolute' "
        "between='ground p' axis='1 0 0'/>",
        "m.xml:8: joint 'C': between planar bodies the axis must be 0 0 1\n"},
       {"<body name='p' type='planar' mass='1' inertia='1'/><joint name='C' type='prismatic' "
        "between='ground p' axis='0 0 1'/>",
        "m.xml:8: joint 'C': between planar bodies the axis must lie in the x-y plane\n"},
       {"<body name='p' type='planar' mass='1' inertia='1'/><joint name='C' type='prismatic' "
        "between='ground p'/>",
        "m.xml:8: joint 'C': between planar bodies the axis must lie in the x-y plane\n"},
       {"<body name='p' type='planar' mass='1' inertia='1'/><joint name='C' type='universal' "
        "between='ground p' axis='1 0 0' axis2='0 1 0'/>",
        "m.xml:8: joint 'C': a universal joint has no meaning between planar bodies; use "
        "revolute, prismatic, fixed, point_on_line, distance or constant_orientation\n"},
       {"<joint name='C' type='spherical' between='ground b' at='1 0 0' to='5 0 0'/>",
        "m.xml:7: the mechanism cannot be assembled: joint 'B' stays open by 2 m, joint 'A' "
        "stays open by 1 m, joint 'C' stays open by 1 m; change dimensions or start values\n"},
       {"<joint name='C' type='distance' between='ground b' at='0 0 0' to='1 0 0' length='9'/>",
        "m.xml:7: the mechanism cannot be assembled: joint 'B' stays open by 4 m, joint 'A' "
        "stays open by 2 m, joint 'C' stays open by 2 m; change dimensions or start values\n"},
       {"<body name='p' mass='1' sphere='1'/><joint name='C' type='prismatic' between='ground p'/>"
        "<joint name='D' type='distance' between='p b' at='0 0 0' to='1 0 0' length='1e308'/>",
        "m.xml:8: the mechanism cannot be assembled: joint 'D' stays open by inf m; change "
        "dimensions or start values\n"},
       {"<joint name='C' type='prismatic' between='ground b' axis='1 0 0'/><driver name='d' "
        "joint='A' value='pi/2'/><driver name='d2' joint='B' value='0'/>",
        "m.xml:8: the mechanism cannot be assembled: constraint 'd2' is still violated by "
        "0.733, joint 'C' stays open by 0.1 m and 0.417 rad, constraint 'd' is still violated "
        "by 0.407; change dimensions or start values\n"},
       {"<driver name='d' joint='A' value='1'/>\n"
        "<driver name='d2' joint='A' value='2'/>",
        "m.xml:8: the mechanism cannot be assembled: constraint 'd' is still violated by 0.5, "
        "constraint 'd2' is still violated by 0.5; change dimensions or start values\n"},
       {"<body name='c' type='point' mass='1' velocity='1 0 0' hold='all'/><joint name='C' "
        "type='spherical' between='ground c'/>",
        "m.xml:8: the start velocities contradict constraint 'C: x' by 1; change them, or hold "
        "fewer velocities (held: c.x, c.y, c.z)\n"},
       {"<driver name='d' joint='A' value='time*1rad/s'/><driver name='d2' joint='A' "
        "value='time*2rad/s'/>",
        "m.xml:8: the start velocities contradict constraint 'd' by 0.5; change them\n"},
       {"<rolling name='r' type='wheel' between='ground b' radius='-1' centre='0 0 1'/>",
        "m.xml:8: rolling 'r': its radius must be above zero\n"},
       {"<rolling name='r' type='wheel' between='ground b' radius='1' centre='0 0 1' axle='0 0 "
        "2'/>",
        "m.xml:8: rolling 'r': the wheel lies flat: its axle points along the normal of the plane, "
        "so "
        "that no point of its rim is the lowest\n"},
       {"<rolling name='r' type='wheel' between='ground b' radius='1' centre='0 0 1' normal='0 "
        "0 0'/>",
        "m.xml:8: rolling 'r': 'normal' has length zero; give a direction such as 0 0 1\n"},
       {"<body name='p' type='point' mass='1'/><rolling name='r' type='sphere' between='ground "
        "p' radius='1' centre='0 0 1'/>",
        "m.xml:8: rolling 'r': body 'p' cannot turn, so it cannot roll; b is the wheel\n"}});
}

TEST(MechanismPlanErrors, Forces) {
  expect({{"<joint name='D' type='constant_orientation' between='ground b'/><friction name='f' "
           "joint='A' coulomb='0.1' load='D'/>",
           "m.xml:8: friction 'f': joint 'D' transmits no force; load it by a joint that does\n"},
          {"<joint name='D' type='prismatic' between='ground b'/><friction name='f' joint='A' "
           "coulomb='0.1' load='D' arm='1'/>",
           ""},
          {"<friction name='f' joint='A' coulomb='0.1' load='A'/>", ""},
          {"<joint name='P' type='prismatic' between='ground b' axis='1 0 0'/><friction name='f' "
           "joint='P' coulomb='0.1' load='A' arm='1'/>",
           ""},
          {"<force name='f' body='a' value='1 2 3' axes='world' reaction='b'/>",
           "m.xml:8: force 'f': with a reaction on a moving body the axes must be those of a body: "
           "axes=\"body\" or \"reaction\"\n"},
          {"<force name='f' body='a' value='1 2 3' reaction='b'/>",
           "m.xml:8: force 'f': with a reaction on a moving body the axes must be those of a body: "
           "axes=\"body\" or \"reaction\"\n"},
          {"<force name='f' body='a' value='1 2 3' reaction='a'/>",
           "m.xml:8: force 'f': the reaction is on the body itself; it has to be on another one\n"},
          {"<torque name='t' joint='A' value='1 0 0'/>",
           "m.xml:8: torque 't': value: three components need a body: along a joint, a measure or "
           "two points a torque is one number\n"},
          {"<spring name='s' between='ground b' from='0 0 0' to='0 0 0'/>",
           "m.xml:8: spring 's': its two points coincide at the start, where a distance has no "
           "direction; use displacements\n"},
          {"<spring name='s' between='ground b' from='0 0 0' to='0 0 0'/><output name='o' unit='m' "
           "value='s.length'/>",
           "m.xml:8: spring 's': its two points coincide at the start, where a distance has no "
           "direction; use displacements\n"},
          {"<stop name='s' joint='A' stiffness='1'/>",
           "m.xml:8: stop 's': it stops nothing; add 'lower' or 'upper', or both\n"},
          {"<stop name='s' joint='A' lower='1' upper='0' stiffness='1'/>",
           "m.xml:8: stop 's': lower is 1 and above upper, 0\n"},
          {"<spring name='s' joint='A' stiffness='-1'/>", ""},
          {"<contact name='c' between='ground b' centre='0 0 0' radius='-1' stiffness='1'/>",
           "m.xml:8: contact 'c': the radius of b must not be negative; 0 makes it a point\n"},
          {"<contact name='c' between='ground b' centre='0 0 0' radius='1' stiffness='-1'/>",
           "m.xml:8: contact 'c': its stiffness must not be negative\n"},
          {"<contact name='c' between='ground b' centre='0 0 0' radius='1' stiffness='1' axis='0 0 "
           "0'/>",
           "m.xml:8: contact 'c': 'axis' has length zero; give a direction such as 0 0 1\n"},
          {"<bushing name='m' between='a b' axis='0 0 0' stiffness='1 1 1'/>",
           "m.xml:8: bushing 'm': its axes have length zero or are parallel; axis2 has to point "
           "across axis\n"},
          {"<bushing name='m' between='a b' axis='1 0 0' axis2='1 0 0' stiffness='1 1 1'/>",
           "m.xml:8: bushing 'm': its axes have length zero or are parallel; axis2 has to point "
           "across axis\n"},
          {"<bushing name='m' between='a b' stiffness='1'/>",
           "m.xml:8: bushing 'm': stiffness: it has 1 number; it takes three, as in \"0 0.1 0\"\n"},
          {"<measure name='m' type='angle' between='a b' axis='0 0 0'/>",
           "m.xml:8: measure 'm': 'axis' has length zero; give a direction such as 0 0 1\n"},
          {"<body name='p' type='point' mass='1' free='true'/><measure name='m' type='angle' "
           "between='a p'/>",
           "m.xml:8: measure 'm': body 'p' is a point mass, which does not turn and takes up no "
           "torque; use bodies that turn, or the ground\n"},
          {"<body name='p' type='point' mass='1' free='true'/><torque name='m' body='p' value='1 0 "
           "0'/>",
           "m.xml:8: torque 'm': body 'p' is a point mass, which does not turn and takes up no "
           "torque; use bodies that turn, or the ground\n"},
          {"<body name='p' type='point' mass='1' free='true'/><torque name='t' joint='A' "
           "value='2*p.angular_velocity.x'/>",
           "m.xml:8: torque 't': body 'p' is a point mass, which does not turn and takes up no "
           "torque; use bodies that turn, or the ground\n"},
          {"<force name='f' between='ground a' from='0 0 0' to='1 0 0' value='1' energy='2s'/>",
           "m.xml:8: force 'f': energy: the energy has to be in N.m, not in s\n"},
          {"<gear name='g' joints='A A' ratio='1'/>",
           "m.xml:8: gear 'g': joints=\"A A\" names the same joint twice\n"}});
}

TEST(MechanismPlanErrors, NamesOfElements) {
  expect({{"<output name='o' value='1'/>\n"
           "<output name='o' value='2'/>",
           "m.xml:9: output 'o': the name 'o' is already that of output 'o' in line 8\n"},
          {"<output name='A.angle' value='1'/>", ""},
          {"<output name='solver.steps' value='1'/>",
           "m.xml:8: output 'solver.steps': the name 'solver.steps' belongs to settings and "
           "statistics of the solver; use another one\n"},
          {"<output name='energy.kinetic' value='1'/>", ""},
          {"<output name='time' value='1'/>",
           "m.xml:8: output 'time': the name 'time' has a meaning of its own; use another one\n"},
          {"<body name='class' free='true' mass='1' inertia='1 1 1'/><parameter name='new' "
           "value='1'/><output name='double' unit='m' value='new*class.position.x'/>",
           ""},
          {"<parameter name='sin' value='1'/><output name='o' value='sin(sin)'/>", ""},
          {"<parameter name='min' value='1'/><output name='o' value='min(min, 2)'/>", ""},
          {"<parameter name='pi' value='1'/>",
           "m.xml:8: parameter 'pi': the name 'pi' has a meaning of its own; use another one\n"},
          {"<parameter name='e' value='1'/>",
           "m.xml:8: parameter 'e': the name 'e' has a meaning of its own; use another one\n"},
          {"<parameter name='ground' value='1'/>",
           "m.xml:8: parameter 'ground': the name 'ground' has a meaning of its own; use another "
           "one\n"},
          {"<parameter name='m' value='1'/><parameter name='x' value='1'/><output name='o' "
           "value='m+x'/>",
           ""}});
}

TEST(MechanismPlanErrors, GroupsAndIncludedFiles) {
  expect(
      {{"<group name='leg' base='' m='1kg'>\n"
        "<body name='foot' mass='mm' inertia='1 1 1'/><joint name='J' type='revolute' "
        "between='base foot'/>\n"
        "</group>\n"
        "<use group='leg' name='l1' base='a'/><use group='leg' name='l2' base='b'/>",
        "m.xml:9: body 'foot': mass: 'mm' is not declared (a unit stands directly after its "
        "number: 5mm)\n"},
       {"<group name='leg' base='' m='1kg'>\n"
        "<body name='foot' mass='m' inertia='1 1 1'/><joint name='J' type='revolute' between='base "
        "foot'/>\n"
        "</group>\n"
        "<use group='leg' name='l1' base='a' m='-1'/><use group='leg' name='l2' base='b' m='-2'/>",
        "m.xml:9: body 'foot': its mass must not be negative (in l1 and l2)\n"},
       {"<group name='leg' base='' m='1kg'>\n"
        "<body name='foot' mass='m' inertia='1 1 1'/>\n"
        "<joint name='J' type='revolute' between='base foot' axis='0 0 0'/>\n"
        "</group>\n"
        "<use group='leg' name='l1' base='a'/>\n"
        "<use group='leg' name='l2' base='b'/>",
        "m.xml:10: joint 'J': 'axis' has length zero; give a direction such as 0 0 1 (in l1 and "
        "l2)\n"},
       {"<group name='leg' base='' m='1kg'>\n"
        "<body name='foot' mass='m' inertia='1 1 1'/>\n"
        "<joint name='J' type='revolute' between='base foot'/><output name='o' "
        "value='J.displacement'/>\n"
        "</group>\n"
        "<use group='leg' name='l1' base='a'/>",
        "m.xml:10: output 'o': value: joint 'J' has no 'displacement'; it has angle, angle_rate, "
        "angle_acceleration, rate, acceleration, force and torque (column 1)\n"},
       {"<group name='leg' base='' m='1kg'>\n"
        "<body name='foot' mass='m' inertia='1 1 1'/>\n"
        "<joint name='J' type='revolute' between='base foot'/>\n"
        "</group>\n"
        "<use group='leg' name='l1' base='a' m='5m'/>",
        "m.xml:9: body 'foot': mass: the mass has to be in kg, not in m\n"},
       {"<group name='leg' base='' m='1kg'>\n"
        "<body name='foot' mass='m' inertia='1 1 1'/>\n"
        "<joint name='J' type='revolute' between='base foot'/>\n"
        "</group>\n"
        "<use group='leg' name='l1' base='a' m='torque'/>",
        "m.xml:9: body 'foot': mass: the mass cannot depend on 'torque' (inputs): it may depend on "
        "parameters\n"},
       {"<group name='leg' base='' m='1kg'>\n"
        "<body name='foot' mass='m' inertia='1 1 1'/>\n"
        "<joint name='J' type='revolute' between='base foot'/>\n"
        "</group>\n"
        "<use group='leg' name='l1' base='a' m=''/>",
        "m.xml:9: body 'foot': mass: a value is missing: the text ends here\n"},
       {"<group name='leg' base='' m='1kg'>\n"
        "<body name='foot' mass='m' inertia='1 1 1'/>\n"
        "<joint name='J' type='revolute' between='base foot'/>\n"
        "</group>\n"
        "<use group='leg' name='l1' base='a' m='1 +'/>",
        "m.xml:9: body 'foot': mass: a value is missing after '+': the text ends here\n"},
       {"<group name='leg' base='' m='1kg'>\n"
        "<body name='foot' mass='m' inertia='1 1 1'/>\n"
        "<joint name='J' type='revolute' between='base foot'/>\n"
        "</group>\n"
        "<use group='leg' name='l1' base='a' at='1 2'/>",
        "m.xml:12: use 'l1': at: it has 2 numbers; it takes three, as in \"0 0.1 0\"\n"},
       {"<group name='leg' base='' m='1kg'>\n"
        "<body name='foot' mass='m' inertia='1 1 1'/>\n"
        "<joint name='J' type='revolute' between='base foot'/>\n"
        "</group>\n"
        "<use group='leg' name='l1' base='a' rotation='1m 0 0'/>",
        "m.xml:12: use 'l1': rotation: the rotation has to be in rad, not in m\n"},
       {"<group name='leg' base='' m='1kg'>\n"
        "<body name='foot' mass='m' inertia='1 1 1'/>\n"
        "<joint name='J' type='spherical' between='base foot' at='0 0 0' to='3 0 0'/><joint "
        "name='K' type='fixed' between='ground foot'/>\n"
        "</group>\n"
        "<use group='leg' name='l1' base='ground'/>",
        "m.xml:10: the mechanism cannot be assembled: joint 'l1.J' stays open by 1.5 m, joint "
        "'l1.K' stays open by 1.5 m; change dimensions or start values\n"},
       {"<group name='leg' base='' m='1kg'>\n"
        "<parameter name='p' value='1'/><body name='foot' mass='m' inertia='1 1 1'/>\n"
        "<joint name='J' type='revolute' between='base foot'/><torque name='t' joint='J' "
        "value='p'/>\n"
        "</group>\n"
        "<use group='leg' name='l1' base='a'/>",
        "m.xml:10: torque 't': value: the value has to be in N.m, not in 1; 'p' is declared "
        "without unit: add unit=\"N.m\" to it\n"},
       {"<group name='leg' base='' m='1kg'>\n"
        "<variable name='x' value='y'/><variable name='y' value='x'/><body name='foot' mass='m' "
        "inertia='1 1 1'/>\n"
        "<joint name='J' type='revolute' between='base foot'/>\n"
        "</group>\n"
        "<use group='leg' name='l1' base='a'/>",
        "m.xml:9: variable 'x': definitions go round in a circle: x -> y -> x; one of them has to "
        "do without the others\n"},
       {"<group name='leg' base='' m='1kg'>\n"
        "<body name='foot' mass='m' inertia='1 1 1'/>\n"
        "<joint name='J' type='spherical' between='base foot'/>\n"
        "</group>\n"
        "<use group='leg' name='l1' base='a' m='-1'/><use group='leg' name='l2' base='a' "
        "m='-1'/><use group='leg' name='l3' base='a' m='-1'/><use group='leg' name='l4' base='a' "
        "m='-1'/><use group='leg' name='l5' base='a' m='-1'/>",
        "m.xml:9: body 'foot': its mass must not be negative (in l1, l2 and 3 more)\n"},
       {"<group name='g'><parameter name='steps' value='1'/></group><use group='g' name='solver'/>",
        "m.xml:8: parameter 'steps': the name 'solver.steps' belongs to settings and statistics of "
        "the solver; use another one\n"},
       {"<include file='p.xml'/><use group='leg' name='l1' base='a'/>",
        "p.xml:3: body 'foot': its mass must not be negative (in l1)\n"
        "p.xml:5: joint 'J': 'axis' has length zero; give a direction such as 0 0 1 (in l1)\n",
        {{"p.xml",
          "<part>\n"
          "<group name='leg' base=''>\n"
          "<body name='foot' mass='-1' inertia='1 1 1'/>\n"
          "<joint name='J' type='revolute' between='base foot'\n"
          " axis='0 0 0'/></group></part>"}}},
       {"<include file='p.xml'/>",
        "p.xml:3: torque 't': value: 'kk' is not declared; did you mean 'k'?\n",
        {{"p.xml",
          "<part>\n"
          "<body name='c' mass='-1' inertia='1 1 1' free='true'/>\n"
          "<torque name='t' joint='A' value='kk'/></part>"}}},
       {"<include file='p.xml'/>",
        "p.xml:2: body 'c': its mass must not be negative\n"
        "p.xml:3: joint 'C': 'axis' has length zero; give a direction such as 0 0 1\n",
        {{"p.xml",
          "<part>\n"
          "<body name='c' mass='-1' inertia='1 1 1' free='true'/>\n"
          "<joint name='C' type='revolute' between='a c' axis='0 0 0'/></part>"}}}});
}

TEST(MechanismPlanErrors, AllInOneRun) {
  expect(
      {{"<body name='c' mass='-1' inertia='1 1 1' free='true'/>\n"
        "<body name='d' mass='-2' inertia='1 1 1' free='true'/>\n"
        "<joint name='C' type='revolute' between='c d' axis='0 0 0'/>",
        "m.xml:8: body 'c': its mass must not be negative\n"
        "m.xml:9: body 'd': its mass must not be negative\n"
        "m.xml:10: joint 'C': 'axis' has length zero; give a direction such as 0 0 1\n"},
       {"<spring name='s' joint='A' stiffness='kk' damping='cc'/>\n"
        "<output name='o' value='A.angel + B.agnle'/>",
        "m.xml:8: spring 's': stiffness: 'kk' is not declared; did you mean 'k'?\n"
        "m.xml:8: spring 's': damping: 'cc' is not declared\n"
        "m.xml:9: output 'o': value: joint 'A' has no 'angel'; did you mean 'angle'? (column 1)\n"
        "m.xml:9: output 'o': value: joint 'B' has no 'agnle'; did you mean 'angle'? (column "
        "11)\n"}});
}

std::string free_body(const std::string& elements) {
  return "<mechanism name='M'><body name='b' mass='1' inertia='1 1 1' free='true'/>" + elements +
         "</mechanism>";
}

std::string cpp_of(const std::string& content) {
  Diagnostics diagnostics;
  const MechanismText text = read_mechanism_text(content, "m.xml", diagnostics);
  const Plan plan = make_plan(text, diagnostics);
  EXPECT_EQ(diagnostics.text(), "");
  return mechanism_cpp(plan);
}

TEST(MechanismPlanErrors, WordsOfCppAreNamesLikeOthers) {
  const std::string cpp =
      cpp_of(free_body("<parameter name='class' value='1'/><input name='new' start='2'/>"
                       "<body name='double' mass='class*1kg' inertia='1 1 1' free='true'/>"
                       "<output name='int' value='new'/>"));
  for (const char* name : {"\"class\"", "\"new\"", "\"double\"", "\"int\""})
    EXPECT_NE(cpp.find(name), std::string::npos) << name << cpp;
  for (const char* declared : {" class =", " new =", " double ="})
    EXPECT_EQ(cpp.find(declared), std::string::npos) << declared << cpp;
}

TEST(MechanismPlanErrors, NamesThatAreTheSameInCppStayApart) {
  Diagnostics diagnostics;
  const MechanismText text = read_mechanism_text(
      free_body("<group name='g'><parameter name='b' value='1'/><parameter name='b_c' value='2'/>"
                "</group><use group='g' name='a'/><parameter name='a_b' value='3'/>"
                "<parameter name='a_b_c' value='4'/><parameter name='a_b_2' value='5'/>"
                "<output name='o' value='a.b + a.b_c + a_b + a_b_c + a_b_2'/>"),
      "m.xml", diagnostics);
  const Plan plan = make_plan(text, diagnostics);
  EXPECT_EQ(diagnostics.text(), "");
  std::set<std::string> ids;
  std::size_t parameters = 0;
  for (const Item& item : plan.items)
    if (item.call == "parameter") {
      ids.insert(item.id);
      ++parameters;
    }
  EXPECT_EQ(parameters, 5U);
  EXPECT_EQ(ids.size(), 5U);
  const std::optional<MechanismCheck> check = check_mechanism(plan, diagnostics);
  ASSERT_TRUE(check);
  EXPECT_EQ(check->outputs.at(0).value, 15);
}

TEST(MechanismPlanErrors, LongNamesAreNamesLikeOthers) {
  const std::string name(5000, 'n');
  EXPECT_EQ(complaints(free_body("<parameter name='" + name +
                                 "' value='1'/><output name='o' value='" + name + "'/>")),
            "");
}

TEST(MechanismPlanErrors, AnyTextMayStandInAbout) {
  const std::string cpp = cpp_of(free_body(
      "<parameter name='p' value='1' about='a &quot;b&quot; \\ \\n ?\?/ &#10; */ //&#9;ü'/>"));
  EXPECT_NE(cpp.find(R"x("a \"b\" \\ \\n)x"), std::string::npos) << cpp;
  EXPECT_EQ(cpp.find("?\?/"), std::string::npos) << cpp;
}

TEST(MechanismPlanErrors, VariablesMadeOfEachOtherInALongChain) {
  constexpr int count = 10'000;
  for (const bool forward : {true, false}) {
    std::ostringstream content;
    content << "<mechanism name='M'><body name='b' mass='1' sphere='1' free='true'/>\n"
               "<variable name='v0' value='1'/>\n";
    for (int k = 1; k <= count; ++k) {
      const int i = forward ? k : count + 1 - k;
      content << "<variable name='v" << i << "' value='v" << i - 1 << "+1'/>\n";
    }
    content << "<output name='o' value='v" << count << "'/></mechanism>";
    EXPECT_EQ(complaints(content.str()), "");
  }
}

TEST(MechanismPlanErrors, NamesOfManyPartsTakeNoTime) {
  std::string name = "b";
  for (int i = 0; i < 49'000; ++i) name += ".x";
  const auto begin = std::chrono::steady_clock::now();
  const std::string text = complaints(
      "<mechanism name='M'><body name='b' mass='1' sphere='1' free='true'/>\n"
      "<output name='o' value='" +
      name + "'/></mechanism>");
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  EXPECT_TRUE(text.find("body 'b' has no 'x'") != std::string::npos) << text;
  EXPECT_LT(taken.count(), 5);
}

}  // namespace
}  // namespace mechfmu
