// Slider-crank with a mass on a spring behind the slider: Arnold & Brüls, section 5.1.
//
//   y = (x₁ y₁ θ₁  x₂ y₂ θ₂  x₃  x₄  x₅ y₅): centres and angles of crank and rod, slider, mass on
//   the spring, hinge point.  M = diag(m₁ m₁ J₁ m₂ m₂ J₂ m₃ m₄ 0 0): the hinge point has no mass,
//   so that M is singular, but the KKT matrix is not.
//   f: torque on θ₁, spring k (x₄ − x₃) between slider and mass, x₄ from the relaxed spring.
//   g: centre of the crank, hinge point (each x, y from θ₁), centre of the rod (x, y from hinge and
//      θ₂), slider (x from hinge and θ₂), slider on y = 0.
//   Force of the ground pin on the crank: −λ₁−λ₃, −λ₂−λ₄.

#pragma once

#include <algorithm>
#include <numbers>

#include "model/model.h"

namespace mechfmu::models {

struct SliderCrank : Model<10, 8> {
  double l1 = 0.3, l2 = 0.6;                        // crank, rod
  double m1 = 0.36, m2 = 0.15, m3 = 0.1, m4 = 0.7;  // crank, rod, slider, mass on the spring
  double stiffness = 1000, torque = 1;

  double J1() const { return m1 * l1 * l1 / 12; }
  double J2() const { return m2 * l2 * l2 / 12; }

  template <class T>
  Mat<T, 10> M(T /*t*/, const Vec<T, 10>& /*y*/) const {
    Mat<T, 10> mass = Mat<T, 10>::Zero();
    const double diagonal[] = {m1, m1, J1(), m2, m2, J2(), m3, m4};
    for (int i = 0; i < 8; ++i) mass(i, i) = T(diagonal[i]);
    return mass;
  }
  template <class T>
  Vec<T, 10> f(T /*t*/, const Vec<T, 10>& y, const Vec<T, 10>& /*z*/) const {
    Vec<T, 10> force = Vec<T, 10>::Zero();
    force[2] = T(torque);
    force[6] = stiffness * (y[7] - y[6]);
    force[7] = -force[6];
    return force;
  }
  template <class T>
  Vec<T, 8> g(T /*t*/, const Vec<T, 10>& y) const {
    const T crank_x = l1 * cos(y[2]);
    const T crank_y = l1 * sin(y[2]);
    const T rod_x = l2 * cos(y[5]);
    const T rod_y = l2 * sin(y[5]);
    Vec<T, 8> gap;
    gap << y[0] - crank_x / 2.0, y[1] - crank_y / 2.0, y[8] - crank_x, y[9] - crank_y,
        y[3] - y[8] - rod_x / 2.0, y[4] - y[9] - rod_y / 2.0, y[6] - y[8] - rod_x, y[9] + rod_y;
    return gap;
  }

  double potential(const Point& p) const {
    const double stretch = p.y[7] - p.y[6];
    return stiffness * stretch * stretch / 2;
  }
  double energy(const Point& p) const { return kinetic_energy(*this, p) + potential(p); }

  /// Positions with crank angle θ₁, the rod pointing towards +x and the spring relaxed.
  static std::vector<double> position(double theta1, double l1, double l2) {
    const double theta2 = -std::asin(std::clamp(l1 / l2 * std::sin(theta1), -1.0, 1.0));
    const double hx = l1 * std::cos(theta1);
    const double hy = l1 * std::sin(theta1);
    const double x3 = hx + l2 * std::cos(theta2);
    return {hx / 2, hy / 2, theta1, (hx + x3) / 2, hy / 2, theta2, x3, x3, hx, hy};
  }

  void variables(Variables& v) {
    v.about("Slider-crank with a mass on a spring behind the slider (Arnold and Bruls 2007)");
    v.input("torque", torque).unit("N.m").about("torque on the crank");
    v.parameter("l1", l1).unit("m").min(0).about("crank length");
    v.parameter("l2", l2).unit("m").min(0).about("rod length");
    v.parameter("m1", m1).unit("kg").min(0).about("mass of the crank");
    v.parameter("m2", m2).unit("kg").min(0).about("mass of the rod");
    v.parameter("m3", m3).unit("kg").min(0).about("mass of the slider");
    v.parameter("m4", m4).unit("kg").min(0).about("mass on the spring");
    v.parameter("stiffness", stiffness).unit("N/m").min(0).about("spring behind the slider");
    const char* names[] = {"x1", "y1", "theta1", "x2", "y2", "theta2", "x3", "x4", "x5", "y5"};
    for (int i = 0; i < 10; ++i) v.coordinate(i, names[i]).in(i == 2 || i == 5 ? "rad" : "m");
    v.coordinate(2, "theta1").hold();
    v.coordinate(7, "x4").hold();
    const char* constraints[] = {"crank x", "crank y", "hinge x",  "hinge y",
                                 "rod x",   "rod y",   "slider x", "slider guide"};
    for (int i = 0; i < 8; ++i) v.constraint(i, constraints[i]);
    v.output("theta1", [](const Point& p) { return p.y[2]; }).unit("rad").about("crank angle");
    v.output("theta1.rate", [](const Point& p) { return p.z[2]; }).unit("rad/s");
    v.output("x3", [](const Point& p) { return p.y[6]; }).unit("m").about("slider");
    v.output("x4", [](const Point& p) { return p.y[7]; }).unit("m").about("mass on the spring");
    v.output("pin.x", [](const Point& p) { return -p.mu[0] - p.mu[2]; })
        .unit("N")
        .about("ground on crank, x");
    v.output("pin.y", [](const Point& p) { return -p.mu[1] - p.mu[3]; })
        .unit("N")
        .about("ground on crank, y");
    v.output("energy.kinetic", [this](const Point& p) {
       return kinetic_energy(*this, p);
     }).unit("J");
    v.output("energy.potential", [this](const Point& p) { return potential(p); }).unit("J");
    v.output("energy.total", [this](const Point& p) { return energy(p); }).unit("J");
    v.start({.y = position(std::numbers::pi / 2, l1, l2)});
    v.experiment({.stop = 1, .step = 5e-3});
  }
};

}  // namespace mechfmu::models
