// The compiled mechanism: bodies, joints and rolling contacts with their unknowns and their geometry in body axes, and
// where they are at one point of the motion.

#pragma once

#include "mechanics/mechanism.h"
#include "mechanics/rows.h"

namespace mechfmu::mechanics {

/// A body of the compiled mechanism: what does not change during a run (but with parameters).
struct BodyFacts {
  BodyType type = BodyType::spatial;
  Index y = 0, z = 0;  // where its numbers begin
  int n = 0;           // velocities
  Index node = -1;     // of the block matrix; −1: ground
  double mass = 0;
  Mat3 J = Mat3::Zero();       // about the centre of mass, body axes
  Vec3 centre = Vec3::Zero();  // centre of mass from the reference point, body axes
  Vec3 r0 = Vec3::Zero();      // centre of mass at the start
  Mat3 R0 = Mat3::Identity();  // axes at the start
  Vec3 v0 = Vec3::Zero();      // velocity of the centre of mass at the start
  Vec3 w0 = Vec3::Zero();      // angular velocity at the start, world axes
  double theta0 = 0;           // angle of a planar body at the start
};

/// Where a body is and how it moves, world axes.
struct BodyMotion {
  Vec3 r = Vec3::Zero();
  Mat3 R = Mat3::Identity();
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();  // sum of the forces on it
};

/// φ, B and the speed B·z of a row.
struct RowMotion {
  double phi = 0, rate = 0;
  Wrench<double> on_i, on_j;
};

/// Constraints of one joint: coincidence of two points (rows along the world's axes), then single rows.
struct JointFacts {
  Index first = 0;  // of its multipliers
  int rows = 0;
  Index node = -1;
  int i = 0, j = 0;
  int point_rows = 0;  // 0, 2 (planar) or 3
  Vec3 p_i = Vec3::Zero(), p_j = Vec3::Zero();
  int first_row = 0, end_row = 0;  // in the list of single rows
};

/// Rolling: the height above the plane (holonomic, optional) and one or two slip speeds.
struct RollingFacts {
  Index first_g = -1, first_k = -1;  // of its multipliers λ and ψ
  Index node_g = -1, node_k = -1;
  int height = -1;          // in the list of single rows
  int slip = 0, slips = 0;  // …
};

}  // namespace mechfmu::mechanics
