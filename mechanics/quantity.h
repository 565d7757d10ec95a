// The value of a quantity (mechanics/quantities.h) at a point of the motion.

#pragma once

#include "mechanics/mechanism.h"
#include "mechanics/quantities.h"

namespace mechfmu::mechanics {

template <class T>
class Readings;

/// Of what it is read.
struct Operand {
  Index index = 0;        // of the joint, measure, force, …; the first one of several
  Spot spot{};            // a point of a body
  Spot from{};            // of a relative quantity: the origin of the body it is seen from
  bool relative = false;  // … is one
};

/// Of a number, its first component. T is double, or Along for how it changes.
template <class T>
Vec<T, 3> read(const Readings<T>& q, Quantity quantity, const Operand& of);

}  // namespace mechfmu::mechanics
