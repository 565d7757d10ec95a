// Everything a user may choose about the integration, with the defaults most runs want.

#pragma once

#include <limits>

#include "model/system.h"
#include "solver/coefficients.h"

namespace mechfmu {

/// What to do when an input or a parameter has jumped since the last step.
enum class JumpTreatment {
  treat,  // add small jumps of inputs to the history, make it anew after others: order 2 in everything
  always_shift,  // add every jump of inputs to the history: order 2 at the points
  restart,       // a_α = a₀: order 1 in a inside the next steps
  carry          // ignore it: order 1 in everything
};

/// How a_α of the very first step is found.
enum class StartTreatment {
  fresh,  // a_α = a₀ + αh a₀'
  plain   // a_α = a₀, as in the papers' experiments
};

/// Switches of experiments with the method, and numbers that trade cost for accuracy in ways nobody has to choose. Tests and
/// benchmarks use them; of all this a user sees whether jumps are treated and whether histories are rescaled.
struct Experiments {
  bool rescale_a = true;   // (15) on a change of step
  bool rescale_Ma = true;  // (16) on a change of step
  StartTreatment start = StartTreatment::fresh;
  JumpTreatment jump = JumpTreatment::treat;

  // Newton iterations before a matrix or a step is given up: contracting by 0.3, they gain five
  // digits, more than a prediction misses.
  int max_iterations = 10;
  int min_iterations = 1;  // 2 makes every step measure its own rate of convergence
  // c of the stopping test (45), as Negrut et al. choose it: five times as much saves a tenth of the
  // iterations, but lets undamped modes ring.
  double newton_fraction = 1e-3;
  // Change of h that the Newton matrix is kept over: p ∝ h² is off by 1.35² then, and stiff
  // directions contract by 0.45 only.
  double refactor_ratio = 0.35;
  double slow_rate = 0.3;  // contraction above which derivatives are always taken anew
  int max_predictor_degree = 3;
};

struct Options {
  Method method = Method::soi2;
  Coefficients coefficients = default_coefficients(Method::soi2);

  double tolerance =
      default_tolerance;  // bound of the local error of y and x, relative to max(nominal, |y|)
  /// 0: steps follow the tolerance; else every substep has (nearly) this size.
  double fixed_step = 0;
  double h_init = 0;     // 0: chosen from the start values
  double h_min = 1e-12;  // a step below it is a failure
  double h_max = std::numeric_limits<double>::infinity();
  long max_substeps = 1'000'000;  // substeps in one call of advance(); 0: by the size of the model
  /// 0: off; n: one step in every call of advance(), with derivatives taken once, n Newton iterations and no second attempt.
  int real_time = 0;

  Experiments experiments{};
};

/// The options that settings stand for; `tolerance` is used where theirs is 0. Throws std::invalid_argument naming a setting
/// that is out of range.
Options make_options(const SolverSettings& settings, double tolerance);

/// Substeps that one call may take: the more unknowns, the fewer, so that an absurd call ends after some seconds.
long most_substeps(const Options& options, const Sizes& sizes);

}  // namespace mechfmu
