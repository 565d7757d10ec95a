#include "language/file/guide.h"

#include "language/meaning/names.h"

namespace mechfmu {

std::string_view mechanism_example() {
  return R"xml(<mechanism name="FourBar" gravity="0 -9.81 0" about="four-bar linkage with a motor and a spring">
  <parameter name="k" value="800" unit="N/m" min="0" about="stiffness of the tie"/>
  <input name="torque" start="0" unit="N.m" about="torque of the motor"/>

  <!-- Everything is placed in the world as it stands at the start, in metres. -->
  <body name="crank" at="0 0.1 0" mass="1.2" inertia="4e-3 1e-4 4e-3"/>
  <body name="coupler" at="0.25 0.3 0" mass="2" cylinder="10mm 0.54" axis="5 2 0"/>
  <body name="rocker" at="0.5 0.2 0" mass="1.5" cylinder="10mm 0.4" axis="0 1 0"/>

  <default element="joint" type="revolute" axis="0 0 1"/>
  <joint name="A" between="ground crank" at="0 0 0"/>
  <joint name="B" between="crank coupler" at="0 0.2 0"/>
  <joint name="C" between="coupler rocker" at="0.5 0.4 0"/>
  <joint name="D" between="rocker ground" at="0.5 0 0"/>

  <spring name="tie" between="ground rocker" from="1 0.4 0" to="0.5 0.4 0"
          stiffness="k" damping="15" length="0.45"/>
  <torque name="motor" joint="A" value="torque - 0.02*A.rate"/>

  <output name="phi" value="A.angle" unit="rad" about="angle of the crank"/>
  <output name="pin" value="norm(B.force)" unit="N" about="force in the pin between crank and coupler"/>
  <experiment stop="5" step="0.01"/>
</mechanism>
)xml";
}

