// A small importer: loads the binary of an FMU as any other program would, and drives it by either
// version of FMI. Fmi2 and Fmi3 have the same members, so that one test serves both.

#pragma once

#include <fmi2FunctionTypes.h>
#include <fmi3FunctionTypes.h>

#include <cfenv>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "model/description.h"

namespace mechfmu::tests {

/// The binary of a model: MECHFMU_LIBRARIES/<model>.so, by default from the build of this program.
std::filesystem::path library_path(const std::string& model);

/// Contents of the model description, from the table from which it is written.
struct Model {
  explicit Model(const std::string& name);

  std::uint32_t reference(const std::string& variable) const;
  std::vector<std::uint32_t> references(Causality causality) const;

  std::string name;
  Description description;
  std::string token;
};

/// The floating-point mode of the thread: rounding, traps and the control bits of SSE.
struct FloatingPointMode {
  int rounding = 0, traps = 0;
  unsigned control = 0;

  static FloatingPointMode now();
  bool operator==(const FloatingPointMode&) const = default;
};

/// Reports a failure when the floating-point mode has changed between its beginning and its end.
class KeepsFloatingPointMode {
 public:
  explicit KeepsFloatingPointMode(const char* function);
  KeepsFloatingPointMode(const KeepsFloatingPointMode&) = delete;
  KeepsFloatingPointMode& operator=(const KeepsFloatingPointMode&) = delete;
  ~KeepsFloatingPointMode();

 private:
  const char* function_;
  FloatingPointMode before_;
};

/// A function of a library; every call must leave the floating-point mode as it was.
template <class Type>
class Function {
 public:
  Function(Type* address, const char* name) : address_(address), name_(name) {}

  template <class... Arguments>
  auto operator()(Arguments... arguments) const {
    const KeepsFloatingPointMode watch(name_);
    return address_(arguments...);
  }
  Type* address() const { return address_; }

 private:
  Type* address_;
  const char* name_;
};

class Library {
 public:
  explicit Library(const std::filesystem::path& file);
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library();

  template <class Type>
  Function<Type> function(const char* name) const {
    return {reinterpret_cast<Type*>(find(name)), name};
  }

 private:
  void* find(const char* name) const;

  void* handle_;
};

/// Statuses have the same numbers in both versions.
enum : int { ok = 0, warning = 1, discard = 2, error = 3 };

using References = std::vector<std::uint32_t>;

/// Names of the functions that have the same arguments in both versions.
struct Names {
  const char *exit_initialization, *terminate, *reset, *free;
  const char *save, *restore, *forget, *state_size, *serialize, *deserialize;
};

/// Actions of these functions on an instance; Status and Byte are the types of the version.
template <class Status, class Byte>
class CommonFmi {
 public:
  CommonFmi(const Library& from, const Model& of, const Names& names);
  CommonFmi(const CommonFmi&) = delete;
  CommonFmi& operator=(const CommonFmi&) = delete;

  bool exists() const { return instance != nullptr; }
  int exit_initialization() const { return call(names_.exit_initialization); }
  int terminate() const { return call(names_.terminate); }
  int reset() const { return call(names_.reset); }
  int save(void** state) const { return save_(instance, state); }
  int restore(void* state) const { return restore_(instance, state); }
  int forget(void** state) const { return forget_(instance, state); }
  int serialize(void* state, std::vector<char>& bytes) const;
  int deserialize(const std::vector<char>& bytes, void** state) const;

  const Library& library;
  const Model& model;
  void* instance = nullptr;
  std::vector<std::string> messages;

 protected:
  ~CommonFmi() = default;
  void free() const { library.function<void(void*)>(names_.free)(instance); }

 private:
  int call(const char* name) const { return library.function<Status(void*)>(name)(instance); }

  Names names_;
  Function<Status(void*, void**)> save_, forget_;
  Function<Status(void*, void*)> restore_;
};

/// One instance, by FMI 2.0.
class Fmi2 : public CommonFmi<fmi2Status, char> {
 public:
  Fmi2(const Library& from, const Model& of, const char* name = "instance");
  ~Fmi2() { free(); }

  int enter_initialization(double start = 0) const;
  int initialize(double start = 0) const;
  int get(const References& references, double* values) const;
  int set(std::uint32_t reference, double value) const;
  int set_integer(std::uint32_t reference, int value) const;
  int step(double t, double H) const;

 private:
  Function<fmi2GetRealTYPE> get_;
  Function<fmi2SetRealTYPE> set_;
  Function<fmi2DoStepTYPE> step_;
  fmi2CallbackFunctions callbacks_{};
};

/// One instance, by FMI 3.0.
class Fmi3 : public CommonFmi<fmi3Status, fmi3Byte> {
 public:
  /// `inside_step` is called before every substep (false) and after it (true).
  explicit Fmi3(const Library& from, const Model& of, const char* name = "instance",
                bool event_mode = false, std::function<void(bool)> inside_step = {});
  ~Fmi3() { free(); }

  int enter_initialization(double start = 0) const;
  int initialize(double start = 0) const;
  int get(const References& references, double* values) const;
  int set(std::uint32_t reference, double value) const;
  int set_integer(std::uint32_t reference, int value) const;
  int step(double t, double H) const;

  std::function<void(bool)> inside;

 private:
  Function<fmi3GetFloat64TYPE> get_;
  Function<fmi3SetFloat64TYPE> set_;
  Function<fmi3DoStepTYPE> step_;
};

/// Scalar outputs and time; each value has its own reference in both versions.
References outputs(const Model& model);

/// Outputs at `steps` communication points after `start`, with inputs that change from step to
/// step; empty if a call fails.
template <class Fmi>
std::vector<double> trajectory(Fmi& fmi, double start, int steps, double H, double phase = 0);

/// Runs a function in a separate process; returns its result, or "signal 11".
std::string in_child(const std::function<int()>& body);

/// Memory that the process occupies, in kilobytes.
long resident_memory();

bool sanitized();

}  // namespace mechfmu::tests
