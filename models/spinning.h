// Mechanisms with parts that spin fast, for tests and tables.

#pragma once

#include "mechanics/mechanism.h"
#include "mechanics/placement.h"

namespace mechfmu::models {

/// A heavy top of which the axis, body z, leans by half a radian; Ω = (0, 0.3, spin) in body axes. Its moments of inertia are those
/// about the fixed point, and the weight is a force at what was the centre of mass.
inline mechanics::Mechanism leaning_top(double spin, mechanics::Spins spins) {
  using namespace mechanics;
  Mechanism m("top");
  const Vec3 lean(0.5, 0, 0);
  const Vec3 omega = rotation_matrix(lean) * Vec3(0, 0.3, spin);
  const Body top = m.body({.name = "top",
                           .spins = spins,
                           .mass = 15,
                           .inertia = {.xx = 15.234375, .yy = 15.234375, .zz = 0.46875},
                           .rotation = lean,
                           .angular_velocity = omega});
  m.joint({.name = "pivot", .type = JointType::spherical, .a = ground, .b = top});
  m.force(VectorForceData{
      .name = "weight", .at = {top, {0, 0, 1}, true}, .value = {0.0, 0.0, -15 * 9.81}});
  return m;
}

/// A single-track vehicle on a plane: chassis, wheels of 0.3 m, the front one in a fork that is steered along the way v t.
inline mechanics::Mechanism single_track_vehicle(double v, mechanics::Spins spins) {
  using namespace mechanics;
  Mechanism m("vehicle");
  const auto wheel = [&](const char* name, double x) {
    return m.body({.name = name,
                   .spins = spins,
                   .mass = 10,
                   .inertia = {.xx = 0.25, .yy = 0.45, .zz = 0.25},
                   .at = {x, 0, 0.3},
                   .velocity = {v, 0, 0},
                   .angular_velocity = {0, v / 0.3, 0}});
  };
  const Body chassis = m.body({.name = "chassis",
                               .mass = 500,
                               .inertia = {.xx = 100, .yy = 300, .zz = 350},
                               .at = {1, 0, 0.5},
                               .velocity = {v, 0, 0}});
  const Body rear = wheel("rear", 0);
  const Body fork = m.body({.name = "fork",
                            .mass = 5,
                            .inertia = {.xx = 0.1, .yy = 0.1, .zz = 0.05},
                            .at = {2.5, 0, 0.5},
                            .velocity = {v, 0, 0}});
  const Body front = wheel("front", 2.5);
  m.joint({.name = "road", .type = JointType::planar, .a = ground, .b = chassis});
  m.joint({.name = "rear axle", .a = chassis, .b = rear, .at = {0, 0, 0.3}, .axis = {0, 1, 0}});
  const Joint steering =
      m.joint({.name = "steering", .a = chassis, .b = fork, .at = {2.5, 0, 0.5}});
  m.joint({.name = "front axle", .a = fork, .b = front, .at = {2.5, 0, 0.3}, .axis = {0, 1, 0}});
  m.driver("driver", m.angle(steering),
           [v](const auto& s) { return 0.1 * (1.0 - cos(s.t * (0.2 * v))); });
  for (const Body b : {rear, front})
    m.rolling({.name = m.bodies[static_cast<std::size_t>(b.index)].name,
               .a = ground,
               .b = b,
               .centre = {b.index == rear.index ? 0.0 : 2.5, 0, 0.3},
               .radius = 0.3,
               .contact = false});
  return m;
}

}  // namespace mechfmu::models
