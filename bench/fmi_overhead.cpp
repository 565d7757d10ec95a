// The overhead of the FMI functions: the binary of an FMU against the same model and the same
// solver, called directly.
//
// Both do the same communication steps with one substep each (fixed step = communication step), in
// turns of a hundred steps, so that other load on the machine affects both alike. The difference of
// a turn and its partner is taken before the median over all turns. The place of an instance in
// memory changes its speed by a few per cent, so all of them are made anew ten times, each time at
// another place.

#include <dlfcn.h>
#include <fmi2FunctionTypes.h>
#include <fmi3FunctionTypes.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>

#include "bench/arguments.h"
#include "bench/table.h"
#include "model/description.h"
#include "solver/solver.h"

using namespace mechfmu;
using namespace mechfmu::bench;

namespace {

constexpr const char* help =
    "fmi_overhead [MODEL]     cost of the FMI functions, slider_crank unless named\n"
    "\n"
    "  --library FILE     binary of the model's FMU (default: ../models/MODEL.so from this "
    "program)\n"
    "  --h H              communication step and substep (default 1e-3)\n"
    "  --turns N          of a hundred steps (default 400)\n"
    "  --markdown         table for a Markdown page\n";

using Clock = std::chrono::steady_clock;
constexpr int steps_per_turn = 100;
constexpr int places = 10;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void check(int status, const char* function) {
  if (status != 0)
    throw std::runtime_error(std::string(function) + " gave status " + std::to_string(status));
}

// --- the three ways to do a step ---

/// A plant that can start again, do steps and read its outputs.
class Plant {
 public:
  virtual ~Plant() = default;
  virtual void restart() = 0;
  virtual void step(double t, double h) = 0;
  virtual void read() {}
  virtual void set() {}
  virtual void save() {}
  virtual void restore() {}
  virtual void reset() {}
};

class Direct final : public Plant {
 public:
  Direct(const std::string& model, double h, std::size_t outputs)
      : system_(models::make(model)),
        solver_(*system_, {.fixed_step = h}),
        u_(system_->sizes().u),
        values_(outputs) {
    system_->get_inputs(u_);
    restart();
    saved_ = state_;
    point_.resize(system_->sizes());
  }
  void restart() override {
    if (const Result result = solver_.initialize(state_, 0); !result.ok())
      throw std::runtime_error(result.message);
  }
  void step(double t, double h) override {
    solver_.set_inputs(state_, u_);
    if (const Result result = solver_.advance(state_, t + h); !result.ok())
      throw std::runtime_error(result.message);
  }
  void read() override {
    if (const Result result = solver_.output(state_, point_); !result.ok())
      throw std::runtime_error(result.message);
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = system_->read(i);
  }
  void save() override { saved_ = state_; }
  void restore() override { state_ = saved_; }
  std::int64_t steps() const { return state_.statistics.steps; }

 private:
  std::unique_ptr<System> system_;
  Solver solver_;
  State state_, saved_;
  Point point_;
  Vector u_;
  std::vector<double> values_;
};

/// The functions of an FMU's binary.
class Library {
 public:
  explicit Library(const std::string& file) : handle_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) throw BadArgument(std::string(dlerror()) + "; give it with --library");
  }
  template <class Type>
  Type* function(const char* name) const {
    auto* found = reinterpret_cast<Type*>(dlsym(handle_, name));
    if (found == nullptr) throw std::runtime_error(dlerror());
    return found;
  }

 private:
  void* handle_;  // for the whole run
};

/// Data of the model for both versions of FMI.
struct Facts {
  std::string token;
  std::vector<std::uint32_t> outputs;   // the first five
  std::vector<std::uint32_t> settable;  // the first five inputs and parameters
  std::vector<double> start;            // their values
  std::uint32_t fixed_step = 0;
};

