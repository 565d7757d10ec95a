// A mechanism in numbers: all that follows from its parameters. Computed again when a parameter
// changes.
//
// Each field has its meaning, its size in brackets, and the function that computes it. Pools size
// their fields in make_room() and compute them in refresh(); other functions are named. Vectors are
// in body axes unless the comment states otherwise.

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mechanics/modal_body.h"
#include "mechanics/number.h"
#include "mechanics/rows.h"
#include "mechanics/wrench.h"

namespace mechfmu::mechanics {

/// A body, by the pool of its kind.
struct BodyGeometry {
  double mass = 0;
  Mat3 J = Mat3::Zero();  // inertia about the centre of mass
  // Rotors only: principal axes, the third one is the axis of the spin; once, by
  // MechanismSystem::choose_pools()
  Mat3 principal = Mat3::Identity();
  Vec3 moments = Vec3::Zero();  // rotors only: moments of inertia about the principal axes
  Vec3 centre = Vec3::Zero();   // centre of mass from the reference point
  Vec3 r0 = Vec3::Zero();       // centre of mass at t = 0, world
  Mat3 R0 = Mat3::Identity();   // body axes at t = 0, world
  Vec3 v0 = Vec3::Zero();       // velocity of the centre of mass at t = 0, world
  Vec3 w0 = Vec3::Zero();       // angular velocity at t = 0, world
  double theta0 = 0;            // angle of a planar body at t = 0

  Vec3 local(const Vec3& world) const { return R0.transpose() * (world - r0); }
  Vec3 world(const Vec3& local) const { return r0 + R0 * local; }
};

/// The masses of a planar body, which every iteration needs.
struct PlanarMass {
  double mass = 0, J = 0;
};

/// The modes of a flexible body: ModalBody as matrices. Only damping depends on parameters;
/// make_room() of flexible.cpp computes the others.
struct FlexibleGeometry {
  const ModalBody* numbers = nullptr;
  Vector stiffness, damping;  // [modes] ω², 2ζω
  Vector scale;               // [modes] 1/|φ|: the amplitude that moves a node by 1 m
  Matrix J1;                  // [6 × modes] change of J: xx yy zz xy xz yz
  std::array<Matrix, 6> J2;   // [second × second] second derivatives of J
  std::array<Matrix, 3> g;    // [second × second] of Coriolis forces: x y z
};

/// A node of a flexible body.
struct WeldGeometry {
  Vec3 p = Vec3::Zero();                              // its place from the centre of mass
  Eigen::Matrix<double, 3, Eigen::Dynamic> phi, psi;  // [3 × modes] its displacement and rotation
};

/// The points of a joint on its two bodies, from their centres of mass.
struct PointPair {
  Vec3 p_i = Vec3::Zero(), p_j = Vec3::Zero();
};

/// The constants of a function between two bodies (wrench.h).
struct PairGeometry {
  std::vector<Vec3> vectors;      // [PairData::geometry] points and directions
  std::vector<double> constants;  // [PairData::constants]
};

/// A point of a body that pairs need.
struct Anchor {
  int body = 0;
  Vec3 p = Vec3::Zero();  // from the centre of mass
  int next = -1;          // the next anchor of the same body; −1: none
};

/// PairReach (wrench.h) with anchors for its points.
struct ReachGeometry {
  PairReach::Kind kind = PairReach::Kind::everywhere;
  int a = 0, b = 0;       // anchors
  Vec3 e = Vec3::Zero();  // direction, in the axes of the first body
  double reach = 0;
  double margin = 0;  // bodies are neighbours up to reach + margin
  double tip = 0;     // distance of another anchor from a along e, where e turns with a body; or 0
};

struct Geometry {
  // By MechanismSystem::refresh()
  Vec3 gravity = Vec3::Zero();  // world axes
  double length = 1;            // size of the largest body, the scale of errors of positions

  // By pools of bodies
  std::vector<BodyGeometry> bodies;         // [bodies] sized by MechanismSystem::choose_pools()
  std::vector<FlexibleGeometry> flexibles;  // [flexible bodies] by flexible.cpp
  std::vector<PlanarMass> plane;            // [planar bodies + 1] by planar.cpp; [0] is the ground
  // By the element pool of that name, or the one named
  std::vector<WeldGeometry> welds;  // [nodes of flexible bodies]
  std::vector<PointPair> points;    // [joints] by joints
  std::vector<Row> rows;            // [rows] of joints and rolling contacts, by joints and rollings
  std::vector<Row> measures;        // [measures]
  std::vector<std::vector<double>> forces;     // [forces] the constants of their laws
  std::vector<std::vector<double>> relations;  // [constraints] …
  std::vector<std::vector<double>> states;     // [states] …
  std::vector<PairGeometry> pairs;             // [pairs]
  std::vector<ReachGeometry> reaches;          // [pairs] by pairs
  std::vector<Anchor> anchors;    // [at most 3 pairs] each point of a body once, by pairs
  std::vector<int> first_anchor;  // [bodies] the first of the anchors of each, by pairs; −1: none
  double slack = 0;               // displacement of an anchor that Instant::near allows, by pairs
  std::uint64_t version = 0;      // the number of refreshes, by pairs
};

}  // namespace mechfmu::mechanics
