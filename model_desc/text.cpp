#include "model_desc/text.h"

#include <cmath>

namespace mechfmu {

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
