#include "mechanics/system.h"
#include "models/rolling_wheel/rolling_wheel.h"
#include "solver/factory.h"

std::unique_ptr<mechfmu::System> mechfmu::make_model() {
  return std::make_unique<mechanics::MechanismSystem>(models::rolling_wheel());
}
