// What a mechanism grows to when groups and repeats are put in: counted, with an error where it is too much.

#pragma once

#include <cstddef>

#include "language/file/nodes.h"

namespace mechfmu::reader {

class Growth {
 public:
  Growth(const ReaderLimits& limits, Diagnostics& diagnostics)
      : limits_(limits), diagnostics_(diagnostics) {}

  /// A limit was exceeded, or what a repeat makes is not known: no more elements are made.
  bool is_cut_short() const { return cut_short_; }
  void cut_short() { cut_short_ = true; }

  /// False when there are too many.
  bool count_element(const Place& place);
  /// Copies of a repeat, and looks at them. False when the mechanism is cut short.
  bool count_work(const Node& repeat, std::size_t steps);
  void count_characters(std::size_t n) { characters_ += n; }
  /// Empties a text that is too long: parameters that are made of parameters grow fast.
  void count_text(const Node& node, Attribute& a);

 private:
  const ReaderLimits& limits_;
  Diagnostics& diagnostics_;
  std::size_t elements_ = 0, characters_ = 0, work_ = 0;
  bool cut_short_ = false;
};

}  // namespace mechfmu::reader
