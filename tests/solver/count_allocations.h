// Counts the allocations of the calling thread: malloc, calloc, realloc, aligned_alloc, posix_memalign
// (and so operator new and Eigen).

#pragma once

namespace mechfmu::tests {

long allocations();
/// False where a sanitizer does not report its allocations.
bool allocations_are_counted();

}  // namespace mechfmu::tests
