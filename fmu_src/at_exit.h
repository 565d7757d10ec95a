// Runs an action at the end of a scope, also after return or an exception.
//
//   const AtExit put_back{[&, kept = value] { value = kept; }};

#pragma once

#include <utility>

namespace mechfmu {

template <class Action>
class AtExit {
 public:
  explicit AtExit(Action action) : action_(std::move(action)) {}
  AtExit(const AtExit&) = delete;
  AtExit& operator=(const AtExit&) = delete;
  ~AtExit() { action_(); }

 private:
  Action action_;
};

}  // namespace mechfmu
