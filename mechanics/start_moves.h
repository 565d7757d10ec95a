// What initialization made of a mechanism: how far it moved the bodies, and how many ways of moving there are.
//
//   Solver solver(system);
//   if (Result r = solver.initialize(state, 0); !r.ok()) …       // r.message: which joint stays open, and by how much
//   for (const BodyMove& move : moves(system, state.point)) …    // largest first
//   mobility(system, solver.redundant()).freedom          // n − rank C

#pragma once

#include <string>
#include <vector>

#include "mechanics/system.h"

namespace mechfmu::mechanics {

/// A body as it was placed against where it is.
struct BodyMove {
  std::string body;
  double distance = 0;      // of the centre of mass, m
  double angle = 0;         // rad
  double speed_change = 0;  // of the velocity of the centre of mass, m/s
  double spin_change = 0;   // of the angular velocity, world axes, rad/s
};

/// All bodies, the one that was moved most first; with equal moves, the one whose velocity changed most.
std::vector<BodyMove> moves(MechanismSystem& system, const Point& after);

struct Mobility {
  Index bodies = 0;       // without the ground
  Index coordinates = 0;  // velocities of all bodies
  Index constraints = 0;  // rows of joints, rolling contacts and relations
  Index redundant = 0;    // … that follow from others at the start
  Index freedom = 0;      // coordinates − (constraints − redundant)
  Index positions = 0;    // the same with constraints of positions only: more where something rolls
};

/// `redundant`: rows that Solver::redundant() has found.
Mobility mobility(const MechanismSystem& system, const std::vector<Index>& redundant);

}  // namespace mechfmu::mechanics
