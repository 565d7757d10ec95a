// Slider-crank whose rod bends and stretches: Simeon, Math. Modelling of Systems 2 (1996) 1–18;
// Test Set for IVP Solvers, "crank".
//
//   y = (φ₁ φ₂ x₃  q₁ q₂ q₃ q₄): crank, chord of the rod, slider; bending
//   q₁ sin πx/l₂ + q₂ sin 2πx/l₂, elongation quadratic through q₃ in the middle and q₄ at the end.
//   With s, c of φ₁ − φ₂, m₂ = ρ b² l₂ and integrals c₁ c₂ c₁₂ c₂₁ B over the shapes:
//
//   M = ⎡ J₁ + m₂l₁²   ½l₁l₂m₂ c + m₂l₁(s c₂·q + c c₁·q)   0    m₂l₁(c c₂ − s c₁)ᵀ ⎤
//       ⎢     .        J₂ + q·Mq q + 2m₂ c₁₂·q             0    m₂(c₂₁ + Bᵀq)ᵀ     ⎥
//       ⎢     .                  .                         m₃          0           ⎥
//       ⎣     .                  .                         .           Mq          ⎦
//   g = ( l₁ sin φ₁ + (l₂ + q₄) sin φ₂,  x₃ − l₁ cos φ₁ − (l₂ + q₄) cos φ₂,  φ₁ − Ωt )
//
// The source has 15 times the mass of ∫φφᵀ for elongation, and π = 3.1415927; both are the
// defaults.

#pragma once

#include <array>

#include "model/model.h"

namespace mechfmu::models {

struct FlexibleSliderCrank : Model<7, 3> {
  double l1 = 0.15, l2 = 0.30;                // crank, rod
  double m3 = 0.075552, J1 = 0.002727;        // slider; crank about its pin
  double J2 = 0.0045339259;                   // rod about its end
  double E = 2e11, side = 0.008, rho = 7870;  // of the rod, a square bar
  double Omega = 150, damping = 0, elongation_mass = 15;

  static constexpr double pi = 3.1415927;

  using Four = Vec<double, 4>;
  double m2() const { return rho * side * side * l2; }
  Mat<double, 4> Mq() const {
    const double axial = m2() * elongation_mass / 15;
    Mat<double, 4> M = Mat<double, 4>::Zero();
    M(0, 0) = M(1, 1) = m2() / 2;
    M(2, 2) = 8 * axial;
    M(2, 3) = M(3, 2) = axial;
    M(3, 3) = 2 * axial;
    return M;
  }
  Mat<double, 4> Kq() const {
    const double axial = E * side * side / l2;
    const double bending = axial * pi * pi * pi * pi / 24 * (side / l2) * (side / l2);
    Mat<double, 4> K = Mat<double, 4>::Zero();
    K(0, 0) = bending;
    K(1, 1) = 16 * bending;
    K(2, 2) = axial * 16 / 3;
    K(2, 3) = K(3, 2) = -axial * 8 / 3;
    K(3, 3) = axial * 7 / 3;
    return K;
  }
  /// 0.5 % of critical, times `damping`.
  Mat<double, 4> Dq() const {
    Mat<double, 4> D = Mat<double, 4>::Zero();
    D(0, 0) = 5;
    D(1, 1) = 25;
    D(2, 2) = 0.5 * 230.8375455264791;
    D(2, 3) = D(3, 2) = -0.5 * 262.688487992052;
    D(3, 3) = 0.5 * 421.7421837156818;
    return damping * D;
  }
  /// ∫ u_k v_l − v_k u_l over the rod: u along it, v across.
  static Mat<double, 4> B() {
    Mat<double, 4> b = Mat<double, 4>::Zero();
    b(0, 2) = -16 / (pi * pi * pi);
    b(0, 3) = 8 / (pi * pi * pi) - 1 / pi;
    b(1, 3) = 0.5 / pi;
    return b - b.transpose();
  }
  static Four c1() { return {0, 0, 2.0 / 3, 1.0 / 6}; }
  static Four c2() { return {2 / pi, 0, 0, 0}; }
  Four c12() const { return {0, 0, l2 / 3, l2 / 6}; }
  Four c21() const { return {l2 / pi, -l2 * 0.5 / pi, 0, 0}; }

