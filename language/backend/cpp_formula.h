// A program (mechanics/program.h) as the lambda of a formula in C++:
//
//   multiply 4 ← 3, 0;  subtract 5 ← 1, 4   →   [](const auto& s) { return s(torque) - 0.02 * s[0]; }
//
// What is used once is written where it is used, what is used more often has a name.

#pragma once

#include <functional>
#include <string>

#include "mechanics/program.h"

namespace mechfmu {

struct FormulaNames {
  std::function<std::string(std::int32_t i)> constant,
      setting;  // how the constants and settings of the program are written
};

/// The lambda; several lines where it has names.
std::string cpp_lambda(const mechanics::Program& program, const FormulaNames& names);

}  // namespace mechfmu
