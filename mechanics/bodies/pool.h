// Bodies of one kind: what tells kinds apart stands behind this interface, and nowhere else.
//
// To elements every body looks alike: a pose and a velocity in world axes (BodyMotion), loads that are summed up in world axes,
// and velocities z of which the first ones are translations along the world's axes, the others rotations about `axes`:
//
//   v = (z₁ z₂ …),   ω = Σ axes_k z_k          f = (F, axesᵀ τ − gyroscopic torque)
//
// A new kind of body is a file with a class like those of planar.cpp or spatial.cpp and a line in make_body_pools() (pool.cpp).

#pragma once

#include <memory>
#include <vector>

#include "mechanics/doubts.h"
#include "mechanics/geometry.h"
#include "mechanics/instant.h"
#include "mechanics/mechanism.h"
#include "model/block_writer.h"

namespace mechfmu::mechanics {

/// What the velocities of a body do.
struct Freedom {
  int translations = 0;  // along x, y (and z) of the world
  int rotations = 0;     // about the axes of the body's frame: 1 is about z
  int turning = 0;       // so many of the rotations turn that frame, too
  int positions = 0;     // numbers that describe its position

  int n() const { return translations + rotations; }
  bool in_plane() const { return translations == 2; }
  bool turns() const { return rotations > 0; }
  bool spins() const { return turning < rotations && turning > 0; }  // about the last of its axes
};

/// Where the numbers of a body are.
struct BodyPlace {
  Freedom freedom;
  Index y = 0, z = 0;  // the first of its positions and of its velocities
  Index node = -1;     // of the block matrix; −1: ground
  std::size_t pool = 0;
  int plane = -1;  // its number in Instant::plane; −1: it moves in space
  // Of a flexible body:
  int modes = 0;         // so many coordinates and velocities come behind the others
  int second = 0;        // of which the first ones have terms of second order
  int flexible = -1;     // its number in Geometry::flexibles
  Index mass = 0;        // the first of its numbers of the mass matrix
  Index mode_node = -1;  // the first of the nodes of its modes, six in each
  bool ground() const { return node < 0; }
  Index q() const { return y + freedom.positions; }  // the first of its modes in y
  Index q_rate() const { return z + freedom.n(); }   // … and in z
};

/// Modes share nodes of the block matrix: as many as a body has velocities.
constexpr int modes_of_a_node = 6;

class BodyPool {
 public:
  virtual ~BodyPool() = default;
  bool empty() const { return bodies_.empty(); }

  // --- before a run ---
  virtual Freedom freedom() const = 0;
  /// Takes over body number `body`; its unknowns are where `place` says.
  virtual void add(std::size_t body, BodyPlace& place) {
    bodies_.push_back({body, place.y, place.z});
  }
  /// Elements other than pins look at this body: it needs its pose and velocity in world axes.
  virtual void show(std::size_t /*body*/) {}
  /// What is wrong with mass and inertia.
  virtual void check(const BodyGeometry& body, const std::string& name, Doubts& doubts) const = 0;
  /// Axes that Cardan angles make, and the angular velocity that it can have.
  virtual void pose_at_start(const Vec3& angles, BodyGeometry& body) const = 0;
  virtual void start(const Geometry& g, std::vector<double>& y, std::vector<double>& z) const = 0;
  /// Which of x, y, z and the rotations about x, y, z velocity number k is: 0 … 5.
  virtual int axis(const BodyGeometry& body, int k) const = 0;

  // --- at a point ---
  /// Place, move, and loads that begin with the weight.
  virtual void arrive(const Geometry& g, In y, In z, Instant& now) const {
    place(g, y, now);
    move(z, now);
    begin_loads(g, true, now);
  }
  virtual void place(const Geometry& g, In y, Instant& now) const = 0;
  virtual void move(In z, Instant& now) const = 0;
  /// Pose and velocity of one body in world axes, for whoever asks only now and then.
  virtual void look(const Geometry& /*g*/, std::size_t /*body*/, Instant& /*now*/) const {}
  /// Loads begin with the weight, or with nothing.
  virtual void begin_loads(const Geometry& g, bool weight, Instant& now) const = 0;
  virtual void collect(const Geometry& g, const Instant& now, bool gyroscopic, Out f) const = 0;
  virtual void axes(Instant& now) const = 0;
  virtual void accelerate(In a, Instant& now) const = 0;
  /// Mass and what of f depends on the body's own motion.
  virtual void derivatives(const Geometry& g, const Instant& now,
                           const std::vector<BodyPlace>& places, BlockWriter& out) const = 0;

  // --- anywhere ---
  virtual void displace(In y0, In delta, Out y1) const = 0;
  /// Numbers of the mass matrix that follow from positions.
  virtual void mass(const Geometry& /*g*/, In /*y*/, Out /*numbers*/) const {}  // NOLINT
  virtual void multiply_mass(const Geometry& g, In numbers, In v, Out Mv) const = 0;
  /// Largest coordinate of a position.
  virtual double farthest(In y) const = 0;

 protected:
  struct Member {
    std::size_t body;
    Index y, z;
  };
  std::vector<Member> bodies_;
};

/// What is wrong with an inertia that is not realizable().
inline constexpr const char* impossible_inertia =
    "no body can have this inertia: principal moments must not be negative, and none may exceed "
    "the sum of the other two";

/// Pools of all kinds, by BodyType; after them, that of the spatial bodies that spin.
constexpr std::size_t rotors = 6;
std::vector<std::unique_ptr<BodyPool>> make_body_pools();

}  // namespace mechfmu::mechanics
