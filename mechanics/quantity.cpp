#include "mechanics/quantity.h"

#include "mechanics/motion.h"

namespace mechfmu::mechanics {

namespace {

template <class T>
Vec<T, 3> scalar(const T& value) {
  return {value, T(0.0), T(0.0)};
}

template <class T>
Vec<T, 3> three_forces(const Readings<T>& q, Index first) {
  return {q.force(Force{first}), q.force(Force{first + 1}), q.force(Force{first + 2})};
}

}  // namespace

template <class T>
Vec<T, 3> read(const Readings<T>& q, Quantity quantity, const Operand& o) {
  const Body b = o.spot.body;
  const Body a = o.relative ? o.from.body : ground;
  const auto axis = [&](int i) -> Vec<T, 3> { return q.rotation(b, a).col(i); };
  const auto quaternion = [&](int i) { return scalar(q.quaternion(b, a)[i]); };
  switch (quantity) {
    case Quantity::position:
      return o.relative ? q.in_axes(q.position(o.spot, o.from), a) : q.position(o.spot);
    case Quantity::velocity:
      return o.relative ? q.in_axes(q.velocity(o.spot, o.from), a) : q.velocity(o.spot);
    case Quantity::acceleration:
      return o.relative ? q.in_axes(q.acceleration(o.spot, o.from), a) : q.acceleration(o.spot);
    case Quantity::rotation: return q.cardan(b, a);
    case Quantity::angular_velocity:
      return o.relative ? q.in_axes(q.angular_velocity(b, a), a) : q.angular_velocity(b);
    case Quantity::angular_acceleration:
      return o.relative ? q.in_axes(q.angular_acceleration(b, a), a) : q.angular_acceleration(b);
    case Quantity::x_axis: return axis(0);
    case Quantity::y_axis: return axis(1);
    case Quantity::z_axis: return axis(2);
    case Quantity::quaternion_w: return quaternion(0);
    case Quantity::quaternion_x: return quaternion(1);
    case Quantity::quaternion_y: return quaternion(2);
    case Quantity::quaternion_z: return quaternion(3);
    case Quantity::value: return scalar(q.value(Measure{o.index}));
    case Quantity::rate: return scalar(q.rate(Measure{o.index}));
    case Quantity::second_rate: return scalar(q.acceleration(Measure{o.index}));
    case Quantity::joint_force: return q.reaction(Joint{o.index}).force;
    case Quantity::joint_torque: return q.reaction(Joint{o.index}).torque;
    case Quantity::rolling_force: return q.reaction(Rolling{o.index}).force;
    case Quantity::pair_force: return q.pair(Pair{o.index}).force;
    case Quantity::pair_torque: return q.pair(Pair{o.index}).torque;
    case Quantity::force: return scalar(q.force(Force{o.index}));
    case Quantity::three_forces: return three_forces(q, o.index);
    case Quantity::tension: return scalar(-q.force(Force{o.index}));
    case Quantity::three_tensions: return -three_forces(q, o.index);
    case Quantity::multiplier: return scalar(q.multiplier(Constraint{o.index}));
    case Quantity::driving_force: return scalar(-q.multiplier(Constraint{o.index}));
    case Quantity::state: return scalar(q.state(StateVariable{o.index}));
    case Quantity::state_rate: return scalar(q.state_rate(StateVariable{o.index}));
    case Quantity::kinetic_energy: return scalar(q.kinetic_energy());
    case Quantity::potential_energy: return scalar(q.potential_energy());
    case Quantity::total_energy: return scalar(q.kinetic_energy() + q.potential_energy());
    case Quantity::dissipated_power: return scalar(q.dissipated_power());
    case Quantity::supplied_power: return scalar(q.supplied_power());
    case Quantity::mass: return scalar(T(q.mass()));
    case Quantity::centre_of_mass: return q.centre_of_mass();
    case Quantity::momentum: return q.momentum();
    case Quantity::angular_momentum: return q.angular_momentum();
    case Quantity::mode: return scalar(q.mode(b, o.index));
    case Quantity::mode_rate: return scalar(q.mode_rate(b, o.index));
    case Quantity::stress: return scalar(q.stress(b, o.index));
    case Quantity::strain_energy: return scalar(q.strain_energy(b));
    case Quantity::interface_force: return q.interface_load(b).force;
    case Quantity::interface_torque: return q.interface_load(b).torque;
    case Quantity::count: break;
  }
  return Vec<T, 3>::Zero();
}

template Vec3 read(const Readings<double>&, Quantity, const Operand&);
template Vec<Along, 3> read(const Readings<Along>&, Quantity, const Operand&);

}  // namespace mechfmu::mechanics
