#include "model/factory.h"
#include "models/andrews/andrews.h"

std::unique_ptr<mechfmu::System> mechfmu::make_model() {
  return std::make_unique<ModelSystem<models::Andrews>>();
}
