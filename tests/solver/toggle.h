// A model that passes a singular position.

#pragma once

#include <cmath>
#include <numbers>

#include "models/slider_crank/slider_crank.h"

namespace mechfmu::tests {

/// Crank and rod of equal length, through θ₁ = π/2 where G loses rank, at 6 rad/s without torque.
struct Toggle : models::SliderCrank {
  void variables(Variables& v) {
    l1 = l2 = 0.6;
    torque = 0;
    SliderCrank::variables(v);
    const double theta = std::numbers::pi / 4;
    const double w = 6;
    const double s = l1 * std::sin(theta) * w;
    const double c = l1 * std::cos(theta) * w;
    // J as in the reference: that of l1 = 0.3 and l2 = 0.6.
    v.start({.y = position(theta, l1, l2),
             .z = {-s / 2, c / 2, w, -1.5 * s, c / 2, -w, -2 * s, -2 * s, -s, c}});
  }
  template <class T>
  Mat<T, 10> M(T t, const Vec<T, 10>& y) const {
    Mat<T, 10> mass = SliderCrank::M(t, y);
    mass(2, 2) = T(0.0027);
    mass(5, 5) = T(0.0045);
    return mass;
  }
};

}  // namespace mechfmu::tests
