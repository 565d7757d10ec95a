// FMI 2.0 for co-simulation. After fmi2Error only fmi2FreeInstance may be called, after fmi2Fatal
// nothing.

#include <fmi2Functions.h>

#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "importer/versions.h"

namespace mechfmu {

namespace {

CallStatus status_of(fmi2Status status) { return static_cast<CallStatus>(status); }

/// "file:///home/a%20b/resources": bytes that a URI does not allow in a path are written as their
/// numbers.
std::string uri(const std::filesystem::path& path) {
  constexpr const char* digits = "0123456789ABCDEF";
  std::string text = "file://";
  for (const char c : path.generic_string()) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("/-._~").find(c) != std::string_view::npos;
    const auto code = static_cast<unsigned char>(c);
    if (plain)
      text += c;
    else
      text += {'%', digits[code >> 4], digits[code & 15]};
  }
  return text;
}

class Fmi2Instance final : public Instance {
 public:
  Fmi2Instance(const Fmu& fmu, FmuListener listener, bool logging)
      : Instance(std::move(listener)),
        library_(fmu.library()),
        callbacks_{log, std::calloc, std::free, nullptr, this},
        do_step_(library_->function<fmi2DoStepTYPE>("fmi2DoStep")),
        get_real_(library_->function<fmi2GetRealTYPE>("fmi2GetReal")),
        set_real_(library_->function<fmi2SetRealTYPE>("fmi2SetReal")),
        free_(library_->function<fmi2FreeInstanceTYPE>("fmi2FreeInstance")) {
    const FmuDescription& d = fmu.description();
    const std::string resources = uri(fmu.folder() / "resources");
    component_ = library_->function<fmi2InstantiateTYPE>("fmi2Instantiate")(
        d.co_simulation->identifier.c_str(), fmi2CoSimulation, d.token.c_str(), resources.c_str(),
        &callbacks_, fmi2False, logging ? fmi2True : fmi2False);
    if (component_ == nullptr)
      throw std::runtime_error("the FMU cannot be instantiated" +
                               (last_problem().empty() ? "" : ": " + last_problem()));
    const std::vector<const char*> problems = problem_categories(d);
    // without these categories the FMU logs nothing, and works as well
    if (!logging && !problems.empty())
      library_->function<fmi2SetDebugLoggingTYPE>("fmi2SetDebugLogging")(
          component_, fmi2True, problems.size(), problems.data());
  }

  Fmi2Instance(const Fmi2Instance&) = delete;
  Fmi2Instance& operator=(const Fmi2Instance&) = delete;

  ~Fmi2Instance() override {
    if (fatal_) {
      library_->keep();
      return;
    }
    if (state_ != nullptr) free_state_(component_, &state_);
    free_(component_);
  }

  CallStatus enter_initialization(double start, double stop,
                                  std::optional<double> tolerance) override {
    const CallStatus status = done(library_->function<fmi2SetupExperimentTYPE>(
        "fmi2SetupExperiment")(component_, tolerance ? fmi2True : fmi2False, tolerance.value_or(0),
                               start, fmi2True, stop));
    if (!succeeded(status)) return status;
    return done(library_->function<fmi2EnterInitializationModeTYPE>("fmi2EnterInitializationMode")(
        component_));
  }

  CallStatus exit_initialization() override {
    return done(library_->function<fmi2ExitInitializationModeTYPE>("fmi2ExitInitializationMode")(
        component_));
  }

  StepOutcome step(double t, double h) override {
    // No state before t is ever restored, only the one at t.
    StepOutcome outcome{done(do_step_(component_, t, h, fmi2True)), t + h};
    if (outcome.status != CallStatus::discard) return outcome;
    outcome.time = t;
    fmi2Real time = t;
    fmi2Boolean terminated = fmi2False;
    if (library_->function<fmi2GetBooleanStatusTYPE>("fmi2GetBooleanStatus")(
            component_, fmi2Terminated, &terminated) == fmi2OK)
      outcome.terminate = terminated != fmi2False;
    if (library_->function<fmi2GetRealStatusTYPE>("fmi2GetRealStatus")(
            component_, fmi2LastSuccessfulTime, &time) == fmi2OK)
      outcome.time = time;
    return outcome;
  }

