// Coordinates of a mechanism for its linear model (analysis/linear_model.h): those of joints, then
// those of bodies.
//
// A joint has its angle or displacement and the rate. A body has the difference to a neighbouring
// motion, in axes that turn with Ω (0 unless the mechanism is in a steady turn):
//
//   δr' = δv − Ω × δr        δφ' = δω + (ω − Ω) × δφ,   R = exp(δφ) R₀
//   δv' = δa − Ω × δv        δω' = δα − Ω × δω
//
// The linear model of a steady motion is then constant: for a wheel that rolls straight with ω ≠ 0,
// and for a motion in a circle with Ω ≠ 0.

#pragma once

#include <vector>

#include "mechanics/system.h"
#include "model/candidate_coordinates.h"

namespace mechfmu::mechanics {

/// Measures of the coordinates of all joints. Call this before making the system of the mechanism.
std::vector<Measure> measure_joints(Mechanism& mechanism);

/// Ω of a steady turn, in which all bodies turn about one axis with constant speed: a = Ω × v and
/// α = Ω × ω. Zero for any other motion. With gravity, the axis is vertical.
Vec3 steady_turning(MechanismSystem& system, const Point& p);

/// A.angle, S.displacement … of the joints, then crank.position.x … crank.turn.z of all bodies,
/// near the point p.
CandidateCoordinates candidate_coordinates(MechanismSystem& system, std::vector<Measure> joints,
                                           const Point& p, const Vec3& turning);

}  // namespace mechfmu::mechanics
