// The folder of an FMU's resources: FMI 2.0 passes a URI, FMI 3.0 a path.
//
//   file:///tmp/my%20fmu/resources  →  /tmp/my fmu/resources

#pragma once

#include <string>
#include <string_view>

namespace mechfmu {

/// A path without a separator at its end. Text that is not a URI counts as a path.
inline std::string resource_path(const char* location) {
  if (location == nullptr) return {};
  std::string_view text = location;
  std::string path;
  if (text.starts_with("file:")) {
    text.remove_prefix(5);
    if (text.starts_with("//")) {
      const std::size_t slash =
          text.find('/', 2);  // after the name of the machine, if there is one
      text.remove_prefix(slash == std::string_view::npos ? 2 : slash);
    }
    const auto digit = [](char c) {
      if (c >= '0' && c <= '9') return c - '0';
      if (c >= 'a' && c <= 'f') return c - 'a' + 10;
      if (c >= 'A' && c <= 'F') return c - 'A' + 10;
      return -1;
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool coded = text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 &&
                         digit(text[i + 2]) >= 0;
      path += coded ? static_cast<char>(16 * digit(text[i + 1]) + digit(text[i + 2])) : text[i];
      if (coded) i += 2;
    }
    // a drive of Windows: /C:/…
    if (path.size() > 2 && path[0] == '/' && path[2] == ':') path.erase(0, 1);
  } else {
    path = text;
  }
  while (path.size() > 1 && (path.back() == '/' || path.back() == '\\')) path.pop_back();
  return path;
}

}  // namespace mechfmu
