#include "tests/fmu_src/importer.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "models/registry.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace mechfmu::tests {

namespace fs = std::filesystem;

fs::path library_path(const std::string& model) {
  const char* folder = std::getenv("MECHFMU_LIBRARIES");
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  return (folder != nullptr ? fs::path(folder) : here.parent_path() / "models") / (model + ".so");
}

// --- model ---

Model::Model(const std::string& model_name)
    : name(model_name),
      description(describe(name, *models::make(name))),
      token(mechfmu::token(description)) {}

std::uint32_t Model::reference(const std::string& variable) const {
  const std::size_t i = description.find(variable);
  if (i == description.entries.size()) throw std::out_of_range("no variable " + variable);
  return description.entries[i].first;
}

References Model::references(Causality causality) const {
  References all;
  for (const Entry& e : description.entries)
    if (e.causality == causality && e.type == Type::real && !e.vector) all.push_back(e.first);
  return all;
}

References outputs(const Model& model) {
  References all = model.references(Causality::output);
  all.push_back(model.reference("time"));
  return all;
}

// --- floating-point mode ---

FloatingPointMode FloatingPointMode::now() {
  FloatingPointMode mode{std::fegetround(), fegetexcept(), 0};
#if defined(__x86_64__)
  mode.control = _mm_getcsr() & ~0x3FU;  // without the flags that any operation may raise
#endif
  return mode;
}

KeepsFloatingPointMode::KeepsFloatingPointMode(const char* function)
    : function_(function), before_(FloatingPointMode::now()) {}

KeepsFloatingPointMode::~KeepsFloatingPointMode() {
  if (FloatingPointMode::now() != before_)
    ADD_FAILURE() << function_ << " changed the floating-point mode";
}

// --- library ---

Library::Library(const fs::path& file) : handle_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) throw std::runtime_error(dlerror());
}

Library::~Library() { dlclose(handle_); }

void* Library::find(const char* name) const {
  void* found = dlsym(handle_, name);
  if (found == nullptr) throw std::runtime_error(dlerror());
  return found;
}

// --- both versions ---

template <class Status, class Byte>
CommonFmi<Status, Byte>::CommonFmi(const Library& from, const Model& of, const Names& names)
    : library(from),
      model(of),
      names_(names),
      save_(from.function<Status(void*, void**)>(names.save)),
      forget_(from.function<Status(void*, void**)>(names.forget)),
      restore_(from.function<Status(void*, void*)>(names.restore)) {}

template <class Status, class Byte>
int CommonFmi<Status, Byte>::serialize(void* state, std::vector<char>& bytes) const {
  size_t size = 0;
  const int status =
      library.function<Status(void*, void*, size_t*)>(names_.state_size)(instance, state, &size);
  if (status != ok) return status;
  bytes.resize(size);
  return library.function<Status(void*, void*, Byte[], size_t)>(names_.serialize)(
      instance, state, reinterpret_cast<Byte*>(bytes.data()), size);
}

template <class Status, class Byte>
int CommonFmi<Status, Byte>::deserialize(const std::vector<char>& bytes, void** state) const {
  return library.function<Status(void*, const Byte[], size_t, void**)>(names_.deserialize)(
      instance, reinterpret_cast<const Byte*>(bytes.data()), bytes.size(), state);
}

template class CommonFmi<fmi2Status, char>;
template class CommonFmi<fmi3Status, fmi3Byte>;

// --- FMI 2.0 ---

namespace {

constexpr Names names2 = {.exit_initialization = "fmi2ExitInitializationMode",
                          .terminate = "fmi2Terminate",
                          .reset = "fmi2Reset",
                          .free = "fmi2FreeInstance",
                          .save = "fmi2GetFMUstate",
                          .restore = "fmi2SetFMUstate",
                          .forget = "fmi2FreeFMUstate",
                          .state_size = "fmi2SerializedFMUstateSize",
                          .serialize = "fmi2SerializeFMUstate",
                          .deserialize = "fmi2DeSerializeFMUstate"};

void log2(fmi2ComponentEnvironment environment, fmi2String, fmi2Status, fmi2String, fmi2String form,
          ...) {
  std::array<char, 1000> text{};
  va_list arguments;
  va_start(arguments, form);
  std::vsnprintf(text.data(), text.size(), form, arguments);
  va_end(arguments);
  static_cast<Fmi2*>(environment)->messages.emplace_back(text.data());
}

}  // namespace

Fmi2::Fmi2(const Library& from, const Model& of, const char* name)
    : CommonFmi(from, of, names2),
      get_(from.function<fmi2GetRealTYPE>("fmi2GetReal")),
      set_(from.function<fmi2SetRealTYPE>("fmi2SetReal")),
      step_(from.function<fmi2DoStepTYPE>("fmi2DoStep")) {
  callbacks_ = {log2, nullptr, nullptr, nullptr, this};
  instance = library.function<fmi2InstantiateTYPE>("fmi2Instantiate")(
      name, fmi2CoSimulation, model.token.c_str(), "file:///", &callbacks_, fmi2False, fmi2False);
}

int Fmi2::enter_initialization(double start) const {
  const int status = library.function<fmi2SetupExperimentTYPE>("fmi2SetupExperiment")(
      instance, fmi2False, 0.0, start, fmi2False, 0.0);
  if (status != ok) return status;
  return library.function<fmi2EnterInitializationModeTYPE>("fmi2EnterInitializationMode")(instance);
}

int Fmi2::initialize(double start) const {
  const int status = enter_initialization(start);
  return status == ok ? exit_initialization() : status;
}

