// Pieces of C++ text: literals, and lines that fit.

#pragma once

#include <string>
#include <string_view>

namespace mechfmu {

constexpr std::size_t cpp_width = 100;

/// "text", with escapes.
std::string cpp_string(std::string_view text);

/// A number that C++ reads as the same double: 800.0, -0.5, 1e-3.
std::string cpp_number(double value);

/// The text in lines of at most cpp_width columns: broken at blanks, long strings in parts. The
/// first line is indented by `indent`, later ones by `indent + more`.
std::string filled(const std::string& text, std::size_t indent, std::size_t more = 4);

/// A comment in lines that fit, each with "// ".
std::string cpp_comment(std::string_view text);

}  // namespace mechfmu
