// Values as JSON, for programs that read the output of the tool.

#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "model_desc/text.h"

namespace mechfmu {

inline std::string json(const std::string& text) {
  constexpr const char* digits = "0123456789abcdef";
  std::string made = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20) {
      made += {'\\', 'u', '0', '0', digits[code / 16], digits[code % 16]};
      continue;
    }
    if (c == '"' || c == '\\') made += '\\';
    made += c;
  }
  return made + "\"";
}

/// JSON has no infinity.
inline std::string json(double x) { return std::isfinite(x) ? shortest(x) : "null"; }

/// [one(part), …]
template <class List, class One>
std::string json_list(const List& list, const One& one) {
  std::vector<std::string> parts;
  parts.reserve(static_cast<std::size_t>(list.size()));
  for (const auto& part : list) parts.push_back(one(part));
  return "[" + joined(parts, ", ") + "]";
}

template <class List>
requires(!std::convertible_to<List, std::string>) std::string json(const List& list) {
  return json_list(list, [](const auto& part) { return json(part); });
}

/// {"name": value, …}; the values are JSON texts.
inline std::string json_object(const std::vector<std::pair<std::string, std::string>>& members) {
  std::vector<std::string> parts;
  parts.reserve(members.size());
  for (const auto& [name, value] : members) parts.push_back(json(name) + ": " + value);
  return "{" + joined(parts, ", ") + "}";
}

}  // namespace mechfmu