class Fmi2 final : public Plant {
 public:
  Fmi2(const Library& library, Facts facts, double h)
      : facts_(std::move(facts)),
        h_(h),
        step_(library.function<fmi2DoStepTYPE>("fmi2DoStep")),
        get_(library.function<fmi2GetRealTYPE>("fmi2GetReal")),
        set_(library.function<fmi2SetRealTYPE>("fmi2SetReal")),
        save_(library.function<fmi2GetFMUstateTYPE>("fmi2GetFMUstate")),
        restore_(library.function<fmi2SetFMUstateTYPE>("fmi2SetFMUstate")),
        forget_(library.function<fmi2FreeFMUstateTYPE>("fmi2FreeFMUstate")),
        free_(library.function<fmi2FreeInstanceTYPE>("fmi2FreeInstance")),
        reset_(library.function<fmi2ResetTYPE>("fmi2Reset")),
        enter_(library.function<fmi2EnterInitializationModeTYPE>("fmi2EnterInitializationMode")),
        exit_(library.function<fmi2ExitInitializationModeTYPE>("fmi2ExitInitializationMode")),
        instance_(library.function<fmi2InstantiateTYPE>("fmi2Instantiate")(
            "plant", fmi2CoSimulation, facts_.token.c_str(), nullptr, &callbacks_, fmi2False,
            fmi2False)),
        values_(facts_.outputs.size()) {
    if (instance_ == nullptr) throw std::runtime_error("the binary is of another model or version");
    restart();
    save();
  }
  Fmi2(const Fmi2&) = delete;
  Fmi2& operator=(const Fmi2&) = delete;
  ~Fmi2() override {
    forget_(instance_, &state_);
    free_(instance_);
  }
  void reset() override { check(reset_(instance_), "fmi2Reset"); }
  void restart() override {
    reset();
    check(set_(instance_, &facts_.fixed_step, 1, &h_), "fmi2SetReal");
    check(enter_(instance_), "fmi2EnterInitializationMode");
    check(exit_(instance_), "fmi2ExitInitializationMode");
  }
  void step(double t, double h) override { check(step_(instance_, t, h, fmi2True), "fmi2DoStep"); }
  void read() override {
    check(get_(instance_, facts_.outputs.data(), values_.size(), values_.data()), "fmi2GetReal");
  }
  void set() override {
    check(set_(instance_, facts_.settable.data(), facts_.settable.size(), facts_.start.data()),
          "fmi2SetReal");
  }
  void save() override { check(save_(instance_, &state_), "fmi2GetFMUstate"); }
  void restore() override { check(restore_(instance_, state_), "fmi2SetFMUstate"); }

 private:
  Facts facts_;
  double h_;
  fmi2CallbackFunctions callbacks_{};
  fmi2DoStepTYPE* step_;
  fmi2GetRealTYPE* get_;
  fmi2SetRealTYPE* set_;
  fmi2GetFMUstateTYPE* save_;
  fmi2SetFMUstateTYPE* restore_;
  fmi2FreeFMUstateTYPE* forget_;
  fmi2FreeInstanceTYPE* free_;
  fmi2ResetTYPE* reset_;
  fmi2EnterInitializationModeTYPE* enter_;
  fmi2ExitInitializationModeTYPE* exit_;
  fmi2Component instance_;
  fmi2FMUstate state_ = nullptr;
  std::vector<double> values_;
};

