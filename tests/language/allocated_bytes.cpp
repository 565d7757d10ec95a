#include "tests/language/allocated_bytes.h"

#include <cstdlib>
#include <new>

namespace {
thread_local std::size_t bytes = 0;
}

std::size_t mechfmu::allocated_bytes() { return bytes; }

void* operator new(std::size_t size) {
  bytes += size;
  if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;  // NOLINT(*-no-malloc)
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }  // NOLINT(*-no-malloc)
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}  // NOLINT(*-no-malloc)
