// What a law depends on, and what it has at one place: value, gradient, second derivatives. By itself, for headers without Eigen.

#pragma once

#include "model/dual_number.h"
#include "model/index.h"

namespace mechfmu::mechanics {

/// What a law may depend on, beside time, inputs and parameters.
struct Argument {
  enum class Kind {
    value,      // of a measure
    rate,       // of a measure, or speed along a direction
    state,      // first-order state
    multiplier  // λ or ψ: index of a row
  };
  Kind kind = Kind::value;
  Index index =
      0;  // of the measure, the state or the row (rows are numbered when the mechanism is built)
  Index joint =
      -1;  // of a multiplier: its constraint; `index` then counts from that constraint's first row
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
