// FMI 3.0 for co-simulation, without event mode: inputs may jump at any communication point. After
// fmi3Error only fmi3FreeInstance may be called, after fmi3Fatal nothing.

#include <fmi3Functions.h>

#include <array>
#include <stdexcept>

#include "importer/versions.h"

namespace mechfmu {

namespace {

CallStatus status_of(fmi3Status status) { return static_cast<CallStatus>(status); }

template <class Native>
using Get = fmi3Status(fmi3Instance, const fmi3ValueReference*, size_t, Native*, size_t);
template <class Native>
using Set = fmi3Status(fmi3Instance, const fmi3ValueReference*, size_t, const Native*, size_t);

/// Calls `visit` with a pointer to the type of the values of a variable.
template <class Visit>
CallStatus with_native(FmuVariable::Type type, const Visit& visit) {
  using T = FmuVariable::Type;
  switch (type) {
    case T::float64: return visit(static_cast<fmi3Float64*>(nullptr));
    case T::float32: return visit(static_cast<fmi3Float32*>(nullptr));
    case T::int8: return visit(static_cast<fmi3Int8*>(nullptr));
    case T::uint8: return visit(static_cast<fmi3UInt8*>(nullptr));
    case T::int16: return visit(static_cast<fmi3Int16*>(nullptr));
    case T::uint16: return visit(static_cast<fmi3UInt16*>(nullptr));
    case T::int32: return visit(static_cast<fmi3Int32*>(nullptr));
    case T::uint32: return visit(static_cast<fmi3UInt32*>(nullptr));
    case T::int64:
    case T::enumeration: return visit(static_cast<fmi3Int64*>(nullptr));
    case T::uint64: return visit(static_cast<fmi3UInt64*>(nullptr));
    case T::boolean: return visit(static_cast<fmi3Boolean*>(nullptr));
    case T::string:
    case T::binary:
    case T::clock: break;
  }
  throw std::logic_error("a variable of this type has no number");
}

std::string name_of(const char* verb, FmuVariable::Type type) {
  return std::string(verb) +
         text(type == FmuVariable::Type::enumeration ? FmuVariable::Type::int64 : type);
}

class Fmi3Instance final : public Instance {
 public:
  Fmi3Instance(const Fmu& fmu, FmuListener listener, bool logging)
      : Instance(std::move(listener)),
        library_(fmu.library()),
        do_step_(library_->function<fmi3DoStepTYPE>("fmi3DoStep")),
        free_(library_->function<fmi3FreeInstanceTYPE>("fmi3FreeInstance")) {
    const FmuDescription& d = fmu.description();
    const std::string resources =
        (fmu.folder() / "resources" / "").string();  // with a slash at its end
    instance_ = library_->function<fmi3InstantiateCoSimulationTYPE>("fmi3InstantiateCoSimulation")(
        d.co_simulation->identifier.c_str(), d.token.c_str(), resources.c_str(), fmi3False, logging,
        fmi3False, fmi3False, nullptr, 0, this, log, nullptr);
    if (instance_ == nullptr)
      throw std::runtime_error("the FMU cannot be instantiated" +
                               (last_problem().empty() ? "" : ": " + last_problem()));
    const std::vector<const char*> problems = problem_categories(d);
    // without these categories the FMU logs nothing, and works as well
    if (!logging && !problems.empty())
      library_->function<fmi3SetDebugLoggingTYPE>("fmi3SetDebugLogging")(
          instance_, fmi3True, problems.size(), problems.data());
  }

  Fmi3Instance(const Fmi3Instance&) = delete;
  Fmi3Instance& operator=(const Fmi3Instance&) = delete;

  ~Fmi3Instance() override {
    if (fatal_) {
      library_->keep();
      return;
    }
    if (state_ != nullptr) free_state_(instance_, &state_);
    free_(instance_);
  }

  CallStatus enter_initialization(double start, double stop,
                                  std::optional<double> tolerance) override {
    return done(library_->function<fmi3EnterInitializationModeTYPE>("fmi3EnterInitializationMode")(
        instance_, tolerance.has_value(), tolerance.value_or(0), start, fmi3True, stop));
  }

