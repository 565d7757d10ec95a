// Positions in lists and vectors: the index of Eigen, for headers that do without it.

#pragma once

#include <cstddef>

#if defined(__GNUC__) && __cplusplus < 202002L
#error mechfmu is written in C++20: compile it with -std=c++20
#endif

namespace mechfmu {

using Index = std::ptrdiff_t;

}  // namespace mechfmu
