// The numbers that decide when something is good enough, in one place, each with its reason. What a user may choose is in
// solver/options.h; these are not meant to be chosen. All are pure numbers: what they are compared with is in units of the
// tolerance, of the scales of y and x, or of roundoff.

#pragma once

#include <limits>

namespace mechfmu::tuning {

inline constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Accuracy, relative, of what users see.
inline constexpr double exactly = 1e-11;

/// Instead of zero, below a fraction.
inline constexpr double tiny = 1e-100;

/// Modified Newton of a step (step.cpp).
struct newton {
  // What the iteration leaves is a fraction of the error of the step, which lies between the tolerance and this part of it:
  // steps that are short for other reasons would have to be solved to nothing.
  static constexpr double least_error = 1e-4;
  // Index-3 methods magnify what is left in positions by 1/h² in the next steps.
  static constexpr double index_3 = 0.01;
  // Others: α of ρ∞ = 0.8. A method that damps less (modes of ωh ≈ 2 ring for 1/α³ steps) has to be left less, down to this part.
  static constexpr double damping = 1.0 / 9, undamped = 0.03;

  // Multipliers, relative to the largest: as accurate as accelerations have to be, with a margin of ten …
  static constexpr double multiplier_margin = 0.1;
  // … but within these limits: λ enters the next step through f₀, and roundoff has its say.
  static constexpr double multiplier_least = 1e-9, multiplier_most = 1e-4;
  // … and no closer to roundoff than this.
  static constexpr double multiplier_noise = 100;
  // Multipliers that vanish are compared with forces, and where these vanish, too, with this.
  static constexpr double multiplier_of_force = 1e-6, multiplier_floor = 1e-12;

  // Increments of so many roundoffs of y, z and x: nothing is left to correct.
  static constexpr double roundoffs_done = 4;
  // So many are taken for roundoff where the iteration has stopped contracting by more than `stalled`, and say nothing
  // about its rate.
  static constexpr double roundoffs_stalled = 1000, stalled = 0.3;
  // Residuals of the equations of motion and of the velocity constraints that are so many roundoffs are none.
  static constexpr double residual = 16;
  // g below so many roundoffs of the positions is no error to correct: 1/h² would magnify it.
  static constexpr double unresolved = 4;

  // Constraints that were left out because others imply them may be off by so many tolerances, and by this much at least.
  static constexpr double left_out = 10, left_out_least = 1e-9;

  // A rate is never trusted to be better than this when the rest is extrapolated, (42).
  static constexpr double best_rate = 1e-3;
  // The rate of an earlier step may have been roundoff: in a first iteration it counts as at least this, …
  static constexpr double best_remembered_rate = 0.05;
  // … is no use when it is near 1, …
  static constexpr double worst_remembered_rate = 0.9;
  // … and has to leave this factor.
  static constexpr double care = 5;
  // With derivatives taken at the predicted end, Newton's method squares what was missing. This rate is far above what that leaves, so that
  // one increment is enough below a fiftieth of the error of the step only: close to singular positions, and where a force has a kink, a
  // larger one cannot be trusted.
  static constexpr double fresh_rate = 1e-2;
  // The prediction misses the end by no more than this part of the way of a step.
  static constexpr double predicted_part = 0.1;
  // Multipliers with increments this far below what is allowed are done whatever the rate is, …
  static constexpr double multipliers_done = 1e-3;
  // … and below this they say nothing about it.
  static constexpr double multipliers_rated = 0.1;

  // In real time no iteration is added and no step repeated. A last increment that moves the mechanism by more than this part of its size
  // has not found a solution.
  static constexpr double unsolved = 1e-3;

