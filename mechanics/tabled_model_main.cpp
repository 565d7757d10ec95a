// The model of an FMU whose mechanism was compiled: constant tables and formulas.

#include "mechanics/listing.h"
#include "mechanics/system.h"
#include "mechanics/tables.h"
#include "model/factory.h"

std::unique_ptr<mechfmu::System> mechfmu::make_model() {
  return std::make_unique<mechanics::MechanismSystem>(
      mechanics::from_listing(tables::from_tables(tables::mechanism_tables)));
}
