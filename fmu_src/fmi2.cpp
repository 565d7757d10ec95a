// The functions of FMI 2.0 for co-simulation, translated to Instance. Functions that co-simulation
// or this exporter does not support exist too: they log that and return an error.

#include <fmi2Functions.h>

#include <algorithm>

#include "fmu_src/guard.h"
#include "fmu_src/resource_path.h"
#include "fmu_src/saved_states.h"

namespace {

using namespace mechfmu;

struct Component {
  fmi2CallbackFunctions callbacks{};
  std::unique_ptr<Instance> instance;
};

static_assert(static_cast<int>(Status::ok) == fmi2OK &&
              static_cast<int>(Status::warning) == fmi2Warning &&
              static_cast<int>(Status::discard) == fmi2Discard &&
              static_cast<int>(Status::error) == fmi2Error &&
              static_cast<int>(Status::fatal) == fmi2Fatal);
fmi2Status fmi2(Status status) { return static_cast<fmi2Status>(status); }

Instance* instance_of(fmi2Component component) {
  return component == nullptr ? nullptr : static_cast<Component*>(component)->instance.get();
}

template <class Body>
fmi2Status call(fmi2Component component, const Function& function, Body&& body) {
  return fmi2(guard(instance_of(component), function, std::forward<Body>(body)));
}

fmi2Status refuse(fmi2Component component, const char* function, const char* why) {
  return call(component, {function, any_phase},
              [&](Instance&) { throw error(std::string(function) + " " + why); });
}

/// The supported functions, and the phases in which they are allowed.
namespace allowed {
constexpr unsigned always = instantiated | initialization | stepping | step_failed | terminated;
constexpr unsigned writing = instantiated | initialization | stepping;

constexpr Function SetDebugLogging{"fmi2SetDebugLogging", always};
constexpr Function SetupExperiment{"fmi2SetupExperiment", instantiated};
constexpr Function EnterInitializationMode{"fmi2EnterInitializationMode", instantiated};
constexpr Function ExitInitializationMode{"fmi2ExitInitializationMode", initialization};
constexpr Function DoStep{"fmi2DoStep", stepping};
constexpr Function Terminate{"fmi2Terminate", stepping | step_failed};
constexpr Function Reset{"fmi2Reset", always};

constexpr Function GetReal{"fmi2GetReal", always};
constexpr Function GetInteger{"fmi2GetInteger", always};
constexpr Function GetBoolean{"fmi2GetBoolean", always};
constexpr Function GetString{"fmi2GetString", always};
constexpr Function SetReal{"fmi2SetReal", writing};
constexpr Function SetInteger{"fmi2SetInteger", writing};
constexpr Function SetBoolean{"fmi2SetBoolean", writing};
constexpr Function SetString{"fmi2SetString", writing};
constexpr Function SetRealInputDerivatives{"fmi2SetRealInputDerivatives", writing};
constexpr Function GetRealOutputDerivatives{"fmi2GetRealOutputDerivatives",
                                            stepping | step_failed | terminated};
constexpr Function GetDirectionalDerivative{"fmi2GetDirectionalDerivative",
                                            initialization | stepping | step_failed};

constexpr Function GetFMUstate{"fmi2GetFMUstate", always};
constexpr Function SetFMUstate{"fmi2SetFMUstate", always};
constexpr Function FreeFMUstate{"fmi2FreeFMUstate", always};
constexpr Function SerializedFMUstateSize{"fmi2SerializedFMUstateSize", always};
constexpr Function SerializeFMUstate{"fmi2SerializeFMUstate", always};
constexpr Function DeSerializeFMUstate{"fmi2DeSerializeFMUstate", always};

constexpr Function GetStatus{"fmi2GetStatus", always};
constexpr Function GetRealStatus{"fmi2GetRealStatus", always};
constexpr Function GetIntegerStatus{"fmi2GetIntegerStatus", always};
constexpr Function GetBooleanStatus{"fmi2GetBooleanStatus", always};
constexpr Function GetStringStatus{"fmi2GetStringStatus", always};
}  // namespace allowed

constexpr const char* no_strings = "is not available: the model has no variables of this type";
constexpr const char* no_exchange = "belongs to model exchange, which this FMU does not have";

template <class Value>
fmi2Status get_values(fmi2Component c, const Function& function, std::initializer_list<Type> types,
                      const fmi2ValueReference vr[], size_t n, Value value[]) {
  return call(c, function, [&](Instance& instance) {
    require(n == 0 || (vr != nullptr && value != nullptr),
            "the array of references or values is missing");
    for (size_t i = 0; i < n; ++i) value[i] = static_cast<Value>(instance.get(vr[i], types));
  });
}

template <class Value>
fmi2Status set_values(fmi2Component c, const Function& function, std::initializer_list<Type> types,
                      const fmi2ValueReference vr[], size_t n, const Value value[]) {
  return call(c, function, [&](Instance& instance) {
    require(n == 0 || (vr != nullptr && value != nullptr),
            "the array of references or values is missing");
    // All or nothing
    for (size_t i = 0; i < n; ++i) instance.check_set(vr[i], types, static_cast<double>(value[i]));
    for (size_t i = 0; i < n; ++i) instance.set(vr[i], static_cast<double>(value[i]));
  });
}

void log_to(const fmi2CallbackFunctions& f, const char* name, Status status, const char* category,
            const std::string& message) {
  if (f.logger == nullptr) return;
  // '#' starts a reference to a variable in messages of FMI 2.0; a plain one is doubled.
  std::string text;
  for (const char c : message) text.append(c == '#' ? 2 : 1, c);
  f.logger(f.componentEnvironment, name, fmi2(status), category, "%s", text.c_str());
}

}  // namespace

