// What a small jump of the inputs costs: an FMU whose inputs change a little at every communication point against the same FMU
// with inputs that stay.
//
// Two instances take turns of a hundred steps, so that whatever else the machine does meets both alike; the CPU time of this
// process counts. bench/input_jumps.py finds the FMUs of examples/ and the size of the jumps in their loops.

#include <dlfcn.h>
#include <fmi2FunctionTypes.h>

#include <ctime>
#include <iostream>
#include <limits>

#include "bench/arguments.h"
#include "bench/table.h"

using namespace mechfmu;
using namespace mechfmu::bench;

namespace {

constexpr const char* help =
    "input_jumps LIBRARY --token T [options]   prints one line of JSON\n"
    "\n"
    "  --token T                 guid in the description of the FMU\n"
    "  --set REF=VALUE           a start value or parameter, as often as wanted\n"
    "  --inputs REF=VALUE=JUMP,… values of the inputs, and by how much they change\n"
    "  --h H                     communication step (default 1e-3)\n"
    "  --tolerance E             (default 1e-6)\n"
    "  --steps N                 of a run (default 1000)\n"
    "  --rounds R                runs of each instance; the fastest counts (default 10)\n"
    "  --only jumps|none         runs once with or without jumps: for counting instructions\n";

constexpr int steps_per_turn = 100;

void check(int status, const char* function) {
  if (status != 0)
    throw std::runtime_error(std::string(function) + " gave status " + std::to_string(status));
}

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Values of variables by their references.
struct Settings {
  std::vector<fmi2ValueReference> references;
  std::vector<double> values;

  void add(const std::string& reference, double value) {
    references.push_back(
        static_cast<fmi2ValueReference>(Arguments::to_number("reference", reference)));
    values.push_back(value);
  }
};

/// "12=0.5=1e-3" as {"12", "0.5", "1e-3"}.
std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

class Fmu {
 public:
  Fmu(const std::string& file, std::string token, Settings start, double h, double tolerance)
      : handle_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)),
        token_(std::move(token)),
        start_(std::move(start)),
        h_(h),
        tolerance_(tolerance) {
    if (handle_ == nullptr) throw BadArgument(dlerror());
    find(step_, "fmi2DoStep");
    find(set_, "fmi2SetReal");
    find(reset_, "fmi2Reset");
    find(setup_, "fmi2SetupExperiment");
    find(enter_, "fmi2EnterInitializationMode");
    find(exit_, "fmi2ExitInitializationMode");
    find(free_, "fmi2FreeInstance");
    fmi2InstantiateTYPE* instantiate = nullptr;
    find(instantiate, "fmi2Instantiate");
    instance_ = instantiate("plant", fmi2CoSimulation, token_.c_str(), nullptr, &callbacks_,
                            fmi2False, fmi2False);
    if (instance_ == nullptr) throw std::runtime_error("the binary is of another model or version");
  }
  Fmu(const Fmu&) = delete;
  Fmu& operator=(const Fmu&) = delete;
  ~Fmu() { free_(instance_); }

  void restart(const Settings& inputs) {
    k_ = 0;
    check(reset_(instance_), "fmi2Reset");
    set(start_);
    set(inputs);
    check(setup_(instance_, fmi2True, tolerance_, 0, fmi2False, 0), "fmi2SetupExperiment");
    check(enter_(instance_), "fmi2EnterInitializationMode");
    check(exit_(instance_), "fmi2ExitInitializationMode");
  }
  /// The inputs are set in any case, as masters do.
  void step(const Settings& inputs) {
    set(inputs);
    check(step_(instance_, static_cast<double>(k_++) * h_, h_, fmi2True), "fmi2DoStep");
  }

 private:
  void set(const Settings& s) {
    if (!s.values.empty())
      check(set_(instance_, s.references.data(), s.values.size(), s.values.data()), "fmi2SetReal");
  }
  template <class Type>
  void find(Type*& function, const char* name) const {
    function = reinterpret_cast<Type*>(dlsym(handle_, name));
    if (function == nullptr) throw std::runtime_error(dlerror());
  }

  void* handle_;  // for the whole run
  std::string token_;
  Settings start_;
  double h_, tolerance_;
  long k_ = 0;
  fmi2CallbackFunctions callbacks_{};
  fmi2DoStepTYPE* step_ = nullptr;
  fmi2SetRealTYPE* set_ = nullptr;
  fmi2ResetTYPE* reset_ = nullptr;
  fmi2SetupExperimentTYPE* setup_ = nullptr;
  fmi2EnterInitializationModeTYPE* enter_ = nullptr;
  fmi2ExitInitializationModeTYPE* exit_ = nullptr;
  fmi2FreeInstanceTYPE* free_ = nullptr;
  fmi2Component instance_ = nullptr;
};

