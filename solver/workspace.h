// What the parts of the solver share while it works: all of it can be recomputed from the State.
//
// Internal header. The parts, one file each:
//   step.cpp         one step: equations (14), matrices, error estimate
//   newton.cpp       modified Newton for it (newton.h)
//   history.cpp      the memory of the method before a step
//   matrices.cpp     derivatives and factors: when they are made, and for which state
//   projection.cpp   onto the constraints, at the start and in a run
//   consistent.cpp   a, λ, ψ, x' at a point; a'; fresh histories
//   equilibrium.cpp  to rest in the static equilibrium that is near
//   jumps.cpp        inputs and parameters that have changed
//   initialize.cpp   consistent start values; redundancy
//   control.cpp      step-size control, landing on the end time
//   result.cpp       failures in words
//   solver.cpp       inputs, outputs and what else a user asks for between steps
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

/// Unknowns of a step (14) but for μ, which is that of its end.
struct Unknowns {
  Vector a, a_tilde, xd, mu_tilde;
  void resize(const Sizes& s);
};

/// Why an attempt was not successful; the text of a Result is made from it only at the end.
struct Trouble {
  Failure failure = Failure::none;
  const char* function = "";  // model function that was not finite
  Index row = -1;             // its row, or that of a constraint
  double size = 0;            // of its residual
};

struct Workspace {
  Workspace(System& system, const Options& options, std::unique_ptr<KktMatrices> matrices);

  System& system;
  const Options& options;
  Coefficients c;
  const MethodTraits& method;
  std::unique_ptr<KktMatrices> kkt;
  KktContents held;  // what `kkt` holds now
  // Looks at a state between steps take derivatives of their own where they need other ones: those of the run stay.
  std::unique_ptr<KktMatrices> aside;  // changes places with `kkt` during such a look
  KktContents held_aside;
  bool looking_aside = false;

  // The step being tried
  double h = 0, t1 = 0;
  double roundoff = 0;                 // of positions, relative to their scales
  Point end;                           // t₁, y₁, z₁, y''₁, μ₁, x₁, x'₁
  Unknowns now;                        // iterate
  Vector a_alpha, Ma_alpha, xd_alpha;  // history at t₀ + αh
  Vector z_tilde;                      // z̃₁
  Vector apart;                        // ã − a
  Vector mass;                         // numbers of M of the step, or of the point solved for
  Vector known;                // αm (M a)_α − αf f₀, the part of the balance that is known
  Vector Ma;                   // M a₁₊α with the step's mass
  Vector per_scale;            // 1/Y_i
  double speed = 0;            // about that of z₁, in the scales
  double force = 0;            // largest |f_i|
  double error = 0;            // error estimate in units of the tolerance
  double newton_residual = 0;  // last increment of y and x in units of the tolerance
  Energies energies;           // at the end of the step
  bool energies_known = false;
  double most_kinetic = 0;     // the largest kinetic energy up to there
  double rate = 1;             // contraction of the iteration
  bool rate_measured = false;  // … seen in this step, not carried over from the last
  double first_motion = 0,
         first_multipliers = 0;  // its first increment, in what the stopping test allows
  // a and ã − a of the first degrees of the predictor, as columns, to choose the next; and how many there are
  Matrix predicted_a, predicted_apart;
  int candidates = 0;

  // Scratch
  Values values;
  Vector apart_change;  // increments of ã − a and μ̃ − μ
  Vector rhs, delta, Mv, f_difference, k_tilde, u, c_rate, x_error;
  Point probe, before;
  Vector jump;                      // of (a, μ, x') with the inputs
  Vector residual, residual_minus;  // of the consistency equations
  Vector rates;                     // (a', μ', x'') of a fresh history, or what they jump by
  Vector direction;                 // of a derivative of those equations
  Trouble trouble;
  State scratch;  // to compute outputs on
};

// --- matrices.cpp ---
/// Makes the matrices match the state's record, if another state has used them since.
void restore_matrices(Workspace& w, State& s);
/// Takes derivatives at p, where the system is then. False: not finite (w.trouble).
[[nodiscard]] bool take_derivatives(Workspace& w, State& s, const Point& p);
/// Has a factored mass KKT, taken at p if there is none yet. False: w.trouble.
[[nodiscard]] bool ensure_mass(Workspace& w, State& s, const Point& p);
/// Takes derivatives at p and factors the mass KKT there. False: w.trouble.
[[nodiscard]] bool renew_mass(Workspace& w, State& s, const Point& p);
/// … unless the last look has left just that.
[[nodiscard]] bool ensure_mass_at(Workspace& w, State& s, const Point& p);
/// Has what a step of size w.h needs, from the derivatives there are: kept if made for about this size. False: w.trouble.
[[nodiscard]] bool ensure_newton(Workspace& w, State& s);
/// Where blocks come and go, finds the order of the Newton matrix for steps of about h, so that the first of them need not.
void prepare_steps(Workspace& w, State& s, double h);
/// Makes the room that looks may need, so that they allocate nothing.
void prepare_looks(Workspace& w, const State& s);
/// The matrices of the run are back in place after a look.
void end_look(Workspace& w);
/// Whether ã, μ̃ are unknowns of their own.
bool two_sets(const Workspace& w);

