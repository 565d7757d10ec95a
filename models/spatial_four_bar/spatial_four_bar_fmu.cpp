#include "mechanics/system.h"
#include "models/spatial_four_bar/spatial_four_bar.h"
#include "solver/factory.h"

std::unique_ptr<mechfmu::System> mechfmu::make_model() {
  return std::make_unique<mechanics::MechanismSystem>(models::spatial_four_bar());
}
