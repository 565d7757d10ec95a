// The functions of FMI 3.0 for co-simulation, translated to Instance. Functions that co-simulation
// or this exporter does not support exist too: they log that and return an error.

#include <fmi3Functions.h>

#include <algorithm>

#include "fmu_src/guard.h"
#include "fmu_src/resource_path.h"
#include "fmu_src/saved_states.h"

namespace {

using namespace mechfmu;

struct Component {
  fmi3InstanceEnvironment environment = nullptr;
  fmi3LogMessageCallback log = nullptr;
  fmi3IntermediateUpdateCallback intermediate_update = nullptr;
  bool early_return_allowed = false;
  bool event_mode_used = false;
  std::vector<fmi3ValueReference>
      intermediate_variables;  // sorted; the only ones readable inside a step
  std::unique_ptr<Instance> instance;
};

static_assert(static_cast<int>(Status::ok) == fmi3OK &&
              static_cast<int>(Status::warning) == fmi3Warning &&
              static_cast<int>(Status::discard) == fmi3Discard &&
              static_cast<int>(Status::error) == fmi3Error &&
              static_cast<int>(Status::fatal) == fmi3Fatal);
fmi3Status fmi3(Status status) { return static_cast<fmi3Status>(status); }

Component* component_of(fmi3Instance c) { return static_cast<Component*>(c); }

template <class Body>
fmi3Status call(fmi3Instance c, const Function& function, Body&& body) {
  Instance* instance = c == nullptr ? nullptr : component_of(c)->instance.get();
  return fmi3(guard(instance, function, std::forward<Body>(body)));
}

fmi3Status refuse(fmi3Instance c, const char* function, const char* why) {
  return call(c, {function, any_phase},
              [&](Instance&) { throw error(std::string(function) + " " + why); });
}

/// The supported functions, and the phases in which they are allowed.
namespace allowed {
constexpr unsigned always =
    instantiated | initialization | event | stepping | intermediate | asking | terminated;
/// Not in a callback of a step: there is no complete state then.
constexpr unsigned outside_steps = instantiated | initialization | event | stepping | terminated;
/// Not while the FMU asks for inputs: the values at that time are unknown.
constexpr unsigned reading =
    instantiated | initialization | event | stepping | intermediate | terminated;
constexpr unsigned writing =
    instantiated | initialization | event | stepping | intermediate | asking;

constexpr Function SetDebugLogging{"fmi3SetDebugLogging", always};
constexpr Function EnterInitializationMode{"fmi3EnterInitializationMode", instantiated};
constexpr Function ExitInitializationMode{"fmi3ExitInitializationMode", initialization};
constexpr Function EnterEventMode{"fmi3EnterEventMode", stepping};
constexpr Function UpdateDiscreteStates{"fmi3UpdateDiscreteStates", event};
constexpr Function EnterStepMode{"fmi3EnterStepMode", event};
constexpr Function DoStep{"fmi3DoStep", stepping};
constexpr Function Terminate{"fmi3Terminate", event | stepping};
constexpr Function Reset{"fmi3Reset", outside_steps};

constexpr Function GetFloat64{"fmi3GetFloat64", reading};
constexpr Function GetInt64{"fmi3GetInt64", reading};
constexpr Function GetBoolean{"fmi3GetBoolean", reading};
constexpr Function SetFloat64{"fmi3SetFloat64", writing};
constexpr Function SetInt64{"fmi3SetInt64", writing};
constexpr Function SetBoolean{"fmi3SetBoolean", writing};
constexpr Function GetOutputDerivatives{"fmi3GetOutputDerivatives",
                                        event | stepping | intermediate | terminated};
constexpr Function GetDirectionalDerivative{"fmi3GetDirectionalDerivative",
                                            initialization | event | stepping};
constexpr Function GetAdjointDerivative{"fmi3GetAdjointDerivative",
                                        initialization | event | stepping};

constexpr Function GetFMUState{"fmi3GetFMUState", outside_steps};
constexpr Function SetFMUState{"fmi3SetFMUState", outside_steps};
constexpr Function FreeFMUState{"fmi3FreeFMUState", always};
constexpr Function SerializedFMUStateSize{"fmi3SerializedFMUStateSize", always};
constexpr Function SerializeFMUState{"fmi3SerializeFMUState", always};
constexpr Function DeserializeFMUState{"fmi3DeserializeFMUState", always};
}  // namespace allowed

constexpr const char* no_type = "is not available: the model has no variables of this type";
constexpr const char* no_clocks = "is not available: the model has no clocks";
constexpr const char* no_exchange = "belongs to model exchange, which this FMU does not have";

/// Phases of states that may be set.
unsigned saved_phases(const Component& component) {
  return component.event_mode_used ? allowed::outside_steps
                                   : allowed::outside_steps & ~static_cast<unsigned>(event);
}

/// Calls visit(reference) for every single number behind the references of variables, arrays
/// included.
template <class Visit>
void each_number(const Instance& instance, const fmi3ValueReference vr[], size_t n, Visit&& visit) {
  require(n == 0 || vr != nullptr, "the array of value references is missing");
  for (size_t i = 0; i < n; ++i) {
    const Description::Place* place = instance.find(vr[i]);
    if (place == nullptr || place->element != 0)
      throw error("there is no variable with value reference " + std::to_string(vr[i]));
    for (Index k = 0; k < instance.description().entries[place->entry].size; ++k)
      visit(vr[i] + static_cast<std::uint32_t>(k));
  }
}

std::vector<std::uint32_t> numbers(const Instance& instance, const fmi3ValueReference vr[],
                                   size_t n) {
  std::vector<std::uint32_t> all;
  each_number(instance, vr, n, [&](std::uint32_t reference) { all.push_back(reference); });
  return all;
}

void require_count(size_t given, size_t needed) {
  if (given != needed)
    throw error("the variables have " + std::to_string(needed) + " values, but " +
                std::to_string(given) + " were given");
}

void require_values(const Instance& instance, const fmi3ValueReference vr[], size_t n,
                    const void* values, size_t n_values) {
  size_t count = 0;
  each_number(instance, vr, n, [&](std::uint32_t) { ++count; });
  require_count(n_values, count);
  require(count == 0 || values != nullptr, "the array of values is missing");
}

template <class Value>
fmi3Status get_values(fmi3Instance c, const Function& function, std::initializer_list<Type> types,
                      const fmi3ValueReference vr[], size_t n, Value values[], size_t n_values) {
  return call(c, function, [&](Instance& instance) {
    require_values(instance, vr, n, values, n_values);
    if (instance.phase() == intermediate) {
      const auto& announced = component_of(c)->intermediate_variables;
      for (size_t i = 0; i < n; ++i)
        if (!std::binary_search(announced.begin(), announced.end(), vr[i]))
          throw error("value reference " + std::to_string(vr[i]) +
                      " was not announced as a required intermediate variable");
    }
    size_t i = 0;
    each_number(instance, vr, n, [&](std::uint32_t reference) {
      values[i++] = static_cast<Value>(instance.get(reference, types));
    });
  });
}

template <class Value>
fmi3Status set_values(fmi3Instance c, const Function& function, std::initializer_list<Type> types,
                      const fmi3ValueReference vr[], size_t n, const Value values[],
                      size_t n_values) {
  return call(c, function, [&](Instance& instance) {
    require_values(instance, vr, n, values, n_values);
    size_t i = 0;
    each_number(instance, vr, n, [&](std::uint32_t reference) {
      instance.check_set(reference, types, static_cast<double>(values[i++]));
    });
    i = 0;  // all or nothing
    each_number(instance, vr, n, [&](std::uint32_t reference) {
      instance.set(reference, static_cast<double>(values[i++]));
    });
    instance.put_in_force();
  });
}

/// Asks the importer for inputs at the end of every substep, and reports every accepted one, after
/// which the importer may read variables, set inputs and ask for an early return.
class IntermediateUpdate final : public StepObserver {
 public:
  explicit IntermediateUpdate(Component& component) : component_(component) {}

