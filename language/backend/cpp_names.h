// Names of variables in generated C++: like those of the file, unique, and unused by C++ and the
// code around them.

#pragma once

#include <set>
#include <string>
#include <string_view>

namespace mechfmu {

/// Taken by the language, by the generated code, or by a macro: no function can have this name.
bool is_taken_in_cpp(std::string_view word);

class CppNames {
 public:
  CppNames();
  /// leg1.knee → leg1_knee, or leg1_knee2 if that is taken; node[2,5] → node_2_5; NAN → x_NAN,
  /// because capitals may be a macro.
  std::string take(std::string_view wanted);
  void reserve(std::string_view name) { taken_.emplace(name); }

 private:
  std::set<std::string, std::less<>> taken_;
};

}  // namespace mechfmu