  // Growth beyond this is divergence.
  static constexpr double divergence = 2;
  // Slower than this will not become better, when seen after the second iteration.
  static constexpr double hopeless = 0.95;
};

/// Memory of the method (step.cpp, consistent.cpp).
struct history {
  // A step cut to less than this part of the span leaves the line as it is.
  static constexpr double short_step = 0.1;
  // To a step smaller than this part of the last one, what Newton has left in g would look like accelerations.
  static constexpr double sudden = 0.01;
  // Weights of (15) up to 1 are stable; roundoff does not decide.
  static constexpr double largest_weight = 1 + 1e-9;
  // A history made anew is this much more accurate than what the error estimate can see, …
  static constexpr double accuracy = 1e-3;
  // … but no worse than this.
  static constexpr double least_accuracy = 1e-6;
};

/// Accelerations and rates at a point (consistent.cpp).
struct consistent {
  static constexpr int iterations = 30;
  // An iteration that contracts no better than this is at roundoff (or has a matrix that is too old).
  static constexpr double stalled = 0.5;
  // Relative changes that may be roundoff: at rest, accelerations are differences of large forces.
  static constexpr double roundoff = 1e-7;
  // … and multipliers that vanish are differences of forces: their changes are compared with this part of the largest.
  static constexpr double of_force = 0.01;
  // Forces that are left over, relative to the largest reaction: where the iteration has stalled, too, this is roundoff.
  static constexpr double residual = 1e-13;
  // Changes of this size, in y and x of a run in SI units, count as none.
  static constexpr double nothing = 1e-13;
  // Start velocities that are changed by more than this part of the largest are worth a warning.
  static constexpr double contradiction = 1e-6;
  // Derivatives are taken anew at first when the iteration is slow, then every so many iterations.
  static constexpr int renewal = 5;

  // Differences along the motion reach over this part of the step, …
  static constexpr double difference = 0.01;
  // … but time has to resolve them.
  static constexpr double difference_of_time = 1e-9;
  // Rates (a', μ', x''), relative: they are multiplied by a step.
  static constexpr double rates = 1e-4;
  // … and an iteration that will leave this part of that is the last one.
  static constexpr double rates_left = 0.1;
  static constexpr int rate_iterations = 8;
  // The step of the start follows from the rates it serves to find: so many times.
  static constexpr int start_rounds = 4;
  // The first guess of that step, in experiments; one that is shorter by less than this factor is kept.
  static constexpr double first_span = 1e-4, span_found = 0.5;
  // Start values of joints are approached in so many steps.
  static constexpr int start_parts = 8;

