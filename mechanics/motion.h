// The motion at one point, for outputs: quantities that users measure, from the unknowns.
//
// Every formula is written once, on any scalar (Readings): with doubles for the Motion at a point,
// with numbers that carry a derivative for its change along a change of that point
// (mechanics/motion_along.h).
//
// Vectors are in world axes unless axes are given. Relative quantities are those seen by an
// observer on the other body:
//   p = R_Qᵀ(P − Q),  ṗ,  p̈   position, velocity, acceleration of P relative to Q, in world axes
//
// The reaction of a joint is its load on body b, at the point of attachment.

#pragma once

#include "mechanics/mechanism.h"
#include "mechanics/system.h"

namespace mechfmu::mechanics {

/// A force and a torque about the point it acts at.
template <class T>
struct ReactionOf {
  Vec<T, 3> force = Vec<T, 3>::Zero(), torque = Vec<T, 3>::Zero();
};
using Reaction = ReactionOf<double>;

template <class T>
class Readings {
 public:
  using V = Vec<T, 3>;
  /// The system at its present point.
  explicit Readings(MechanismSystem& system) : system_(system) {}
  virtual ~Readings() = default;

  virtual T state(StateVariable x) const = 0;
  virtual T state_rate(StateVariable x) const = 0;

  // Points
  V position(const Spot& P) const;
  V velocity(const Spot& P) const;
  V acceleration(const Spot& P) const;
  // … relative to Q
  V position(const Spot& P, const Spot& Q) const;
  V velocity(const Spot& P, const Spot& Q) const;
  V acceleration(const Spot& P, const Spot& Q) const;
  /// A vector of the world in the axes of a body.
  V in_axes(const V& v, Body axes) const;

  // Frames
  Mat<T, 3> rotation(Body b, Body relative_to = ground) const;
  Vec<T, 4> quaternion(Body b, Body relative_to = ground) const;  // w x y z
  V cardan(Body b, Body relative_to = ground) const;              // about x, then y', then z''
  V angular_velocity(Body b, Body relative_to = ground) const;
  V angular_acceleration(Body b, Body relative_to = ground) const;

  // Measures and forces
  T value(Measure m) const { return measure(m).phi; }
  T rate(Measure m) const { return measure(m).rate; }
  virtual T acceleration(Measure m) const = 0;
  virtual T force(Force f) const = 0;                    // along its measure; positive increases it
  T tension(Spring s) const { return -force(s.force); }  // positive pulls the ends together
  virtual ReactionOf<T> pair(Pair k) const = 0;          // on b, about its centre of mass
  ReactionOf<T> reaction(Joint handle) const;
  ReactionOf<T> reaction(Rolling handle) const;  // on the rolling body, at the point of contact
  T multiplier(Constraint c) const;

  // Flexible bodies
  T mode(Body b, Index k) const { return mode_number(b.index, k); }
  T mode_rate(Body b, Index k) const { return mode_rate_number(b.index, k); }
  T mode_acceleration(Body b, Index k) const { return mode_acceleration_number(b.index, k); }
  T strain_energy(Body b) const;
  /// Recovered quantity number `row`.
  T stress(Body b, Index row) const;
  /// The load of a node on its flexible body.
  ReactionOf<T> interface_load(Body node) const;

  // The whole mechanism
  T kinetic_energy() const;
  T potential_energy() const;
  virtual T dissipated_power() const = 0;
  virtual T supplied_power() const = 0;
  // … since the run began, with Mechanism::track_energy; else 0
  T dissipated_energy() const;
  T work() const;
  T energy_imbalance() const;  // stored and dissipated energy minus initial energy and work
  double mass() const;
  V centre_of_mass() const;
  V momentum() const;
  V angular_momentum(const Vec3& about = Vec3::Zero()) const;

 protected:
  virtual Moving<T> body(Index index) const = 0;
  /// (v̇, ω̇) of a body, world axes.
  virtual Vec<T, 6> accelerations(Index index) const = 0;
  virtual RowMotionOf<T> measure(Measure m) const = 0;
  /// Of a joint or a rolling contact.
  virtual RowMotionOf<T> row(int index) const = 0;
  /// Number i of μ = (λ, ψ).
  virtual T reaction_number(Index i) const = 0;
  virtual T mode_number(Index body, Index mode) const = 0;
  virtual T mode_rate_number(Index body, Index mode) const = 0;
  virtual T mode_acceleration_number(Index body, Index mode) const = 0;
  /// Of springs and contacts.
  virtual T elastic_energy() const = 0;
  /// … of a point s away from the centre of mass.
  V acceleration_at(Index index, const V& s) const;

  MechanismSystem& system_;

 private:
  /// From the centre of mass of its body, world axes.
  V arm(const Spot& P) const;
};

class Motion final : public Readings<double> {
 public:
  using Readings::acceleration;
  using Readings::Readings;

  double time() const { return system_.point().t; }
  double operator()(Parameter p) const { return system_.inputs()(p); }
  double operator()(Input i) const { return system_.inputs()(i); }
  InputValues inputs() const { return system_.inputs(); }
  double state(StateVariable x) const override { return system_.point().x[x.index]; }
  double state_rate(StateVariable x) const override;
  double acceleration(Measure m) const override;
  double force(Force f) const override;
  Reaction pair(Pair k) const override;
  double dissipated_power() const override;
  double supplied_power() const override;

 private:
  friend class MotionAlong;
  /// Computes it now if no element needs it.
  Moving<double> body(Index index) const override;
  Vec<double, 6> accelerations(Index index) const override;
  RowMotion measure(Measure m) const override;
  RowMotion row(int index) const override;
  double reaction_number(Index i) const override;
  double mode_number(Index body, Index mode) const override;
  double mode_rate_number(Index body, Index mode) const override;
  double mode_acceleration_number(Index body, Index mode) const override;
  double elastic_energy() const override;
  /// All rows, measures that laws use, and forces.
  const Instant& with_forces() const;
  /// The point with accelerations and multipliers that solve the equations of motion.
  const Point& solved() const;
};

}  // namespace mechfmu::mechanics
