#include "model/factory.h"
#include "models/nonholonomic_problem/nonholonomic_problem.h"

std::unique_ptr<mechfmu::System> mechfmu::make_model() {
  return std::make_unique<ModelSystem<models::NonholonomicProblem>>();
}
