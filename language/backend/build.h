// Carries out a plan: a Mechanism whose expressions are interpreted, for checks that need no compiler.
//
// Functions of one's own, which are C++, count as 0 here.

#pragma once

#include "language/meaning/plan.h"
#include "mechanics/mechanism.h"

namespace mechfmu {

/// Throws std::invalid_argument that names the element where the mechanics library refuses it.
mechanics::Mechanism build_mechanism(const Plan& plan);

}  // namespace mechfmu
