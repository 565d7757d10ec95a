#include "mechanics/elements/pool.h"

namespace mechfmu::mechanics {

std::vector<std::unique_ptr<ElementPool>> make_elements() {
  std::vector<std::unique_ptr<ElementPool>> all;
  all.push_back(make_measures());
  all.push_back(make_joints());
  all.push_back(make_rollings());
  all.push_back(make_relations());
  all.push_back(make_forces());
  all.push_back(make_pairs());
  all.push_back(make_pins());
  all.push_back(make_coincidences());
  all.push_back(make_welds());
  all.push_back(make_rows());
  all.push_back(make_states());
  all.push_back(make_energies());
  return all;
}

}  // namespace mechfmu::mechanics
