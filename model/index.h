// Positions in lists and vectors: the index of Eigen, for headers that do without it.

#pragma once

#include <cstddef>

namespace mechfmu {

using Index = std::ptrdiff_t;

}  // namespace mechfmu
