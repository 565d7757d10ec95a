// Every kind of element in a small mechanism of its own, for the conformance suite.

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
  bool coincides = false;  // its forces meet in one point only where its constraints hold
  bool moments = true;     // its bodies take up moments (point masses do not)
  double spread = 0.15;    // how far from the start it is looked at
};

/// Elements that have much in common.
struct Family {
  std::string name;
  std::vector<Element> elements;
};

inline void PrintTo(const Family& family, std::ostream* out) { *out << family.name; }

std::vector<Family> families();

/// Three nodes, left, middle and right, one stress, and numbers of no structure for the rest.
mechanics::ModalBody random_modal_body(std::int32_t modes, std::int32_t second);

}  // namespace mechfmu::tests
