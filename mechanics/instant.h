// A mechanism at one point of its motion: all that follows from the point, the inputs and the
// geometry.
//
// It is computed in stages, on request: first poses and velocities of bodies, then rows and
// measures. Each field has its meaning, its size in brackets, and the function that computes it.
// Vectors are in world axes unless the comment states otherwise.

#pragma once

#include <cstdint>
#include <vector>

#include "mechanics/law.h"
#include "mechanics/rows.h"
#include "mechanics/wrench.h"
#include "model/system.h"

namespace mechfmu::mechanics {

/// Pose and velocity of a body.
struct BodyMotion : Moving<double> {
  BodyMotion() : Moving<double>{Vec3::Zero(), Mat3::Identity(), Vec3::Zero(), Vec3::Zero()} {}
};

/// Sum of the forces on a body, and of their moments about the centre of mass.
struct Load {
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
};

/// A body that moves in the plane: all that joints in the plane need from it.
struct PlanarMotion {
  double x = 0, y = 0, c = 1, s = 0;  // centre of mass, cosine and sine of the angle
  double vx = 0, vy = 0, w = 0;
};
/// The load of these joints on it: a force, and a moment about the centre of mass.
struct PlanarLoad {
  double fx = 0, fy = 0, m = 0;
};

/// φ, its rate B·z, and B of a row, as wrenches on its two bodies.
template <class T>
struct RowMotionOf {
  T phi{}, rate{};
  Wrench<T> on_i{Vec<T, 3>::Zero(), Vec<T, 3>::Zero()}, on_j{Vec<T, 3>::Zero(), Vec<T, 3>::Zero()};
};
using RowMotion = RowMotionOf<double>;

/// B of a row, with its derivatives with respect to the velocities of its bodies: components of i,
/// then those of j.
struct Derived {
  int body[2] = {0, 0};   // i, j
  int first[2] = {0, 0};  // of their components
  int size[2] = {0, 0};
  double B[12] = {};
  double B_y[12][12] = {};
  double rate_y[12] = {};  // (B z)_y
};

/// A flexible body, deformed by its modes. Sizes: by make_room() of flexible.cpp.
struct FlexibleMotion {
  Mat3 J = Mat3::Zero();                       // J(q), by place()
  Eigen::Matrix<double, 3, Eigen::Dynamic> G;  // [3 × second] G_l = Σ q_k g_kl, by place()
  Matrix J_q;                                  // [6 × modes] ∂J/∂q_k, by place()
  Vector load;                                 // [modes] by begin_loads(), then by welds
  Vector row;                                  // [second] temporary values of place()
};

/// Power that springs, dampers, friction and contact dissipate, and that all other forces and
/// drives supply.
struct Powers {
  double dissipated = 0, supplied = 0;
};

/// The two points of a coincidence, from the centres of mass.
struct LeverArms {
  Vec3 s_i = Vec3::Zero(), s_j = Vec3::Zero();
};
/// A node relative to its flexible body, in mean axes.
struct WeldMotion {
  Vec3 d = Vec3::Zero(), d_rate = Vec3::Zero();      // place
  Vec3 chi = Vec3::Zero(), chi_rate = Vec3::Zero();  // rotation vector
  Vec3 omega = Vec3::Zero(),
       nu = Vec3::Zero();  // angular velocities of body and node, each in its own axes
};
struct PlanarArms {
  double ix = 0, iy = 0, jx = 0, jy = 0;
};

/// Pairs that act, or may act while no anchor has moved by more than Geometry::slack. A cache:
/// results do not depend on it.
struct Shortlist {
  std::vector<std::size_t> pairs;
  std::vector<std::size_t> neighbours;  // pairs whose bodies can be neighbours (Layout::couplings)
  std::vector<Vec3> anchors;            // [anchors] their places then
  std::uint64_t made_for = 0;           // Geometry::version; 0: not made yet
};

struct Instant {
  enum class Stage { nothing, bodies, rows };
  Stage stage = Stage::nothing;  // by MechanismSystem::require()
  const Point* p = nullptr;      // the point, by MechanismSystem::moved()
  InputValues u;                 // inputs and parameters
  double kappa = 0;              // weight of (M a)_y, by MechanismSystem::derivatives()

  // Bodies: [bodies], [0] is the ground; by their pools
  std::vector<BodyMotion>
      bodies;  // by place() and move(); of planar bodies only where an element needs it
  std::vector<Load> loads;                    // by begin_loads(), then by elements
  std::vector<Mat3> axes;                     // by axes(): the axes of the rotations
  std::vector<Vec<double, 6>> accelerations;  // by accelerate(): (v̇, ω̇)
  // Bodies in the plane: [planar bodies + 1], [0] is the ground; by planar.cpp
  std::vector<PlanarMotion> plane;         // by place() and move()
  std::vector<PlanarLoad> loads_in_plane;  // by begin_loads(), then by pins
  bool weighed = false;  // loads are the weights alone, by MechanismSystem::require()

  // Flexible bodies, by flexible.cpp
  std::vector<FlexibleMotion> flexibles;  // [flexible bodies]
  Vector mode_accelerations;              // [velocities] if there are any: q̈, by accelerate()

  // Elements: by move() of the pool of that name, or as stated
  std::vector<PlanarArms> pins;     // [pins]
  std::vector<LeverArms> arms;      // [coincidences]
  std::vector<WeldMotion> welds;    // [nodes of flexible bodies]
  std::vector<RowMotion> rows;      // [rows]
  std::vector<RowMotion> measures;  // [measures] those that only outputs use: by Motion::measure()
  std::vector<char> measured;       // [measures] whether measures[k] is known
  std::vector<RelationValue> relations;  // [constraints]
  std::vector<double> forces;            // [forces] their values, by load()
  std::vector<Derived> derived;          // [measures] by move_with_derivatives()
  std::vector<Vec3> anchors;             // [Geometry::anchors] by pairs
  Shortlist near;                        // by load() and derivatives() of pairs
  Powers power;                          // by MechanismSystem::values(), where energy is tracked
};

}  // namespace mechfmu::mechanics
