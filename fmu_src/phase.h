// Phases in the life of an instance; one bit each, so that a call can name those in which it is
// allowed.

#pragma once

namespace mechfmu {

enum Phase : unsigned {
  instantiated = 1,
  initialization = 2,
  event = 4,
  stepping = 8,
  intermediate = 16,  // inside a step, in the importer's callback after a substep
  asking = 32,        // inside a step, in the importer's callback for inputs at a later time
  step_failed = 64,   // FMI 2.0: after a discarded step, until a state is set
  terminated = 128,
  any_phase = 255
};
constexpr unsigned inside_step = intermediate | asking;
/// Initialization is over: there is a state to continue from.
constexpr unsigned running = event | stepping | inside_step | step_failed | terminated;

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

}  // namespace mechfmu
