#include "tests/attack/unit.h"

#include <fmi2Functions.h>
#include <fmi3Functions.h>

#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace mechfmu::attack {

Bytes Unit::bytes() {
  void* state = nullptr;
  Bytes made;
  std::size_t size = 0;
  if (save(&state) != ok) return made;
  if (serialized_size(state, size) == ok) {
    made.resize(size);
    if (serialize(state, made.data(), size) != ok) made.clear();
  }
  forget(&state);
  return made;
}

int Unit::go_on_from(const Bytes& bytes) {
  void* state = nullptr;
  const int read = deserialize(bytes.data(), bytes.size(), &state);
  if (read != ok) return read;
  const int status = restore(state);
  forget(&state);
  return status;
}

namespace {

void note(Unit& unit, int status, const char* text) {
  if (status == ok) return;
  ++unit.messages;
  try {
    unit.last_message = text;
  } catch (const std::bad_alloc&) {  // memory is short on purpose
  }
}

/// Functions that have the same arguments in both versions.
struct Names {
  const char *exit, *terminate, *reset, *free;
  const char *save, *restore, *forget, *size, *serialize, *deserialize;
};

template <class Status, class Byte>
class Common : public Unit {
 public:
  bool exists() const { return instance_ != nullptr; }

  int exit_initialization() override { return exit_(instance_); }
  int terminate() override { return terminate_(instance_); }
  int reset() override { return reset_(instance_); }
  int save(void** state) override { return save_(instance_, state); }
  int restore(void* state) override { return restore_(instance_, state); }
  int forget(void** state) override { return forget_(instance_, state); }
  int serialized_size(void* state, std::size_t& size) override {
    return size_(instance_, state, &size);
  }
  int serialize(void* state, unsigned char* bytes, std::size_t size) override {
    return serialize_(instance_, state, reinterpret_cast<Byte*>(bytes), size);
  }
  int deserialize(const unsigned char* bytes, std::size_t size, void** state) override {
    return deserialize_(instance_, reinterpret_cast<const Byte*>(bytes), size, state);
  }

 protected:
  Common(const Fmu& fmu, const Names& names)
      : library_(fmu.library()),
        exit_(find<Status(void*)>(names.exit)),
        terminate_(find<Status(void*)>(names.terminate)),
        reset_(find<Status(void*)>(names.reset)),
        free_(find<void(void*)>(names.free)),
        save_(find<Status(void*, void**)>(names.save)),
        restore_(find<Status(void*, void*)>(names.restore)),
        forget_(find<Status(void*, void**)>(names.forget)),
        size_(find<Status(void*, void*, std::size_t*)>(names.size)),
        serialize_(find<Status(void*, void*, Byte*, std::size_t)>(names.serialize)),
        deserialize_(find<Status(void*, const Byte*, std::size_t, void**)>(names.deserialize)) {}
  /// Called by the destructors of the classes that own the callbacks.
  void free() const {
    if (instance_ != nullptr) free_(instance_);
  }
  template <class Type>
  Type* find(const char* name) const {
    return library_->function<Type>(name);
  }

  void* instance_ = nullptr;

 private:
  std::shared_ptr<Library> library_;
  Status (*exit_)(void*);
  Status (*terminate_)(void*);
  Status (*reset_)(void*);
  void (*free_)(void*);
  Status (*save_)(void*, void**);
  Status (*restore_)(void*, void*);
  Status (*forget_)(void*, void**);
  Status (*size_)(void*, void*, std::size_t*);
  Status (*serialize_)(void*, void*, Byte*, std::size_t);
  Status (*deserialize_)(void*, const Byte*, std::size_t, void**);
};

class Unit2 final : public Common<fmi2Status, fmi2Byte> {
 public:
  explicit Unit2(const Fmu& fmu)
      : Common(fmu,
               {"fmi2ExitInitializationMode", "fmi2Terminate", "fmi2Reset", "fmi2FreeInstance",
                "fmi2GetFMUstate", "fmi2SetFMUstate", "fmi2FreeFMUstate",
                "fmi2SerializedFMUstateSize", "fmi2SerializeFMUstate", "fmi2DeSerializeFMUstate"}),
        callbacks_{log, std::calloc, std::free, nullptr, this} {
    const FmuDescription& d = fmu.description();
    const std::string resources = "file://" + (fmu.folder() / "resources").string();
    instance_ = find<fmi2InstantiateTYPE>("fmi2Instantiate")("attacked", fmi2CoSimulation,
                                                             d.token.c_str(), resources.c_str(),
                                                             &callbacks_, fmi2False, fmi2True);
  }
  ~Unit2() override { free(); }

