// Carries out a plan: a Mechanism whose expressions are interpreted, for checks without a compiler.
//
// User-defined functions are C++ and count as 0 here.

#pragma once

#include "language/meaning/plan.h"
#include "mechanics/mechanism.h"

namespace mechfmu {

/// Throws std::invalid_argument that names the element if the mechanics library refuses it.
mechanics::Mechanism build_mechanism(const Plan& plan);

}  // namespace mechfmu
