// The quantities of a motion that outputs can read.

#pragma once

#include <cstdint>

namespace mechfmu::mechanics {

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
  // of a flexible body
  mode,
  mode_rate,
  stress,
  strain_energy,
  // of a node: its load on the flexible body, world axes
  interface_force,
  interface_torque,
  count
};

}  // namespace mechfmu::mechanics