class Fmi3 final : public Plant {
 public:
  Fmi3(const Library& library, Facts facts, double h)
      : facts_(std::move(facts)),
        h_(h),
        step_(library.function<fmi3DoStepTYPE>("fmi3DoStep")),
        get_(library.function<fmi3GetFloat64TYPE>("fmi3GetFloat64")),
        set_(library.function<fmi3SetFloat64TYPE>("fmi3SetFloat64")),
        save_(library.function<fmi3GetFMUStateTYPE>("fmi3GetFMUState")),
        restore_(library.function<fmi3SetFMUStateTYPE>("fmi3SetFMUState")),
        forget_(library.function<fmi3FreeFMUStateTYPE>("fmi3FreeFMUState")),
        free_(library.function<fmi3FreeInstanceTYPE>("fmi3FreeInstance")),
        reset_(library.function<fmi3ResetTYPE>("fmi3Reset")),
        enter_(library.function<fmi3EnterInitializationModeTYPE>("fmi3EnterInitializationMode")),
        exit_(library.function<fmi3ExitInitializationModeTYPE>("fmi3ExitInitializationMode")),
        instance_(library.function<fmi3InstantiateCoSimulationTYPE>("fmi3InstantiateCoSimulation")(
            "plant", facts_.token.c_str(), nullptr, fmi3False, fmi3False, fmi3False, fmi3False,
            nullptr, 0, nullptr, nullptr, nullptr)),
        values_(facts_.outputs.size()) {
    if (instance_ == nullptr) throw std::runtime_error("the binary is of another model or version");
    restart();
    save();
  }
  Fmi3(const Fmi3&) = delete;
  Fmi3& operator=(const Fmi3&) = delete;
  ~Fmi3() override {
    forget_(instance_, &state_);
    free_(instance_);
  }
  void reset() override { check(reset_(instance_), "fmi3Reset"); }
  void restart() override {
    reset();
    check(set_(instance_, &facts_.fixed_step, 1, &h_, 1), "fmi3SetFloat64");
    check(enter_(instance_, fmi3False, 0, 0, fmi3False, 0), "fmi3EnterInitializationMode");
    check(exit_(instance_), "fmi3ExitInitializationMode");
  }
  void step(double t, double h) override {
    fmi3Boolean event = false;
    fmi3Boolean end = false;
    fmi3Boolean early = false;
    double reached = 0;
    check(step_(instance_, t, h, fmi3True, &event, &end, &early, &reached), "fmi3DoStep");
  }
  void read() override {
    check(get_(instance_, facts_.outputs.data(), values_.size(), values_.data(), values_.size()),
          "fmi3GetFloat64");
  }
  void set() override {
    check(set_(instance_, facts_.settable.data(), facts_.settable.size(), facts_.start.data(),
               facts_.start.size()),
          "fmi3SetFloat64");
  }
  void save() override { check(save_(instance_, &state_), "fmi3GetFMUState"); }
  void restore() override { check(restore_(instance_, state_), "fmi3SetFMUState"); }

 private:
  Facts facts_;
  double h_;
  fmi3DoStepTYPE* step_;
  fmi3GetFloat64TYPE* get_;
  fmi3SetFloat64TYPE* set_;
  fmi3GetFMUStateTYPE* save_;
  fmi3SetFMUStateTYPE* restore_;
  fmi3FreeFMUStateTYPE* forget_;
  fmi3FreeInstanceTYPE* free_;
  fmi3ResetTYPE* reset_;
  fmi3EnterInitializationModeTYPE* enter_;
  fmi3ExitInitializationModeTYPE* exit_;
  fmi3Instance instance_;
  fmi3FMUState state_ = nullptr;
  std::vector<double> values_;
};

// --- measurement ---

/// Nanoseconds per call, in the middle of a hundred calls.
template <class Call>
double nanoseconds(const Call& call) {
  const auto begin = Clock::now();
  for (int i = 0; i < steps_per_turn; ++i) call(i);
  const std::chrono::duration<double, std::nano> elapsed = Clock::now() - begin;
  return elapsed.count() / steps_per_turn;
}

struct Cost {
  double alone = 0;      // ns of the direct call
  double with_fmi[2]{};  // ns of the call through FMI 2.0 and 3.0
  double added[2]{};     // the difference, turn by turn
};

/// The model called directly, by FMI 2.0 and by FMI 3.0.
struct Plants {
  std::unique_ptr<Plant> direct, fmi[2];
};

/// All plants take turns at the same call; each begins its turns with `prepare`.
Cost compare(const std::function<Plants()>& make, int turns,
             const std::function<void(Plant&)>& prepare,
             const std::function<void(Plant&, int)>& call) {
  std::vector<double> alone;
  std::vector<double> total[2];
  std::vector<double> added[2];
  const auto turn = [&](Plant& plant) {
    prepare(plant);
    return nanoseconds([&](int i) { call(plant, i); });
  };
  const int turns_of_a_place = std::max(turns / places, 1);
  for (int place = 0; place < places; ++place) {
    const std::vector<char> elsewhere(static_cast<std::size_t>(place) * 1040);
    const Plants plants = make();
    for (int k = -3; k < turns_of_a_place; ++k) {
      const double a = turn(*plants.direct);
      const double b[] = {turn(*plants.fmi[0]), turn(*plants.fmi[1])};
      if (k < 0) continue;  // caches and clock rates settle
      alone.push_back(a);
      for (int v = 0; v < 2; ++v) {
        total[v].push_back(b[v]);
        added[v].push_back(b[v] - a);
      }
    }
  }
  Cost cost{median(alone), {}, {}};
  for (int v = 0; v < 2; ++v) {
    cost.with_fmi[v] = median(total[v]);
    cost.added[v] = median(added[v]);
  }
  return cost;
}

