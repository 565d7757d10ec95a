// A system linearized at a point of its motion, in coordinates that the constraints leave
// independent.
//
//   s = (q, v, x)      s' = s'₀ + A (s − s₀) + B (u − u₀)      o = o₀ + C (s − s₀) + D (u − u₀)
//
// A change along the constraints is δy in the null space of G, δz with C δz + C_y δy = 0, and any
// δx. Coordinates q, velocities v, their rates, x' and the outputs are differentiated along each of
// them, with the accelerations and multipliers that solve the equations of motion there: T =
// ∂s/∂(changes) and R = ∂s'/∂(changes) give A = R T⁻¹. All of these are smooth beyond the
// constraints, so that a straight line has the derivative of the curve on them. If rolling
// restricts only velocities, there are fewer v than q. Derivatives are exact where the system knows
// them (System::vary), otherwise differences.
//
// q and v are the first independent ones of the candidates, such as joint angles.

#pragma once

#include <complex>
#include <string>
#include <vector>

#include "model/candidate_coordinates.h"
#include "solver/solver.h"

namespace mechfmu {

struct LinearModel {
  double t = 0;
  std::vector<NameAndUnit> states, inputs, outputs;
  Matrix A, B, C, D;
  Vector s0, ds0, u0, o0;  // states, their derivatives, inputs, outputs at the point
  std::vector<std::complex<double>> poles;  // eigenvalues of A, slowest first
};

/// The linear model from the inputs (without the parameters) to the outputs of the system. Entries
/// are rounded to their known digits. Throws std::runtime_error if the candidates do not suffice or
/// the equations of motion cannot be solved.
LinearModel linearize(Solver& solver, const State& state, const CandidateCoordinates& candidates);

/// Moves the state to an equilibrium near it, z = 0, a = 0, x' = 0, by Newton's method with the
/// smallest changes of x and of the coordinates that describe the position. The inputs named by
/// `adapt`, positions in u, contribute as much as they can, and are set in the system. If that
/// fails, it starts from the position in which the mechanism would come to rest when released. The
/// result reports the remaining accelerations if there is no equilibrium.
Result trim(Solver& solver, State& state, const CandidateCoordinates& candidates,
            const std::vector<Index>& adapt = {});

/// Eigenvalues, smallest first, of a matrix whose entries are known up to the errors. Eigenvalues
/// that follow from zeros outside the diagonal alone are exact. Eigenvalues that the errors could
/// make equal are equal in the result: otherwise a multiple one at zero would appear as a circle
/// around it with the radius of a root of the errors.
std::vector<std::complex<double>> poles_of(const Matrix& A, const Matrix& errors);

}  // namespace mechfmu
