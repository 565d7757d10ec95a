// A point mass on a massless rod in Cartesian coordinates (IFToMM benchmark A01).
//
//   m x'' = F − λ x/l,   m y'' = −m g − λ y/l,   0 = √(x² + y²) − l

#pragma once

#include "model/model.h"

namespace mechfmu::models {

struct Pendulum : Model<2, 1> {
  double m = 1, l = 1, g0 = 9.81, F = 0;

  template <class T>
  Mat<T, 2> M(T /*t*/, const Vec<T, 2>& /*y*/) const {
    return Mat<T, 2>::Identity() * T(m);
  }
  template <class T>
  Vec<T, 2> f(T /*t*/, const Vec<T, 2>& /*y*/, const Vec<T, 2>& /*z*/) const {
    return {T(F), T(-m * g0)};
  }
  template <class T>
  Vec<T, 1> g(T /*t*/, const Vec<T, 2>& y) const {
    return Vec<T, 1>(sqrt(y.squaredNorm()) - l);
  }

  double potential(const Point& p) const { return m * g0 * p.y[1]; }
  double energy(const Point& p) const { return kinetic_energy(*this, p) + potential(p); }

  void variables(Variables& v) {
    v.about("Point mass on a massless rod in Cartesian coordinates");
    v.parameter("m", m).unit("kg").min(0).about("bob mass");
    v.parameter("l", l).unit("m").min(0).about("rod length");
    v.parameter("g", g0).unit("m/s2").about("gravity");
    v.input("F", F).unit("N").about("horizontal force on the bob");
    v.coordinate(0, "x").in("m");
    v.coordinate(1, "y").in("m");
    v.constraint(0, "rod");
    v.output("bob.x", [](const Point& p) { return p.y[0]; }).unit("m");
    v.output("bob.y", [](const Point& p) { return p.y[1]; }).unit("m");
    v.output("rod.force", [](const Point& p) { return p.mu[0]; })
        .unit("N")
        .about("tension is positive");
    v.output("energy.kinetic", [this](const Point& p) {
       return kinetic_energy(*this, p);
     }).unit("J");
    v.output("energy.potential", [this](const Point& p) { return potential(p); }).unit("J");
    v.output("energy.total", [this](const Point& p) { return energy(p); }).unit("J");
    v.start({.y = {-1, 0}});
    v.experiment({.stop = 10, .step = 0.01});
  }
};

}  // namespace mechfmu::models
