// A disk that rolls without slipping on a horizontal plane: problem (7.2) of Jay, corrected.
//
//   y = (x, y, θ, φ, χ): contact point, lean, heading, angle of spin.
//   z = y',  c₃ = cos y₃,  s₄ = sin y₄, …
//   T = m/2 (z₁² + z₂² + r²z₃² + r²z₄²s₃²) − m r (z₃c₃(z₁s₄ − z₂c₄) + z₄s₃(z₁c₄ + z₂s₄))
//       + I₁/2 (z₃² + z₄²c₃²) + I₂/2 (z₅ + z₄s₃)²,          U = m g r c₃
//   d/dt T_z = T_y − U_y − k_zᵀψ,       k = (z₁ + σ r c₄ z₅,  z₂ + σ r s₄ z₅)
//
// σ = −1 is the sign printed in the paper; σ = +1 is the sign of physical rolling for this T.
// The printed f₄ lacks −I₂ z₃ z₅ c₃, without which energy is not constant; it is added here. In f₃
// and f₄ the printed terms with z₁, z₂ cancel.

#pragma once

#include "model/model.h"

namespace mechfmu::models {

struct RollingDisk : Model<5, 0, 2> {
  double m = 2, r = 1, I1 = 2, I2 = 2, g0 = 10;
  double sigma = -1;
  double missing_term = 1;  // 0: f₄ as printed

  template <class T>
  Mat<T, 5> M(T /*t*/, const Vec<T, 5>& y) const {
    const T c3 = cos(y[2]);
    const T s3 = sin(y[2]);
    const T c4 = cos(y[3]);
    const T s4 = sin(y[3]);
    Mat<T, 5> mass = Mat<T, 5>::Zero();
    mass(0, 0) = mass(1, 1) = T(m);
    mass(0, 2) = mass(2, 0) = -m * r * c3 * s4;
    mass(0, 3) = mass(3, 0) = -m * r * s3 * c4;
    mass(1, 2) = mass(2, 1) = m * r * c3 * c4;
    mass(1, 3) = mass(3, 1) = -m * r * s3 * s4;
    mass(2, 2) = T(m * r * r + I1);
    mass(3, 3) = (m * r * r + I2) * s3 * s3 + I1 * c3 * c3;
    mass(3, 4) = mass(4, 3) = I2 * s3;
    mass(4, 4) = T(I2);
    return mass;
  }
  template <class T>
  Vec<T, 5> f(T /*t*/, const Vec<T, 5>& y, const Vec<T, 5>& z) const {
    const T c3 = cos(y[2]);
    const T s3 = sin(y[2]);
    const T c4 = cos(y[3]);
    const T s4 = sin(y[3]);
    const T squares = z[2] * z[2] + z[3] * z[3];
    const T mixed = 2.0 * z[2] * z[3];
    Vec<T, 5> force;
    force << m * r * (mixed * c3 * c4 - squares * s3 * s4),
        m * r * (mixed * c3 * s4 + squares * s3 * c4),
        (m * r * r - I1) * z[3] * z[3] * s3 * c3 + I2 * (z[4] + z[3] * s3) * z[3] * c3 +
            m * r * g0 * s3,
        -(m * r * r - I1 + I2) * mixed * s3 * c3 - missing_term * I2 * z[2] * z[4] * c3,
        -I2 * z[2] * z[3] * c3;
    return force;
  }
  template <class T>
  Vec<T, 2> k(T /*t*/, const Vec<T, 5>& y, const Vec<T, 5>& z) const {
    return {z[0] + sigma * r * cos(y[3]) * z[4], z[1] + sigma * r * sin(y[3]) * z[4]};
  }

  double potential(const Point& p) const { return m * g0 * r * std::cos(p.y[2]); }
  double energy(const Point& p) const { return kinetic_energy(*this, p) + potential(p); }

  void variables(Variables& v) {
    v.about("Disk that rolls without slipping on a horizontal plane (Jay, problem 7.2, corrected)");
    v.parameter("m", m).unit("kg").min(0).about("mass");
    v.parameter("r", r).unit("m").min(0).about("radius");
    v.parameter("I1", I1).unit("kg.m2").min(0).about("moment of inertia about a diameter");
    v.parameter("I2", I2).unit("kg.m2").min(0).about("moment of inertia about the axle");
    v.parameter("g", g0).unit("m/s2").about("gravity");
    v.parameter("sigma", sigma).min(-1).max(1).about("sign of rolling: -1 as printed, +1 physical");
    v.parameter("missing_term", missing_term).min(0).max(1).about("1: f4 corrected, 0: as printed");
    const char* names[] = {"x", "y", "lean", "heading", "spin"};
    for (int i = 0; i < 5; ++i) v.coordinate(i, names[i]).in(i < 2 ? "m" : "rad");
    v.constraint(0, "rolling x");
    v.constraint(1, "rolling y");
    v.output("energy.kinetic", [this](const Point& p) {
       return kinetic_energy(*this, p);
     }).unit("J");
    v.output("energy.potential", [this](const Point& p) { return potential(p); }).unit("J");
    v.output("energy.total", [this](const Point& p) { return energy(p); }).unit("J");
    v.start({.y = {0.1, 0, 0.3, 0, 1}, .z = {0.1, 0, 0.02, -0.02, 0.1}});
    v.experiment({.stop = 10, .step = 0.01});
  }
};

}  // namespace mechfmu::models