  void trying(State&, double t_end) override {
    fmi3Boolean return_requested = fmi3False;
    fmi3Float64 return_time = t_end;
    component_.instance->enter_asking();
    component_.intermediate_update(component_.environment, t_end, fmi3True, fmi3False, fmi3False,
                                   fmi3False, &return_requested, &return_time);
    component_.instance->leave_asking(t_end);
  }

  bool accepted(State& state) override {
    fmi3Boolean return_requested = fmi3False;
    fmi3Float64 return_time = state.point.t;
    component_.instance->enter_intermediate();
    component_.intermediate_update(component_.environment, state.point.t, fmi3True, fmi3True,
                                   fmi3True, component_.early_return_allowed, &return_requested,
                                   &return_time);
    component_.instance->leave_intermediate();
    const bool asked = component_.early_return_allowed && return_requested;
    return !asked || component_.instance->return_at(return_time);
  }

 private:
  Component& component_;
};

}  // namespace

extern "C" {

const char* fmi3GetVersion(void) { return fmi3Version; }

fmi3Status fmi3SetDebugLogging(fmi3Instance c, fmi3Boolean loggingOn, size_t n,
                               const fmi3String categories[]) {
  return call(c, allowed::SetDebugLogging, [&](Instance& instance) {
    require(n == 0 || categories != nullptr, "the array of categories is missing");
    instance.set_logging(loggingOn, {categories, categories + n});
  });
}

fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath,
    fmi3Boolean /*visible*/, fmi3Boolean loggingOn, fmi3Boolean eventModeUsed,
    fmi3Boolean earlyReturnAllowed, const fmi3ValueReference requiredIntermediateVariables[],
    size_t nRequiredIntermediateVariables, fmi3InstanceEnvironment instanceEnvironment,
    fmi3LogMessageCallback logMessage, fmi3IntermediateUpdateCallback intermediateUpdate) {
  const auto make = [&] {
    require(instanceName != nullptr && *instanceName != 0,
            "fmi3InstantiateCoSimulation: the instance needs a name");
    auto component = std::make_unique<Component>();
    Component* self = component.get();
    self->environment = instanceEnvironment;
    self->log = logMessage;
    self->intermediate_update = intermediateUpdate;
    self->early_return_allowed = earlyReturnAllowed;
    self->event_mode_used = eventModeUsed;
    self->instance = std::make_unique<Instance>(
        instanceName,
        [self](Status status, const char* category, const std::string& message) {
          if (self->log != nullptr)
            self->log(self->environment, fmi3(status), category, message.c_str());
        },
        loggingOn, resource_path(resourcePath));
    if (eventModeUsed) self->instance->use_event_mode();
    const std::string& own = self->instance->token();
    if (instantiationToken == nullptr || own != instantiationToken)
      throw error(
          "fmi3InstantiateCoSimulation: the model description and the binary do not belong "
          "together: token " +
          std::string(instantiationToken == nullptr ? "(none)" : instantiationToken) +
          " instead of " + own + "; export the FMU again");
    auto& announced = self->intermediate_variables;
    require(nRequiredIntermediateVariables == 0 || requiredIntermediateVariables != nullptr,
            "fmi3InstantiateCoSimulation: the array of intermediate variables is missing");
    announced.assign(requiredIntermediateVariables,
                     requiredIntermediateVariables + nRequiredIntermediateVariables);
    for (const fmi3ValueReference vr : announced)
      if (self->instance->find(vr) == nullptr)
        throw error(
            "fmi3InstantiateCoSimulation: there is no intermediate variable with value reference " +
            std::to_string(vr));
    std::sort(announced.begin(), announced.end());
    return component;
  };
  return instantiate("fmi3InstantiateCoSimulation", make, [&](const std::string& message) {
    if (logMessage != nullptr)
      logMessage(instanceEnvironment, fmi3Error, "logStatusError", message.c_str());
  });
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String, fmi3String, fmi3String, fmi3Boolean,
                                          fmi3Boolean, fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback log) {
  if (log != nullptr)
    log(environment, fmi3Error, "logStatusError",
        "fmi3InstantiateModelExchange: this FMU is for co-simulation only");
  return nullptr;
}

