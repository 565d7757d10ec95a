#include "mechanics/system.h"
#include "models/andrews_bodies/andrews_bodies.h"
#include "solver/factory.h"

std::unique_ptr<mechfmu::System> mechfmu::make_model() {
  return std::make_unique<mechanics::MechanismSystem>(models::andrews_bodies());
}
