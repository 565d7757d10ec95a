// Coordinates that a linear model may be written in (analysis/linear_model.h): what a model has to offer.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/system.h"

namespace mechfmu {

struct NameAndUnit {
  std::string name, unit;  // unit: "1" where there is none, empty where it is not known
};

/// What the states of a linear model may be, those preferred first. The derivative of `dq` along a change has to be the rate
/// of that of `q`, likewise `dv` and `v`: then they need not be coordinates in the large.
struct CandidateCoordinates {
  struct Values {
    Vector q, dq, v, dv;
  };
  std::vector<NameAndUnit> q, v;  // of the same size: v is q', or says as much
  /// All of them at a point with accelerations; the vectors have their sizes.
  std::function<void(const Point& p, Values& values)> read;
  /// … and their derivatives along a change from the point they were made for; false, or empty: not known exactly.
  std::function<bool(const Point& p, const Change& along, Values& slopes)> vary;
};

}  // namespace mechfmu
