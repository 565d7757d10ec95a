// Counts the bytes that operator new has handed out to the calling thread: work on text that grows
// with the square of its length shows in them, on any machine.

#pragma once

#include <cstddef>

namespace mechfmu {

std::size_t allocated_bytes();

}  // namespace mechfmu
