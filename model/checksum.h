// FNV-1a: hash ← (hash xor byte) · prime. Detects damaged bytes, not forged ones.

#pragma once

#include <cstdint>
#include <string_view>

namespace mechfmu {

/// `hash`: the value to begin with; another one gives an independent checksum.
inline std::uint64_t checksum(std::string_view bytes,
                              std::uint64_t hash = 14695981039346656037ULL) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

}  // namespace mechfmu
