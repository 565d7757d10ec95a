// A heavy top: one body that rotates about a fixed point, with gravity.
//
//   m v̇ = m g + λ,    J Ω̇ + Ω × JΩ = −X × Rᵀλ,    0 = r − R X
//
// X: from the fixed point to the centre of mass, in body axes.

#pragma once

#include "models/bodies.h"

namespace mechfmu::models {

inline mechanics::Mechanism heavy_top() {
  using namespace mechanics;
  Mechanism m("heavy_top");
  m.about = "Heavy top: one body that turns about a fixed point";
  m.experiment = {.stop = 1, .step = 1e-3};

  const Parameter mass = m.parameter("m", 15, "kg", "mass");
  const Parameter l = m.parameter("l", 1, "m", "from the fixed point to the centre of mass");
  const Parameter J1 = m.parameter("J1", .234375, "kg.m2", "moment of inertia across the axis");
  const Parameter J2 = m.parameter("J2", .46875, "kg.m2", "moment of inertia about the axis");
  const Parameter g = m.parameter("g", 9.81, "m/s2", "gravity");
  const Parameter spin =
      m.parameter("spin", 15, "rad/s", "initial angular velocity about the axis");
  const Parameter nod = m.parameter("nod", .3, "rad/s", "initial angular velocity about x");
  const Parameter precession =
      m.parameter("precession", -4.61538, "rad/s", "initial angular velocity about z");
  for (const Parameter p : {spin, nod, precession}) m.describe(p.index).only_at_start();
  const Input torque = m.input("torque", 0, "N.m", "about the axis of the top");
  for (const Parameter p : {mass, l, J1, J2}) m.describe(p.index).min(0);
  m.gravity = {0, 0, of([=](InputValues s) { return -s(g); })};

  // The axis is the body's y axis, horizontal at t = 0.
  const Body top = m.body({.name = "top",
                           .mass = mass,
                           .inertia = {.xx = J1, .yy = J2, .zz = J1},
                           .centre = {0, l, 0},
                           .angular_velocity = {nod, spin, precession}});
  const Joint pivot =
      m.joint({.name = "pivot", .type = JointType::spherical, .a = ground, .b = top});
  const Measure axis = m.measure({.name = "axis",
                                  .type = MeasureType::torque,
                                  .b = {top},
                                  .axis = {0, 1, 0},
                                  .local = true,
                                  .axes_of_b = true});
  m.force({.name = "motor", .along = axis, .value = torque});

  const Spot centre = {top, {0, l, 0}, true};
  const char* const axes[] = {".x", ".y", ".z"};
  for (int k = 0; k < 3; ++k)
    m.output(std::string("centre") + axes[k],
             [=](const Motion& q) { return q.position(centre)[k]; })
        .unit("m")
        .about("centre of mass");
  for (int k = 0; k < 3; ++k)
    m.output(std::string("omega") + axes[k],
             [=](const Motion& q) { return q.in_axes(q.angular_velocity(top), top)[k]; })
        .unit("rad/s")
        .about("angular velocity in body axes");
  const char* const parts[] = {".w", ".x", ".y", ".z"};
  for (int k = 0; k < 4; ++k)
    m.output(std::string("quaternion") + parts[k], [=](const Motion& q) {
       return q.quaternion(top)[k];
     }).about("of the rotation from body axes to the world's");
  output_reaction(m, pivot, Space::spatial, "ground on top");
  return m;
}

}  // namespace mechfmu::models
