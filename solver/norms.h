// The two norms of the solver.

#pragma once

#include <cmath>

#include "model/types.h"

namespace mechfmu {

/// √(mean (v_i/scale_i)²): errors and increments, each in the scale of its coordinate.
inline double rms(In v, In scale) {
  if (v.size() == 0) return 0;
  return std::sqrt((v.array() / scale.array()).square().mean());
}

/// The same norm without the coordinates that have an infinite scale.
inline double counted_rms(In v, In scale) {
  double sum = 0;
  Index count = 0;
  for (Index i = 0; i < v.size(); ++i) {
    if (std::isinf(scale[i])) continue;
    sum += (v[i] / scale[i]) * (v[i] / scale[i]);
    ++count;
  }
  return count == 0 ? 0 : std::sqrt(sum / static_cast<double>(count));
}

/// The root mean square and the largest, with given 1/scale_i, for the many uses in a step.
inline double scaled_rms(const Vector& v, const Vector& per_scale) {
  const Index n = v.size();
  return n == 0 ? 0 : std::sqrt(v.cwiseProduct(per_scale).squaredNorm() / static_cast<double>(n));
}
inline double scaled_largest(const Vector& v, const Vector& per_scale) {
  return v.size() == 0 ? 0 : v.cwiseProduct(per_scale).lpNorm<Eigen::Infinity>();
}

/// max |v_i|, for residuals.
inline double largest(In v) { return v.size() == 0 ? 0 : v.cwiseAbs().maxCoeff(); }

/// max |v_i/scale_i|.
inline double largest(In v, In scale) {
  return v.size() == 0 ? 0 : (v.array() / scale.array()).abs().maxCoeff();
}

}  // namespace mechfmu