  CallStatus exit_initialization() override {
    return done(library_->function<fmi3ExitInitializationModeTYPE>("fmi3ExitInitializationMode")(
        instance_));
  }

  StepOutcome step(double t, double h) override {
    fmi3Boolean event = fmi3False;
    fmi3Boolean end = fmi3False;
    fmi3Boolean early = fmi3False;
    fmi3Float64 reached = t + h;
    const CallStatus status =
        done(do_step_(instance_, t, h, fmi3True, &event, &end, &early, &reached));
    // After a discard the instance is as before the call, and the returned values have no meaning.
    if (!succeeded(status)) return {status, t};
    return {status, early ? reached : t + h, early, end};
  }

  CallStatus terminate() override {
    return done(library_->function<fmi3TerminateTYPE>("fmi3Terminate")(instance_));
  }

  CallStatus get(FmuVariable::Type type, References references, std::span<double> values) override {
    return with_native(type, [&]<class Native>(Native*) {
      auto* const function = known<Get<Native>>(getters_, "fmi3Get", type);
      return get_as<Native>(values, [&](Native* buffer) {
        return done(
            function(instance_, references.data(), references.size(), buffer, values.size()));
      });
    });
  }

  CallStatus set(FmuVariable::Type type, References references,
                 std::span<const double> values) override {
    return with_native(type, [&]<class Native>(Native*) {
      auto* const function = known<Set<Native>>(setters_, "fmi3Set", type);
      return set_as<Native>(values, [&](const Native* buffer) {
        return done(
            function(instance_, references.data(), references.size(), buffer, values.size()));
      });
    });
  }

  CallStatus set_string(std::uint32_t reference, const std::string& value) override {
    const char* characters = value.c_str();
    return done(library_->function<fmi3SetStringTYPE>("fmi3SetString")(instance_, &reference, 1,
                                                                       &characters, 1));
  }

  CallStatus set_derivatives(References, std::span<const double>) override {
    return CallStatus::error;  // FMI 3.0 does not have this call
  }

  CallStatus save() override {
    if (free_state_ == nullptr)
      free_state_ = library_->function<fmi3FreeFMUStateTYPE>("fmi3FreeFMUState");
    return done(library_->function<fmi3GetFMUStateTYPE>("fmi3GetFMUState")(instance_, &state_));
  }

  CallStatus restore() override {
    return done(library_->function<fmi3SetFMUStateTYPE>("fmi3SetFMUState")(instance_, state_));
  }

 private:
  using Known = std::array<void (*)(), 12>;  // functions by type, looked up at the first call

  template <class Function>
  Function* known(Known& all, const char* verb, FmuVariable::Type type) const {
    auto& found = all[static_cast<std::size_t>(type)];
    if (found == nullptr) found = library_->function<void()>(name_of(verb, type));
    return reinterpret_cast<Function*>(found);
  }

  static void log(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                  fmi3String message) {
    if (environment == nullptr || message == nullptr) return;
    static_cast<Fmi3Instance*>(environment)
        ->note({status_of(status), category != nullptr ? category : "", message});
  }

  CallStatus done(fmi3Status status) {
    fatal_ = fatal_ || status == fmi3Fatal;
    return status_of(status);
  }

  std::shared_ptr<Library> library_;
  fmi3DoStepTYPE* do_step_;
  fmi3FreeInstanceTYPE* free_;
  fmi3FreeFMUStateTYPE* free_state_ = nullptr;  // looked up before the first state
  Known getters_{}, setters_{};
  fmi3Instance instance_ = nullptr;
  fmi3FMUState state_ = nullptr;
  bool fatal_ = false;
};

}  // namespace

std::unique_ptr<Instance> instantiate_fmi3(const Fmu& fmu, FmuListener listener, bool logging) {
  return std::make_unique<Fmi3Instance>(fmu, std::move(listener), logging);
}

}  // namespace mechfmu
