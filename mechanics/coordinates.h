// Coordinates of a mechanism for its linear model (analysis/linear_model.h): those of joints, then those of bodies.
//
// Of a joint, its angle or displacement and the rate. Of a body, what a neighbouring motion differs by, in axes that turn with
// Ω (0 unless the mechanism is in a steady turn):
//   δr' = δv − Ω × δr        δφ' = δω + (ω − Ω) × δφ,   R = exp(δφ) R₀        δv' = δa − Ω × δv        δω' = δα − Ω × δω
// Then the linear model of a steady motion is constant: of a wheel that rolls straight on with ω ≠ 0, and of a circle with
// Ω ≠ 0.

#pragma once

#include <vector>

#include "mechanics/system.h"
#include "model/candidate_coordinates.h"

namespace mechfmu::mechanics {

/// Measures of all joints' coordinates; to be called before the system is made of the mechanism.
std::vector<Measure> measure_joints(Mechanism& mechanism);

/// Ω of a motion where everything turns about one axis with a constant speed, a = Ω × v and α = Ω × ω for all bodies; zero for
/// any other motion. With gravity, the axis is vertical.
Vec3 steady_turning(MechanismSystem& system, const Point& p);

/// A.angle, S.displacement … of the joints, then crank.position.x … crank.turn.z of all bodies, near the point p.
CandidateCoordinates candidate_coordinates(MechanismSystem& system, std::vector<Measure> joints,
                                           const Point& p, const Vec3& turning);

}  // namespace mechfmu::mechanics
