#include "language/file/growth.h"

namespace mechfmu::reader {

bool Growth::count_element(const Place& place) {
  if (++elements_ <= limits_.elements) return true;
  if (!cut_short_)
    diagnostics_.error(
        place, {}, {},
        "the mechanism has more than " + std::to_string(limits_.elements) + " elements");
  cut_short_ = true;
  return false;
}

bool Growth::count_work(const Node& repeat, std::size_t steps) {
  work_ += steps;  // empty repeats also take time
  if (work_ > limits_.elements && !cut_short_) {
    diagnostics_.error(repeat.place, repeat.label(), {},
                       "the repeats of the mechanism make more than " +
                           std::to_string(limits_.elements) + " copies");
    cut_short_ = true;
  }
  return !cut_short_;
}

void Growth::count_text(const Node& node, Attribute& a) {
  characters_ += a.text.size();
  if (a.text.size() <= limits_.text && characters_ <= limits_.characters) return;
  if (!cut_short_)
    diagnostics_.error(
        a.place, node.label(), a.name,
        a.text.size() > limits_.text
            ? "attribute '" + a.name + "' is longer than " + std::to_string(limits_.text) +
                  " characters"
            : "the mechanism has more than " + std::to_string(limits_.characters) + " characters");
  a.text.clear();
  cut_short_ = true;
}

}  // namespace mechfmu::reader
