// Differences of sixth order, central and to one side:
//
//   f'(x) ≈ Σ w_k (f(x + kh) − f(x − kh))/h,   k = 1, 2, 3
//   f'(x) ≈ Σ w_k f(x + kh)/h,                 k = 0 … 6; h < 0 for the other side

#pragma once

#include <array>

namespace mechfmu {

inline constexpr std::array<double, 3> sixth_order = {45.0 / 60, -9.0 / 60, 1.0 / 60};
inline constexpr std::array<double, 7> sixth_order_one_sided = {
    -49.0 / 20, 6, -15.0 / 2, 20.0 / 3, -15.0 / 4, 6.0 / 5, -1.0 / 6};

}  // namespace mechfmu