int input_jumps(Arguments arguments) {
  if (arguments.flag("--help")) {
    std::cout << help;
    return 0;
  }
  const std::string token = arguments.text("--token").value_or("");
  Settings start;
  while (const auto setting = arguments.text("--set")) {
    const auto parts = split(*setting, '=');
    if (parts.size() != 2) throw BadArgument("--set " + *setting + ": REF=VALUE is expected");
    start.add(parts[0], Arguments::to_number("--set", parts[1]));
  }
  // At even steps as they are, at odd ones changed
  Settings inputs[2];
  for (const std::string& input : split(arguments.text("--inputs").value_or(""), ',')) {
    if (input.empty()) continue;
    const auto parts = split(input, '=');
    if (parts.size() != 3) throw BadArgument("--inputs " + input + ": REF=VALUE=JUMP is expected");
    const double value = Arguments::to_number("--inputs", parts[1]);
    inputs[0].add(parts[0], value);
    inputs[1].add(parts[0], value + Arguments::to_number("--inputs", parts[2]));
  }
  const double h = arguments.positive("--h").value_or(1e-3);
  const double tolerance = arguments.positive("--tolerance").value_or(1e-6);
  const int steps = arguments.count("--steps", 1'000'000'000).value_or(1000);
  const int rounds = arguments.count("--rounds", 1'000'000).value_or(10);
  const auto only = arguments.one_of("--only", {"jumps", "none"});
  const auto rest = arguments.rest();
  if (rest.size() != 1) throw BadArgument("name the binary of one FMU; see --help");

  Fmu plants[] = {{rest[0], token, start, h, tolerance}, {rest[0], token, start, h, tolerance}};
  // CPU seconds of steps from..to of an instance, with jumps or without
  const auto run = [&](int which, int from, int to) {
    const double begin = cpu_seconds();
    for (int k = from; k < to; ++k) plants[which].step(inputs[which == 1 ? (k % 2) : 0]);
    return cpu_seconds() - begin;
  };
  if (only) {
    const int which = *only == "jumps" ? 1 : 0;
    plants[which].restart(inputs[0]);
    run(which, 0, steps);
    return 0;
  }
  double best[2] = {std::numeric_limits<double>::infinity(),
                    std::numeric_limits<double>::infinity()};
  for (int round = 0; round < rounds; ++round) {
    double spent[2] = {0, 0};
    for (Fmu& plant : plants) plant.restart(inputs[0]);
    for (int from = 0; from < steps; from += steps_per_turn)
      for (const int which : {0, 1})
        spent[which] += run(which, from, std::min(steps, from + steps_per_turn));
    for (const int which : {0, 1}) best[which] = std::min(best[which], spent[which]);
  }
  std::cout << R"({"steps": )" << steps << R"(, "none": )" << exactly(best[0] / steps)
            << R"(, "jumps": )" << exactly(best[1] / steps) << R"(, "ratio": )"
            << exactly(best[1] / best[0]) << "}\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return guarded("input_jumps", [&] { return input_jumps({argc, argv}); });
}
