// Elements of one kind: everything the equations of motion ask of them.
//
// Pools have no numbers of their own. What follows from the description is in the Layout, what follows from parameters in the
// Geometry, what follows from a point in the Instant; a pool knows how to fill its part of each. A new kind of element is a file
// with a class like this and a line in make_elements() (elements.cpp).

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

/// A mechanism at work: its description and numbering, which stay, its geometry and its motion.
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
  /// Unknowns: holonomic rows and states first, then (all elements having done so) nonholonomic rows. Throws
  /// std::invalid_argument where elements refer to what does not exist.
  virtual void number(const Mechanism&, Layout&, Doubts&) const {}
  virtual void number_nonholonomic(const Mechanism&, Layout&) const {}
  /// Bodies whose motion in world axes it looks at.
  virtual void look(const Layout&, const Mechanism&, std::vector<bool>& /*bodies*/) const {}
  virtual void add_nodes(const Mechanism&, Layout&, BlockPattern&) const {}
  /// All nodes are there, those of states too.
  virtual void link(Layout&) const {}
  /// Whether it has anything to do at a point.
  virtual bool works(const Mechanism&, const Layout&) const { return false; }
  /// Its blocks between two bodies come and go with Layout::couplings, unless others have them, too.
  virtual bool comes_and_goes() const { return false; }
  virtual void name(const Mechanism&, const Layout&, Variables&) const {}
  /// What of g stays open, for messages.
  virtual void violations(const Mechanism&, const Layout&, const Geometry&, In /*g*/,
                          std::vector<Violation>&) const {}

  // --- when parameters change ---
  virtual void refresh(const Mechanism&, const Layout&, InputValues, Geometry&, Doubts&) const {}

  // --- at a point ---
  /// What follows from positions and velocities.
  virtual void move(const Parts&) const {}
  /// … and from inputs, which have changed since move().
  virtual void follow_inputs(const Parts&) const {}
  /// … as far as derivatives() needs it.
  virtual void move_with_derivatives(const Parts& parts) const { move(parts); }
  /// Forces onto the loads of bodies.
  virtual void load(const Parts&) const {}
  /// g, g_t + G z, k, d, and the reactions −Cᵀμ onto the loads.
  virtual void values(const Parts&, Values&) const {}
  /// −Cᵀμ onto the loads.
  virtual void react(const Parts&, In /*mu*/) const {}
  /// How forces change with multipliers μ̃ in place of the point's, onto the loads.
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
  /// Along a change: forces by time and settings alone onto the loads, d by these, too, and d²g/dt², dk/dt by all there is. False where
  /// something of it is not known. Loads and c are zero before.
  // NOLINTNEXTLINE(performance-unnecessary-value-param)
  virtual bool vary(const Parts&, const MotionAlong&, Out /*c*/, Out /*d*/) const { return true; }
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
