// Data shared by the parts of the solver while they work. All of it can be recomputed from the
// State.
//
// Internal header. The parts, one file each:
//   step.cpp         one step: equations (14), matrices, error estimate
//   newton.cpp       modified Newton for a step (newton.h)
//   history.cpp      the memory of the method before a step
//   matrices.cpp     derivatives and factors: when they are computed, and for which state
//   projection.cpp   projection onto the constraints, at the start and in a run
//   consistent.cpp   a, λ, ψ, x' at a point; a'; fresh histories
//   equilibrium.cpp  search for a static equilibrium near the start
//   jumps.cpp        jumps of inputs and parameters
//   initialize.cpp   consistent start values; redundancy
//   control.cpp      step-size control, exact end time
//   result.cpp       messages for failures
//   solver.cpp       inputs, outputs and other requests between steps
//   predictor.cpp    first guess of a step

#pragma once

#include <memory>
#include <vector>

#include "model/system.h"
#include "solver/kkt.h"
#include "solver/options.h"
#include "solver/result.h"
#include "solver/state.h"
#include "solver/tuning.h"

namespace mechfmu {

/// Unknowns of a step (14) except μ, which is part of its end point.
struct Unknowns {
  Vector a, a_tilde, xd, mu_tilde;
  void resize(const Sizes& s);
};

/// Why an attempt failed; the text of a Result is composed from it only at the end.
struct Trouble {
  Failure failure = Failure::none;
  const char* function = "";  // model function with a non-finite value
  Index row = -1;             // row of that function or of a constraint
  double size = 0;            // size of the residual
};

struct Workspace {
  Workspace(System& system, const Options& options, std::unique_ptr<KktMatrices> matrices);

  System& system;
  const Options& options;
  Coefficients c;
  const MethodTraits& method;
  std::unique_ptr<KktMatrices> kkt;
  KktContents held;  // present contents of `kkt`
  // Reads between steps ("looks") use separate derivatives if needed; the run keeps its own.
  std::unique_ptr<KktMatrices> aside;  // swapped with `kkt` during a look
  KktContents held_aside;
  bool looking_aside = false;

  // The step being tried
  double h = 0, t1 = 0;
  double roundoff = 0;                 // roundoff of positions, relative to their scales
  Point end;                           // t₁, y₁, z₁, y''₁, μ₁, x₁, x'₁
  Unknowns now;                        // present iterate
  Vector a_alpha, Ma_alpha, xd_alpha;  // history at t₀ + αh
  Vector z_tilde;                      // z̃₁
  Vector apart;                        // ã − a
  Vector mass;                 // the entries of M for the step, or for the point being solved
  Vector known;                // αm (M a)_α − αf f₀, the part of the balance that is known
  Vector Ma;                   // M a₁₊α with the step's mass
  Vector per_scale;            // 1/Y_i
  double speed = 0;            // approximate size of z₁, in the scales
  double force = 0;            // largest |f_i|
  double error = 0;            // error estimate in units of the tolerance
  double newton_residual = 0;  // last increment of y and x in units of the tolerance
  Energies energies;           // at the end of the step
  bool energies_known = false;
  double most_kinetic = 0;     // largest kinetic energy of the run so far
  double rate = 1;             // contraction of the iteration
  bool rate_measured = false;  // `rate` was measured in this step, not in the last one
  // Sizes of the first increment, in units of the stopping test
  double first_motion = 0, first_multipliers = 0;
  // a and ã − a predicted by each of the first degrees, as columns, to choose the next degree; and
  // the number of these degrees.
  Matrix predicted_a, predicted_apart;
  int candidates = 0;