std::string default_library(const std::string& model) {
  const auto here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  return (here.parent_path() / "models" / (model + ".so")).string();
}

int fmi_overhead(Arguments arguments) {
  if (arguments.flag("--help")) {
    std::cout << help;
    return 0;
  }
  const bool markdown = arguments.flag("--markdown");
  const auto file = arguments.text("--library");
  const double h = arguments.positive("--h").value_or(1e-3);
  const int turns = arguments.count("--turns", 1'000'000).value_or(400);
  const auto names = arguments.rest();
  if (names.size() > 1) throw BadArgument("one model at a time, please");
  const std::string name = names.empty() ? "slider_crank" : names.front();
  check_model(name);

  const auto system = models::make(name);
  const Description description = describe(name, *system);
  Facts facts{token(description), {}, {}, {}, 0};
  for (const Entry& e : description.entries) {
    if (e.causality == Causality::output && !e.vector && facts.outputs.size() < 5)
      facts.outputs.push_back(e.first);
    if (e.source == Source::input && facts.settable.size() < 5) {
      facts.settable.push_back(e.first);
      facts.start.push_back(e.start[0]);
    }
    if (e.name == "solver.fixed_step") facts.fixed_step = e.first;
  }
  const Library library(file.value_or(default_library(name)));
  const auto make = [&] {
    return Plants{
        std::make_unique<Direct>(name, h, facts.outputs.size()),
        {std::make_unique<Fmi2>(library, facts, h), std::make_unique<Fmi3>(library, facts, h)}};
  };
  const auto restart = [](Plant& plant) { plant.restart(); };
  const auto one_step = [h](Plant& plant, int i) { plant.step(i * h, h); };
  Direct probe(name, h, 0);
  for (int i = 0; i < steps_per_turn; ++i) one_step(probe, i);
  if (probe.steps() != steps_per_turn)
    throw std::runtime_error(std::to_string(probe.steps()) + " substeps instead of 100; try --h");

  const Cost step = compare(make, turns, restart, one_step);
  const Cost step_and_read = compare(make, turns, restart, [&](Plant& plant, int i) {
    one_step(plant, i);
    plant.read();
  });
  const Cost set = compare(make, turns, restart, [](Plant& plant, int) { plant.set(); });
  const Cost save = compare(make, turns, restart, [](Plant& plant, int) { plant.save(); });
  const Cost restore = compare(make, turns, restart, [](Plant& plant, int) { plant.restore(); });
  const Cost reset = compare(make, turns, restart, [](Plant& plant, int) { plant.reset(); });
  const Cost run =
      compare(make, std::max(turns / 4, 1), restart, [](Plant& plant, int) { plant.restart(); });

  std::cout << name << ", " << steps_per_turn << " steps of " << format(h) << " s per turn, "
            << turns << " turns; medians in ns per call:\n\n";
  Table table(
      {"call", "direct", "FMI 2.0", "FMI 3.0", "added 2.0", "added 3.0", "share 2.0", "share 3.0"});
  const auto row = [&](const std::string& call, const Cost& c) {
    const bool comparable = c.alone > 20;  // otherwise the direct call takes almost no time
    std::vector<std::string> cells{call, fixed(c.alone, 0)};
    for (const double ns : c.with_fmi) cells.push_back(fixed(ns, 0));
    for (const double ns : c.added) cells.push_back(fixed(ns, 0));
    for (const double ns : c.added)
      cells.push_back(comparable ? fixed(100 * ns / c.alone, 1) + " %" : "-");
    table.row(cells);
  };
  row("doStep, one substep", step);
  row("doStep and get of " + std::to_string(facts.outputs.size()) + " outputs", step_and_read);
  row("set " + std::to_string(facts.settable.size()) + " inputs and parameters", set);
  row("save a state", save);
  row("restore a state", restore);
  row("reset", reset);
  row("reset and initialize", run);
  table.print(std::cout, markdown);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return guarded("fmi_overhead", [&] { return fmi_overhead({argc, argv}); });
}
