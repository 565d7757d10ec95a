// Positions in lists and vectors: Eigen's index type, for headers that do not include Eigen.

#pragma once

#include <cstddef>

#if defined(__GNUC__) && __cplusplus < 202002L
#error mechfmu is written in C++20: compile it with -std=c++20
#endif

namespace mechfmu {

using Index = std::ptrdiff_t;

}  // namespace mechfmu