  // Scratch
  Values values;
  Vector apart_change;  // increments of ã − a and μ̃ − μ
  Vector rhs, delta, Mv, f_difference, k_tilde, u, c_rate, x_error;
  Point probe, before;
  Vector jump;                      // jump of (a, μ, x') with the inputs
  Vector residual, residual_minus;  // residuals of the consistency equations
  Vector rates;                     // (a', μ', x'') of a fresh history, or their jumps
  Vector direction;                 // direction of a derivative of those equations
  Trouble trouble;
  State scratch;  // copy on which outputs are computed
};

// --- matrices.cpp ---
/// Makes the matrices match the state's record if another state has used them in between.
void restore_matrices(Workspace& w, State& s);
/// Computes the derivatives at p, the present point of the system. False: not finite (w.trouble).
[[nodiscard]] bool take_derivatives(Workspace& w, State& s, const Point& p);
/// Ensures a factored mass KKT matrix, computed at p if there is none yet. False: w.trouble.
[[nodiscard]] bool ensure_mass(Workspace& w, State& s, const Point& p);
/// Computes the derivatives at p and factors the mass KKT matrix. False: w.trouble.
[[nodiscard]] bool renew_mass(Workspace& w, State& s, const Point& p);
/// The same, unless the last look has already done it at p.
[[nodiscard]] bool ensure_mass_at(Workspace& w, State& s, const Point& p);
/// Ensures a factored Newton KKT matrix for a step of size w.h from the present derivatives; keeps
/// one made for about this size. False: w.trouble.
[[nodiscard]] bool ensure_newton(Workspace& w, State& s);
/// If blocks come and go: finds the order of the Newton matrix for steps of about h, so that the
/// first step need not.
void prepare_steps(Workspace& w, State& s, double h);
/// Allocates the memory for looks in advance.
void prepare_looks(Workspace& w, const State& s);
/// Ends a look: restores the matrices of the run.
void end_look(Workspace& w);
/// Whether ã, μ̃ are separate unknowns.
bool two_sets(const Workspace& w);

// --- step.cpp ---
/// Tries one step of size h. On success w holds the new state; accept() copies it to s.
[[nodiscard]] bool try_step(Workspace& w, State& s, double h, double t1);
void accept(Workspace& w, State& s, bool clipped);

// --- history.cpp ---
/// Computes the values of the history at t₀ + αh, (15) and (16), or from the line of a fresh start
/// with its own M; and w.speed.
void rescale(Workspace& w, const State& s);
/// Makes the history suit a step h, where the controller would take `wanted`. It is made anew after
/// a jump, if h is too large for the present one, or on request. On failure the point is unchanged.
[[nodiscard]] bool prepare_history(Workspace& w, State& s, double h, double wanted, bool anew);

// --- projection.cpp ---
enum class Projection {
  done,
  failed,  // w.trouble
  stuck    // the constraints contradict each other or the held coordinates
};
/// Computes State::constraint_scale: the change of each constraint when the coordinates move by
/// their scales.
void measure_constraints(Workspace& w, State& s);
/// Projects the positions (or velocities) of the start with the smallest change, except the held
/// ones. May allocate.
[[nodiscard]] Projection project_start(Workspace& w, State& s, bool positions,
                                       const std::vector<bool>& held);
/// Projects onto the constraints if they need displacements of more than `accepted` (relative to
/// the scales; velocities: within `span`). Used after a jump of parameters, and before a step that
/// would treat the drift as accelerations of order drift/h². False: w.trouble.
[[nodiscard]] bool project_onto_constraints(Workspace& w, State& s, double accepted, double span);
/// Displacement that a step corrects without a projection.
double left_to_the_step(const Workspace& w);

// --- consistent.cpp ---
/// Computes a, μ, x' of p from t, y, z, x and the present inputs, with the given relative accuracy.
/// False: w.trouble.
[[nodiscard]] bool solve_accelerations(Workspace& w, State& s, Point& p, double accuracy);
/// Makes the history a₀ + (t−t₀) a₀' (or a₀ alone) around the state's point for steps of about
/// `span`.
[[nodiscard]] bool fresh_history(Workspace& w, State& s, double span, bool with_slope,
                                 double accuracy);
using tuning::exactly;
/// Accuracy of a history for steps of `span`.
double history_accuracy(const Workspace& w, const State& s, double span);
/// Computes (a', μ', x'') of the motion through p, into w.rates. False: w.trouble.
[[nodiscard]] bool local_rates(Workspace& w, State& s, const Point& p, double span);
/// Computes the change of a, μ, x' of a consistent point p with a change du of the inputs. False:
/// w.trouble.
[[nodiscard]] bool input_sensitivity(Workspace& w, State& s, const Point& p, In du, Point& dp);
/// Computes the change of a, μ, x' along a change of t, y, z, x and u; `exact`: the system provides
/// the derivatives. False: w.trouble.
[[nodiscard]] bool sensitivity(Workspace& w, State& s, const Point& p, Change& along, bool& exact);
/// Whether f, g, k, d are finite; if not, w.trouble names the function.
[[nodiscard]] bool all_finite(Workspace& w, const Values& values);

// --- equilibrium.cpp ---
/// Moves the state's point to a static equilibrium near it, with velocities zero. Multipliers and
/// positions are only as accurate as the next projection and solution of accelerations make them.
/// May allocate. False: w.trouble, and the point is the last one reached.
[[nodiscard]] bool settle(Workspace& w, State& s);

// --- jumps.cpp ---
/// Sets the inputs of the system to those at time t.
void apply_inputs(Workspace& w, const State& s, double t);
/// Treats inputs that were changed since the last step, for a step h where the controller would
/// take `span`.
[[nodiscard]] bool treat_jump(Workspace& w, State& s, double h, double span);

// --- control.cpp ---
/// First step, at most `interval`, chosen from the error of y, the change of velocity and the
/// displacement.
double first_step(const Workspace& w, const State& s, double interval);

// --- predictor.cpp ---
/// Fills w.now for the step w.h, w.t1.
void predict(Workspace& w, State& s);
/// Adds w.now to the solutions for extrapolation.
void remember(Workspace& w, State& s);
void forget(State& s);
/// Stores the line through the state's point with the rates w.rates, as two solutions `span` apart.
void remember_line(Workspace& w, State& s, double span);
/// Adds w.jump to all stored solutions, or (with_rates) the line w.jump + (τ − t) w.rates.
void shift_memory(const Workspace& w, State& s, bool with_rates);

/// Stores these multipliers as constant.
void hold_multipliers(In mu, State& s);

/// The sentence for a failure.
std::string describe(const Workspace& w, const State& s, const Trouble& trouble);

}  // namespace mechfmu
