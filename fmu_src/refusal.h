// The reason for refusing a call: a status and one line of text. The function that detects it
// throws it; guard.h turns it into the status of the call and a log message.

#pragma once

#include <string>
#include <utility>

namespace mechfmu {

/// As in both versions of FMI.
enum class Status { ok, warning, discard, error, fatal };

struct Refusal {
  Status status;
  std::string message;
  const char* category = nullptr;  // default: that of the status
};

inline Refusal error(std::string message) { return {Status::error, std::move(message)}; }

inline void require(bool condition, const char* message) {
  if (!condition) throw error(message);
}

}  // namespace mechfmu
