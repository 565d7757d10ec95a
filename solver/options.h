// All options of the integration, with defaults for most runs.

#pragma once

#include <limits>

#include "model/system.h"
#include "solver/coefficients.h"

namespace mechfmu {

/// Treatment of inputs or parameters that have jumped since the last step.
enum class JumpTreatment {
  treat,  // add small jumps of inputs to the history, else make a fresh one: order 2 in everything
  always_shift,  // add every jump of inputs to the history: order 2 at the points
  restart,       // a_α = a₀: order 1 in a inside the next steps
  carry          // ignore it: order 1 in everything
};

/// Choice of a_α for the very first step.
enum class StartTreatment {
  fresh,  // a_α = a₀ + αh a₀'
  plain   // a_α = a₀, as in the papers' experiments
};

/// Switches for experiments with the method, and parameters that trade cost for accuracy and
/// normally keep their defaults. Tests and benchmarks use them. Users can only choose whether jumps
/// are treated and whether histories are rescaled.
struct Experiments {
  bool rescale_a = true;   // (15) on a change of step
  bool rescale_Ma = true;  // (16) on a change of step
  StartTreatment start = StartTreatment::fresh;
  JumpTreatment jump = JumpTreatment::treat;

  // Newton iterations before the solver gives up a matrix or a step. With a contraction of 0.3 they
  // gain five digits, more than the error of a prediction.
  int max_iterations = 10;
  int min_iterations = 1;  // 2: every step measures its own rate of convergence
  // c of the stopping test (45), as Negrut et al. choose it. A value five times as large saves a
  // tenth of the iterations, but lets undamped modes ring.
  double newton_fraction = 1e-3;
  // Relative change of h up to which the Newton matrix is kept. As p ∝ h², p is then wrong by
  // 1.35², and stiff directions contract by 0.45 only.
  double refactor_ratio = 0.35;
  double slow_rate = 0.3;  // contraction above which derivatives are always renewed
  int max_predictor_degree = 3;
};

struct Options {
  Method method = Method::soi2;
  Coefficients coefficients = default_coefficients(Method::soi2);

  // Bound of the local error of y and x, relative to max(nominal, |y|).
  double tolerance = default_tolerance;
  /// 0: the tolerance determines the steps; else every substep has (nearly) this size.
  double fixed_step = 0;
  double h_init = 0;     // 0: chosen from the start values
  double h_min = 1e-12;  // smaller steps are a failure
  double h_max = std::numeric_limits<double>::infinity();
  // Limit of substeps in one call of advance(); 0: depends on the size of the model.
  long max_substeps = 1'000'000;
  /// 0: off. n: every call of advance() takes one step, with one evaluation of the derivatives, n
  /// Newton iterations and no second attempt.
  int real_time = 0;

  Experiments experiments{};
};

/// Converts settings to options; `tolerance` replaces a tolerance of 0. Throws
/// std::invalid_argument naming a setting that is out of range.
Options make_options(const SolverSettings& settings, double tolerance);

/// Default limit of substeps per call: it falls with the number of unknowns, so that an excessive
/// call ends after some seconds.
long most_substeps(const Options& options, const Sizes& sizes);

}  // namespace mechfmu
