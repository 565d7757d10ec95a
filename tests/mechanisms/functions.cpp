// The function that forces.xml declares.

#include "mechanics/function.h"

extern mechfmu::Function<2> tyre;
mechfmu::Function<2> tyre([](const auto& slip, const auto& load) {
  return 0.9 * load * tanh(12.0 * slip);
});
