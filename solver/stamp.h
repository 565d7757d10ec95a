// A hash that identifies numbers: equal numbers have equal stamps. No stamp is 0, which means
// "none".

#pragma once

#include <bit>
#include <cstdint>

namespace mechfmu {

class Stamp {
 public:
  void add(std::uint64_t bits) {
    hash_ = (hash_ ^ bits) * 0xff51afd7ed558ccdULL;
    hash_ ^= hash_ >> 32;
  }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
  std::uint64_t value() const { return hash_ | 1; }

 private:
  std::uint64_t hash_ = 0x9e3779b97f4a7c15ULL;
};

}  // namespace mechfmu
