// A listing as C++: constant tables (mechanics/tables.h) and a lambda for each shape of formula.
//
//   listing ─→ FourBar.cpp ─ compiler ─→ tables::from_tables ─→ the same listing, formulas compiled

#pragma once

#include <string>

#include "language/meaning/plan.h"
#include "mechanics/listing.h"

namespace mechfmu {

std::string mechanism_cpp(const Plan& plan);

}  // namespace mechfmu