int Fmi2::get(const References& references, double* values) const {
  return get_(instance, references.data(), references.size(), values);
}

int Fmi2::set(std::uint32_t reference, double value) const {
  return set_(instance, &reference, size_t{1}, &value);
}

int Fmi2::set_integer(std::uint32_t reference, int value) const {
  return library.function<fmi2SetIntegerTYPE>("fmi2SetInteger")(instance, &reference, size_t{1},
                                                                &value);
}

int Fmi2::step(double t, double H) const { return step_(instance, t, H, fmi2False); }

// --- FMI 3.0 ---

namespace {

constexpr Names names3 = {.exit_initialization = "fmi3ExitInitializationMode",
                          .terminate = "fmi3Terminate",
                          .reset = "fmi3Reset",
                          .free = "fmi3FreeInstance",
                          .save = "fmi3GetFMUState",
                          .restore = "fmi3SetFMUState",
                          .forget = "fmi3FreeFMUState",
                          .state_size = "fmi3SerializedFMUStateSize",
                          .serialize = "fmi3SerializeFMUState",
                          .deserialize = "fmi3DeserializeFMUState"};

void log3(fmi3InstanceEnvironment environment, fmi3Status, fmi3String, fmi3String message) {
  static_cast<Fmi3*>(environment)->messages.emplace_back(message);
}

void update3(fmi3InstanceEnvironment environment, fmi3Float64, fmi3Boolean, fmi3Boolean,
             fmi3Boolean finished, fmi3Boolean, fmi3Boolean* return_requested, fmi3Float64*) {
  static_cast<Fmi3*>(environment)->inside(finished);
  *return_requested = fmi3False;
}

}  // namespace

Fmi3::Fmi3(const Library& from, const Model& of, const char* name, bool event_mode,
           std::function<void(bool)> inside_step)
    : CommonFmi(from, of, names3),
      inside(std::move(inside_step)),
      get_(from.function<fmi3GetFloat64TYPE>("fmi3GetFloat64")),
      set_(from.function<fmi3SetFloat64TYPE>("fmi3SetFloat64")),
      step_(from.function<fmi3DoStepTYPE>("fmi3DoStep")) {
  References required = outputs(model);
  for (const std::uint32_t input : model.references(Causality::input)) required.push_back(input);
  instance = library.function<fmi3InstantiateCoSimulationTYPE>("fmi3InstantiateCoSimulation")(
      name, model.token.c_str(), "/", fmi3False, fmi3False, event_mode, fmi3True, required.data(),
      required.size(), this, log3, inside ? update3 : nullptr);
}

int Fmi3::enter_initialization(double start) const {
  return library.function<fmi3EnterInitializationModeTYPE>("fmi3EnterInitializationMode")(
      instance, fmi3False, 0.0, start, fmi3False, 0.0);
}

int Fmi3::initialize(double start) const {
  const int status = enter_initialization(start);
  return status == ok ? exit_initialization() : status;
}

int Fmi3::get(const References& references, double* values) const {
  return get_(instance, references.data(), references.size(), values, references.size());
}

int Fmi3::set(std::uint32_t reference, double value) const {
  return set_(instance, &reference, size_t{1}, &value, size_t{1});
}

int Fmi3::set_integer(std::uint32_t reference, int value) const {
  const fmi3Int64 number = value;
  return library.function<fmi3SetInt64TYPE>("fmi3SetInt64")(instance, &reference, size_t{1},
                                                            &number, size_t{1});
}

int Fmi3::step(double t, double H) const {
  fmi3Boolean event = fmi3False;
  fmi3Boolean end = fmi3False;
  fmi3Boolean early = fmi3False;
  fmi3Float64 reached = 0;
  return step_(instance, t, H, fmi3False, &event, &end, &early, &reached);
}

// --- functions shared by the tests ---

template <class Fmi>
std::vector<double> trajectory(Fmi& fmi, double start, int steps, double H, double phase) {
  const References outputs = tests::outputs(fmi.model);
  const References inputs = fmi.model.references(Causality::input);
  const auto rows = static_cast<std::size_t>(steps);
  std::vector<double> all(rows * outputs.size());
  for (std::size_t i = 0; i < rows; ++i) {
    const double t = start + static_cast<double>(i) * H;
    for (const std::uint32_t input : inputs)
      if (fmi.set(input, std::sin(3 * t + phase)) != ok) return {};
    if (fmi.step(t, H) != ok) return {};
    if (fmi.get(outputs, all.data() + i * outputs.size()) != ok) return {};
  }
  return all;
}

template std::vector<double> trajectory(Fmi2&, double, int, double, double);
template std::vector<double> trajectory(Fmi3&, double, int, double, double);

std::string in_child(const std::function<int()>& body) {
  const bool failed_before = ::testing::Test::HasFailure();
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no new process");
  if (child == 0) {
    const int result = body();
    _exit(::testing::Test::HasFailure() && !failed_before ? 99 : result);
  }
  int how = 0;
  waitpid(child, &how, 0);
  return WIFEXITED(how) ? std::to_string(WEXITSTATUS(how))
                        : "signal " + std::to_string(WTERMSIG(how));
}

long resident_memory() {
  std::ifstream file("/proc/self/statm");
  long total = 0;
  long resident = 0;
  file >> total >> resident;
  return resident * sysconf(_SC_PAGESIZE) / 1024;
}

bool sanitized() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#else
  return false;
#endif
}

}  // namespace mechfmu::tests
