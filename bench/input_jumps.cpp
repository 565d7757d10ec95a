// The cost of jumps of inputs: an FMU whose inputs jump at every communication point and are
// constant until the next, against the same FMU with inputs on straight lines between these values.
// The motion is about the same; only the jumps differ.
//
// Two instances take turns of a hundred steps, so that other load on the machine affects both
// alike; the CPU time of this process counts. bench/input_jumps.py finds the FMUs of examples/ and
// records the inputs in their loops.

#include <dlfcn.h>
#include <fmi2FunctionTypes.h>

#include <ctime>
#include <fstream>
#include <iostream>
#include <limits>
#include <sstream>

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
    "  --inputs REF,REF,…        the inputs\n"
    "  --outputs REF,REF,…       outputs that are read after every step\n"
    "  --values FILE             their values, a line for every step, which bounds their number\n"
    "  --h H                     communication step (default 1e-3)\n"
    "  --tolerance E             (default 1e-6)\n"
    "  --steps N                 of a run (default 1000)\n"
    "  --rounds R                runs of each instance; the fastest counts (default 10)\n"
    "  --only jumps|lines        runs once, with jumps or without: for counting instructions\n";

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

/// Values of the inputs, one after the other.
std::vector<Settings> read_values(const std::string& file, Settings next) {
  std::vector<Settings> all;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line); all.push_back(next)) {
    std::istringstream numbers(line);
    for (double& value : next.values) numbers >> value;
    if (!numbers) throw BadArgument(line.insert(0, file + " has too few numbers in a line: "));
  }
  if (all.size() < 2) throw BadArgument("--values " + file + ": no file with two lines or more");
  return all;
}

class Fmu {
 public:
  Fmu(const std::string& file, std::string token, Settings start, Settings outputs, double h,
      double tolerance)
      : handle_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)),
        token_(std::move(token)),
        start_(std::move(start)),
        outputs_(std::move(outputs)),
        h_(h),
        tolerance_(tolerance) {
    if (handle_ == nullptr) throw BadArgument(dlerror());
    find(step_, "fmi2DoStep");
    find(set_, "fmi2SetReal");
    find(get_, "fmi2GetReal");
    find(slopes_, "fmi2SetRealInputDerivatives");
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

  /// Starts again, with the initial inputs.
  void restart(const Settings& inputs) {
    k_ = 0;
    check(reset_(instance_), "fmi2Reset");
    set(start_);
    set(inputs);
    check(setup_(instance_, fmi2True, tolerance_, 0, fmi2False, 0), "fmi2SetupExperiment");
    check(enter_(instance_), "fmi2EnterInitializationMode");
    check(exit_(instance_), "fmi2ExitInitializationMode");
  }
  void step(const Settings& inputs) {
    set(inputs);
    do_step();
  }
  /// A step with inputs that reach these values at its end.
  void step(const Settings& inputs, const Settings& next) {
    set(inputs);
    slope_.resize(inputs.values.size());
    order_.assign(inputs.values.size(), 1);
    for (std::size_t i = 0; i < slope_.size(); ++i)
      slope_[i] = (next.values[i] - inputs.values[i]) / h_;
    check(slopes_(instance_, inputs.references.data(), slope_.size(), order_.data(), slope_.data()),
          "fmi2SetRealInputDerivatives");
    do_step();
  }

 private:
  void do_step() {
    check(step_(instance_, static_cast<double>(k_++) * h_, h_, fmi2True), "fmi2DoStep");
    if (!outputs_.values.empty())
      check(get_(instance_, outputs_.references.data(), outputs_.values.size(),
                 outputs_.values.data()),
            "fmi2GetReal");
  }
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
  Settings start_, outputs_;
  double h_, tolerance_;
  long k_ = 0;
  std::vector<double> slope_;
  std::vector<fmi2Integer> order_;
  fmi2CallbackFunctions callbacks_{};
  fmi2DoStepTYPE* step_ = nullptr;
  fmi2SetRealTYPE* set_ = nullptr;
  fmi2GetRealTYPE* get_ = nullptr;
  fmi2SetRealInputDerivativesTYPE* slopes_ = nullptr;
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
  const auto listed = [](const std::string& references) {
    Settings all;
    for (const std::string& reference : split(references, ',')) all.add(reference, 0);
    return all;
  };
  const Settings first = listed(arguments.text("--inputs").value_or(""));
  const auto read = arguments.text("--outputs");
  const Settings outputs = read ? listed(*read) : Settings{};
  const std::vector<Settings> inputs = read_values(arguments.text("--values").value_or(""), first);
  const double h = arguments.positive("--h").value_or(1e-3);
  const double tolerance = arguments.positive("--tolerance").value_or(1e-6);
  const int most = static_cast<int>(inputs.size()) - 1;
  const int steps = std::min(arguments.count("--steps", 1'000'000'000).value_or(1000), most);
  const int rounds = arguments.count("--rounds", 1'000'000).value_or(10);
  const auto only = arguments.one_of("--only", {"jumps", "lines"});
  const auto rest = arguments.rest();
  if (rest.size() != 1) throw BadArgument("name the binary of one FMU; see --help");

  Fmu plants[] = {{rest[0], token, start, outputs, h, tolerance},
                  {rest[0], token, start, outputs, h, tolerance}};
  // CPU seconds of steps from..to of an instance, with jumps or without
  const auto run = [&](int which, int from, int to) {
    const double begin = cpu_seconds();
    for (int k = from; k < to; ++k) {
      const Settings& now = inputs[static_cast<std::size_t>(k)];
      if (which == 1)
        plants[which].step(now);
      else
        plants[which].step(now, inputs[static_cast<std::size_t>(k) + 1]);
    }
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
  std::cout << R"({"steps": )" << steps << R"(, "lines": )" << exactly(best[0] / steps)
            << R"(, "jumps": )" << exactly(best[1] / steps) << R"(, "ratio": )"
            << exactly(best[1] / best[0]) << "}\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return guarded("input_jumps", [&] { return input_jumps({argc, argv}); });
}
