#include "solver/kkt.h"

#include <algorithm>
#include <cmath>

#include "solver/block_kkt.h"
#include "solver/dense_kkt.h"

namespace mechfmu {

void to_ease(Vector& masses) {
  const double most = masses.size() > 0 ? masses.maxCoeff() : 0;
  for (double& mass : masses) mass = most > 0 ? 1 / std::sqrt(std::max(mass, 1e-8 * most)) : 1;
}

std::unique_ptr<KktMatrices> make_kkt(System& system) {
  if (system.pattern() != nullptr) return std::make_unique<BlockKkt>(system);
  return std::make_unique<DenseKkt>(system);
}

}  // namespace mechfmu
