// How the solver reports a failure: a reason, a time and one line of text.

#pragma once

#include <string>
#include <string_view>

namespace mechfmu {

enum class Failure {
  none,
  cannot_assemble,        // no position satisfies the constraints near the start
  inconsistent_velocity,  // no velocity satisfies the constraints and the held values
  no_equilibrium,         // no position near the start at which the system stays at rest
  contradiction,          // redundant constraints contradict each other at this position
  singular_matrix,        // accelerations or multipliers are not determined
  newton,                 // step equations not solved, even with the smallest step
  step_too_small,         // the error stays too large down to h_min
  non_finite,             // a model function returned NaN or infinity
  too_many_steps
};

std::string_view name(Failure failure);

struct [[nodiscard]] Result {
  Failure failure = Failure::none;
  double t = 0;         // time reached
  std::string message;  // what failed, where, and what may help; empty on success

  bool ok() const { return failure == Failure::none; }
};

}  // namespace mechfmu