  template <class T>
  Mat<T, 7> M(T /*t*/, const Vec<T, 7>& y) const {
    const T s = sin(y[0] - y[1]);
    const T c = cos(y[0] - y[1]);
    const Vec<T, 4> q = y.template tail<4>();
    const double m = m2();
    const T along = dot(c1(), q);
    const T across = dot(c2(), q);
    const Vec<T, 4> Mqq = times(Mq(), q);
    const Vec<T, 4> Btq = times(B().transpose(), q);
    Mat<T, 7> A = Mat<T, 7>::Zero();
    A(0, 0) = T(J1 + m * l1 * l1);
    A(0, 1) = 0.5 * l1 * l2 * m * c + m * l1 * (s * across + c * along);
    A(1, 1) = J2 + q.dot(Mqq) + 2 * m * dot(c12(), q);
    A(2, 2) = T(m3);
    for (int i = 0; i < 4; ++i) {
      A(0, 3 + i) = m * l1 * (c * c2()[i] - s * c1()[i]);
      A(1, 3 + i) = m * (c21()[i] + Btq[i]);
      for (int j = 0; j < 4; ++j) A(3 + i, 3 + j) = T(Mq()(i, j));
    }
    for (int i = 0; i < 7; ++i)
      for (int j = 0; j < i; ++j) A(i, j) = A(j, i);
    return A;
  }
  template <class T>
  Vec<T, 7> f(T /*t*/, const Vec<T, 7>& y, const Vec<T, 7>& z) const {
    const T s = sin(y[0] - y[1]);
    const T c = cos(y[0] - y[1]);
    const Vec<T, 4> q = y.template tail<4>();
    const Vec<T, 4> rate = z.template tail<4>();
    const double m = m2();
    const T crank = z[0] * z[0];
    const T rod = z[1] * z[1];
    const Vec<T, 4> Mqq = times(Mq(), q);
    const Vec<T, 4> held = times(Kq(), q) + times(Dq(), rate);
    const Vec<T, 4> coriolis = times(B(), rate);
    Vec<T, 7> force = Vec<T, 7>::Zero();
    force[0] = -0.5 * l1 * l2 * m * rod * s + m * l1 * rod * (c * dot(c2(), q) - s * dot(c1(), q)) -
               2 * m * l1 * z[1] * (c * dot(c1(), rate) + s * dot(c2(), rate));
    force[1] = 0.5 * l1 * l2 * m * crank * s +
               m * l1 * crank * (s * dot(c1(), q) - c * dot(c2(), q)) -
               2 * m * z[1] * dot(c12(), rate) - 2 * z[1] * rate.dot(Mqq);
    for (int i = 0; i < 4; ++i)
      force[3 + i] = rod * (Mqq[i] + m * c12()[i]) + m * l1 * crank * (c * c1()[i] + s * c2()[i]) +
                     2 * m * z[1] * coriolis[i] - held[i];
    return force;
  }
  template <class T>
  Vec<T, 3> g(T t, const Vec<T, 7>& y) const {
    const T length = l2 + y[6];
    return {l1 * sin(y[0]) + length * sin(y[1]), y[2] - l1 * cos(y[0]) - length * cos(y[1]),
            y[0] - Omega * t};
  }

  void variables(Variables& v) {
    v.about(
        "Slider-crank with a rod that bends and stretches (Simeon 1996, Test Set for IVP Solvers)");
    v.parameter("l1", l1).unit("m").min(0).about("crank length");
    v.parameter("l2", l2).unit("m").min(0).about("rod length");
    v.parameter("m3", m3).unit("kg").min(0).about("mass of the slider");
    v.parameter("J1", J1).unit("kg.m2").min(0).about("inertia of the crank about its pin");
    v.parameter("J2", J2).unit("kg.m2").min(0).about("inertia of the rod about its end");
    v.parameter("E", E).unit("Pa").min(0).about("modulus of elasticity of the rod");
    v.parameter("side", side).unit("m").min(0).about("of the square section of the rod");
    v.parameter("rho", rho).unit("kg/m3").min(0).about("density of the rod");
    v.parameter("Omega", Omega).unit("rad/s").about("speed of the crank");
    v.parameter("damping", damping).min(0).about("of the rod: 1 is half a per cent of critical");
    v.parameter("elongation_mass", elongation_mass)
        .min(0)
        .about("modal masses of elongation: 15 in the source, 1 by integration");
    const char* names[] = {"phi1", "phi2", "x3", "q1", "q2", "q3", "q4"};
    for (int i = 0; i < 7; ++i) v.coordinate(i, names[i]).in(i < 2 ? "rad" : "m");
    for (int i = 3; i < 7; ++i) v.coordinate(i, names[i]).scale(0.01);  // deformations are small
    const char* constraints[] = {"slider guide", "slider", "speed of the crank"};
    for (int i = 0; i < 3; ++i) v.constraint(i, constraints[i]);
    const char* about[] = {"crank angle",
                           "angle of the rod",
                           "slider",
                           "deflection of the rod in its middle",
                           "second bending of the rod",
                           "displacement of the middle along the rod",
                           "elongation of the rod"};
    for (int i = 0; i < 7; ++i)
      v.output(names[i], [i](const Point& p) { return p.y[i]; })
          .unit(i < 2 ? "rad" : "m")
          .about(about[i]);
    // the published nine digits, with x₃, φ₂' and x₃' from the constraints
    const double q4 = 0.169327969e-4;
    const double q4_rate = -0.268938672e-5;
    v.start({.y = {0, 0, l1 + l2 + q4, 0, 0, 0.103339863e-4, q4},
             .z = {Omega, -Omega * l1 / (l2 + q4), q4_rate, 0.444896105, 0.463434311e-2,
                   -0.178591076e-5, q4_rate}});
    v.experiment({.stop = 0.1, .step = 2e-4});
  }

 private:
  template <class T>
  static T dot(const Four& a, const Vec<T, 4>& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  }
  template <class T>
  static Vec<T, 4> times(const Mat<double, 4>& A, const Vec<T, 4>& b) {
    Vec<T, 4> product;
    for (int i = 0; i < 4; ++i) product[i] = dot<T>(A.row(i), b);
    return product;
  }
};

}  // namespace mechfmu::models
