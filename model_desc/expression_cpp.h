// A checked expression as C++ that a person would write.
//
//   to_cpp(e, naming)   k*(x - 0.5)^2 + 30deg   →   s(k) * power(s[0] - 0.5, 2) + 0.5235987755982988
//
// The naming gives the C++ of a name, which needs no brackets: s[0], s(k), s.t; of vectors it is asked for the
// components 0, 1, 2, of others for −1, of a table for what is called with its argument. The text is right for any scalar, double or dual, and uses the names
// of namespaces mechfmu and mechfmu::functions (solver/dual.h, model_desc/expression_functions.h) and std::numbers.
// Brackets are written only where they are needed; numbers are doubles that read back as the same; what is made of numbers
// only is computed.

#pragma once

#include <functional>
#include <string>

#include "model_desc/expression.h"

namespace mechfmu::expression {

using Naming = std::function<std::string(const Node& name, int component)>;

std::string to_cpp(const Expression& expression, const Naming& naming);

}  // namespace mechfmu::expression
