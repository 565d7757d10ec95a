// Counts the allocations of the calling thread: malloc, calloc, realloc, aligned_alloc, posix_memalign
// (and so operator new and Eigen).

#pragma once

namespace mechfmu::tests {

long allocations();
/// Sanitizers bring an allocator of their own, which is not counted.
bool allocations_are_counted();

}  // namespace mechfmu::tests
