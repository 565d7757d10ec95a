#include "tests/solver/count_allocations.h"

#include <cerrno>
#include <cstddef>

namespace {
thread_local long count = 0;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

// Sanitizers have their own allocator, which reports its allocations.
extern "C" int __sanitizer_install_malloc_and_free_hooks(  // NOLINT
    void (*allocated)(const volatile void*, std::size_t), void (*freed)(const volatile void*));

namespace {
const int installed = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t) { ++count; }, [](const volatile void*) {});
}

bool mechfmu::tests::allocations_are_counted() { return installed != 0; }

#else

bool mechfmu::tests::allocations_are_counted() { return true; }

// The C library's own entry points, behind the names that the program calls.
extern "C" {
void* __libc_malloc(std::size_t size);                       // NOLINT
void* __libc_calloc(std::size_t n, std::size_t size);        // NOLINT
void* __libc_realloc(void* memory, std::size_t size);        // NOLINT
void* __libc_memalign(std::size_t align, std::size_t size);  // NOLINT

void* malloc(std::size_t size) {
  ++count;
  return __libc_malloc(size);
}
void* calloc(std::size_t n, std::size_t size) {
  ++count;
  return __libc_calloc(n, size);
}
void* realloc(void* memory, std::size_t size) {
  ++count;
  return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t align, std::size_t size) {
  ++count;
  return __libc_memalign(align, size);
}
int posix_memalign(void** memory, std::size_t align, std::size_t size) {
  ++count;
  *memory = __libc_memalign(align, size);
  return *memory != nullptr ? 0 : ENOMEM;
}
}

#endif

long mechfmu::tests::allocations() { return count; }
