// A checked expression as C++ that a person would write.
//
//   to_cpp(e, naming)   k*(x - 0.5)^2 + 30deg   →   s(k) * power(s[0] - 0.5, 2) + 0.5235987755982988
//
// The naming gives the C++ of a name: s[0], s(k) * 0.001, s.t. It is asked for component −1 of numbers
// and of whole vectors, which are a functions::Vector3 in C++, and for 0, 1, 2 where only that component of a vector is
// used. Of a table and of a function of the user's own (node.function) it gives what is called with the arguments:
//
//   tyre(slip, F.z)    →   models::tyre(s[0], s[1])      naming("tyre(slip,F.z)", −1) = models::tyre
//
// The text is right for any scalar, double or dual, and uses the names of namespaces mechfmu
// and mechfmu::functions (model/dual.h, mechanics/functions.h) and std::numbers.
// Brackets are written only where they are needed; numbers are doubles that read back as the same; what is made of numbers
// only is computed.

#pragma once

#include <functional>
#include <string>

#include "language/expression/expression.h"

namespace mechfmu::expression {

// How tightly the operators of C++ bind.
enum class Binding { choice, or_, and_, comparison, addition, multiplication, sign, atom };

/// C++, and the loosest operator in it that is not in brackets.
struct Code {
  Code(std::string its_text,
       Binding its_binding = Binding::atom)  // NOLINT(google-explicit-constructor)
      : text(std::move(its_text)), binding(its_binding) {}
  std::string text;
  Binding binding;
};

using Naming = std::function<Code(const Node& name, int component)>;

std::string to_cpp(const Expression& expression, const Naming& naming);

}  // namespace mechfmu::expression
