// Small helpers for text files: numbers the same in every locale, names of a variable's parts.

#pragma once

#include <array>
#include <charconv>
#include <string>
#include <vector>

#include "solver/description.h"

namespace mechfmu {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// The shortest text that reads back as the same number.
inline std::string shortest(double x) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), x);
  return {text.data(), end.ptr};
}

inline std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

/// A value as XML has it for the type.
std::string value_text(Type type, double value);
const char* text(Causality causality);
const char* text(Variability variability);
const char* text(Initial initial);  // not for Initial::none

}  // namespace mechfmu