  int enter_initialization(double start, bool has_stop, double stop, bool has_tolerance,
                           double tolerance) override {
    const int status = setup_(instance_, has_tolerance, tolerance, start, has_stop, stop);
    return status > warning ? status : enter_(instance_);
  }
  int step(double t, double H) override { return step_(instance_, t, H, fmi2True); }
  int get(const std::uint32_t* references, std::size_t n, double* values) override {
    return get_(instance_, references, n, values);
  }
  int set(const std::uint32_t* references, std::size_t n, const double* values) override {
    return set_(instance_, references, n, values);
  }
  int get_whole(std::uint32_t reference, std::int64_t& value) override {
    fmi2Integer number = 0;
    const int status = get_integer_(instance_, &reference, 1, &number);
    value = number;
    return status;
  }
  int set_whole(std::uint32_t reference, std::int64_t value) override {
    const auto number = static_cast<fmi2Integer>(value);
    return set_integer_(instance_, &reference, 1, &number);
  }
  int input_derivatives(const References& of, const std::vector<int>& orders,
                        const std::vector<double>& values) override {
    return input_derivatives_(instance_, of.data(), of.size(), orders.data(), values.data());
  }
  int output_derivatives(const References& of, const std::vector<int>& orders,
                         std::vector<double>& values) override {
    return output_derivatives_(instance_, of.data(), of.size(), orders.data(), values.data());
  }
  int directional_derivative(const References& unknowns, const References& knowns,
                             const std::vector<double>& seed,
                             std::vector<double>& sensitivity) override {
    return directional_(instance_, unknowns.data(), unknowns.size(), knowns.data(), knowns.size(),
                        seed.data(), sensitivity.data());
  }

 private:
  static void log(fmi2ComponentEnvironment environment, fmi2String, fmi2Status status, fmi2String,
                  fmi2String format, ...) {
    std::array<char, 500> text{};
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text.data(), text.size(), format, arguments);
    va_end(arguments);
    note(*static_cast<Unit2*>(environment), status, text.data());
  }

  fmi2CallbackFunctions callbacks_;
  fmi2SetupExperimentTYPE* setup_ = find<fmi2SetupExperimentTYPE>("fmi2SetupExperiment");
  fmi2EnterInitializationModeTYPE* enter_ =
      find<fmi2EnterInitializationModeTYPE>("fmi2EnterInitializationMode");
  fmi2DoStepTYPE* step_ = find<fmi2DoStepTYPE>("fmi2DoStep");
  fmi2GetRealTYPE* get_ = find<fmi2GetRealTYPE>("fmi2GetReal");
  fmi2SetRealTYPE* set_ = find<fmi2SetRealTYPE>("fmi2SetReal");
  fmi2GetIntegerTYPE* get_integer_ = find<fmi2GetIntegerTYPE>("fmi2GetInteger");
  fmi2SetIntegerTYPE* set_integer_ = find<fmi2SetIntegerTYPE>("fmi2SetInteger");
  fmi2SetRealInputDerivativesTYPE* input_derivatives_ =
      find<fmi2SetRealInputDerivativesTYPE>("fmi2SetRealInputDerivatives");
  fmi2GetRealOutputDerivativesTYPE* output_derivatives_ =
      find<fmi2GetRealOutputDerivativesTYPE>("fmi2GetRealOutputDerivatives");
  fmi2GetDirectionalDerivativeTYPE* directional_ =
      find<fmi2GetDirectionalDerivativeTYPE>("fmi2GetDirectionalDerivative");
};

