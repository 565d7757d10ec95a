// An axle on two stiff springs over a bumpy road (Test Set for IVP Solvers): stiff and rheonomic.
//
//   k xl'' = (L₀−Ll) xl/Ll + λ₁ xb + 2λ₂ (xl−xr)  k yl'' = (L₀−Ll) yl/Ll + λ₁ yb + 2λ₂ (yl−yr) − kg
//   k xr'' = (L₀−Lr)(xr−xb)/Lr − 2λ₂ (xl−xr)      k yr'' = (L₀−Lr)(yr−yb)/Lr − 2λ₂ (yl−yr) − kg
//   0 = xb xl + yb yl,  0 = (xl−xr)² + (yl−yr)² − L²,  yb = r sin ωt, xb = √(L²−yb²), k = M ε²/2
//
// The constraints enter with a minus sign so that −Gᵀλ has the signs of the source's multipliers.

#pragma once

#include "model/model.h"

namespace mechfmu::models {

struct CarAxis : Model<4, 2> {
  double M0 = 10, eps = 1e-2, L = 1, L0 = 0.5, r = 0.1, omega = 10, g0 = 1;

  double mass() const { return M0 * eps * eps / 2; }

  template <class T>
  Mat<T, 4> M(T /*t*/, const Vec<T, 4>& /*y*/) const {
    return Mat<T, 4>::Identity() * T(mass());
  }
  template <class T>
  Vec<T, 4> f(T t, const Vec<T, 4>& y, const Vec<T, 4>& /*z*/) const {
    const T yb = r * sin(omega * t);
    const T xb = sqrt(L * L - yb * yb);
    const T left = sqrt(y[0] * y[0] + y[1] * y[1]);
    const T right = sqrt((y[2] - xb) * (y[2] - xb) + (y[3] - yb) * (y[3] - yb));
    const T pull_left = (L0 - left) / left;
    const T pull_right = (L0 - right) / right;
    const double weight = mass() * g0;
    return {pull_left * y[0], pull_left * y[1] - weight, pull_right * (y[2] - xb),
            pull_right * (y[3] - yb) - weight};
  }
  template <class T>
  Vec<T, 2> g(T t, const Vec<T, 4>& y) const {
    const T yb = r * sin(omega * t);
    const T xb = sqrt(L * L - yb * yb);
    const T dx = y[0] - y[2];
    const T dy = y[1] - y[3];
    return {-(xb * y[0] + yb * y[1]), L * L - dx * dx - dy * dy};
  }

  void variables(Variables& v) {
    v.about("Axle on two stiff springs over a bumpy road (Test Set for IVP Solvers)");
    v.parameter("M", M0).unit("kg").min(0).about("mass of the axle");
    v.parameter("eps", eps).min(0).about("stiffness parameter: small is stiff");
    v.parameter("L", L).unit("m").min(0).about("length of the axle");
    v.parameter("L0", L0).unit("m").min(0).about("relaxed length of the springs");
    v.parameter("g", g0).unit("m/s2").about("gravity");
    v.parameter("r", r).unit("m").about("amplitude of the road");
    v.parameter("omega", omega).unit("rad/s").about("frequency of the road");
    const char* names[] = {"xl", "yl", "xr", "yr"};
    for (int i = 0; i < 4; ++i) v.coordinate(i, names[i]).in("m");
    v.constraint(0, "left wheel above the road");
    v.constraint(1, "length of the axle");
    const char* about[] = {"left end, x", "left end, y", "right end, x", "right end, y"};
    for (int i = 0; i < 4; ++i)
      v.output(names[i], [i](const Point& p) { return p.y[i]; }).unit("m").about(about[i]);
    v.start({.y = {0, 0.5, 1, 0.5}, .z = {-0.5, 0, -0.5, 0}});
    v.experiment({.stop = 3, .step = 0.01});
  }
};

}  // namespace mechfmu::models
