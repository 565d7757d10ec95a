// x' = gain·u, integrated exactly for inputs that are constant or, in FMI 2.0, linear in time: an
// FMU with known results, in both versions of FMI. Its parameters let it discard, fail, return
// early or end.
//
//   reals      0 u   1 x   2 gain   3 largest step   4 early: returns at its multiples   5 fails beyond this time
//              6 ends at this time   7 size of the last step asked for   8, 9 the array w   10, 11 the array v, v' = w
//   integers   20 status of the failure   21 number of steps   22 n, an input, x' = gain·u + n
//   Booleans   30 on, an input: else x stands still     strings   40 label, which is logged

#include <fmi2Functions.h>
#include <fmi3Functions.h>

#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace {

struct Values {
  std::array<double, 12> real{0, 0, 1};
  std::array<int, 3> integer{3, 0, 0};
  bool on = true;
  double slope = 0;  // of u, for the next step
  double last_time = 0;
  bool ended = false;
};

struct Integrator {
  Values v;
  std::string label;
  std::function<void(int status, const std::string&)> log;
  bool failed = false;  // FMI 2.0: only a saved state helps
  std::unique_ptr<Values> saved;

  struct Step {
    int status = 0;
    bool early = false;
    double reached = 0;
  };

  Step step(double t, double h, bool may_return_early, bool discard_goes_part_of_the_way) {
    if (failed) return {3};
    const double largest = v.real[3];
    const double early = v.real[4];
    const double fails = v.real[5];
    const double ends = v.real[6];
    double end = t + h;
    v.real[7] = h;
    if (largest > 0 && h > largest) {
      log(2, "a step of " + std::to_string(h) + " is too large");
      if (discard_goes_part_of_the_way) {
        go(t, largest);
        failed = true;
      }
      return {2, false, v.last_time};
    }
    if (fails > 0 && end > fails) {
      const int status = v.integer[0];
      if (!label.empty()) log(status, label);
      return {status};
    }
    if (ends > 0 && end > ends) {
      end = ends;
      v.ended = true;
    }
    if (may_return_early && early > 0) {
      const double next = early * (std::floor(t / early + 1e-9) + 1);
      if (next < end - 1e-12) end = next;
    }
    const bool is_early = end < t + h;
    go(t, end - t);
    return {0, is_early, end};
  }

  void go(double t, double h) {
    auto& r = v.real;
    if (v.on) r[1] += r[2] * (r[0] * h + v.slope * h * h / 2) + v.integer[2] * h;
    r[10] += r[8] * h;
    r[11] += r[9] * h;
    r[0] += v.slope * h;
    v.slope = 0;
    ++v.integer[1];
    v.last_time = t + h;
  }
};

/// All living instances: after a fatal error they are not freed, and leak checkers find them here.
std::vector<std::unique_ptr<Integrator>>& alive() {
  static std::vector<std::unique_ptr<Integrator>> all;
  return all;
}

Integrator* make() { return alive().emplace_back(std::make_unique<Integrator>()).get(); }

void remove(void* instance) {
  std::erase_if(alive(), [&](const auto& one) { return one.get() == instance; });
}

Integrator& at(void* instance) { return *static_cast<Integrator*>(instance); }

constexpr const char* token = "integrator-1";

}  // namespace

// --- FMI 2.0 ---

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions* callbacks, fmi2Boolean, fmi2Boolean) {
  if (std::strcmp(guid, token) != 0) {
    callbacks->logger(callbacks->componentEnvironment, name, fmi2Error, "logStatusError",
                      "wrong guid '%s', 100%% sure", guid);
    return nullptr;
  }
  Integrator* made = make();
  made->log = [callbacks](int status, const std::string& text) {
    callbacks->logger(callbacks->componentEnvironment, "i", static_cast<fmi2Status>(status), "log",
                      "%s", text.c_str());
  };
  made->log(0, resources);
  return made;
}
void fmi2FreeInstance(fmi2Component c) { remove(c); }
fmi2Status fmi2SetupExperiment(fmi2Component, fmi2Boolean, fmi2Real, fmi2Real, fmi2Boolean,
                               fmi2Real) {
  return fmi2OK;
}
fmi2Status fmi2EnterInitializationMode(fmi2Component) { return fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component) { return fmi2OK; }
fmi2Status fmi2Terminate(fmi2Component) { return fmi2OK; }

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real values[]) {
  for (size_t i = 0; i < n; ++i) values[i] = at(c).v.real.at(r[i]);
  return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n,
                       const fmi2Real values[]) {
  for (size_t i = 0; i < n; ++i) {
    at(c).v.real.at(r[i]) = values[i];
    if (r[i] == 0) at(c).v.slope = 0;
    if (r[i] == 2 && values[i] < 0) {
      at(c).log(3, "a negative gain");
      return fmi2Error;
    }
  }
  return fmi2OK;
}
fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                       const fmi2Integer order[], const fmi2Real values[]) {
  if (n != 1 || r[0] != 0 || order[0] != 1) return fmi2Error;
  at(c).v.slope = values[0];
  return fmi2OK;
}
fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference r[], size_t n,
                          fmi2Integer values[]) {
  for (size_t i = 0; i < n; ++i) values[i] = at(c).v.integer.at(r[i] - 20);
  return fmi2OK;
}
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference r[], size_t n,
                          const fmi2Integer values[]) {
  for (size_t i = 0; i < n; ++i) at(c).v.integer.at(r[i] - 20) = values[i];
  return fmi2OK;
}
fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference[], size_t,
                          fmi2Boolean values[]) {
  values[0] = at(c).v.on;
  return fmi2OK;
}
fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference[], size_t,
                          const fmi2Boolean values[]) {
  at(c).v.on = values[0] != fmi2False;
  return fmi2OK;
}
fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference[], size_t,
                         const fmi2String values[]) {
  at(c).label = values[0];
  return fmi2OK;
}
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean) {
  const Integrator::Step step = at(c).step(t, h, false, true);
  if (step.status == 0 && step.early) {  // it has ended
    at(c).failed = true;
    return fmi2Discard;
  }
  return static_cast<fmi2Status>(step.status);
}
fmi2Status fmi2GetBooleanStatus(fmi2Component c, fmi2StatusKind, fmi2Boolean* value) {
  *value = at(c).v.ended;
  return fmi2OK;
}
fmi2Status fmi2GetRealStatus(fmi2Component c, fmi2StatusKind, fmi2Real* value) {
  *value = at(c).v.last_time;
  return fmi2OK;
}
fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
  at(c).saved = std::make_unique<Values>(at(c).v);
  *state = at(c).saved.get();
  return fmi2OK;
}
fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
  at(c).v = *static_cast<Values*>(state);
  at(c).failed = false;
  return fmi2OK;
}
fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* state) {
  at(c).saved.reset();
  *state = nullptr;
  return fmi2OK;
}