class Unit3 final : public Common<fmi3Status, fmi3Byte> {
 public:
  Unit3(const Fmu& fmu, bool event_mode)
      : Common(fmu,
               {"fmi3ExitInitializationMode", "fmi3Terminate", "fmi3Reset", "fmi3FreeInstance",
                "fmi3GetFMUState", "fmi3SetFMUState", "fmi3FreeFMUState",
                "fmi3SerializedFMUStateSize", "fmi3SerializeFMUState", "fmi3DeserializeFMUState"}) {
    const FmuDescription& d = fmu.description();
    const std::string resources = (fmu.folder() / "resources").string() + "/";
    instance_ = find<fmi3InstantiateCoSimulationTYPE>("fmi3InstantiateCoSimulation")(
        "attacked", d.token.c_str(), resources.c_str(), fmi3False, fmi3True, event_mode, fmi3False,
        nullptr, 0, this, log, nullptr);
  }
  ~Unit3() override { free(); }

  int enter_initialization(double start, bool has_stop, double stop, bool has_tolerance,
                           double tolerance) override {
    return enter_(instance_, has_tolerance, tolerance, start, has_stop, stop);
  }
  int enter_event_mode() override { return event_(instance_); }
  int enter_step_mode() override { return step_mode_(instance_); }
  int step(double t, double H) override {
    fmi3Boolean event = fmi3False;
    fmi3Boolean end = fmi3False;
    fmi3Boolean early = fmi3False;
    fmi3Float64 reached = t;
    return step_(instance_, t, H, fmi3True, &event, &end, &early, &reached);
  }
  int get(const std::uint32_t* references, std::size_t n, double* values) override {
    return get_(instance_, references, n, values, n);
  }
  int set(const std::uint32_t* references, std::size_t n, const double* values) override {
    return set_(instance_, references, n, values, n);
  }
  int get_whole(std::uint32_t reference, std::int64_t& value) override {
    return get_integer_(instance_, &reference, 1, &value, 1);
  }
  int set_whole(std::uint32_t reference, std::int64_t value) override {
    return set_integer_(instance_, &reference, 1, &value, 1);
  }
  int output_derivatives(const References& of, const std::vector<int>& orders,
                         std::vector<double>& values) override {
    return output_derivatives_(instance_, of.data(), of.size(), orders.data(), values.data(),
                               values.size());
  }
  int directional_derivative(const References& unknowns, const References& knowns,
                             const std::vector<double>& seed,
                             std::vector<double>& sensitivity) override {
    return directional_(instance_, unknowns.data(), unknowns.size(), knowns.data(), knowns.size(),
                        seed.data(), seed.size(), sensitivity.data(), sensitivity.size());
  }

 private:
  static void log(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String,
                  fmi3String message) {
    note(*static_cast<Unit3*>(environment), status, message);
  }

  fmi3EnterInitializationModeTYPE* enter_ =
      find<fmi3EnterInitializationModeTYPE>("fmi3EnterInitializationMode");
  fmi3EnterEventModeTYPE* event_ = find<fmi3EnterEventModeTYPE>("fmi3EnterEventMode");
  fmi3EnterStepModeTYPE* step_mode_ = find<fmi3EnterStepModeTYPE>("fmi3EnterStepMode");
  fmi3DoStepTYPE* step_ = find<fmi3DoStepTYPE>("fmi3DoStep");
  fmi3GetFloat64TYPE* get_ = find<fmi3GetFloat64TYPE>("fmi3GetFloat64");
  fmi3SetFloat64TYPE* set_ = find<fmi3SetFloat64TYPE>("fmi3SetFloat64");
  fmi3GetInt64TYPE* get_integer_ = find<fmi3GetInt64TYPE>("fmi3GetInt64");
  fmi3SetInt64TYPE* set_integer_ = find<fmi3SetInt64TYPE>("fmi3SetInt64");
  fmi3GetOutputDerivativesTYPE* output_derivatives_ =
      find<fmi3GetOutputDerivativesTYPE>("fmi3GetOutputDerivatives");
  fmi3GetDirectionalDerivativeTYPE* directional_ =
      find<fmi3GetDirectionalDerivativeTYPE>("fmi3GetDirectionalDerivative");
};

}  // namespace

std::unique_ptr<Unit> make_unit(const Fmu& fmu, bool event_mode) {
  if (fmu.description().major == 2) {
    auto unit = std::make_unique<Unit2>(fmu);
    if (unit->exists()) return unit;
  } else {
    auto unit = std::make_unique<Unit3>(fmu, event_mode);
    if (unit->exists()) return unit;
  }
  return nullptr;
}

}  // namespace mechfmu::attack
