#include "model/factory.h"
#include "models/slider_crank/slider_crank.h"

std::unique_ptr<mechfmu::System> mechfmu::make_model() {
  return std::make_unique<ModelSystem<models::SliderCrank>>();
}
