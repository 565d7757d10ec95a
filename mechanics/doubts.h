// Problems with the numbers of a mechanism, collected while it is checked.
//
// While a master sets one parameter after another, their values may not fit together yet. Problems
// are thus collected only on request. Otherwise no text is made: numbers are also read during a
// run, where nothing may allocate.

#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace mechfmu::mechanics {

class Doubts {
 public:
  /// Whether problems are collected.
  bool on = false;

  /// add("body", name, "its mass …") becomes "body 'drum': its mass …", once.
  void add(const char* kind, const std::string& name, const std::string& what) {
    if (!on) return;
    const std::string message = std::string(kind) + " '" + name + "': " + what;
    if (std::find(all_.begin(), all_.end(), message) == all_.end()) all_.push_back(message);
  }
  void add(const char* kind, const std::string& name, const char* what) {
    if (on) add(kind, name, std::string(what));
  }
  std::vector<std::string> take() { return std::exchange(all_, {}); }

 private:
  std::vector<std::string> all_;
};

}  // namespace mechfmu::mechanics
