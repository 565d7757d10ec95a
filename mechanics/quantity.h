// What can be read of a motion, as a list: the arguments of outputs.

#pragma once

#include <cstdint>

#include "mechanics/mechanism.h"

namespace mechfmu::mechanics {

class Motion;

enum class Quantity : std::uint8_t {
  // of a point of a body, or of its frame; relative to another body in the axes of that one
  position,
  velocity,
  acceleration,
  rotation,  // Cardan angles
  angular_velocity,
  angular_acceleration,
  x_axis,
  y_axis,
  z_axis,
  quaternion_w,
  quaternion_x,
  quaternion_y,
  quaternion_z,
  // of a measure
  value,
  rate,
  second_rate,
  // forces and reactions
  joint_force,
  joint_torque,
  rolling_force,
  pair_force,
  pair_torque,
  force,
  three_forces,  // of a force and the two after it
  tension,
  three_tensions,
  multiplier,
  driving_force,
  // of a state
  state,
  state_rate,
  // of the mechanism
  kinetic_energy,
  potential_energy,
  total_energy,
  dissipated_power,
  supplied_power,
  mass,
  centre_of_mass,
  momentum,
  angular_momentum,
  count
};

/// Of what it is read.
struct Operand {
  Index index = 0;        // of the joint, measure, force, …; the first one of several
  Spot spot{};            // a point of a body
  Spot from{};            // of a relative quantity: the origin of the body it is seen from
  bool relative = false;  // … is one
};

/// Of a number, its first component.
Vec3 read(const Motion& q, Quantity quantity, const Operand& of);

}  // namespace mechfmu::mechanics
