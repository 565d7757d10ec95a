// Elements of one kind: everything that the equations of motion need from them.
//
// Pools hold no data. Layout contains what follows from the description, Geometry what follows from
// parameters, Instant what follows from a point; a pool fills its part of each. A new kind of
// element is a file with a class like relations.cpp and a line in make_elements() (elements.cpp).

#pragma once

#include <memory>
#include <vector>

#include "mechanics/doubts.h"
#include "mechanics/geometry.h"
#include "mechanics/instant.h"
#include "mechanics/layout.h"
#include "mechanics/mechanism.h"
#include "model/block_writer.h"
#include "model/variables.h"

namespace mechfmu::mechanics {

class MotionAlong;

/// A mechanism at a point: description and numbering, which do not change, geometry and motion.
struct Parts {
  const Mechanism& d;
  const Layout& layout;
  const Geometry& g;
  Instant& now;
};

class ElementPool {
 public:
  virtual ~ElementPool() = default;

  // --- before a run ---
  /// Numbers the unknowns: holonomic rows and states first, then, once all elements have done so,
  /// nonholonomic rows. Throws std::invalid_argument if an element refers to a missing one.
  virtual void number(const Mechanism&, Layout&, Doubts&) const {}
  virtual void number_nonholonomic(const Mechanism&, Layout&) const {}
  /// Bodies whose motion in world axes it needs.
  virtual void look(const Layout&, const Mechanism&, std::vector<bool>& /*bodies*/) const {}
  /// The sizes of its parts of Geometry and Instant.
  virtual void make_room(const Mechanism&, const Layout&, Geometry&, Instant&) const {}
  virtual void add_nodes(const Mechanism&, Layout&, BlockPattern&) const {}
  /// Called once all nodes are known, also those of states.
  virtual void link(Layout&) const {}
  /// Whether it has work at a point.
  virtual bool works(const Mechanism&, const Layout&) const { return false; }
  /// Its blocks between two bodies appear and vanish with Layout::couplings, unless others use
  /// them.
  virtual bool comes_and_goes() const { return false; }
  virtual void name(const Mechanism&, const Layout&, Variables&) const {}
  /// The remaining violations of g, for messages.
  virtual void violations(const Mechanism&, const Layout&, const Geometry&, In /*g*/,
                          std::vector<Violation>&) const {}

  // --- when parameters change ---
  virtual void refresh(const Mechanism&, const Layout&, InputValues, Geometry&, Doubts&) const {}
  /// The largest distance of its points from the centre of mass of their body.
  virtual double reach(const Layout&, const Geometry&) const { return 0; }

  // --- at a point ---
  /// Its values from positions and velocities.
  virtual void move(const Parts&) const {}
  /// … and from inputs, which have changed since move().
  virtual void follow_inputs(const Parts&) const {}
  /// … as far as derivatives() needs it.
  virtual void move_with_derivatives(const Parts& parts) const { move(parts); }
  /// Forces onto the loads of bodies.
  virtual void load(const Parts&) const {}
  /// Computes g, g_t + G z, k and d, and adds the reactions −Cᵀμ to the loads.
  virtual void values(const Parts&, Values&) const {}
  /// Adds −Cᵀμ to the loads.
  virtual void react(const Parts&, In /*mu*/) const {}
  /// Adds to the loads the change of forces with multipliers μ̃ in place of those of the point.
  virtual void reload(const Parts&, In /*mu_tilde*/) const {}
  /// k with other velocities, for which Instant::bodies and plane have been moved.
  // NOLINTNEXTLINE(performance-unnecessary-value-param)
  virtual void slip(const Parts&, Out /*k*/) const {}
  /// C v, with Instant::bodies and plane moved with v.
  // NOLINTNEXTLINE(performance-unnecessary-value-param)
  virtual void multiply(const Parts&, In /*v*/, Out /*Cv*/) const {}
  /// d²g/dt² and dk/dt, with Instant::accelerations.
  // NOLINTNEXTLINE(performance-unnecessary-value-param)
  virtual void accelerate(const Parts&, Out /*c*/) const {}
  virtual void derivatives(const Parts&, BlockWriter&) const {}
  /// Along a change: adds the changes of forces due to time and settings alone to the loads, those
  /// of d due to these to d, and all changes of d²g/dt² and dk/dt to c. Returns false if a part is
  /// unknown; finite differences then replace it. Loads and c are zero before.
  // NOLINTNEXTLINE(performance-unnecessary-value-param)
  virtual bool vary(const Parts&, const MotionAlong&, Out /*c*/, Out /*d*/) const { return false; }

  // --- energy: uses the values computed at the point ---
  /// The power that it dissipates or supplies.
  virtual void add_power(const Parts&, Powers&) const {}
  virtual double potential_energy(const Parts&) const { return 0; }
  /// Adds its change along a change to the sum. Returns false if that is unknown: without this
  /// function the slope is known only where the energy is zero, which is its smallest value.
  virtual bool vary_energy(const Parts& parts, const MotionAlong&, Along& /*sum*/) const {
    return potential_energy(parts) == 0;
  }

  // --- after an accepted step ---
  /// Writes its part of the memory, from the point and its memory.
  // NOLINTNEXTLINE(performance-unnecessary-value-param)
  virtual void remember(const Parts&, Out /*memory*/) const {}
};

/// All kinds, in the order in which unknowns are numbered and forces are added.
std::vector<std::unique_ptr<ElementPool>> make_elements();

// One file each:
std::unique_ptr<ElementPool> make_measures();  // measures.cpp: lengths, angles, directions
std::unique_ptr<ElementPool>
make_joints();  // joints.cpp: which rows a joint has, and their geometry
std::unique_ptr<ElementPool> make_rollings();  // rollings.cpp: likewise of wheels, spheres, blades
std::unique_ptr<ElementPool>
make_relations();  // relations.cpp: drivers, gears, user-defined constraints
std::unique_ptr<ElementPool> make_pins();  // pins.cpp: two points held together in the plane
std::unique_ptr<ElementPool> make_coincidences();  // coincidences.cpp: … in space
std::unique_ptr<ElementPool> make_welds();         // welds.cpp: nodes of flexible bodies
std::unique_ptr<ElementPool>
make_rows();  // rows.cpp: all other rows of joints and rolling contacts
std::unique_ptr<ElementPool> make_forces();  // forces.cpp: laws along measures
std::unique_ptr<ElementPool> make_pairs();   // pairs.cpp: contact and other functions of two bodies
std::unique_ptr<ElementPool> make_states();  // states.cpp: first-order states
std::unique_ptr<ElementPool>
make_energies();  // energies.cpp: dissipation and work, where they are tracked

}  // namespace mechfmu::mechanics
