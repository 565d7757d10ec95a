// Bodies of one kind. Kinds differ behind this interface only.
//
// To elements all bodies look alike. A body has a pose and a velocity in world axes (BodyMotion)
// and a sum of loads in world axes. The first of its velocities z are translations along the axes
// of the world, the others rotations about `axes`:
//
//   v = (z₁ z₂ …),   ω = Σ axes_k z_k          f = (F, axesᵀ τ − gyroscopic torque)
//
// A new kind is a file with a class like that of point.cpp, and a line in kinds.h and in pool.cpp.

#pragma once

#include <memory>
#include <vector>

#include "mechanics/doubts.h"
#include "mechanics/geometry.h"
#include "mechanics/instant.h"
#include "mechanics/mechanism.h"
#include "model/block_writer.h"
#include "model/variables.h"

namespace mechfmu::mechanics {

struct Layout;
template <class T>
class Readings;

/// The directions of the velocities of a body.
struct Freedom {
  int translations = 0;  // along x, y (and z) of the world
  int rotations = 0;     // about the axes of the body's frame: 1 is about z
  int turning = 0;       // the number of rotations that also turn that frame
  int positions = 0;     // the size of its position

  int n() const { return translations + rotations; }
  bool in_plane() const { return translations == 2; }
  bool turns() const { return rotations > 0; }
  bool spins() const { return turning < rotations && turning > 0; }  // about the last of its axes
};

/// The indices of the numbers of a body.
struct BodyPlace {
  Freedom freedom;
  Index y = 0, z = 0;  // the first of its positions and of its velocities
  Index node = -1;     // of the block matrix; −1: ground
  std::size_t pool = 0;
  int plane = -1;  // its number in Instant::plane; −1: it moves in space
  // Flexible bodies only:
  int modes = 0;         // their number; they follow the other coordinates and velocities
  int second = 0;        // number of leading modes with terms of second order
  int flexible = -1;     // its number in Geometry::flexibles
  Index mass = 0;        // the first of its numbers of the mass matrix
  Index mode_node = -1;  // the first of the nodes of its modes, six in each
  bool ground() const { return node < 0; }
  Index q() const { return y + freedom.positions; }  // the first of its modes in y
  Index q_rate() const { return z + freedom.n(); }   // … and in z
};

/// Modes share nodes of the block matrix, as many as a body has velocities.
constexpr int modes_of_a_node = 6;

/// Kinetic energy of bodies, and the angular momentum of one about its centre of mass in body axes.
template <class T>
struct BodyTotals {
  T kinetic = T(0.0);
  Vec<T, 3> spin = Vec<T, 3>::Constant(T(0.0));
};

class BodyPool {
 public:
  virtual ~BodyPool() = default;
  bool empty() const { return bodies_.empty(); }

  // --- properties of the kind ---
  virtual Freedom freedom() const = 0;
  /// Whether its bodies have modes of deformation.
  virtual bool deforms() const { return false; }
  /// Whether its bodies may get coordinates that do not spin with them (mechanics/rotors.h).
  virtual bool may_spin() const { return false; }
  /// Completes the description of a body. Throws std::invalid_argument if that is impossible.
  virtual void complete(const Mechanism& /*m*/, BodyData& /*body*/) const {}

  // --- before a run ---
  /// Takes over body number `body`: numbers its unknowns and fills Layout::bodies. Throws
  /// std::invalid_argument if the body refers to a missing one.
  virtual void number(const Mechanism& m, std::size_t body, Layout& layout);
  virtual void add_nodes(BodyPlace& place, BlockPattern& pattern) const;
  /// The sizes of its parts of Geometry and Instant.
  virtual void make_room(const Mechanism&, const Layout&, Geometry&, Instant&) const {}
  /// Tells the pool that elements other than pins use this body, which then needs its pose and
  /// velocity in world axes.
  virtual void show(std::size_t /*body*/) {}
  /// Names, units and scales of its coordinates.
  virtual void name(const Mechanism& m, const Layout& layout, const Geometry& g, std::size_t body,
                    Variables& v) const;