fmi3Instance fmi3InstantiateScheduledExecution(fmi3String, fmi3String, fmi3String, fmi3Boolean,
                                               fmi3Boolean, fmi3InstanceEnvironment environment,
                                               fmi3LogMessageCallback log, fmi3ClockUpdateCallback,
                                               fmi3LockPreemptionCallback,
                                               fmi3UnlockPreemptionCallback) {
  if (log != nullptr)
    log(environment, fmi3Error, "logStatusError",
        "fmi3InstantiateScheduledExecution: this FMU is for co-simulation only");
  return nullptr;
}

void fmi3FreeInstance(fmi3Instance c) { delete component_of(c); }

fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean toleranceDefined,
                                       fmi3Float64 tolerance, fmi3Float64 startTime,
                                       fmi3Boolean stopTimeDefined, fmi3Float64 stopTime) {
  return call(c, allowed::EnterInitializationMode, [&](Instance& instance) {
    instance.setup(toleranceDefined, tolerance, startTime, stopTimeDefined, stopTime);
    instance.enter_initialization();
  });
}
fmi3Status fmi3ExitInitializationMode(fmi3Instance c) {
  return call(c, allowed::ExitInitializationMode, [](Instance& i) { i.exit_initialization(); });
}
fmi3Status fmi3EnterEventMode(fmi3Instance c) {
  return call(c, allowed::EnterEventMode, [&](Instance& instance) {
    require(component_of(c)->event_mode_used,
            "fmi3EnterEventMode: the instance was made without event mode");
    instance.enter_event_mode();
  });
}
fmi3Status fmi3EnterStepMode(fmi3Instance c) {
  return call(c, allowed::EnterStepMode, [](Instance& i) { i.enter_step_mode(); });
}
fmi3Status fmi3Terminate(fmi3Instance c) {
  return call(c, allowed::Terminate, [](Instance& i) { i.terminate(); });
}
fmi3Status fmi3Reset(fmi3Instance c) {
  return call(c, allowed::Reset, [](Instance& i) { i.reset(); });
}

fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Float64 v[],
                          size_t nv) {
  return get_values(c, allowed::GetFloat64, {Type::real}, vr, n, v, nv);
}
fmi3Status fmi3GetInt64(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Int64 v[],
                        size_t nv) {
  return get_values(c, allowed::GetInt64, {Type::integer, Type::enumeration}, vr, n, v, nv);
}
fmi3Status fmi3GetBoolean(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Boolean v[],
                          size_t nv) {
  return get_values(c, allowed::GetBoolean, {Type::boolean}, vr, n, v, nv);
}
fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference vr[], size_t n,
                          const fmi3Float64 v[], size_t nv) {
  return set_values(c, allowed::SetFloat64, {Type::real}, vr, n, v, nv);
}
fmi3Status fmi3SetInt64(fmi3Instance c, const fmi3ValueReference vr[], size_t n,
                        const fmi3Int64 v[], size_t nv) {
  return set_values(c, allowed::SetInt64, {Type::integer, Type::enumeration}, vr, n, v, nv);
}
fmi3Status fmi3SetBoolean(fmi3Instance c, const fmi3ValueReference vr[], size_t n,
                          const fmi3Boolean v[], size_t nv) {
  return set_values(c, allowed::SetBoolean, {Type::boolean}, vr, n, v, nv);
}

