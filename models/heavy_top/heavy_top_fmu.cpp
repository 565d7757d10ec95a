#include "mechanics/system.h"
#include "models/heavy_top/heavy_top.h"
#include "solver/factory.h"

std::unique_ptr<mechfmu::System> mechfmu::make_model() {
  return std::make_unique<mechanics::MechanismSystem>(models::heavy_top());
}