std::string mechanism_guide() {
  std::string page = R"md(## How a file looks

```
      B────────────────C~~~~~~~~~~~~~~~~■    a motor turns the crank A–B,
crank │     coupler    │       tie           a spring pulls at the rocker C–D
      A                │ rocker
      ▲                D
                       ▲
```

```xml
)md";
  page += mechanism_example();
  page += R"md(```

`mechfmu new four_bar` writes this file, `mechfmu check four_bar.xml` says what it describes, `mechfmu simulate four_bar.xml`
runs it, and `mechfmu export four_bar.xml` makes the FMU ([the tool](tool.md)). In the FMU, `k` is a parameter, `torque` an
input, `phi` and `pin` are outputs; energies come by themselves.

The order of elements does not matter, but for `default`, which counts for what follows it. Names are letters, digits and `_`,
beginning with a letter, and unique in the mechanism; they may end in whole numbers in brackets, `link[3]`, `node[2,5]`, as the names of
[copies](#copies) do. Names of outputs may have dots, and are apart from all others. Every element may have an attribute `about`,
a description for readers; for parameters, inputs and outputs the FMU shows it.

## Placement and assembly

A mechanism is drawn, not computed: bodies, joints and points of forces are given **in the world, where they are at the start**.
There is no chain of relative transformations, and a closed loop is one more joint. `at` of a body is its reference point; unless
`centre` says otherwise it is the centre of mass. Points and axes of elements are attached to their bodies in that picture; with
`local="true"` they are in body axes from the reference point instead.

- The body `ground` is always there and never moves.
- Angles and displacements of joints are 0 at the start and count turns. They are those of body b against a, about or along `axis`.
- A joint with `at` and `to` joins two points that do not coincide yet. Initialization then moves the bodies, all of them as little as
  possible, until everything fits, and the same for velocities. `mechfmu check` says what was moved and how far; `hold` on a body
  says what has to stay. Where it cannot fit, the message names the joint that stays open and by how much.
- Joints may say more than is needed, as four revolute joints in one plane do. Such constraints are found and listed; the motion is
  right, and among the possible reactions the smallest are chosen.

## Expressions

Any number may be an expression. A vector is three of them with spaces between: `"0 -l/2 2*r"`. A sign that touches a number
after a space begins the next component, `"1 -2"`; write `a - b` or `a-b` for a difference.

| | |
|---|---|
| numbers | `12.5e-3`, with a unit directly after it: `30deg`, `5mm`, `3000rpm`, `2kN.m` |
| operators, loosest first | `or`, `and`, `not`, `< <= > >= == !=`, `+ -`, `* /`, `-a`, `a^b`; in an attribute `<` is written `&lt;` |
| vectors | `[x, y, z]`, `a.x`, `s*a`, `a/s`, `a + b`, `norm(a)`, `dot(a, b)`, `cross(a, b)` |
| functions | `sin cos tan asin acos atan atan2(y, x) sinh cosh tanh exp log sqrt pow(x, n) abs sign floor min max` |
| choices | `if(condition, a, b)` |
| smooth | `step(x, x0, y0, x1, y1)` from y0 to y1; `smooth_abs(x, width)`, `smooth_max(a, b, width)`, `smooth_min(a, b, width)` |
| of one's own | `table(name, x)` of a [`table`](#table), `name(x, …)` of a [`function`](#function) |
| constants | `pi`, `e`, `g0` = 9.80665 m/s², `time`, `true`, `false` |

The solver takes derivatives of all of them, exactly. It takes fewer and larger steps where forces are smooth: prefer `step` and
`smooth_max` to `if` and `max` where a force depends on the motion.

**Units** are written as in `N.m`, `kg.m2`, `m/s2`, `N.m.s/rad`, with the prefixes of the SI. Everything is computed in SI units, and what
does not fit is an error: `1m + 2s`. The one rule to know: **a number without unit has the unit it needs.** In `mass="2"` it is kg, in
`l + 0.1` metres, and in `torque - 0.02*A.rate` the 0.02 is N.m.s/rad. A parameter has the unit it declares, so `stiffness="k"` with
`k` in N is refused. `value` and `start` of parameters and inputs are in their own `unit`: `value="30" unit="deg"`.

What an expression may use depends on its place; the tables below say it:

| | may use |
|---|---|
| a constant | numbers |
| (nothing said) | and parameters |
| may use time | and `time` |
| may use the motion | and inputs, states, variables, and what elements measure, as below. Forces know positions and velocities; accelerations and reactions of joints are for outputs, except for the reaction force of a joint, which friction may depend on. |

## Names

What expressions may ask of elements, by their names: `A.angle`, `tie.force`, `crank.velocity.x`. Vectors are in world axes;
forces of joints are what they do to body b. *(for outputs)* marks what is known only when the equations are solved: forces cannot depend on it.
)md";
  page += readings_reference();
  page += R"md(
Of bodies also, of points and seen from other bodies:

| name | meaning |
|---|---|
| `crank.point(0.1, 0, 0).velocity` | of a point of the body, in body axes from its reference point: position, velocity, acceleration |
| `crank.relative_to(rocker).position` | as an observer on the other body sees it, in that body's axes |
| `crank.point(0.1, 0, 0).relative_to(rocker).position` | both |

## Defaults, groups and files

Three ways not to write things twice; for many copies in a row there is a [fourth](#copies):

- [`default`](#default) gives attributes to the elements of a type that follow it, in the same file or group and below.
- [`group`](#group) is a template with parameters; each [`use`](#use) is a copy of it under another name, at another place. What is in it is then called
  `left.thigh`, `left.hip.angle`.
- [`include`](#include) reads another file as if it stood there. Included files and tables are in the folder of the mechanism file or
  below it: a folder can be copied or sent, and a file from elsewhere cannot read what it should not.

```xml
<mechanism name="Walker" gravity="0 0 -9.81">
  <body name="trunk" at="0 0 1" mass="20" box="0.4 0.5 0.3" free="true"/>
  <group name="leg" length="0.3">
    <body name="thigh" at="0 0 -0.5*length" mass="2" cylinder="30mm length"/>
    <joint name="hip" type="revolute" between="trunk thigh" axis="0 1 0"/>
  </group>
  <use group="leg" name="left" at="0 0.2 0.85"/>
  <use group="leg" name="right" at="0 -0.2 0.85" length="0.35"/>
  <output name="stride" value="left.hip.angle - right.hip.angle" unit="rad"/>
</mechanism>
```

## Copies

[`repeat`](#repeat) makes copies of what stands in it: chains, tracks, ropes, nets, gratings. It has an index, which counts in steps of 1 and stands for its number

- in expressions, by its name: `0.1*i`;
- in brackets directly after a name, of the element itself and of others: `link[i]`, `link[i-1]`, `node[i, 2*j + 1]`. They hold whole numbers and indices with
  `+ - *` and parentheses.

```xml
<mechanism name="Chain" gravity="0 0 -9.81">
  <default element="body" mass="0.2" cylinder="5mm 0.1" axis="1 0 0"/>
  <default element="joint" type="revolute" axis="0 1 0"/>
  <body name="link[1]" at="0.05 0 0"/>
  <joint name="J[1]" between="ground link[1]"/>
  <repeat name="i" from="2" to="40">
    <body name="link[i]" at="0.1*i - 0.05 0 0"/>
    <joint name="J[i]" between="link[i-1] link[i]" at="0.1*(i - 1) 0 0"/>
    <friction name="rub[i]" joint="J[i]" viscous="1e-3"/>
  </repeat>
  <output name="tip" value="link[40].point(0.05, 0, 0).position" unit="m"/>
</mechanism>
```

The copies are as if they were written out: `link[2]`, `J[2]`, `rub[2]`, `link[3]` … . These are their names everywhere: in expressions outside of the repeat, in the FMU, in
tables of results, and on the command line, where they are put in quotes, as shells have brackets of their own: `--columns 'link[3].x'`. Every name in a repeat holds its index. The first element of a chain, which has no one before it, is written by itself, as above.

- `ring="true"` closes a chain: of a repeat from 1 to 64, `shoe[i-1]` is `shoe[64]` where i is 1, and `shoe[i+1]` is `shoe[1]` where i is 64.
- Repeats in each other make grids, `node[i,j]`. The inner one may count from or to what the outer index says: `from="i + 1"`.
- A repeat holds uses of groups, `<use group="leg" name="leg[i]" at="0.4*i 0 0"/>`, whose elements are then `leg[2].knee`; and a group holds repeats, which may count to a parameter
  of the group. A group does not see the indices where it is used; what it needs to know of them is given to it as a parameter: `n="i"`.
- An element of several bodies needs no repeat: `<contact name="floor" between="ground shoe*" local="true" …/>` makes `floor[1]`, `floor[2]` … of the
  bodies `shoe[1]`, `shoe[2]` …, and `between="ball* ball*"` each two of them once, `hit[1,2]`. Commas make lists: `pin[1],pin[2]`. Copies have the indices
  of the bodies; where these have none, they are counted from 1. Hundreds of pairs that do not touch cost next to nothing.
- How many copies there are is part of the file: parameters of the FMU cannot change it.
- What is wrong with all copies is said of the first one: `(and in 38 more copies)`.

## Errors

Problems are said one a line, with file and line as compilers do, so that editors jump there. Elements and the names they refer to come
first; when they are right, the expressions; when those are right, whether the mechanism can be built and assembled. All that a stage finds is said
at once. This file

```xml
<mechanism name="Wrong">
  <parameter name="k" value="800" unit="N/m"/>
  <body name="crank" mass="1" sphere="0.1"/>
  <joint name="A" type="revolut" between="ground crank"/>
  <spring name="tie" between="ground crnk" from="0 0 0" to="0 1 0" stiffness="k"/>
</mechanism>
```

is answered with

```text
wrong.xml:4: error: joint 'A': type="revolut": 'revolut' is not known; did you mean 'revolute'?
wrong.xml:5: error: spring 'tie': body 'crnk' does not exist; did you mean 'crank'?
```

and, when that is put right but the stiffness refers to `kk` and an output has another unit than its value, with

```text
wrong.xml:5: error: spring 'tie': stiffness: 'kk' is not declared; did you mean 'k'?
wrong.xml:6: error: output 'pin': value: the value has to be in N.m, not in N
```

Warnings are for what is possible but probably not meant; `mechfmu check --strict` counts them as errors.

)md";
  return page;
}

}  // namespace mechfmu
