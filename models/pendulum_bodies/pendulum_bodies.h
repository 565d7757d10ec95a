// A point mass on a massless rod (IFToMM benchmark A01) made of bodies: a point mass at a constant
// distance from the pivot, or a rod on a revolute joint with all its mass at the end and no moment
// of inertia about its centre of mass.

#pragma once

#include "models/bodies.h"

namespace mechfmu::models {

enum class PendulumKind { point, rod };

inline mechanics::Mechanism pendulum_bodies(PendulumKind kind = PendulumKind::point,
                                            Space space = Space::planar) {
  using namespace mechanics;
  Mechanism m("pendulum_bodies");
  m.about = "Point mass on a massless rod, made of one body and one joint";
  m.experiment = {.stop = 10, .step = 0.01};

  const Parameter mass = m.parameter("m", 1, "kg", "bob mass");
  const Parameter l = m.parameter("l", 1, "m", "rod length");
  const Parameter g = m.parameter("g", 9.81, "m/s2", "gravity");
  const Input F = m.input("F", 0, "N", "horizontal force on the bob");
  for (const Parameter p : {mass, l}) m.describe(p.index).min(0);
  m.gravity = {0, of([=](InputValues s) { return -s(g); }), 0};

  const bool point = kind == PendulumKind::point;
  const Triple start = {of([=](InputValues s) { return -s(l); }), 0, 0};
  const Body bob = m.body({.name = "bob",
                           .type = point ? point_mass(space) : turning_body(space),
                           .mass = mass,
                           .at = start});
  const Joint rod = point ? m.joint({.name = "rod",
                                     .type = JointType::distance,
                                     .a = ground,
                                     .b = bob,
                                     .apart = true,
                                     .at_b = start,
                                     .length = l})
                          : m.joint({.name = "rod", .a = ground, .b = bob});
  m.force({.name = "push", .at = {bob, start}, .value = {Law(F), Law(0.0), Law(0.0)}});

  const char* const axes[] = {"bob.x", "bob.y", "bob.z"};
  for (int k = 0; k < 3; ++k)
    m.output(axes[k], [=](const Motion& q) { return q.position({bob, start})[k]; }).unit("m");
  // The reaction pulls the bob to the pivot.
  m.output("rod.force",
           [=](const Motion& q) {
             return -q.reaction(rod).force.dot(q.position({bob, start}).normalized());
           })
      .unit("N")
      .about("tension is positive");
  return m;
}

}  // namespace mechfmu::models
