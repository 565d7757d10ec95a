// The deformed inertia of flexible bodies (flexible.cpp), on any scalar.

#pragma once

#include "mechanics/bodies/pool.h"
#include "mechanics/rows.h"

namespace mechfmu::mechanics {

/// Six numbers xx yy zz xy xz yz as a matrix.
template <class T>
Mat<T, 3> symmetric(const T& xx, const T& yy, const T& zz, const T& xy, const T& xz, const T& yz) {
  Mat<T, 3> J;
  J << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  return J;
}

/// Σ q_k J1_k + ½ ΣΣ q_k q_l J2_kl and Σ q_k g_kl q'_l, with q_k = mode(k) and q'_k = rate(k).
template <class T, class Mode, class Rate>
void deformed(const FlexibleGeometry& g, const Mode& mode, const Rate& rate, Mat<T, 3>& J,
              Vec<T, 3>& momentum) {
  T six[6] = {T(0.0), T(0.0), T(0.0), T(0.0), T(0.0), T(0.0)};
  momentum = Vec<T, 3>::Constant(T(0.0));
  for (Index k = 0; k < g.J1.cols(); ++k) {
    const T q = mode(k);
    for (int i = 0; i < 6; ++i) six[i] += q * g.J1(i, k);
  }
  for (Index l = 0; l < g.g[0].cols(); ++l) {
    const T q = mode(l);
    const T v = rate(l);
    for (Index k = 0; k < g.g[0].rows(); ++k) {
      const T qk = mode(k);
      for (int i = 0; i < 6; ++i)
        six[i] += qk * q * (0.5 * g.J2[static_cast<std::size_t>(i)](k, l));
      for (int i = 0; i < 3; ++i) momentum[i] += qk * v * g.g[static_cast<std::size_t>(i)](k, l);
    }
  }
  J = symmetric<T>(six[0], six[1], six[2], six[3], six[4], six[5]);
}

}  // namespace mechfmu::mechanics
