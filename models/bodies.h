// Common parts of mechanisms made of bodies: planar or spatial, and the outputs of all of them.

#pragma once

#include <cmath>
#include <string>

#include "mechanics/mechanism.h"
#include "mechanics/motion.h"

namespace mechfmu::models {

/// A mechanism that moves in the x-y plane may consist of planar or of spatial bodies; with spatial
/// ones, every closed loop has three redundant constraints.
enum class Space { planar, spatial };

inline mechanics::BodyType turning_body(Space space) {
  return space == Space::planar ? mechanics::BodyType::planar : mechanics::BodyType::spatial;
}
inline mechanics::BodyType point_mass(Space space) {
  return space == Space::planar ? mechanics::BodyType::planar_point : mechanics::BodyType::point;
}

/// <name> and <name>.rate of an angle or a length.
inline void output_measure(mechanics::Mechanism& m, const std::string& name,
                           mechanics::Measure measure, const std::string& unit,
                           const std::string& about) {
  m.output(name, [=](const mechanics::Motion& q) { return q.value(measure); })
      .unit(unit)
      .about(about);
  m.output(name + ".rate", [=](const mechanics::Motion& q) {
     return q.rate(measure);
   }).unit(unit + "/s");
}

/// <joint>.force.x, … and, where the joint transmits one, <joint>.torque.x, …: the load on its
/// second body.
inline void output_reaction(mechanics::Mechanism& m, mechanics::Joint joint, Space space,
                            const std::string& about) {
  using mechanics::JointType;
  const mechanics::JointData& data = m.joints[static_cast<std::size_t>(joint.index)];
  const char* const axes[] = {".x", ".y", ".z"};
  const int directions = space == Space::planar ? 2 : 3;
  for (int k = 0; k < directions; ++k)
    m.output(data.name + ".force" + axes[k],
             [=](const mechanics::Motion& q) { return q.reaction(joint).force[k]; })
        .unit("N")
        .about(about);
  const bool points = data.type == JointType::spherical || data.type == JointType::distance ||
                      data.type == JointType::point_on_line;
  if (points || (space == Space::planar && data.type == JointType::revolute)) return;
  for (int k = space == Space::planar ? 2 : 0; k < 3; ++k)
    m.output(data.name + ".torque" + axes[k],
             [=](const mechanics::Motion& q) { return q.reaction(joint).torque[k]; })
        .unit("N.m")
        .about(about);
}

}  // namespace mechfmu::models
