// A plan as tables (mechanics/listing.h): expressions become programs, ids become places in the
// tables.

#pragma once

#include "language/meaning/plan.h"
#include "mechanics/listing.h"

namespace mechfmu {

/// Whether the listing has looks, and the calculations of their numbers: FMUs need neither.
enum class Looks { without, with };

/// For a plan without errors. Functions in C++ are unknown here and count as 0.
mechanics::Listing make_listing(const Plan& plan, Looks looks = Looks::without);

}  // namespace mechfmu
