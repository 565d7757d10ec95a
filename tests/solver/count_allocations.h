// Counts the allocations of the calling thread: malloc, calloc, realloc, aligned_alloc,
// posix_memalign (and therefore operator new and Eigen).

#pragma once

namespace mechfmu::tests {

long allocations();
/// False if a sanitizer does not report its allocations.
bool allocations_are_counted();

}  // namespace mechfmu::tests
