#include "model/factory.h"
#include "models/rolling_disk/rolling_disk.h"

std::unique_ptr<mechfmu::System> mechfmu::make_model() {
  return std::make_unique<ModelSystem<models::RollingDisk>>();
}
