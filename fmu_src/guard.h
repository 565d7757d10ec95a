// The one door every FMI function passes: is there an instance, may it be called now, did it throw?

#pragma once

#include <exception>
#include <new>

#include "fmu_src/instance.h"

namespace mechfmu {

inline const char* phase_name(Phase phase) {
  switch (phase) {
    case instantiated: return "before initialization";
    case initialization: return "in initialization mode";
    case event: return "in event mode";
    case stepping: return "between steps";
    case intermediate: return "inside a step";
    case asking: return "while the FMU asks for inputs";
    case step_failed: return "after a discarded step";
    case terminated: return "after termination";
    case any_phase: break;
  }
  return "";
}

/// Runs `body`; what it throws becomes a status and one log message.
template <class Body>
Status guard(Instance* instance, const char* function, unsigned phases, Body&& body) noexcept {
  if (instance == nullptr) return Status::error;
  try {
    try {
      if ((instance->phase() & phases) == 0)
        throw Refusal{Status::error,
                      std::string(function) + " is not allowed " + phase_name(instance->phase())};
      body(*instance);
      return Status::ok;
    } catch (const Refusal& refusal) {
      const char* category = refusal.category;
      if (category == nullptr)
        category = refusal.status == Status::discard   ? "logStatusDiscard"
                   : refusal.status == Status::warning ? "logStatusWarning"
                                                       : "logStatusError";
      instance->log(refusal.status, category, refusal.message);
      return refusal.status;
    } catch (const std::bad_alloc&) {
      instance->log(Status::error, "logStatusError", std::string(function) + ": out of memory");
      return Status::error;
    } catch (const std::exception& error) {
      instance->log(Status::error, "logStatusError", std::string(function) + ": " + error.what());
      return Status::error;
    }
  } catch (...) {
    return Status::error;
  }
}

}  // namespace mechfmu
