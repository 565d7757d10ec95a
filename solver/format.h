// Numbers as text, the same in every locale.

#pragma once

#include <array>
#include <charconv>
#include <string>

namespace mechfmu {

/// Shortest text with at most six significant digits.
inline std::string format(double x) {
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), x, std::chars_format::general, 6);
  return {text.data(), end.ptr};
}

}  // namespace mechfmu
