#include "mechanics/system.h"
#include "models/slider_crank_bodies/slider_crank_bodies.h"
#include "solver/factory.h"

std::unique_ptr<mechfmu::System> mechfmu::make_model() {
  return std::make_unique<mechanics::MechanismSystem>(models::slider_crank_bodies());
}
