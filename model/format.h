// Numbers as text, the same in every locale.

#pragma once

#include <array>
#include <charconv>
#include <string>

namespace mechfmu {

/// Shortest text with at most `digits` significant digits.
inline std::string format(double x, int digits = 6) {
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), x, std::chars_format::general, digits);
  return {text.data(), end.ptr};
}

}  // namespace mechfmu