extern "C" {

const char* fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char* fmi2GetVersion(void) { return fmi2Version; }

fmi2Component fmi2Instantiate(fmi2String instanceName, fmi2Type fmuType, fmi2String fmuGUID,
                              fmi2String fmuResourceLocation,
                              const fmi2CallbackFunctions* functions, fmi2Boolean /*visible*/,
                              fmi2Boolean loggingOn) {
  const fmi2CallbackFunctions none{};
  const fmi2CallbackFunctions& f = functions == nullptr ? none : *functions;
  const auto make = [&] {
    require(instanceName != nullptr && *instanceName != 0,
            "fmi2Instantiate: the instance needs a name");
    require(fmuType == fmi2CoSimulation, "fmi2Instantiate: this FMU is for co-simulation only");
    auto component = std::make_unique<Component>();
    component->callbacks = f;
    const Component* self = component.get();
    component->instance = std::make_unique<Instance>(
        instanceName,
        [self, name = std::string(instanceName)](Status status, const char* category,
                                                 const std::string& message) {
          log_to(self->callbacks, name.c_str(), status, category, message);
        },
        loggingOn != fmi2False, resource_path(fmuResourceLocation));
    const std::string& own = component->instance->token();
    if (fmuGUID == nullptr || own != fmuGUID)
      throw error(
          "fmi2Instantiate: the model description and the binary do not belong together: guid " +
          std::string(fmuGUID == nullptr ? "(none)" : fmuGUID) + " instead of " + own +
          "; export the FMU again");
    return component;
  };
  return instantiate("fmi2Instantiate", make, [&](const std::string& message) {
    log_to(f, instanceName == nullptr ? "" : instanceName, Status::error, "logStatusError",
           message);
  });
}

void fmi2FreeInstance(fmi2Component c) { delete static_cast<Component*>(c); }

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean loggingOn, size_t n,
                               const fmi2String categories[]) {
  return call(c, allowed::SetDebugLogging, [&](Instance& instance) {
    require(n == 0 || categories != nullptr, "the array of categories is missing");
    instance.set_logging(loggingOn != fmi2False, {categories, categories + n});
  });
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean toleranceDefined, fmi2Real tolerance,
                               fmi2Real startTime, fmi2Boolean stopTimeDefined, fmi2Real stopTime) {
  return call(c, allowed::SetupExperiment, [&](Instance& instance) {
    instance.setup(toleranceDefined != fmi2False, tolerance, startTime,
                   stopTimeDefined != fmi2False, stopTime);
  });
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  return call(c, allowed::EnterInitializationMode, [](Instance& i) { i.enter_initialization(); });
}
fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  return call(c, allowed::ExitInitializationMode, [](Instance& i) { i.exit_initialization(); });
}
fmi2Status fmi2Terminate(fmi2Component c) {
  return call(c, allowed::Terminate, [](Instance& i) { i.terminate(); });
}
fmi2Status fmi2Reset(fmi2Component c) {
  return call(c, allowed::Reset, [](Instance& i) { i.reset(); });
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real value[]) {
  return get_values(c, allowed::GetReal, {Type::real}, vr, n, value);
}
fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                          fmi2Integer value[]) {
  return get_values(c, allowed::GetInteger, {Type::integer, Type::enumeration}, vr, n, value);
}
fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                          fmi2Boolean value[]) {
  return get_values(c, allowed::GetBoolean, {Type::boolean}, vr, n, value);
}
fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference[], size_t n, fmi2String[]) {
  if (n == 0) return call(c, allowed::GetString, [](Instance&) {});
  return refuse(c, "fmi2GetString", no_strings);
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                       const fmi2Real value[]) {
  return set_values(c, allowed::SetReal, {Type::real}, vr, n, value);
}
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                          const fmi2Integer value[]) {
  return set_values(c, allowed::SetInteger, {Type::integer, Type::enumeration}, vr, n, value);
}
fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                          const fmi2Boolean value[]) {
  return set_values(c, allowed::SetBoolean, {Type::boolean}, vr, n, value);
}
fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference[], size_t n,
                         const fmi2String[]) {
  if (n == 0) return call(c, allowed::SetString, [](Instance&) {});
  return refuse(c, "fmi2SetString", no_strings);
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
  return call(c, allowed::GetFMUstate, [&](Instance& i) { get_state(i, state); });
}
fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
  return call(c, allowed::SetFMUstate, [&](Instance& i) { set_state(i, state, allowed::always); });
}
fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* state) {
  return call(c, allowed::FreeFMUstate, [&](Instance&) { free_state(state); });
}
fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t* size) {
  return call(c, allowed::SerializedFMUstateSize, [&](Instance& i) { state_size(i, state, size); });
}
fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[],
                                 size_t size) {
  return call(c, allowed::SerializeFMUstate,
              [&](Instance& i) { serialize_state(i, state, bytes, size); });
}
fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                   fmi2FMUstate* state) {
  return call(c, allowed::DeSerializeFMUstate,
              [&](Instance& i) { deserialize_state(i, bytes, size, state); });
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknowns[],
                                        size_t nUnknown, const fmi2ValueReference knowns[],
                                        size_t nKnown, const fmi2Real seed[],
                                        fmi2Real sensitivity[]) {
  return call(c, allowed::GetDirectionalDerivative, [&](Instance& instance) {
    require((nUnknown == 0 || (unknowns != nullptr && sensitivity != nullptr)) &&
                (nKnown == 0 || (knowns != nullptr && seed != nullptr)),
            "an array is missing");
    std::vector<double> result;
    instance.directional_derivative({unknowns, unknowns + nUnknown}, {knowns, knowns + nKnown},
                                    {seed, seed + nKnown}, result);
    std::copy(result.begin(), result.end(), sensitivity);
  });
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                       const fmi2Integer order[], const fmi2Real value[]) {
  return call(c, allowed::SetRealInputDerivatives, [&](Instance& instance) {
    require(n == 0 || (vr != nullptr && order != nullptr && value != nullptr),
            "an array is missing");
    // All or nothing
    for (size_t i = 0; i < n; ++i) instance.check_input_derivative(vr[i], order[i], value[i]);
    for (size_t i = 0; i < n; ++i) instance.set_input_derivative(vr[i], order[i], value[i]);
  });
}
fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                        const fmi2Integer order[], fmi2Real value[]) {
  return call(c, allowed::GetRealOutputDerivatives, [&](Instance& instance) {
    require(n == 0 || (vr != nullptr && order != nullptr && value != nullptr),
            "an array is missing");
    instance.output_derivatives({vr, n}, {order, n}, {value, n});
  });
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real H,
                      fmi2Boolean /*noSetFMUStatePriorToCurrentPoint*/) {
  return call(c, allowed::DoStep, [&](Instance& instance) { instance.do_step(t, H, true); });
}
fmi2Status fmi2CancelStep(fmi2Component c) {
  return refuse(c, "fmi2CancelStep", "has nothing to cancel: steps are not asynchronous");
}

fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind, fmi2Status*) {
  return call(c, allowed::GetStatus, [](Instance&) {
    throw Refusal{Status::discard, "fmi2GetStatus: there is no pending step"};
  });
}
fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real* value) {
  return call(c, allowed::GetRealStatus, [&](Instance& instance) {
    if (kind != fmi2LastSuccessfulTime || value == nullptr)
      throw Refusal{Status::discard, "fmi2GetRealStatus: only the last successful time is known"};
    *value = instance.last_successful_time();
  });
}
fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind, fmi2Integer*) {
  return call(c, allowed::GetIntegerStatus, [](Instance&) {
    throw Refusal{Status::discard, "fmi2GetIntegerStatus: no such status"};
  });
}
fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean* value) {
  return call(c, allowed::GetBooleanStatus, [&](Instance&) {
    if (kind != fmi2Terminated || value == nullptr)
      throw Refusal{Status::discard, "fmi2GetBooleanStatus: only 'terminated' is known"};
    *value = fmi2False;
  });
}
fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind, fmi2String*) {
  return call(c, allowed::GetStringStatus, [](Instance&) {
    throw Refusal{Status::discard, "fmi2GetStringStatus: there is no pending step"};
  });
}

// --- model exchange ---

fmi2Status fmi2EnterEventMode(fmi2Component c) {
  return refuse(c, "fmi2EnterEventMode", no_exchange);
}
fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo*) {
  return refuse(c, "fmi2NewDiscreteStates", no_exchange);
}
fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) {
  return refuse(c, "fmi2EnterContinuousTimeMode", no_exchange);
}
fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean, fmi2Boolean*, fmi2Boolean*) {
  return refuse(c, "fmi2CompletedIntegratorStep", no_exchange);
}
fmi2Status fmi2SetTime(fmi2Component c, fmi2Real) { return refuse(c, "fmi2SetTime", no_exchange); }
fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real[], size_t) {
  return refuse(c, "fmi2SetContinuousStates", no_exchange);
}
fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real[], size_t) {
  return refuse(c, "fmi2GetDerivatives", no_exchange);
}
fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real[], size_t) {
  return refuse(c, "fmi2GetEventIndicators", no_exchange);
}
fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real[], size_t) {
  return refuse(c, "fmi2GetContinuousStates", no_exchange);
}
fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real[], size_t) {
  return refuse(c, "fmi2GetNominalsOfContinuousStates", no_exchange);
}

}  // extern "C"
