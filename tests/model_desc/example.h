// A description made by hand that has everything a description can have.

#pragma once

#include "model/description.h"
#include "model_desc/origin.h"

namespace mechfmu {

/// time; input force; parameters mass, Angle; outputs arm.angle, arm.rate, reaction[1…2], Angle;
/// vector q[1…3] with mixed units, given exactly; w[1…2] with one unit, approximate; solver.method;
/// solver.steps; flag.
Description make_example();
Origin example_origin();

/// The entry of a name; throws if there is none.
Entry& entry(Description& description, const std::string& name);

}  // namespace mechfmu
