// Choices from a seed, for random tests: the same seed gives the same choices.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace mechfmu::attack {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t n) { return random_() % n; }
  bool once_in(std::size_t n) { return below(n) == 0; }
  template <class T, std::size_t n>
  const T& of(const std::array<T, n>& all) {
    return all[below(n)];
  }
  template <class T>
  const T& of(const std::vector<T>& all) {
    return all[below(all.size())];
  }
  template <class T>
  T& of_mutable(std::vector<T>& all) {
    return all[below(all.size())];
  }

 private:
  std::mt19937_64 random_;
};

/// Flips bits, and cuts, doubles, moves and overwrites runs of bytes, a few times.
inline void change_bytes(std::string& bytes, Dice& dice) {
  for (std::size_t changes = 1 + dice.below(4); changes > 0 && !bytes.empty(); --changes) {
    const std::size_t at = dice.below(bytes.size());
    const std::size_t size = 1 + dice.below(dice.once_in(4) ? bytes.size() - at : 8);
    const std::string run = bytes.substr(at, size);
    switch (dice.below(8)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ static_cast<char>(1U << dice.below(8)));
        break;
      case 1: bytes[at] = static_cast<char>(dice.below(256)); break;
      case 2: bytes.erase(at, size); break;
      case 3: bytes.insert(dice.below(bytes.size()), run); break;
      case 4: bytes.replace(at, run.size(), std::string(run.size(), '\0')); break;
      case 5: bytes.replace(at, run.size(), std::string(run.size(), '\xff')); break;
      case 6: bytes.insert(at, std::string(size, static_cast<char>(dice.below(256)))); break;
      default:
        if (dice.once_in(3)) bytes.resize(at);
        break;
    }
  }
}

}  // namespace mechfmu::attack
