#include "model_desc/text.h"

#include <cmath>
#include <system_error>

namespace mechfmu {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::optional<double> parse_number(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double x = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), x);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return {};
  return x;
}

std::string value_text(Type type, double value) {
  switch (type) {
    case Type::real: return shortest(value);
    case Type::boolean: return value != 0 ? "true" : "false";
    case Type::integer:
    case Type::enumeration: break;
  }
  return std::to_string(std::llround(value));
}

const char* text(Causality causality) {
  switch (causality) {
    case Causality::independent: return "independent";
    case Causality::parameter: return "parameter";
    case Causality::input: return "input";
    case Causality::output: return "output";
    case Causality::local: break;
  }
  return "local";
}

const char* text(Variability variability) {
  switch (variability) {
    case Variability::discrete: return "discrete";
    case Variability::tunable: return "tunable";
    case Variability::fixed: return "fixed";
    case Variability::continuous: break;
  }
  return "continuous";
}

const char* text(Initial initial) {
  switch (initial) {
    case Initial::exact: return "exact";
    case Initial::approx: return "approx";
    case Initial::none:
    case Initial::calculated: break;
  }
  return "calculated";
}

}  // namespace mechfmu
