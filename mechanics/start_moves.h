// The effect of initialization: the displacements of the bodies, and the number of degrees of
// freedom.
//
//   Solver solver(system);
//   if (Result r = solver.initialize(state, 0); !r.ok()) …       // r.message: the open joint
//   for (const BodyMove& move : moves(system, state.point)) …    // largest first
//   mobility(system, solver.redundant()).freedom                 // n − rank C

#pragma once

#include <string>
#include <vector>

#include "mechanics/system.h"

namespace mechfmu::mechanics {

/// The difference between the placed body and the initialized one.
struct BodyMove {
  std::string body;
  double distance = 0;      // of the centre of mass, m
  double angle = 0;         // rad
  double speed_change = 0;  // of the velocity of the centre of mass, m/s
  double spin_change = 0;   // of the angular velocity, world axes, rad/s
};

/// All bodies, the largest move first; with equal moves, the largest change of velocity first.
std::vector<BodyMove> moves(MechanismSystem& system, const Point& after);

struct Mobility {
  Index bodies = 0;       // without the ground
  Index coordinates = 0;  // velocities of all bodies
  Index constraints = 0;  // rows of joints, rolling contacts and relations
  Index redundant = 0;    // … that follow from others initially
  Index freedom = 0;      // coordinates − (constraints − redundant)
  Index positions = 0;    // the same with constraints of positions only: more where something rolls
};

/// `redundant`: the rows that Solver::redundant() returns.
Mobility mobility(const MechanismSystem& system, const std::vector<Index>& redundant);

}  // namespace mechfmu::mechanics