  CallStatus terminate() override {
    return done(library_->function<fmi2TerminateTYPE>("fmi2Terminate")(component_));
  }

  CallStatus get(FmuVariable::Type type, References references, std::span<double> values) override {
    const auto with = [&](auto* function) {
      return [this, function, references](auto* buffer) {
        return done(function(component_, references.data(), references.size(), buffer));
      };
    };
    if (type == FmuVariable::Type::float64) return get_as<fmi2Real>(values, with(get_real_));
    if (type == FmuVariable::Type::boolean)
      return get_as<fmi2Boolean>(values,
                                 with(library_->function<fmi2GetBooleanTYPE>("fmi2GetBoolean")));
    return get_as<fmi2Integer>(values,
                               with(library_->function<fmi2GetIntegerTYPE>("fmi2GetInteger")));
  }

  CallStatus set(FmuVariable::Type type, References references,
                 std::span<const double> values) override {
    const auto with = [&](auto* function) {
      return [this, function, references](const auto* buffer) {
        return done(function(component_, references.data(), references.size(), buffer));
      };
    };
    if (type == FmuVariable::Type::float64) return set_as<fmi2Real>(values, with(set_real_));
    if (type == FmuVariable::Type::boolean)
      return set_as<fmi2Boolean>(values,
                                 with(library_->function<fmi2SetBooleanTYPE>("fmi2SetBoolean")));
    return set_as<fmi2Integer>(values,
                               with(library_->function<fmi2SetIntegerTYPE>("fmi2SetInteger")));
  }

  CallStatus set_string(std::uint32_t reference, const std::string& value) override {
    const char* characters = value.c_str();
    return done(library_->function<fmi2SetStringTYPE>("fmi2SetString")(component_, &reference, 1,
                                                                       &characters));
  }

  CallStatus set_derivatives(References references, std::span<const double> values) override {
    const auto order = std::make_unique<fmi2Integer[]>(values.size());
    std::fill_n(order.get(), values.size(), 1);
    return done(library_->function<fmi2SetRealInputDerivativesTYPE>("fmi2SetRealInputDerivatives")(
        component_, references.data(), references.size(), order.get(), values.data()));
  }

  CallStatus save() override {
    if (free_state_ == nullptr)
      free_state_ = library_->function<fmi2FreeFMUstateTYPE>("fmi2FreeFMUstate");
    return done(library_->function<fmi2GetFMUstateTYPE>("fmi2GetFMUstate")(component_, &state_));
  }

  CallStatus restore() override {
    return done(library_->function<fmi2SetFMUstateTYPE>("fmi2SetFMUstate")(component_, state_));
  }

 private:
  static void log(fmi2ComponentEnvironment environment, fmi2String, fmi2Status status,
                  fmi2String category, fmi2String form, ...) {
    if (environment == nullptr || form == nullptr) return;
    std::array<char, 4096> text{};
    va_list arguments;
    va_start(arguments, form);
    std::vsnprintf(text.data(), text.size(), form, arguments);
    va_end(arguments);
    static_cast<Fmi2Instance*>(environment)
        ->note({status_of(status), category != nullptr ? category : "", text.data()});
  }

  CallStatus done(fmi2Status status) {
    fatal_ = fatal_ || status == fmi2Fatal;
    return status_of(status);
  }

  std::shared_ptr<Library> library_;
  fmi2CallbackFunctions callbacks_;  // the FMU keeps a pointer to it
  fmi2DoStepTYPE* do_step_;
  fmi2GetRealTYPE* get_real_;
  fmi2SetRealTYPE* set_real_;
  fmi2FreeInstanceTYPE* free_;
  fmi2FreeFMUstateTYPE* free_state_ = nullptr;  // looked up before the first state
  fmi2Component component_ = nullptr;
  fmi2FMUstate state_ = nullptr;
  bool fatal_ = false;
};

}  // namespace

std::unique_ptr<Instance> instantiate_fmi2(const Fmu& fmu, FmuListener listener, bool logging) {
  return std::make_unique<Fmi2Instance>(fmu, std::move(listener), logging);
}

}  // namespace mechfmu
