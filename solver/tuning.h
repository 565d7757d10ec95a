// The thresholds and accuracies of the solver, in one place, each with its reason. Options for
// users are in solver/options.h; these values are not options. All are pure numbers: the quantities
// compared with them are in units of the tolerance, of the scales of y and x, or of roundoff.

#pragma once

#include <limits>

namespace mechfmu::tuning {

inline constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Relative accuracy of results that users see.
inline constexpr double exactly = 1e-11;

/// Replaces zero in a denominator.
inline constexpr double tiny = 1e-100;

/// Modified Newton for a step (newton.cpp, step.cpp).
struct newton {
  // The iteration error is a fraction of the step error, bounded below by this part of the
  // tolerance: otherwise short steps would need an unreachable accuracy.
  static constexpr double least_error = 1e-4;
  // Index-3 methods magnify the iteration error of positions by 1/h² in the next steps.
  static constexpr double index_3 = 0.01;
  // Other methods: α of ρ∞ = 0.8. A method with less damping (modes of ωh ≈ 2 ring for 1/α³ steps)
  // needs a smaller iteration error, down to this part.
  static constexpr double damping = 1.0 / 9, undamped = 0.03;

  // Accuracy of multipliers, relative to the largest one: that of accelerations, divided by ten; …
  static constexpr double multiplier_margin = 0.1;
  // … within these limits: λ enters the next step through f₀, and roundoff limits its accuracy; …
  static constexpr double multiplier_least = 1e-9, multiplier_most = 1e-4;
  // … and at least so many roundoffs.
  static constexpr double multiplier_noise = 100;
  // Vanishing multipliers are compared with forces; if these also vanish, with the second number.
  static constexpr double multiplier_of_force = 1e-6, multiplier_floor = 1e-12;

  // Increments of at most so many roundoffs of y, z and x need no further correction.
  static constexpr double roundoffs_done = 4;
  // Increments of at most so many roundoffs count as roundoff if the iteration no longer contracts
  // by more than `stalled`. They give no information about its rate.
  static constexpr double roundoffs_stalled = 1000, stalled = 0.3;
  // Residuals of the equations of motion and of the velocity constraints up to so many roundoffs
  // count as zero.
  static constexpr double residual = 16;
  // g below so many roundoffs of the positions is not corrected: 1/h² would magnify it.
  static constexpr double unresolved = 4;

  // Constraints that were left out because others imply them may be violated by so many tolerances,
  // or by the second number if that is larger.
  static constexpr double left_out = 10, left_out_least = 1e-9;

  // Smallest rate assumed when the remaining error is extrapolated, (42).
  static constexpr double best_rate = 1e-3;
  // The rate of an earlier step may have been roundoff: in a first iteration it counts as at least
  // this; …
  static constexpr double best_remembered_rate = 0.05;
  // … above this, it is not used; …
  static constexpr double worst_remembered_rate = 0.9;
  // … the remaining error estimated with it must be smaller than allowed by this factor.
  static constexpr double care = 5;
  // With derivatives at the predicted end, Newton's method converges quadratically. This rate is
  // far above the resulting contraction, so that one increment suffices only below a fiftieth of
  // the step error. Close to singular positions and at a kink of a force, a larger increment is not
  // reliable.
  static constexpr double fresh_rate = 1e-2;
  // The error of the prediction is at most this part of the displacement in a step.
  static constexpr double predicted_part = 0.1;
  // Multipliers have converged, at any rate, if their increments are below the allowed ones by this
  // factor; …
  static constexpr double multipliers_done = 1e-3;
  // … below this factor, their increments do not contribute to the rate.
  static constexpr double multipliers_rated = 0.1;

  // In real time, no iteration is added and no step is repeated. If the last increment moves the
  // mechanism by more than this part of its size, the result is not a solution.
  static constexpr double unsolved = 1e-3;

