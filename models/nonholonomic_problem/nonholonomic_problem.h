// Test problem (7.1) of Jay, "Convergence of the generalized-α method … nonholonomic constraints".
//
//   [ y₁             y₂ − e^−2t ] [z₁']   [ eᵗ(y₁z₂ + 2y₂z₁) + e²ᵗ y₁ ψ                  ]
//   [ sin(y₁ − eᵗ)   y₁ y₂      ] [z₂'] = [ e^−t(y₂z₂/2 − 2y₁z₁y₂z₂ + y₂ ψ²)            ]
//   0 = z₁² z₂ + 6 y₁ y₂ z₁ − 4
//
// Solution: y = (eᵗ, e^−2t), ψ = e^−t.

#pragma once

#include "model/model.h"

namespace mechfmu::models {

struct NonholonomicProblem : Model<2, 0, 1> {
  template <class T>
  Mat<T, 2> M(T t, const Vec<T, 2>& y) const {
    Mat<T, 2> mass;
    mass << y[0], y[1] - exp(-2.0 * t), sin(y[0] - exp(t)), y[0] * y[1];
    return mass;
  }
  template <class T>
  Vec<T, 2> f(T t, const Vec<T, 2>& y, const Vec<T, 2>& z, const Vec<T, 0>& /*lambda*/,
              const Vec<T, 1>& psi) const {
    const T p = psi[0];
    return {exp(t) * (y[0] * z[1] + 2.0 * y[1] * z[0]) + exp(2.0 * t) * y[0] * p,
            exp(-t) * (0.5 * y[1] * z[1] - 2.0 * y[0] * z[0] * y[1] * z[1] + y[1] * p * p)};
  }
  template <class T>
  Vec<T, 1> k(T /*t*/, const Vec<T, 2>& y, const Vec<T, 2>& z) const {
    return Vec<T, 1>(z[0] * z[0] * z[1] + 6.0 * y[0] * y[1] * z[0] - 4.0);
  }

  void variables(Variables& v) {
    v.about("Test problem 7.1 of Jay: exact solution exp(t), exp(-2t)");
    v.start({.y = {1, 1}, .z = {1, -2}, .psi = {1}});
    v.experiment({.stop = 1, .step = 0.01});
  }

  /// The exact solution at t; a has a separate time, because the method's a belongs to t + αh.
  static Point exact(double t, double t_of_a) {
    Point p;
    p.resize({2, 2, 0, 1, 0, 0});
    p.t = t;
    p.y << std::exp(t), std::exp(-2 * t);
    p.z << std::exp(t), -2 * std::exp(-2 * t);
    p.a << std::exp(t_of_a), 4 * std::exp(-2 * t_of_a);
    p.mu << std::exp(-t);
    return p;
  }
};

}  // namespace mechfmu::models
