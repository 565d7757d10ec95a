// A mechanism in numbers: all that follows from its parameters, in body axes. Made anew when a parameter changes.
//
// "by" names who computes a field: the function refresh() of that pool or table.

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mechanics/modal_body.h"
#include "mechanics/number.h"
#include "mechanics/rows.h"
#include "mechanics/wrench.h"

namespace mechfmu::mechanics {

struct BodyGeometry {
  double mass = 0;
  Mat3 J = Mat3::Zero();  // about the centre of mass, body axes
  Mat3 principal = Mat3::
      Identity();  // of a rotor: principal axes, the third is the one it spins about; body axes
  Vec3 moments = Vec3::Zero();  // … and J in them
  Vec3 centre = Vec3::Zero();   // centre of mass from the reference point, body axes
  Vec3 r0 = Vec3::Zero();       // centre of mass at the start
  Mat3 R0 = Mat3::Identity();   // axes at the start
  Vec3 v0 = Vec3::Zero();       // velocity of the centre of mass at the start
  Vec3 w0 = Vec3::Zero();       // angular velocity at the start, world axes
  double theta0 = 0;            // angle of a planar body at the start

  Vec3 local(const Vec3& world) const { return R0.transpose() * (world - r0); }
  Vec3 world(const Vec3& local) const { return r0 + R0 * local; }
};

/// The part of it that every iteration of a body in the plane needs.
struct PlanarMass {
  double mass = 0, J = 0;
};

/// What a flexible body has beyond a rigid one, per mode: ModalBody as matrices.
struct FlexibleGeometry {
  const ModalBody* numbers = nullptr;
  Vector stiffness, damping;  // ω², 2ζω
  Vector scale;               // 1/|φ|: what a metre at the nodes is
  Matrix J1;                  // 6 × m: xx yy zz xy xz yz
  std::array<Matrix, 6> J2;   // … second × second
  std::array<Matrix, 3> g;    // likewise, x y z
};

/// A node of a flexible body: its place from the centre of mass, and how modes move and turn it.
struct WeldGeometry {
  Vec3 p = Vec3::Zero();
  Eigen::Matrix<double, 3, Eigen::Dynamic> phi, psi;
};

/// Two points that a joint holds together, from the centres of mass of its bodies.
struct PointPair {
  Vec3 p_i = Vec3::Zero(), p_j = Vec3::Zero();
};

/// The constants of a function between two bodies (wrench.h).
struct PairGeometry {
  std::vector<Vec3> vectors;
  std::vector<double> constants;
};

/// A point of a body that pairs look at, from its centre of mass.
struct Anchor {
  int body = 0;
  Vec3 p = Vec3::Zero();
  int next = -1;  // of the same body
};

/// PairReach with its points among the anchors.
struct ReachGeometry {
  PairReach::Kind kind = PairReach::Kind::everywhere;
  int a = 0, b = 0;  // anchors
  Vec3 e = Vec3::Zero();
  double reach = 0;
  double margin = 0;  // bodies are neighbours up to here beyond it
  double tip = 0;     // where e turns with a body: one of its anchors lies so far from a along e
};

struct Geometry {
  Vec3 gravity = Vec3::Zero();
  double length = 1;  // size of the largest body: errors of positions are compared with it

  // By MechanismSystem::refresh_body
  std::vector<BodyGeometry> bodies;         // [bodies]
  std::vector<FlexibleGeometry> flexibles;  // [flexible bodies]
  std::vector<PlanarMass> plane;            // [planar bodies + 1], [0] is the ground
  // By refresh() of the pool of that name
  std::vector<WeldGeometry> welds;             // [nodes of flexible bodies]
  std::vector<PointPair> points;               // [joints] where each is on its two bodies
  std::vector<Row> rows;                       // [rows] of joints and rolling contacts
  std::vector<Row> measures;                   // [measures]
  std::vector<std::vector<double>> forces;     // [forces] constants of their laws
  std::vector<std::vector<double>> relations;  // [constraints] likewise
  std::vector<std::vector<double>> states;     // [states] likewise
  std::vector<PairGeometry> pairs;             // [pairs]
  std::vector<ReachGeometry> reaches;          // [pairs] by pairs
  std::vector<Anchor> anchors;                 // each point of a body once, by pairs
  std::vector<int> first_anchor;               // [bodies] −1: none, by pairs
  double slack = 0;           // way of an anchor that Instant::near puts up with, by pairs
  std::uint64_t version = 0;  // how often pairs have refreshed their part, by pairs
};

}  // namespace mechfmu::mechanics
