// Models used only by tests.

#pragma once

#include <cmath>

#include "model/model.h"

namespace mechfmu::tests {

/// A pendulum whose drive lags behind: the force is a first-order state that follows a reference,
/// with a second state that integrates the rod force. It uses every argument of d(x',x,y,z,a,λ).
struct FilteredPendulum : Model<2, 1, 0, 2> {
  double T_lag = 0.1;

  template <class T>
  Mat<T, 2> M(T /*t*/, const Vec<T, 2>& /*y*/) const {
    return Mat<T, 2>::Identity();
  }
  template <class T>
  Vec<T, 2> f(T /*t*/, const Vec<T, 2>& /*y*/, const Vec<T, 2>& z, const Vec<T, 2>& x) const {
    return {x[0] - 0.1 * z[0], -9.81 - 0.1 * z[1]};
  }
  template <class T>
  Vec<T, 1> g(T /*t*/, const Vec<T, 2>& y) const {
    return Vec<T, 1>((y.squaredNorm() - 1.0) / 2.0);
  }
  template <class T>
  Vec<T, 2> d(T t, const Vec<T, 2>& xdot, const Vec<T, 2>& x, const Vec<T, 2>& y,
              const Vec<T, 2>& z, const Vec<T, 2>& a, const Vec<T, 1>& lambda,
              const Vec<T, 0>& /*psi*/) const {
    return {T_lag * xdot[0] + x[0] - 2.0 * sin(3.0 * t) + 0.5 * y[0],
            2.0 * xdot[1] + 0.3 * x[1] * x[1] - lambda[0] - 0.2 * a[0] + 0.1 * z[1] * y[1]};
  }
  void variables(Variables& v) {
    v.parameter("T_lag", T_lag).unit("s").min(0);
    v.constraint(0, "rod");
    v.state(0, "drive");
    v.state(1, "rod impulse");
    v.start({.y = {0.6, -0.8}, .x = {0.5, 0}});
    v.experiment({.stop = 2, .step = 0.01, .tolerance = 1e-6});
  }
};

}  // namespace mechfmu::tests
