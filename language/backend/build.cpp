#include "language/backend/build.h"

#include "language/backend/listing.h"

namespace mechfmu {

mechanics::Mechanism build_mechanism(const Plan& plan) {
  return mechanics::from_listing(make_listing(plan));
}

}  // namespace mechfmu
