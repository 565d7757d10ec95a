// The two norms the solver measures with.

#pragma once

#include <cmath>

#include "model/types.h"

namespace mechfmu {

/// √(mean (v_i/scale_i)²): errors and increments, each in the scale of its coordinate.
inline double rms(In v, In scale) {
  if (v.size() == 0) return 0;
  return std::sqrt((v.array() / scale.array()).square().mean());
}

/// max |v_i|: residuals.
inline double largest(In v) { return v.size() == 0 ? 0 : v.cwiseAbs().maxCoeff(); }

/// max |v_i/scale_i|.
inline double largest(In v, In scale) {
  return v.size() == 0 ? 0 : (v.array() / scale.array()).abs().maxCoeff();
}

}  // namespace mechfmu
