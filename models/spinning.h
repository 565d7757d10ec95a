// Mechanisms with parts that spin fast, for tests and tables.

#pragma once

#include <cmath>
#include <numbers>

#include "mechanics/mechanism.h"
#include "mechanics/placement.h"

namespace mechfmu::models {

/// A heavy top whose axis, body z, leans by half a radian; Ω = (0, 0.3, spin) in body axes. Its
/// moments of inertia are about the fixed point, and its weight is a force at the original centre
/// of mass.
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

/// A single-track vehicle on a plane: chassis, wheels of 0.3 m, the front one in a fork that is
/// steered along the way v t.
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

/// The bicycle of the comparison of programs by Meijaard, Papadopoulos, Ruina & Schwab (2007). It
/// rolls along x at speed v, with its rider's mass fixed to the frame, and begins to roll about x.
inline mechanics::Mechanism bicycle(double v, double roll_rate, mechanics::Spins spins) {
  using namespace mechanics;
  Mechanism m("bicycle");
  m.gravity = {0, 0, -9.81};
  const auto part = [&](const char* name, double mass, const Inertia& inertia, double x, double z,
                        double radius) {
    return m.body({.name = name,
                   .spins = radius > 0 ? spins : Spins::no,
                   .mass = mass,
                   .inertia = inertia,
                   .at = {x, 0, z},
                   .velocity = {v, -roll_rate * z, 0},
                   .angular_velocity = {roll_rate, radius > 0 ? v / radius : 0.0, 0}});
  };
  const Body frame = part("frame", 85, {.xx = 9.2, .yy = 11, .zz = 2.8, .xz = -2.4}, 0.3, 0.9, 0);
  const Body rear = part("rear", 2, {.xx = 0.0603, .yy = 0.12, .zz = 0.0603}, 0, 0.3, 0.3);
  const Body fork =
      part("fork", 4, {.xx = 0.05892, .yy = 0.06, .zz = 0.00708, .xz = 0.00756}, 0.9, 0.7, 0);
  const Body front = part("front", 3, {.xx = 0.1405, .yy = 0.28, .zz = 0.1405}, 1.02, 0.35, 0.35);
  const double tilt = std::numbers::pi / 10;
  m.joint({.name = "rear hub", .a = frame, .b = rear, .at = {0, 0, 0.3}, .axis = {0, 1, 0}});
  m.joint({.name = "front hub", .a = fork, .b = front, .at = {1.02, 0, 0.35}, .axis = {0, 1, 0}});
  m.joint({.name = "steering",
           .a = frame,
           .b = fork,
           .at = {1.1, 0, 0},
           .axis = {-std::sin(tilt), 0, std::cos(tilt)}});
  m.rolling({.name = "rear tyre", .a = ground, .b = rear, .centre = {0, 0, 0.3}, .radius = 0.3});
  m.rolling(
      {.name = "front tyre", .a = ground, .b = front, .centre = {1.02, 0, 0.35}, .radius = 0.35});
  return m;
}

}  // namespace mechfmu::models
