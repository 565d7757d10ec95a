// A system linearized at a point of its motion, in coordinates that the constraints leave independent.
//
//   s = (q, v, x)      s' = s'₀ + A (s − s₀) + B (u − u₀)      o = o₀ + C (s − s₀) + D (u − u₀)
//
// A change along the constraints is δy in the null space of G, δz with C δz + C_y δy = 0, and any δx. Coordinates q,
// velocities v, their rates, x' and the outputs are differentiated along each of them, with the accelerations and
// multipliers that solve the equations of motion there: T = ∂s/∂(changes) and R = ∂s'/∂(changes) give A = R T⁻¹. Off the
// constraints all of these go on smoothly, so that a straight line has the derivative of the curve on them. Where rolling
// restricts velocities only, there are fewer v than q. Derivatives are exact where the system knows them (System::vary), else
// differences.
//
// q and v are picked from candidates, such as joint angles: the first ones that are independent.

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

/// Of the inputs (not the parameters) and the outputs of the system. Entries are rounded to the digits that are known. Throws
/// std::runtime_error where the candidates do not suffice, or the equations of motion cannot be solved.
LinearModel linearize(Solver& solver, const State& state, const CandidateCoordinates& candidates);

/// Moves the state to an equilibrium near it, z = 0, a = 0, x' = 0: by Newton's method with the smallest changes of the
/// coordinates that describe the position, and of x. The inputs named by `adapt`, positions in u, do as much of it as they
/// can, and are set in the system. Where that fails, from where the mechanism would come to rest when let go. Says what is left
/// when there is no equilibrium.
Result trim(Solver& solver, State& state, const CandidateCoordinates& candidates,
            const std::vector<Index>& adapt = {});

/// Eigenvalues, smallest first, of a matrix whose entries are known up to the errors. Those that are known from zeros outside the
/// diagonal alone are exact. Eigenvalues that the errors could make equal are shown as equal: a multiple one at zero would
/// appear as a circle of strays around it, as large as a root of the errors.
std::vector<std::complex<double>> poles_of(const Matrix& A, const Matrix& errors);

}  // namespace mechfmu
