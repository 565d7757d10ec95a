// The operations of programs (mechanics/program.h). A separate file, for headers without Eigen.

#pragma once

#include <cstdint>

namespace mechfmu::mechanics {

enum class Code : std::uint8_t {
  // of one number
  copy,
  negate,
  sin_,
  cos_,
  tan_,
  asin_,
  acos_,
  atan_,
  sinh_,
  cosh_,
  tanh_,
  exp_,
  log_,
  sqrt_,
  norm,  // the root of a sum of squares; its derivative at 0 is 0
  abs_,
  sign,
  floor_,
  table,  // b: number of the table
  // of two
  add,
  subtract,
  multiply,
  divide,
  power,
  atan2_,
  // conditions: 1 or 0
  less,
  less_equal,
  equal,
  not_equal,
  logical_and,
  logical_or,
  logical_not,
  // c where a holds, else b
  select,
  // A function in C++, which only compiled formulas can call; a: number of the call. Its value is 0
  // here.
  call,
  count
};

struct Operation {
  Code code = Code::copy;
  std::int32_t to = 0, a = 0, b = 0, c = 0;
  friend bool operator==(const Operation&, const Operation&) = default;
};

}  // namespace mechfmu::mechanics
