// The value of a quantity (mechanics/quantities.h) at a point of the motion.

#pragma once

#include "mechanics/mechanism.h"
#include "mechanics/quantities.h"

namespace mechfmu::mechanics {

template <class T>
class Readings;

/// The element or body that a quantity belongs to.
struct Operand {
  Index index = 0;        // of the joint, measure, force, …; the first one of several
  Spot spot{};            // a point of a body
  Spot from{};            // of a relative quantity: the origin of the body it is seen from
  bool relative = false;  // whether the quantity is relative
};

/// Scalars are first components. T is double, or Along for values with a slope.
template <class T>
Vec<T, 3> read(const Readings<T>& q, Quantity quantity, const Operand& of);

}  // namespace mechfmu::mechanics
