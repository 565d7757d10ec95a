#include "model/factory.h"
#include "models/car_axis/car_axis.h"

std::unique_ptr<mechfmu::System> mechfmu::make_model() {
  return std::make_unique<ModelSystem<models::CarAxis>>();
}
