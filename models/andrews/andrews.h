// Andrews' squeezing mechanism: seven bodies in a plane, one degree of freedom, a spring, a torque.
// Schiehlen's benchmark; Test Set for IVP Solvers; Arnold & Brüls, section 5.2. Relative
// coordinates
//
//   q = (β, Θ, γ, Φ, δ, Ω, ε),   M(q) q'' = f(q, q') − Gᵀλ,   six loop equations g(q) = 0.

#pragma once

#include "model/model.h"

namespace mechfmu::models {

struct Andrews : Model<7, 6> {
  double m1 = .04325, m2 = .00365, m3 = .02373, m4 = .00706, m5 = .07050, m6 = .00706, m7 = .05498;
  double I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7, I5 = 1.169e-5, I6 = 5.667e-7,
         I7 = 1.912e-5;
  double xa = -.06934, ya = -.00227, xb = -.03635, yb = .03273, xc = .014, yc = .072;
  double c0 = 4530, l0 = .07785, torque = .033;
  double d = .028, da = .0115, e = .02, ea = .01421, rr = .007, ra = .00092, ss = .035, sa = .01874,
         sb = .01043, sc = .018, sd = .02, ta = .02308, tb = .00916, u = .04, ua = .01228,
         ub = .00449, zf = .02, zt = .04, fa = .01421;

  template <class T>
  Mat<T, 7> M(T /*t*/, const Vec<T, 7>& q) const {
    const T cos_theta = cos(q[1]);
    const T sin_phi = sin(q[3]);
    const T sin_omega = sin(q[5]);
    const double e_ = e - ea;
    const double f_ = zf - fa;
    Mat<T, 7> mass = Mat<T, 7>::Zero();
    mass(0, 0) = m1 * ra * ra + m2 * (rr * rr - 2.0 * da * rr * cos_theta + da * da) + I1 + I2;
    mass(1, 0) = mass(0, 1) = m2 * (da * da - da * rr * cos_theta) + I2;
    mass(1, 1) = T(m2 * da * da + I2);
    mass(2, 2) = T(m3 * (sa * sa + sb * sb) + I3);
    mass(3, 3) = T(m4 * e_ * e_ + I4);
    mass(4, 3) = mass(3, 4) = m4 * (e_ * e_ + zt * e_ * sin_phi) + I4;
    mass(4, 4) =
        m4 * (zt * zt + 2.0 * zt * e_ * sin_phi + e_ * e_) + m5 * (ta * ta + tb * tb) + I4 + I5;
    mass(5, 5) = T(m6 * f_ * f_ + I6);
    mass(6, 5) = mass(5, 6) = m6 * (f_ * f_ - u * f_ * sin_omega) + I6;
    mass(6, 6) =
        m6 * (f_ * f_ - 2.0 * u * f_ * sin_omega + u * u) + m7 * (ua * ua + ub * ub) + I6 + I7;
    return mass;
  }
  template <class T>
  Vec<T, 7> f(T /*t*/, const Vec<T, 7>& q, const Vec<T, 7>& v) const {
    const T sin_gamma = sin(q[2]);
    const T cos_gamma = cos(q[2]);
    const T xd = sd * cos_gamma + sc * sin_gamma + xb;
    const T yd = sd * sin_gamma - sc * cos_gamma + yb;
    const T length = sqrt((xd - xc) * (xd - xc) + (yd - yc) * (yd - yc));
    const T pull = -c0 * (length - l0) / length;
    const T fx = pull * (xd - xc);
    const T fy = pull * (yd - yc);
    const double e_ = e - ea;
    const double f_ = zf - fa;
    Vec<T, 7> force;
    force << torque - m2 * da * rr * v[1] * (v[1] + 2.0 * v[0]) * sin(q[1]),
        m2 * da * rr * v[0] * v[0] * sin(q[1]),
        fx * (sc * cos_gamma - sd * sin_gamma) + fy * (sd * cos_gamma + sc * sin_gamma),
        m4 * zt * e_ * v[4] * v[4] * cos(q[3]),
        -m4 * zt * e_ * v[3] * (v[3] + 2.0 * v[4]) * cos(q[3]),
        -m6 * u * f_ * v[6] * v[6] * cos(q[5]),
        m6 * u * f_ * v[5] * (v[5] + 2.0 * v[6]) * cos(q[5]);
    return force;
  }
  template <class T>
  Vec<T, 6> g(T /*t*/, const Vec<T, 7>& q) const {
    const T px = rr * cos(q[0]) - d * cos(q[0] + q[1]);  // the common point of the three chains
    const T py = rr * sin(q[0]) - d * sin(q[0] + q[1]);
    Vec<T, 6> gap;
    gap << px - ss * sin(q[2]) - xb, py + ss * cos(q[2]) - yb,
        px - e * sin(q[3] + q[4]) - zt * cos(q[4]) - xa,
        py + e * cos(q[3] + q[4]) - zt * sin(q[4]) - ya,
        px - zf * cos(q[5] + q[6]) - u * sin(q[6]) - xa,
        py - zf * sin(q[5] + q[6]) + u * cos(q[6]) - ya;
    return gap;
  }

  double potential(const Point& p) const {
    const double xd = sd * std::cos(p.y[2]) + sc * std::sin(p.y[2]) + xb;
    const double yd = sd * std::sin(p.y[2]) - sc * std::cos(p.y[2]) + yb;
    const double stretch = std::hypot(xd - xc, yd - yc) - l0;
    return c0 * stretch * stretch / 2;
  }
  double energy(const Point& p) const { return kinetic_energy(*this, p) + potential(p); }

  void variables(Variables& v) {
    v.about("Andrews' squeezing mechanism: seven bodies in a plane, one degree of freedom");
    v.input("torque", torque).unit("N.m").about("torque on body 1");
    v.parameter("stiffness", c0).unit("N/m").min(0).about("spring");
    const char* names[] = {"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"};
    for (int i = 0; i < 7; ++i) v.coordinate(i, names[i]).in("rad");
    v.coordinate(1, "Theta").hold();
    const char* loops[] = {"loop B x",       "loop B y",       "loop A upper x",
                           "loop A upper y", "loop A lower x", "loop A lower y"};
    for (int i = 0; i < 6; ++i) v.constraint(i, loops[i]);
    v.output("beta", [](const Point& p) { return p.y[0]; }).unit("rad").about("angle of body 1");
    v.output("beta.rate", [](const Point& p) { return p.z[0]; }).unit("rad/s");
    v.output("energy.kinetic", [this](const Point& p) {
       return kinetic_energy(*this, p);
     }).unit("J");
    v.output("energy.potential", [this](const Point& p) { return potential(p); }).unit("J");
    v.output("energy.total", [this](const Point& p) { return energy(p); }).unit("J");
    v.start({.y = {-0.0617138900142764496358948458001, 0, 0.455279819163070380255912382449,
                   0.222668390165885884674473185609, 0.487364979543842550225598953530,
                   -0.222668390165885884674473185609, 1.23054744454982119249735015568}});
    v.experiment({.stop = 0.03, .step = 3e-4});
  }
};

}  // namespace mechfmu::models