// --- FMI 3.0 ---

fmi3Instance fmi3InstantiateCoSimulation(fmi3String, fmi3String given, fmi3String resources,
                                         fmi3Boolean, fmi3Boolean, fmi3Boolean event_mode,
                                         fmi3Boolean, const fmi3ValueReference[], size_t,
                                         fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback) {
  if (std::strcmp(given, token) != 0 || event_mode) {
    log(environment, fmi3Error, "logStatusError", "wrong token");
    return nullptr;
  }
  Integrator* made = make();
  made->log = [environment, log](int status, const std::string& text) {
    log(environment, static_cast<fmi3Status>(status), "log", text.c_str());
  };
  made->log(0, resources);
  return made;
}
void fmi3FreeInstance(fmi3Instance c) { remove(c); }
fmi3Status fmi3EnterInitializationMode(fmi3Instance, fmi3Boolean, fmi3Float64, fmi3Float64,
                                       fmi3Boolean, fmi3Float64) {
  return fmi3OK;
}
fmi3Status fmi3ExitInitializationMode(fmi3Instance) { return fmi3OK; }
fmi3Status fmi3Terminate(fmi3Instance) { return fmi3OK; }

fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t n,
                          fmi3Float64 values[], size_t size) {
  size_t next = 0;
  for (size_t i = 0; i < n; ++i)
    for (size_t k = 0; k < (r[i] < 8 ? 1U : 2U); ++k) values[next++] = at(c).v.real.at(r[i] + k);
  return next == size ? fmi3OK : fmi3Error;
}
fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t n,
                          const fmi3Float64 values[], size_t size) {
  size_t next = 0;
  for (size_t i = 0; i < n; ++i)
    for (size_t k = 0; k < (r[i] < 8 ? 1U : 2U); ++k) at(c).v.real.at(r[i] + k) = values[next++];
  return next == size ? fmi3OK : fmi3Error;
}
fmi3Status fmi3GetInt16(fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3Int16 values[],
                        size_t) {
  for (size_t i = 0; i < n; ++i) values[i] = static_cast<fmi3Int16>(at(c).v.integer.at(r[i] - 20));
  return fmi3OK;
}
fmi3Status fmi3SetInt16(fmi3Instance c, const fmi3ValueReference r[], size_t n,
                        const fmi3Int16 values[], size_t) {
  for (size_t i = 0; i < n; ++i) at(c).v.integer.at(r[i] - 20) = values[i];
  return fmi3OK;
}
fmi3Status fmi3GetBoolean(fmi3Instance c, const fmi3ValueReference[], size_t, fmi3Boolean values[],
                          size_t) {
  values[0] = at(c).v.on;
  return fmi3OK;
}
fmi3Status fmi3SetBoolean(fmi3Instance c, const fmi3ValueReference[], size_t,
                          const fmi3Boolean values[], size_t) {
  at(c).v.on = values[0];
  return fmi3OK;
}
fmi3Status fmi3SetString(fmi3Instance c, const fmi3ValueReference[], size_t,
                         const fmi3String values[], size_t) {
  at(c).label = values[0];
  return fmi3OK;
}
fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 t, fmi3Float64 h, fmi3Boolean, fmi3Boolean* event,
                      fmi3Boolean* end, fmi3Boolean* early, fmi3Float64* reached) {
  const Integrator::Step step = at(c).step(t, h, true, false);
  *event = false;
  *end = at(c).v.ended;
  *early = step.early;
  *reached = step.reached;
  return static_cast<fmi3Status>(step.status);
}
