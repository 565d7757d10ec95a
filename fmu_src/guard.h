// The common entry of all FMI functions: checks that the instance exists and allows the call, and
// catches exceptions.

#pragma once

#include <exception>
#include <new>
#include <string>

#include "fmu_src/instance.h"

namespace mechfmu {

/// An FMI function and the phases in which it may be called.
struct Function {
  const char* name;
  unsigned phases;
};

/// The current exception as a refusal of the function. Call it in a catch block.
inline Refusal refusal_of(const char* function) {
  const std::string at = std::string(function) + ": ";
  try {
    throw;
  } catch (const Refusal& refusal) {
    return refusal;
  } catch (const std::bad_alloc&) {
    return error(at + "out of memory");
  } catch (const std::exception& exception) {
    return error(at + exception.what());
  } catch (...) {
    return error(at + "an exception that is not a standard exception was thrown");
  }
}

/// Runs `body`; an exception becomes a status and one log message.
template <class Body>
Status guard(Instance* instance, const Function& function, Body&& body) noexcept {
  if (instance == nullptr) return Status::error;
  try {
    try {
      if ((instance->phase() & function.phases) == 0)
        throw error(std::string(function.name) + " is not allowed " +
                    phase_name(instance->phase()));
      body(*instance);
      return Status::ok;
    } catch (...) {
      const Refusal refusal = refusal_of(function.name);
      const char* category = refusal.category;
      if (category == nullptr)
        category = refusal.status == Status::discard   ? "logStatusDiscard"
                   : refusal.status == Status::warning ? "logStatusWarning"
                                                       : "logStatusError";
      instance->log(refusal.status, category, refusal.message);
      return refusal.status;
    }
  } catch (...) {  // from the importer's logger, or there is no memory for a message
    return Status::error;
  }
}

/// Makes an instance; `complain` gets the message of an exception of `make`, and the result is
/// null.
template <class Make, class Complain>
auto instantiate(const char* function, Make&& make, Complain&& complain) noexcept
    -> decltype(make().release()) {
  try {
    try {
      return make().release();
    } catch (...) {
      complain(refusal_of(function).message);
    }
  } catch (...) {  // from the importer's logger, or there is no memory for a message
  }
  return nullptr;
}

}  // namespace mechfmu