  // Growth beyond this is divergence.
  static constexpr double divergence = 2;
  // A rate above this, after the second iteration, is not expected to improve.
  static constexpr double hopeless = 0.95;
};

/// Memory of the method (history.cpp, step.cpp, consistent.cpp).
struct history {
  // A step shorter than this part of the span leaves the line unchanged.
  static constexpr double short_step = 0.1;
  // A step smaller than this part of the last one would treat the residual of g after Newton's
  // method as accelerations.
  static constexpr double sudden = 0.01;
  // Weights of (15) up to 1 are stable; the margin is for roundoff.
  static constexpr double largest_weight = 1 + 1e-9;
  // A fresh history is more accurate than the resolution of the error estimate by this factor, …
  static constexpr double accuracy = 1e-3;
  // … and has at least this accuracy.
  static constexpr double least_accuracy = 1e-6;
};

/// Accelerations and rates at a point (consistent.cpp).
struct consistent {
  static constexpr int iterations = 30;
  // An iteration that contracts by no more than this has reached roundoff (or uses an outdated
  // matrix).
  static constexpr double stalled = 0.5;
  // Relative changes up to this may be roundoff: at rest, accelerations are differences of large
  // forces. …
  static constexpr double roundoff = 1e-7;
  // … Vanishing multipliers are differences of forces: their changes are compared with this part of
  // the largest one.
  static constexpr double of_force = 0.01;
  // Residual forces, relative to the largest reaction: if the iteration has also stalled, a
  // residual below this is roundoff.
  static constexpr double residual = 1e-13;
  // Changes below this, in y and x of a run in SI units, count as zero.
  static constexpr double nothing = 1e-13;
  // Changes of start velocities by more than this part of the largest one cause a warning.
  static constexpr double contradiction = 1e-6;
  // A slow iteration renews the derivatives at once, then after every so many iterations.
  static constexpr int renewal = 5;

  // Differences along the motion use this part of the step, …
  static constexpr double difference = 0.01;
  // … but at least this part of t, so that time can resolve them.
  static constexpr double difference_of_time = 1e-9;
  // Relative accuracy of the rates (a', μ', x''): they are multiplied by a step.
  static constexpr double rates = 1e-4;
  // The iteration ends when the expected error is this part of that accuracy.
  static constexpr double rates_left = 0.1;
  static constexpr int rate_iterations = 8;
  // The first step depends on the rates, and the rates on the first step: number of repetitions.
  static constexpr int start_rounds = 4;
  // Initial guess of the first step, relative to the length of the experiment. A result above the
  // second part of the guess ends the repetition.
  static constexpr double first_span = 1e-4, span_found = 0.5;
  // Number of steps in which the start values of joints are approached.
  static constexpr int start_parts = 8;