// Types that no variable of an exported model has.
#define MECHFMU_NO_VARIABLES_OF(NAME)                                                          \
  fmi3Status fmi3Get##NAME(fmi3Instance c, const fmi3ValueReference[], size_t n, fmi3##NAME[], \
                           size_t) {                                                           \
    if (n == 0) return call(c, {"fmi3Get" #NAME, allowed::reading}, [](Instance&) {});         \
    return refuse(c, "fmi3Get" #NAME, no_type);                                                \
  }                                                                                            \
  fmi3Status fmi3Set##NAME(fmi3Instance c, const fmi3ValueReference[], size_t n,               \
                           const fmi3##NAME[], size_t) {                                       \
    if (n == 0) return call(c, {"fmi3Set" #NAME, allowed::writing}, [](Instance&) {});         \
    return refuse(c, "fmi3Set" #NAME, no_type);                                                \
  }
MECHFMU_NO_VARIABLES_OF(Float32)
MECHFMU_NO_VARIABLES_OF(Int8)
MECHFMU_NO_VARIABLES_OF(UInt8)
MECHFMU_NO_VARIABLES_OF(Int16)
MECHFMU_NO_VARIABLES_OF(UInt16)
MECHFMU_NO_VARIABLES_OF(Int32)
MECHFMU_NO_VARIABLES_OF(UInt32)
MECHFMU_NO_VARIABLES_OF(UInt64)
MECHFMU_NO_VARIABLES_OF(String)
#undef MECHFMU_NO_VARIABLES_OF

fmi3Status fmi3GetBinary(fmi3Instance c, const fmi3ValueReference[], size_t, size_t[], fmi3Binary[],
                         size_t) {
  return refuse(c, "fmi3GetBinary", no_type);
}
fmi3Status fmi3SetBinary(fmi3Instance c, const fmi3ValueReference[], size_t, const size_t[],
                         const fmi3Binary[], size_t) {
  return refuse(c, "fmi3SetBinary", no_type);
}
fmi3Status fmi3GetClock(fmi3Instance c, const fmi3ValueReference[], size_t, fmi3Clock[]) {
  return refuse(c, "fmi3GetClock", no_clocks);
}
fmi3Status fmi3SetClock(fmi3Instance c, const fmi3ValueReference[], size_t, const fmi3Clock[]) {
  return refuse(c, "fmi3SetClock", no_clocks);
}
fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance c, fmi3ValueReference, size_t*) {
  return refuse(c, "fmi3GetNumberOfVariableDependencies",
                "is not available: see the model description");
}
fmi3Status fmi3GetVariableDependencies(fmi3Instance c, fmi3ValueReference, size_t[],
                                       fmi3ValueReference[], size_t[], fmi3DependencyKind[],
                                       size_t) {
  return refuse(c, "fmi3GetVariableDependencies", "is not available: see the model description");
}

fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState* state) {
  return call(c, allowed::GetFMUState, [&](Instance& i) { get_state(i, state); });
}
fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState state) {
  return call(c, allowed::SetFMUState,
              [&](Instance& i) { set_state(i, state, saved_phases(*component_of(c))); });
}
fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3FMUState* state) {
  return call(c, allowed::FreeFMUState, [&](Instance&) { free_state(state); });
}
fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, fmi3FMUState state, size_t* size) {
  return call(c, allowed::SerializedFMUStateSize, [&](Instance& i) { state_size(i, state, size); });
}
fmi3Status fmi3SerializeFMUState(fmi3Instance c, fmi3FMUState state, fmi3Byte bytes[],
                                 size_t size) {
  return call(c, allowed::SerializeFMUState,
              [&](Instance& i) { serialize_state(i, state, bytes, size); });
}
fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const fmi3Byte bytes[], size_t size,
                                   fmi3FMUState* state) {
  return call(c, allowed::DeserializeFMUState,
              [&](Instance& i) { deserialize_state(i, bytes, size, state); });
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance c, const fmi3ValueReference unknowns[],
                                        size_t nUnknowns, const fmi3ValueReference knowns[],
                                        size_t nKnowns, const fmi3Float64 seed[], size_t nSeed,
                                        fmi3Float64 sensitivity[], size_t nSensitivity) {
  return call(c, allowed::GetDirectionalDerivative, [&](Instance& instance) {
    const auto unknown = numbers(instance, unknowns, nUnknowns);
    const auto known = numbers(instance, knowns, nKnowns);
    require_count(nSeed, known.size());
    require_count(nSensitivity, unknown.size());
    require((nSeed == 0 || seed != nullptr) && (nSensitivity == 0 || sensitivity != nullptr),
            "an array is missing");
    std::vector<double> result;
    instance.directional_derivative(unknown, known, {seed, seed + nSeed}, result);
    std::copy(result.begin(), result.end(), sensitivity);
  });
}
fmi3Status fmi3GetAdjointDerivative(fmi3Instance c, const fmi3ValueReference unknowns[],
                                    size_t nUnknowns, const fmi3ValueReference knowns[],
                                    size_t nKnowns, const fmi3Float64 seed[], size_t nSeed,
                                    fmi3Float64 sensitivity[], size_t nSensitivity) {
  return call(c, allowed::GetAdjointDerivative, [&](Instance& instance) {
    const auto unknown = numbers(instance, unknowns, nUnknowns);
    const auto known = numbers(instance, knowns, nKnowns);
    require_count(nSeed, unknown.size());
    require_count(nSensitivity, known.size());
    require((nSeed == 0 || seed != nullptr) && (nSensitivity == 0 || sensitivity != nullptr),
            "an array is missing");
    std::vector<double> result;
    instance.adjoint_derivative(unknown, known, {seed, seed + nSeed}, result);
    std::copy(result.begin(), result.end(), sensitivity);
  });
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance c, const fmi3ValueReference vr[], size_t n,
                                    const fmi3Int32 orders[], fmi3Float64 values[],
                                    size_t nValues) {
  return call(c, allowed::GetOutputDerivatives, [&](Instance& instance) {
    require(n == 0 || (vr != nullptr && orders != nullptr && values != nullptr),
            "an array is missing");
    require_count(nValues, n);
    instance.output_derivatives({vr, n}, {orders, n}, {values, n});
  });
}

fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 t, fmi3Float64 H,
                      fmi3Boolean /*noSetFMUStatePriorToCurrentPoint*/,
                      fmi3Boolean* eventHandlingNeeded, fmi3Boolean* terminateSimulation,
                      fmi3Boolean* earlyReturn, fmi3Float64* lastSuccessfulTime) {
  return call(c, allowed::DoStep, [&](Instance& instance) {
    require(eventHandlingNeeded != nullptr && terminateSimulation != nullptr &&
                earlyReturn != nullptr && lastSuccessfulTime != nullptr,
            "fmi3DoStep: an address for a result is missing");
    *eventHandlingNeeded = *terminateSimulation = *earlyReturn = fmi3False;
    *lastSuccessfulTime = instance.time();
    IntermediateUpdate observer(*component_of(c));
    StepObserver* told = component_of(c)->intermediate_update != nullptr ? &observer : nullptr;
    const Instance::Step step = instance.do_step(t, H, false, told);
    *earlyReturn = step.early;
    *lastSuccessfulTime = step.reached;
  });
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean* discreteStatesNeedUpdate,
                                    fmi3Boolean* terminateSimulation,
                                    fmi3Boolean* nominalsOfContinuousStatesChanged,
                                    fmi3Boolean* valuesOfContinuousStatesChanged,
                                    fmi3Boolean* nextEventTimeDefined, fmi3Float64* nextEventTime) {
  return call(c, allowed::UpdateDiscreteStates, [&](Instance&) {
    for (fmi3Boolean* flag :
         {discreteStatesNeedUpdate, terminateSimulation, nominalsOfContinuousStatesChanged,
          valuesOfContinuousStatesChanged, nextEventTimeDefined})
      if (flag != nullptr) *flag = fmi3False;
    if (nextEventTime != nullptr) *nextEventTime = 0;
  });
}
fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance c) {
  return refuse(c, "fmi3EvaluateDiscreteStates",
                "is not available: the model has no discrete states");
}
fmi3Status fmi3EnterConfigurationMode(fmi3Instance c) {
  return refuse(c, "fmi3EnterConfigurationMode",
                "is not available: the model has no structural parameters");
}
fmi3Status fmi3ExitConfigurationMode(fmi3Instance c) {
  return refuse(c, "fmi3ExitConfigurationMode",
                "is not available: the model has no structural parameters");
}

