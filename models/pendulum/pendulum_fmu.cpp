#include "model/factory.h"
#include "models/pendulum/pendulum.h"

std::unique_ptr<mechfmu::System> mechfmu::make_model() {
  return std::make_unique<ModelSystem<models::Pendulum>>();
}
