// The sanitized build stops if a step allocates: Eigen asserts it, with EIGEN_RUNTIME_NO_MALLOC. In
// other builds this class has no effect.

#pragma once

#include "model/types.h"

namespace mechfmu {

class NoAllocation {
 public:
  NoAllocation() { allow(false); }
  ~NoAllocation() { allow(true); }
  NoAllocation(const NoAllocation&) = delete;
  NoAllocation& operator=(const NoAllocation&) = delete;

 private:
  static void allow([[maybe_unused]] bool allowed) {
#ifdef EIGEN_RUNTIME_NO_MALLOC
    Eigen::internal::set_is_malloc_allowed(allowed);
#endif
  }
};

}  // namespace mechfmu
