// A mechanism in numbers: all that follows from its parameters, in body axes. Made anew when a parameter changes.
//
// "by" names who computes a field: the function refresh() of that pool or table.

#pragma once

#include <vector>

#include "mechanics/number.h"
#include "mechanics/rows.h"

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

/// What of it is asked for in every iteration of a body in the plane.
struct PlanarMass {
  double mass = 0, J = 0;
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

struct Geometry {
  Vec3 gravity = Vec3::Zero();
  double length = 1;  // size of the largest body: errors of positions are compared with it

  // By MechanismSystem::refresh_body
  std::vector<BodyGeometry> bodies;  // [bodies]
  std::vector<PlanarMass> plane;     // [planar bodies + 1], [0] is the ground
  // By refresh() of the pool of that name
  std::vector<PointPair> points;               // [joints] where each is on its two bodies
  std::vector<Row> rows;                       // [rows] of joints and rolling contacts
  std::vector<Row> measures;                   // [measures]
  std::vector<std::vector<double>> forces;     // [forces] constants of their laws
  std::vector<std::vector<double>> relations;  // [constraints] likewise
  std::vector<std::vector<double>> states;     // [states] likewise
  std::vector<PairGeometry> pairs;             // [pairs]
};

}  // namespace mechfmu::mechanics