  // Differences with respect to inputs use this part of their values.
  static constexpr double difference_of_input = 0.02;
  static constexpr double sensitivity = 1e-14;
  static constexpr int sensitivity_iterations = 20;
};

/// Sinking to a static equilibrium (equilibrium.cpp). Displacements are relative to the scales of
/// the coordinates, times are in s.
struct equilibrium {
  // Steps in total, and Newton iterations in each.
  static constexpr int steps = 300, iterations = 20;
  // Displacement of a step: the intended one and the largest one. There may be many equilibria, and
  // the near one is wanted. Iterates of Newton's method may exceed the largest displacement by the
  // third factor.
  static constexpr double way = 0.2, longest = 0.5, passing = 4;
  // Step sizes: the shortest, for large initial accelerations; the first; the last, in which
  // all oscillations come to rest.
  static constexpr double shortest = 1e-7, first = 0.1, last = 100;
  // Largest growth and shrinkage from step to step; the latter also after a step that was not
  // solved.
  static constexpr double growth = 4, shrinkage = 0.25;
  // A step is solved when the increment is at most this part of it, or at most the second number.
  static constexpr double solved = 0.01, nothing = 1e-13;
  // After the first ones, increments that grow by more than this diverge, or are roundoff.
  static constexpr double divergence = 2;
  // At rest: the displacement in a step, or in a second, is at most this, …
  static constexpr double at_rest = 1e-10;
  // … or at most this, if the displacement has not shrunk by the second factor in so many steps in
  // a row.
  static constexpr double roundoff = 1e-7, stalled = 0.9;
  static constexpr int stalls = 3;
  // Steps longer than this against the forces lead to an unstable equilibrium.
  static constexpr double uphill = 1e-3;
  // Start velocities (per second) below this count as zero.
  static constexpr double slow = 1e-9;
};

/// Projection onto the constraints (projection.cpp). Sizes are displacements relative to the scales
/// of the coordinates.
struct projection {
  static constexpr int iterations = 100;
  // The constraints hold within so many roundoffs of the positions.
  static constexpr double met = 4;
  // If the iteration has stalled, the constraints hold if the remaining displacement is at most
  // this.
  static constexpr double assembled = 1e-9;
  // A displacement below both limits is left to the next step, which corrects the constraints
  // anyway. The second limit is a part of the tolerance.
  static constexpr double left_to_the_step = 1e-8, part_of_tolerance = 0.01;
  // In a run, positions, and velocities times the step, move by at most so many tolerances.
  static constexpr double tolerances = 10;
  // Contraction above which the derivatives are renewed, and above which the iteration has stalled.
  static constexpr double slow = 0.3, stalled = 0.5;
  // An increment is halved until the residual decreases. After so many times any finite residual is
  // accepted; after the second number the projection fails.
  static constexpr int halvings = 10, most_halvings = 60;
};

/// Jumps of inputs (jumps.cpp, solver.cpp).
struct jump {
  // Iterations for the jump of the accelerations, and their accuracy relative to the tolerance or
  // the jump.
  static constexpr int iterations = 8;
  static constexpr double accuracy = 1e-3;
  // Contraction above which the matrix is outdated.
  static constexpr double stalled = 0.5;
  // The contraction of an earlier jump counts as at least the first number, and is multiplied by
  // the second one when it is used again.
  static constexpr double best_contraction = 1e-3, care = 2;
  // Jumps up to so many tolerances may be added to the memory. The error in a step is the part that
  // the rate omits: the rotation of a body during the step times the jump.
  static constexpr double largest = 30;
  // A jump up to the first number, in tolerances, counts as constant if the last jump changed by at
  // most the second number, relatively, in a step. The omitted contribution of its rate to the
  // memory, and the product of that with the error of the memory in the velocity, are then far
  // smaller.
  static constexpr double unrated = 1, slow = 0.05;
  // An input has not jumped if it agrees with its extrapolation up to these parts of its size and
  // of time · slope.
  static constexpr double rounding = 1e-13, rounding_of_slope = 1e-15;
};

/// Extrapolation (predictor.cpp).
struct predictor {
  // Weights with a larger sum would magnify the errors of the data.
  static constexpr double largest_sum = 20;
  // Every so many steps, all degrees are compared; the other steps need only the chosen one.
  static constexpr int compare_every = 4;
  // The differences use the degree of a unless another degree has an error below this part of it,
  // as squares.
  static constexpr double much_better = 0.25;
};

/// Step sizes (control.cpp).
struct control {
  // h_new = safety · h e^(−1/3)
  static constexpr double safety = 0.9;
  // Errors, in tolerances, that would make the next step shorter: safety³.
  static constexpr double shortening = safety * safety * safety;
  // Growth beyond 2 would leave the stability range of (15).
  static constexpr double most_growth = 2, most_shrinkage = 0.2;
  // A step that could grow by less than this keeps its size and its Newton matrix.
  static constexpr double dead_band = 1.2;
  // A step that was not solved provides no error estimate: it shrinks by this factor.
  static constexpr double after_failure = 0.25;
  // Number of failures after which a fresh history is made.
  static constexpr int suspicious_failures = 3;
  // Default limit of substeps per call: bounds the number of unknowns solved, a few seconds of
  // work.
  static constexpr double most_work = 2e7, least_substeps = 1000, most_substeps = 100'000;
  // A step shorter than this part of the wanted size gives little information about the affordable
  // size.
  static constexpr double cut = 0.5;
  // The last step of an interval may exceed the wanted size by this factor; fixed steps only by
  // roundoff.
  static constexpr double stretch = 1.05, fixed_stretch = 1 + 1e-9;
  // Energy that a step may create, relative to the largest kinetic energy of the run; checked for
  // tolerances above the second number.
  static constexpr double energy_made = 0.02, watched_tolerance = 1e-6;
  // Smallest interval, in roundoffs of time and in seconds.
  static constexpr double roundoffs_of_time = 4, least_interval = 1e-12;
  // Roundoff of time, relative to a step, above which it affects the step.
  static constexpr double coarse_time = 1e-9;
};

}  // namespace mechfmu::tuning
