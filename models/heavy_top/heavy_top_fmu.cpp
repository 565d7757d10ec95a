#include "mechanics/system.h"
#include "model/factory.h"
#include "models/heavy_top/heavy_top.h"

std::unique_ptr<mechfmu::System> mechfmu::make_model() {
  return std::make_unique<mechanics::MechanismSystem>(models::heavy_top());
}
