// Every kind of element in a small mechanism, for the conformance suite.

#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "mechanics/mechanism.h"

namespace mechfmu::tests {

struct Element {
  std::string name;
  mechanics::Mechanism mechanism;
  bool internal = false;   // acts between moving bodies only
  bool coincides = false;  // its forces meet in one point only if its constraints hold
  bool moments = true;     // moments act on its bodies (not on point masses)
  double spread = 0.15;    // largest distance of the tested positions from the initial one
};

/// Similar elements.
struct Family {
  std::string name;
  std::vector<Element> elements;
};

inline void PrintTo(const Family& family, std::ostream* out) { *out << family.name; }

std::vector<Family> families();

/// Three nodes, left, middle and right, one stress, and random numbers for all other data.
mechanics::ModalBody random_modal_body(std::int32_t modes, std::int32_t second);

}  // namespace mechfmu::tests
