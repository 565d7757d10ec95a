// How the solver says that something did not work: a reason, a time and one line of text.

#pragma once

#include <string>
#include <string_view>

namespace mechfmu {

enum class Failure {
  none,
  cannot_assemble,        // no position satisfies the constraints near the start
  inconsistent_velocity,  // no velocity satisfies the constraints with those held fixed
  no_equilibrium,         // no position near the start where the system stays at rest
  contradiction,          // constraints that depend on each other do not hold together any more
  singular_matrix,        // accelerations or multipliers are not determined
  newton,                 // step equations not solved, even with the smallest step
  step_too_small,         // the error stays too large down to h_min
  non_finite,             // a model function returned NaN or infinity
  too_many_steps
};

std::string_view name(Failure failure);

struct [[nodiscard]] Result {
  Failure failure = Failure::none;
  double t = 0;         // time that was reached
  std::string message;  // what happened, where, and what may help; empty when all is well

  bool ok() const { return failure == Failure::none; }
};

}  // namespace mechfmu
