// Limits the size of a mechanism after the expansion of groups and repeats; exceeding them is an
// error.

#pragma once

#include <cstddef>

#include "language/file/nodes.h"

namespace mechfmu::reader {

class Growth {
 public:
  Growth(const ReaderLimits& limits, Diagnostics& diagnostics)
      : limits_(limits), diagnostics_(diagnostics) {}

  /// A limit was exceeded, or the content of a repeat is unknown: no more elements are made.
  bool is_cut_short() const { return cut_short_; }
  void cut_short() { cut_short_ = true; }

  /// False if there are too many.
  bool count_element(const Place& place);
  /// Counts copies of a repeat, and steps over them. False if the mechanism is cut short.
  bool count_work(const Node& repeat, std::size_t steps);
  void count_characters(std::size_t n) { characters_ += n; }
  /// Empties a text that is too long: parameters that contain parameters grow fast.
  void count_text(const Node& node, Attribute& a);

 private:
  const ReaderLimits& limits_;
  Diagnostics& diagnostics_;
  std::size_t elements_ = 0, characters_ = 0, work_ = 0;
  bool cut_short_ = false;
};

}  // namespace mechfmu::reader
