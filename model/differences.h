// Central differences of sixth order: f'(x) ≈ Σ w_k (f(x + kh) − f(x − kh))/h, k = 1, 2, 3.

#pragma once

#include <array>

namespace mechfmu {

inline constexpr std::array<double, 3> sixth_order = {45.0 / 60, -9.0 / 60, 1.0 / 60};

}  // namespace mechfmu
