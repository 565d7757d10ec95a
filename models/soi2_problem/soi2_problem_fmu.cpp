#include "model/factory.h"
#include "models/soi2_problem/soi2_problem.h"

std::unique_ptr<mechfmu::System> mechfmu::make_model() {
  return std::make_unique<ModelSystem<models::Soi2Problem>>();
}