// --- clocks, model exchange, scheduled execution ---

fmi3Status fmi3GetIntervalDecimal(fmi3Instance c, const fmi3ValueReference[], size_t, fmi3Float64[],
                                  fmi3IntervalQualifier[]) {
  return refuse(c, "fmi3GetIntervalDecimal", no_clocks);
}
fmi3Status fmi3GetIntervalFraction(fmi3Instance c, const fmi3ValueReference[], size_t, fmi3UInt64[],
                                   fmi3UInt64[], fmi3IntervalQualifier[]) {
  return refuse(c, "fmi3GetIntervalFraction", no_clocks);
}
fmi3Status fmi3GetShiftDecimal(fmi3Instance c, const fmi3ValueReference[], size_t, fmi3Float64[]) {
  return refuse(c, "fmi3GetShiftDecimal", no_clocks);
}
fmi3Status fmi3GetShiftFraction(fmi3Instance c, const fmi3ValueReference[], size_t, fmi3UInt64[],
                                fmi3UInt64[]) {
  return refuse(c, "fmi3GetShiftFraction", no_clocks);
}
fmi3Status fmi3SetIntervalDecimal(fmi3Instance c, const fmi3ValueReference[], size_t,
                                  const fmi3Float64[]) {
  return refuse(c, "fmi3SetIntervalDecimal", no_clocks);
}
fmi3Status fmi3SetIntervalFraction(fmi3Instance c, const fmi3ValueReference[], size_t,
                                   const fmi3UInt64[], const fmi3UInt64[]) {
  return refuse(c, "fmi3SetIntervalFraction", no_clocks);
}
fmi3Status fmi3SetShiftDecimal(fmi3Instance c, const fmi3ValueReference[], size_t,
                               const fmi3Float64[]) {
  return refuse(c, "fmi3SetShiftDecimal", no_clocks);
}
fmi3Status fmi3SetShiftFraction(fmi3Instance c, const fmi3ValueReference[], size_t,
                                const fmi3UInt64[], const fmi3UInt64[]) {
  return refuse(c, "fmi3SetShiftFraction", no_clocks);
}
fmi3Status fmi3ActivateModelPartition(fmi3Instance c, fmi3ValueReference, fmi3Float64) {
  return refuse(c, "fmi3ActivateModelPartition",
                "belongs to scheduled execution, which this FMU does not have");
}
fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance c) {
  return refuse(c, "fmi3EnterContinuousTimeMode", no_exchange);
}
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, fmi3Boolean, fmi3Boolean*, fmi3Boolean*) {
  return refuse(c, "fmi3CompletedIntegratorStep", no_exchange);
}
fmi3Status fmi3SetTime(fmi3Instance c, fmi3Float64) {
  return refuse(c, "fmi3SetTime", no_exchange);
}
fmi3Status fmi3SetContinuousStates(fmi3Instance c, const fmi3Float64[], size_t) {
  return refuse(c, "fmi3SetContinuousStates", no_exchange);
}
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance c, fmi3Float64[], size_t) {
  return refuse(c, "fmi3GetContinuousStateDerivatives", no_exchange);
}
fmi3Status fmi3GetEventIndicators(fmi3Instance c, fmi3Float64[], size_t) {
  return refuse(c, "fmi3GetEventIndicators", no_exchange);
}
fmi3Status fmi3GetContinuousStates(fmi3Instance c, fmi3Float64[], size_t) {
  return refuse(c, "fmi3GetContinuousStates", no_exchange);
}
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance c, fmi3Float64[], size_t) {
  return refuse(c, "fmi3GetNominalsOfContinuousStates", no_exchange);
}
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t*) {
  return refuse(c, "fmi3GetNumberOfEventIndicators", no_exchange);
}
fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t*) {
  return refuse(c, "fmi3GetNumberOfContinuousStates", no_exchange);
}

}  // extern "C"
