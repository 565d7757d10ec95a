// A program (mechanics/program.h) as the lambda of a formula in C++:
//
//   multiply 4 ← 3, 0;  subtract 5 ← 1, 4  →  [](const auto& s) { return s(torque) - 0.02 * s[0]; }
//
// A value that is used once is written in place; a value that is used more often gets a name.

#pragma once

#include <functional>
#include <string>

#include "mechanics/program.h"

namespace mechfmu {

struct FormulaNames {
  std::function<std::string(std::int32_t i)> constant,
      setting;  // text of the constants and settings of the program
};

/// The lambda; several lines if it has names.
std::string cpp_lambda(const mechanics::Program& program, const FormulaNames& names);

}  // namespace mechfmu
