// The motion at one point, for outputs: what users measure, from the unknowns of the equations of motion.
//
// Vectors are in world axes unless axes are asked for. Relative quantities are those an observer on the other body sees:
//   p = R_Qᵀ(P − Q),  ṗ,  p̈   for the position, velocity, acceleration of P relative to Q, here in world axes.
// The reaction of a joint is what it does to its body b, at the point where it is attached there.

#pragma once

#include "mechanics/mechanism.h"
#include "mechanics/system.h"

namespace mechfmu::mechanics {

/// A force and a torque about the point it acts at.
struct Reaction {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
};

class Motion {
 public:
  /// Where the system is when it is asked.
  explicit Motion(MechanismSystem& system) : system_(system) {}

  double time() const { return system_.point().t; }
  double operator()(Parameter p) const { return system_.inputs()(p); }
  double operator()(Input i) const { return system_.inputs()(i); }
  InputValues inputs() const { return system_.inputs(); }
  double state(StateVariable x) const { return system_.point().x[x.index]; }
  double state_rate(StateVariable x) const;

  // Points
  Vec3 position(const Spot& P) const;
  Vec3 velocity(const Spot& P) const;
  Vec3 acceleration(const Spot& P) const;
  // … relative to Q
  Vec3 position(const Spot& P, const Spot& Q) const;
  Vec3 velocity(const Spot& P, const Spot& Q) const;
  Vec3 acceleration(const Spot& P, const Spot& Q) const;
  /// A vector of the world in the axes of a body.
  Vec3 in_axes(const Vec3& v, Body axes) const;

  // Frames
  Mat3 rotation(Body b, Body relative_to = ground) const;
  Vec<double, 4> quaternion(Body b, Body relative_to = ground) const;  // w x y z
  Vec3 cardan(Body b, Body relative_to = ground) const;                // about x, then y', then z''
  Vec3 angular_velocity(Body b, Body relative_to = ground) const;
  Vec3 angular_acceleration(Body b, Body relative_to = ground) const;

  // Measures and forces
  double value(Measure m) const;
  double rate(Measure m) const;
  double acceleration(Measure m) const;
  double force(Force f) const;  // along its measure; positive increases it
  double tension(Spring s) const { return -force(s.force); }  // positive pulls the ends together
  Reaction pair(Pair k) const;                                // on b, about its centre of mass
  Reaction reaction(Joint handle) const;
  Reaction reaction(Rolling handle) const;  // on the rolling body, at the point of contact
  double multiplier(Constraint c) const;

  // The whole mechanism
  double kinetic_energy() const;
  double potential_energy() const;
  double dissipated_power() const;
  double supplied_power() const;
  // … since the start, with Mechanism::track_energy; else 0
  double dissipated_energy() const;
  double work() const;
  double energy_imbalance() const;  // what is there and was dissipated, less start and work
  double mass() const;
  Vec3 centre_of_mass() const;
  Vec3 momentum() const;
  Vec3 angular_momentum(const Vec3& about = Vec3::Zero()) const;

 private:
  /// Of a body: looked at now, where nobody else does.
  const BodyMotion& body(Index index) const;
  /// (v̇, ω̇) of a body, world axes.
  Vec<double, 6> accelerations(Index index) const;
  const RowMotion& measure(Measure m) const;
  /// All rows, measures that laws use, and forces.
  const Instant& with_forces() const;
  /// The point with accelerations and multipliers that solve the equations of motion.
  const Point& solved() const;
  /// From the centre of mass of its body, world axes.
  Vec3 arm(const Spot& P) const;

  MechanismSystem& system_;
};

}  // namespace mechfmu::mechanics