  // Differences by inputs reach over this part of their value.
  static constexpr double difference_of_input = 0.02;
  static constexpr double sensitivity = 1e-14;
  static constexpr int sensitivity_iterations = 20;
};

/// Sinking to a static equilibrium (equilibrium.cpp): ways are relative to the scales of the coordinates, times in s.
struct equilibrium {
  // Steps in all, and Newton iterations in each.
  static constexpr int steps = 300, iterations = 20;
  // A step is meant to move the mechanism this far and must not move it farther than the second: there are many equilibria, the near one
  // is meant. What Newton's method passes through may be farther by the third factor.
  static constexpr double way = 0.2, longest = 0.5, passing = 4;
  // Step sizes: from the shortest, where the accelerations of the start are large, to one in which all that swings comes to rest.
  static constexpr double shortest = 1e-7, first = 0.1, last = 100;
  // Growth and shrinkage from step to step, and after one that was not solved.
  static constexpr double growth = 4, shrinkage = 0.25;
  // A step is solved when an increment is this part of it, or this small.
  static constexpr double solved = 0.01, nothing = 1e-13;
  // Increments that grow by more than this, after the first ones, diverge, or are roundoff.
  static constexpr double divergence = 2;
  // At rest: a step, or what it would be in a second, moves nothing by more than this, …
  static constexpr double at_rest = 1e-10;
  // … or by no more than this where steps have stopped to become smaller by this factor, so many times in a row.
  static constexpr double roundoff = 1e-7, stalled = 0.9;
  static constexpr int stalls = 3;
  // Steps longer than this that go against the forces head for an unstable equilibrium.
  static constexpr double uphill = 1e-3;
  // Start velocities, per second, that are none.
  static constexpr double slow = 1e-9;
};

/// Back onto the constraints (projection.cpp): sizes are displacements relative to the scales of the coordinates.
struct projection {
  static constexpr int iterations = 100;
  // Roundoffs of the positions at which the constraints are met.
  static constexpr double met = 4;
  // Where the iteration has stalled, the constraints are met if they ask for no more than this.
  static constexpr double assembled = 1e-9;
  // Less than this is left to the next step, which looks at the constraints anyway; and never more than this part of
  // the tolerance.
  static constexpr double left_to_the_step = 1e-8, part_of_tolerance = 0.01;
  // In a run positions, and velocities times the step, are moved by so many tolerances at most.
  static constexpr double tolerances = 10;
  // Contraction above which derivatives are taken anew, and above which the iteration has stalled.
  static constexpr double slow = 0.3, stalled = 0.5;
  // An increment is halved until the residual falls; after so many times any finite residual will do, then it is given up.
  static constexpr int halvings = 10, most_halvings = 60;
};

/// Inputs that jump (jumps.cpp, solver.cpp).
struct jump {
  // Iterations for the jump of the accelerations, to this part of the tolerance or of the jump.
  static constexpr int iterations = 8;
  static constexpr double accuracy = 1e-3;
  // Contraction above which the matrix is too old.
  static constexpr double stalled = 0.5;
  // That of an earlier jump is not trusted to be better than this, and has to leave this factor.
  static constexpr double best_contraction = 1e-3, care = 2;
  // Jumps of so many tolerances may be added to the memory: a step errs by what the rate leaves out, the angle a body turns by in a
  // step times the jump.
  static constexpr double largest = 30;
  // Where jumps change by no more than the second part of themselves in a step, a jump of no more than the first, in tolerances, is taken
  // to be constant: what its rate adds to the memory, and that times the error of the memory in the velocity, is far less.
  static constexpr double unrated = 1, slow = 0.05;
  // An input that agrees with its extrapolation so closely, relative to its size and to time · slope, has not jumped.
  static constexpr double rounding = 1e-13, rounding_of_slope = 1e-15;
};

/// Extrapolation (predictor.cpp).
struct predictor {
  // Weights whose sum is larger would magnify the errors of the data.
  static constexpr double largest_sum = 20;
  // All degrees are compared in every so many steps; the others need the chosen one only.
  static constexpr int compare_every = 4;
  // Differences have the degree of a unless another one misses them by less than this part, as squares.
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
  // A step that could grow by less keeps its Newton matrix instead.
  static constexpr double dead_band = 1.2;
  // After a step that could not be solved there is no error to go by.
  static constexpr double after_failure = 0.25;
  // Failures after which the history is suspected and made anew.
  static constexpr int suspicious_failures = 3;
  // Substeps in one call where nobody said how many: so many unknowns are solved for, which takes some seconds.
  static constexpr double most_work = 2e7, least_substeps = 1000, most_substeps = 100'000;
  // A step cut to less than this part of what was wanted says little about what can be afforded.
  static constexpr double cut = 0.5;
  // The last step of an interval may be longer by this much than wanted; fixed ones by roundoff only.
  static constexpr double stretch = 1.05, fixed_stretch = 1 + 1e-9;
  // Energy, relative to the largest kinetic energy there was, that a step may make from nothing; watched above this tolerance.
  static constexpr double energy_made = 0.02, watched_tolerance = 1e-6;
  // Roundoffs of time, and seconds, that make an interval at least.
  static constexpr double roundoffs_of_time = 4, least_interval = 1e-12;
  // Roundoff of time, relative to a step, that the step takes notice of.
  static constexpr double coarse_time = 1e-9;
};

}  // namespace mechfmu::tuning
