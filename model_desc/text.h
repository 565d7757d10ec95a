// Small helpers for text files: locale-independent numbers, parts of names.

#pragma once

#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/description.h"

namespace mechfmu {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// The shortest text that is read back as the same number.
inline std::string shortest(double x) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), x);
  return {text.data(), end.ptr};
}

/// The same in the usual notation: 1e-6 instead of 1e-06, 1e6 instead of 1e+06.
inline std::string tidy(double x) {
  std::string text = shortest(x);
  const std::size_t e = text.find('e');
  if (e != std::string::npos && e + 3 < text.size() && text[e + 2] == '0') text.erase(e + 2, 1);
  if (e != std::string::npos && text[e + 1] == '+') text.erase(e + 1, 1);
  return text;
}

inline std::string in_quotes(std::string_view word) { return "'" + std::string(word) + "'"; }

inline std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

/// Without blanks at its ends.
std::string_view trimmed(std::string_view text);

/// Untrusted text as one line that is safe on a terminal: UTF-8 without control characters,
/// including those beyond ASCII. Text longer than `most` bytes loses its middle.
std::string plain_line(std::string_view text, std::size_t most = std::string_view::npos);

/// Length of the UTF-8 character at the beginning, 0 if it is invalid.
std::size_t character_size(std::string_view text);

/// The number that the whole text represents; blanks around it, a plus sign, inf and nan are
/// allowed.
std::optional<double> parse_number(std::string_view text);

using TextRow = std::vector<std::string>;
/// Columns of minimum width, separated by two blanks.
std::string table(const std::vector<TextRow>& rows, std::size_t indent);

/// A value in the notation of XML for the type.
std::string value_text(Type type, double value);
const char* text(Causality causality);
const char* text(Variability variability);
const char* text(Initial initial);  // not for Initial::none

}  // namespace mechfmu
