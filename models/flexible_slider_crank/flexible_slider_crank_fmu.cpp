#include "model/factory.h"
#include "models/flexible_slider_crank/flexible_slider_crank.h"

std::unique_ptr<mechfmu::System> mechfmu::make_model() {
  return std::make_unique<ModelSystem<models::FlexibleSliderCrank>>();
}
