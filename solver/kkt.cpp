#include "solver/kkt.h"

#include "solver/block_kkt.h"
#include "solver/dense_kkt.h"

namespace mechfmu {

std::unique_ptr<KktMatrices> make_kkt(System& system) {
  if (system.pattern() != nullptr) return std::make_unique<BlockKkt>(system);
  return std::make_unique<DenseKkt>(system);
}

}  // namespace mechfmu
