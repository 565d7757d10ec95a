// The arguments of a law, and its value and derivatives at one place. Separate from law.h, for
// headers without Eigen.

#pragma once

#include "model/dual_number.h"
#include "model/index.h"

namespace mechfmu::mechanics {

/// An argument of a law, besides time, inputs and parameters.
struct Argument {
  enum class Kind {
    value,      // of a measure
    rate,       // of a measure, or speed along a direction
    state,      // first-order state
    multiplier  // λ or ψ: index of a row
  };
  Kind kind = Kind::value;
  Index index = 0;  // of the measure or the state; of a multiplier, from the first row of the joint
  Index joint = -1;  // of a multiplier
};

/// Value and derivatives of a law at one place.
struct LawValue {
  static constexpr int capacity = 12;  // arguments
  double value = 0;
  double gradient[capacity] = {};
};

/// … and second derivatives, with time as the last argument.
template <class T>
struct RelationValueOf {
  T value{};
  T gradient[LawValue::capacity + 1] = {};
  T hessian[LawValue::capacity + 1][LawValue::capacity + 1] = {};
};
using RelationValue = RelationValueOf<double>;
using RelationAlong = RelationValueOf<Along>;

}  // namespace mechfmu::mechanics
