// Differences of sixth order, central and to one side:
//
//   f'(x) ≈ Σ w_k (f(x + kh) − f(x − kh))/h,   k = 1, 2, 3
//   f'(x) ≈ Σ w_k f(x + kh)/h,                 k = 0 … 6; h < 0 for the other side

#pragma once

#include <array>
#include <cstddef>

namespace mechfmu {

inline constexpr std::array<double, 3> sixth_order = {45.0 / 60, -9.0 / 60, 1.0 / 60};
inline constexpr std::array<double, 7> sixth_order_one_sided = {
    -49.0 / 20, 6, -15.0 / 2, 20.0 / 3, -15.0 / 4, 6.0 / 5, -1.0 / 6};

/// Calls visit(±k h, ±w_k / h) for every point of the central difference.
template <class Visit>
void difference(double h, Visit&& visit) {
  for (std::size_t k = 0; k < sixth_order.size(); ++k)
    for (const double side : {-1.0, 1.0})
      visit(side * static_cast<double>(k + 1) * h, side * sixth_order[k] / h);
}

/// Calls visit(k h, w_k / h) for every point of the difference to the side of h.
template <class Visit>
void one_sided_difference(double h, Visit&& visit) {
  for (std::size_t k = 0; k < sixth_order_one_sided.size(); ++k)
    visit(static_cast<double>(k) * h, sixth_order_one_sided[k] / h);
}

}  // namespace mechfmu
