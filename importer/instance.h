// One instance of an FMU, the same for FMI 2.0 and 3.0. The calls of its life in their order:
//
//   const auto instance = instantiate(fmu, {});
//   instance->set(...)                       parameters and start values
//   instance->enter_initialization(0, 10, {});
//   instance->set(...)                       inputs
//   instance->exit_initialization();
//   instance->step(t, h); instance->get(...) as often as wanted
//   instance->terminate();
//
// Values are doubles for all numeric types of the FMU. Failure of a call is a return value, and
// last_problem() is the message of the FMU about it.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "importer/fmu.h"

namespace mechfmu {

enum class CallStatus { ok, warning, discard, error, fatal, pending };  // numbers of both versions

inline bool succeeded(CallStatus status) { return status <= CallStatus::warning; }

/// A log message of the FMU.
struct FmuMessage {
  CallStatus status = CallStatus::ok;
  std::string category, text;
};
using FmuListener = std::function<void(const FmuMessage&)>;

struct StepOutcome {
  CallStatus status = CallStatus::error;
  // time that the FMU has reached; after a discard by FMI 2.0 the last successful time
  double time = 0;
  bool early = false;      // the FMU stopped there, before the end of the step
  bool terminate = false;  // the FMU requests the end of the simulation
};

class Instance {
 public:
  using References = std::span<const std::uint32_t>;

  virtual ~Instance() = default;
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  virtual CallStatus enter_initialization(double start, double stop,
                                          std::optional<double> tolerance) = 0;
  virtual CallStatus exit_initialization() = 0;
  virtual StepOutcome step(double t, double h) = 0;
  virtual CallStatus terminate() = 0;

  /// Variables of one type; the numbers of arrays follow each other.
  virtual CallStatus get(FmuVariable::Type type, References references,
                         std::span<double> values) = 0;
  virtual CallStatus set(FmuVariable::Type type, References references,
                         std::span<const double> values) = 0;
  virtual CallStatus set_string(std::uint32_t reference, const std::string& value) = 0;
  /// First derivatives of real inputs, for the next step; FMI 2.0 with canInterpolateInputs.
  virtual CallStatus set_derivatives(References references, std::span<const double> values) = 0;

  /// Saves the state in place of the one saved before; restores it.
  virtual CallStatus save() = 0;
  virtual CallStatus restore() = 0;

  /// The last warning or error, otherwise the last message, since the last reset.
  const std::string& last_problem() const { return problem_.empty() ? last_ : problem_; }
  void forget_problem() {
    problem_.clear();
    last_.clear();
  }

 protected:
  explicit Instance(FmuListener listener) : listener_(std::move(listener)) {}

  /// Called from inside the FMU, through which exceptions must not pass.
  void note(FmuMessage message) noexcept;

 private:
  FmuListener listener_;
  std::string last_, problem_;
};

/// Throws std::runtime_error with the message of the FMU if it refuses. With `logging` the FMU logs
/// everything.
std::unique_ptr<Instance> instantiate(const Fmu& fmu, FmuListener listener, bool logging = false);

}  // namespace mechfmu
