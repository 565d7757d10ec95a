// Counts the allocations of the calling thread: malloc, calloc, realloc, aligned_alloc, posix_memalign
// (and so operator new and Eigen).

#pragma once

namespace mechfmu::tests {

long allocations();
/// Else a sanitizer does not tell of its allocations.
bool allocations_are_counted();

}  // namespace mechfmu::tests