// --- step.cpp ---
/// Tries one step of size h: on success the new state is in w (accept() makes it the state's).
[[nodiscard]] bool try_step(Workspace& w, State& s, double h, double t1);
void accept(Workspace& w, State& s, bool clipped);

// --- history.cpp ---
/// Values of the history at t₀ + αh, (15) and (16), or of the line of a fresh start with its own M;
/// and w.speed.
void rescale(Workspace& w, const State& s);
/// A history that suits a step h, where the controller would take `wanted`: after a jump, or when h is too
/// large for the one there is, or on request, it is made anew. On failure the point is as it was.
[[nodiscard]] bool prepare_history(Workspace& w, State& s, double h, double wanted, bool anew);

// --- projection.cpp ---
enum class Projection {
  done,
  failed,  // w.trouble
  stuck    // the constraints contradict each other, or what is held
};
/// How much each constraint changes when the coordinates move by their scales: State::constraint_scale.
void measure_constraints(Workspace& w, State& s);
/// Positions (or velocities) of the start with the smallest change, but for those held. May allocate.
[[nodiscard]] Projection project_start(Workspace& w, State& s, bool positions,
                                       const std::vector<bool>& held);
/// Back onto the constraints where they ask for displacements of more than `accepted` (relative to the scales; velocities: within
/// `span`): after a jump of parameters, and before a step to which the drift would look like accelerations of order drift/h².
/// False: w.trouble.
[[nodiscard]] bool project_onto_constraints(Workspace& w, State& s, double accepted, double span);
/// What a step corrects by itself.
double left_to_the_step(const Workspace& w);

// --- consistent.cpp ---
/// a, μ, x' of state.point from t, y, z, x and the present inputs, to a relative accuracy. False: w.trouble.
[[nodiscard]] bool solve_accelerations(Workspace& w, State& s, Point& p, double accuracy);
/// History a₀ + (t−t₀) a₀' (or a₀ alone) around the state's point; `span`: the step it is meant for.
[[nodiscard]] bool fresh_history(Workspace& w, State& s, double span, bool with_slope,
                                 double accuracy);
using tuning::exactly;
/// Accuracy that a history for steps of `span` needs.
double history_accuracy(const Workspace& w, const State& s, double span);
/// (a', μ', x'') of the motion through p, into w.rates. False: w.trouble.
[[nodiscard]] bool local_rates(Workspace& w, State& s, const Point& p, double span);
/// Change of a, μ, x' of a consistent point p with a change du of the inputs. False: w.trouble.
[[nodiscard]] bool input_sensitivity(Workspace& w, State& s, const Point& p, In du, Point& dp);
/// Change of a, μ, x' along a change of the rest, exactly, if the system knows (`exact`). False: w.trouble.
[[nodiscard]] bool sensitivity(Workspace& w, State& s, const Point& p, Change& along, bool& exact);
/// Finite f, g, k, d; else names the culprit in w.trouble.
[[nodiscard]] bool all_finite(Workspace& w, const Values& values);

// --- equilibrium.cpp ---
/// The state's point to a static equilibrium near it, with velocities zero; multipliers and positions only as accurate as the next
/// projection and solution of accelerations make them. May allocate. False: w.trouble, and the point is where it has got to.
[[nodiscard]] bool settle(Workspace& w, State& s);

// --- jumps.cpp ---
/// Gives the system the inputs that hold at time t.
void apply_inputs(Workspace& w, const State& s, double t);
/// Treats inputs that were changed since the last step, for a step h where the controller would take `span`.
[[nodiscard]] bool treat_jump(Workspace& w, State& s, double h, double span);

// --- control.cpp ---
/// First step, at most `interval`: such that the error of y, the change of velocity and the way are in proportion.
double first_step(const Workspace& w, const State& s, double interval);

// --- predictor.cpp ---
/// Fills w.now for the step w.h, w.t1.
void predict(Workspace& w, State& s);
/// Adds w.now to what is extrapolated from.
void remember(Workspace& w, State& s);
void forget(State& s);
/// The line through the state's point with the rates in w.rates, as two solutions `span` apart.
void remember_line(Workspace& w, State& s, double span);
/// Adds w.jump to everything remembered, or (with_rates) the line w.jump + (τ − t) w.rates.
void shift_memory(const Workspace& w, State& s, bool with_rates);

/// Remembers these multipliers, as if they had not changed.
void hold_multipliers(In mu, State& s);

/// The sentence for a failure.
std::string describe(const Workspace& w, const State& s, const Trouble& trouble);

}  // namespace mechfmu
