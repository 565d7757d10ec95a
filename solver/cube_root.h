// ∛x from basic operations alone: the same last bit on every platform, which std::cbrt does not have.

#pragma once

#include <cmath>
#include <limits>

namespace mechfmu {

/// ∛x of a number that is not negative.
inline double cube_root(double x) {
  if (!(x > 0 && x < std::numeric_limits<double>::infinity())) return x;
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  while (exponent % 3 != 0) {
    m /= 2;
    ++exponent;
  }
  // m is in [1/8, 1). The line is off by less than a tenth. Each step of Halley's method triples the
  // digits, and one of Newton's leaves the smallest rounding.
  double root = 0.46 + 0.57 * m;
  for (int i = 0; i < 2; ++i) {
    const double cube = root * root * root;
    root *= (cube + 2 * m) / (2 * cube + m);
  }
  root -= (root * root * root - m) / (3 * root * root);
  return std::ldexp(root, exponent / 3);
}

}  // namespace mechfmu
