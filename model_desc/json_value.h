// JSON (RFC 8259) from other programs, as a tree of values.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mechfmu {

struct JsonValue {
  enum class Kind { null, boolean, number, text, list, object } kind = Kind::null;
  double number = 0;  // of a boolean: 0 or 1
  std::string text{};
  std::vector<JsonValue> list{};
  std::vector<std::pair<std::string, JsonValue>> members{};

  /// A member of an object, an entry of a list: null if it does not exist.
  const JsonValue& operator[](std::string_view name) const;
  const JsonValue& operator[](std::size_t place) const;
  /// A nonnegative whole number; nullopt for all other values.
  std::optional<std::size_t> count() const;
};

/// Nullopt if the text is not JSON or is nested deeper than 100.
std::optional<JsonValue> read_json(std::string_view text);

}  // namespace mechfmu
