// Counts the bytes that operator new has handed out to the calling thread: on any machine, it
// reveals work on text that grows with the square of its length.

#pragma once

#include <cstddef>

namespace mechfmu {

std::size_t allocated_bytes();

}  // namespace mechfmu