  // --- when parameters change ---
  virtual void refresh(const Mechanism& m, const Layout& layout, std::size_t body, InputValues u,
                       Geometry& g, Doubts& doubts) const;
  /// Reports wrong masses and inertias.
  virtual void check(const BodyGeometry& /*body*/, const std::string& /*name*/,
                     Doubts& /*doubts*/) const {}
  /// Body axes from Cardan angles, and the part of the angular velocity that the body can have.
  virtual void pose_at_start(const Vec3& /*angles*/, BodyGeometry& /*body*/) const {}
  /// Scales for errors of positions.
  virtual void scales(const Geometry& g, Out y_scale) const;
  virtual void start(const Geometry& g, std::vector<double>& y, std::vector<double>& z) const = 0;
  /// The direction of velocity number k: 0 … 5 for x, y, z and the rotations about x, y, z.
  virtual int axis(const BodyGeometry& body, int k) const = 0;

  // --- at a point ---
  /// Sets pose and velocity, and begins the loads with the weight.
  virtual void arrive(const Geometry& g, In y, In z, Instant& now) const {
    place(g, y, now);
    move(z, now);
    begin_loads(g, true, now);
  }
  virtual void place(const Geometry& g, In y, Instant& now) const = 0;
  virtual void move(In z, Instant& now) const = 0;
  /// Pose and velocity of one body in world axes, if no element needs them.
  virtual void look(const Geometry& /*g*/, std::size_t /*body*/, Instant& /*now*/) const {}
  /// Begins the loads with the weight, or with zero.
  virtual void begin_loads(const Geometry& g, bool weight, Instant& now) const = 0;
  virtual void collect(const Geometry& g, const Instant& now, bool gyroscopic, Out f) const = 0;
  virtual void axes(Instant& now) const = 0;
  virtual void accelerate(In a, Instant& now) const = 0;
  /// Mass, and derivatives of f with respect to the motion of the body itself.
  virtual void derivatives(const Geometry& g, const Instant& now,
                           const std::vector<BodyPlace>& places, BlockWriter& out) const = 0;

  // --- anywhere ---
  virtual void displace(In y0, In delta, Out y1) const = 0;
  /// Numbers of the mass matrix that follow from positions.
  virtual void mass(const Geometry& /*g*/, In /*y*/, Out /*numbers*/) const {}  // NOLINT
  virtual void multiply_mass(const Geometry& g, In numbers, In v, Out Mv) const = 0;
  /// Largest coordinate of a position.
  virtual double farthest(In y) const = 0;
  /// Power dissipated by the body's own damping.
  virtual void add_power(const Geometry& /*g*/, const Instant& /*now*/, Powers& /*sum*/) const {}
  /// Adds the kinetic energy of a body that moves like `at` and sets its spin. This function and
  /// the one for the stored energy exist twice: on doubles, and along a change.
  virtual void total(const Geometry& g, std::size_t body, const Moving<double>& at,
                     const Readings<double>& now, BodyTotals<double>& sum) const;
  virtual void total(const Geometry& g, std::size_t body, const Moving<Along>& at,
                     const Readings<Along>& now, BodyTotals<Along>& sum) const;
  virtual double stored(const Geometry&, std::size_t /*body*/, const Readings<double>&) const {
    return 0;
  }
  virtual Along stored(const Geometry&, std::size_t /*body*/, const Readings<Along>&) const {
    return {};
  }

 protected:
  struct Member {
    std::size_t body;
    Index y, z;
  };
  /// The place of body number `body` among the members.
  std::size_t find(std::size_t body) const;

  std::vector<Member> bodies_;  // in the order of their numbers
};

/// Describes the fault of an inertia that is not realizable().
inline constexpr const char* impossible_inertia =
    "no body can have this inertia: principal moments must not be negative, and none may exceed "
    "the sum of the other two";

/// Pools of all kinds, by BodyType; the last one holds the spatial bodies that spin.
std::vector<std::unique_ptr<BodyPool>> make_body_pools();
/// An empty pool of a kind, which knows the facts about it.
std::unique_ptr<BodyPool> make_bodies(BodyType type);

}  // namespace mechfmu::mechanics
