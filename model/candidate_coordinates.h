// Candidates for the coordinates of a linear model (analysis/linear_model.h) that a model offers.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/system.h"

namespace mechfmu {

struct NameAndUnit {
  std::string name, unit;  // unit: "1" if dimensionless, empty if unknown
};

/// Candidates for the states of a linear model, preferred ones first. The derivative of `dq` along
/// a change must be the rate of the derivative of `q`, and likewise for `dv` and `v`. They need not
/// be coordinates in the large.
struct CandidateCoordinates {
  struct Values {
    Vector q, dq, v, dv;
  };
  std::vector<NameAndUnit> q, v;  // of the same size: v is q' or equivalent
  /// All candidates at a point with accelerations; the vectors have the right sizes.
  std::function<void(const Point& p, Values& values)> read;
  /// Their derivatives along a change from the point of the last read; false, or empty: not known
  /// exactly.
  std::function<bool(const Point& p, const Change& along, Values& slopes)> vary;
};

}  // namespace mechfmu
