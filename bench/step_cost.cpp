// Parts of the time of a step: model, linear algebra, the rest.
//
// The solver sees a model through two interfaces, System and KktMatrices. Here both are wrapped in
// classes that count and time every call. The clock is read twice per call; the cost of that is
// measured in the same run and subtracted. The time of a whole step is that of the bare model, so
//
//   rest = bare step − Σ (time inside calls − cost of reading the clock)
//
// The step size is the mean step that the controller takes with the tolerance of the table.

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <memory>

#include "bench/arguments.h"
#include "bench/table.h"
#include "solver/kkt.h"
#include "solver/solver.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

using namespace mechfmu;
using namespace mechfmu::bench;

namespace {

constexpr const char* help =
    "step_cost [MODEL...] [options]   shares of a step's time, all models when none is named\n"
    "step_cost MODEL --plain          runs the bare model and prints counts: for instructions.py\n"
    "\n"
    "  --h H              step size (default: the controller's mean step)\n"
    "  --tolerance E      of the controller and of Newton's method (default 1e-6)\n"
    "  --passes P         repetitions of the experiment (default: 200000 steps; --plain: 1)\n"
    "  --csv FILE         results as CSV\n"
    "  --markdown         table for a Markdown page\n";

// --- clock ---

using Ticks = std::int64_t;

Ticks now() {
#if defined(__x86_64__)
  return static_cast<Ticks>(__rdtsc());
#else
  return std::chrono::steady_clock::now().time_since_epoch().count();
#endif
}

enum Part { evaluation, derivatives, factorization, solution, parts };

struct Clock {
  std::array<Ticks, parts> ticks{};
  std::array<std::int64_t, parts> calls{};
};

/// Adds the time of its life to a part.
class Stopwatch {
 public:
  Stopwatch(Clock& clock, Part part) : clock_(clock), part_(part), begin_(now()) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() {
    clock_.ticks[part_] += now() - begin_;
    ++clock_.calls[part_];
  }

 private:
  Clock& clock_;
  Part part_;
  Ticks begin_;
};

/// The reading of an empty Stopwatch: the part of reading the clock inside it.
double empty_reading() {
  constexpr int repetitions = 100'000;
  double best = 1e300;
  for (int round = 0; round < 5; ++round) {
    Clock clock;
    for (int i = 0; i < repetitions; ++i) const Stopwatch watch(clock, evaluation);
    best = std::min(best, static_cast<double>(clock.ticks[evaluation]) / repetitions);
  }
  return best;
}

double nanoseconds_per_tick() {
  const auto wall = std::chrono::steady_clock::now();
  const Ticks begin = now();
  std::chrono::duration<double, std::nano> elapsed{};
  while (elapsed.count() < 5e7) elapsed = std::chrono::steady_clock::now() - wall;
  return elapsed.count() / static_cast<double>(now() - begin);
}

// --- timed classes ---

class TimedKkt final : public KktMatrices {
 public:
  TimedKkt(std::unique_ptr<KktMatrices> inner, Clock& clock)
      : inner_(std::move(inner)), clock_(clock) {}

  void evaluate(double kappa) override {
    const Stopwatch watch(clock_, derivatives);
    inner_->evaluate(kappa);
  }
  bool finite() const override {
    const Stopwatch watch(clock_, derivatives);
    return inner_->finite();
  }
  bool factor_mass() override {
    const Stopwatch watch(clock_, factorization);
    return inner_->factor_mass();
  }
  bool factor_newton(const NewtonWeights& weights) override {
    const Stopwatch watch(clock_, factorization);
    return inner_->factor_newton(weights);
  }
  double cost_of_renewal() const override { return inner_->cost_of_renewal(); }
  void solve_mass(Vector& r) override {
    const Stopwatch watch(clock_, solution);
    inner_->solve_mass(r);
  }
  void solve_newton(Vector& r) override {
    const Stopwatch watch(clock_, solution);
    inner_->solve_newton(r);
  }
  void subtract_tilde(In w, Vector& r) const override {
    const Stopwatch watch(clock_, solution);
    inner_->subtract_tilde(w, r);
  }
  void subtract_rates_of(In w, Vector& r) const override {
    const Stopwatch watch(clock_, solution);
    inner_->subtract_rates_of(w, r);
  }
  // Used by initialization only, which is not measured.
  void add_change(const Change& along, Vector& r) const override { inner_->add_change(along, r); }
  void multiply_mass(In v, Vector& r) const override { inner_->multiply_mass(v, r); }
  Vector project(In r, const std::vector<bool>& held) const override {
    return inner_->project(r, held);
  }
  std::vector<Redundancy> find_redundant() const override { return inner_->find_redundant(); }
  void set_redundant(bool redundant) override { inner_->set_redundant(redundant); }
  Index undetermined_unknown() const override { return inner_->undetermined_unknown(); }

 private:
  std::unique_ptr<KktMatrices> inner_;
  Clock& clock_;
};

class TimedSystem final : public System {
 public:
  TimedSystem(System& inner, Clock& clock) : inner_(inner), clock_(clock) {
    sizes_ = inner.sizes();
  }

  const Variables& variables() const override { return inner_.variables(); }
  void set_inputs(In u) override {
    const Stopwatch watch(clock_, evaluation);
    inner_.set_inputs(u);
  }
  void get_inputs(Out u) const override {
    const Stopwatch watch(clock_, evaluation);
    inner_.get_inputs(u);
  }
  void displace(In y0, In delta, Out y1) const override {
    const Stopwatch watch(clock_, evaluation);
    inner_.displace(y0, delta, y1);
  }
  void scales(Out y_scale, Out x_scale) const override { inner_.scales(y_scale, x_scale); }
  void grow_scales(In y, Out scales) const override {
    const Stopwatch watch(clock_, evaluation);
    inner_.grow_scales(y, scales);
  }
  double resolution(In y, In scales) const override { return inner_.resolution(y, scales); }
  void mass(double t, In y, Out numbers) const override {
    const Stopwatch watch(clock_, evaluation);
    inner_.mass(t, y, numbers);
  }
  void multiply_mass(In numbers, In v, Out Mv) const override {
    const Stopwatch watch(clock_, evaluation);
    inner_.multiply_mass(numbers, v, Mv);
  }
  void values(Values& values) override {
    const Stopwatch watch(clock_, evaluation);
    inner_.values(values);
  }
  void tilde(In z_tilde, In mu_tilde, Out f_difference, Out k_tilde) override {
    const Stopwatch watch(clock_, evaluation);
    inner_.tilde(z_tilde, mu_tilde, f_difference, k_tilde);
  }
  void constraint_acceleration(In a, Out c) override {
    const Stopwatch watch(clock_, evaluation);
    inner_.constraint_acceleration(a, c);
  }
  void multiply_constraints(In v, Out Cv) override {
    const Stopwatch watch(clock_, evaluation);
    inner_.multiply_constraints(v, Cv);
  }
  // The matrices ask the system inside, see timed_kkt().
  void derivatives(double kappa, DenseBlocks& blocks) override {
    inner_.derivatives(kappa, blocks);
  }
  std::unique_ptr<KktMatrices> timed_kkt() {
    return std::make_unique<TimedKkt>(make_kkt(inner_), clock_);
  }

 private:
  void moved(Moved how) override {
    const Stopwatch watch(clock_, evaluation);
    inner_.at(point(), how);
  }

  System& inner_;
  Clock& clock_;
};

// --- runs ---

struct Setting {
  Options options;
  double end = 1, h = 0;
  int steps = 0;  // of one pass over the experiment
};

void check(const Result& result) {
  if (!result.ok()) throw std::runtime_error(result.message);
}

Setting make_setting(System& system, const MethodChoice& method, double tolerance, double h) {
  Setting setting;
  method.apply(setting.options);
  setting.options.tolerance = tolerance;
  setting.end = system.variables().experiment().stop;
  if (h > 0) {
    setting.steps = std::max(1, static_cast<int>(std::lround(setting.end / h)));
  } else {
    Solver solver(system, setting.options);
    State state;
    check(solver.initialize(state, 0));
    check(solver.advance(state, setting.end));
    setting.steps = static_cast<int>(state.statistics.steps);
  }
  setting.h = setting.end / setting.steps;
  return setting;
}

/// Steps over the experiment, from an initialized state; the number of ticks it took.
Ticks pass(Solver& solver, const Setting& setting, State& state) {
  const Ticks begin = now();
  for (int i = 0; i < setting.steps; ++i) check(solver.step(state, setting.h));
  return now() - begin;
}

/// Ticks of one evaluation of f, g, g', k.
double time_evaluation(System& system, const Point& point) {
  constexpr int repetitions = 200;
  Values values;
  values.resize(system.sizes());
  Point p = point;
  double best = 1e300;
  for (int round = 0; round < 500; ++round) {
    const Ticks begin = now();
    for (int i = 0; i < repetitions; ++i) {
      p.y[0] = point.y[0] + 1e-9 * values.f[0];  // each depends on the one before
      system.at(p);
      system.values(values);
    }
    best = std::min(best, static_cast<double>(now() - begin) / repetitions);
  }
  return best;
}

struct Cost {
  Setting setting;
  Sizes sizes;
  Statistics statistics;              // of one pass
  double step = 0;                    // ticks of a bare step
  std::array<double, parts> share{};  // of it
  double evaluate = 0;                // ticks of one System::evaluate
};

Cost measure(const std::string& model, const MethodChoice& method, double tolerance, double h,
             int passes) {
  const auto system = models::make(model);
  Cost cost;
  cost.setting = make_setting(*system, method, tolerance, h);
  cost.sizes = system->sizes();
  if (passes == 0) passes = std::max(20, 200'000 / cost.setting.steps);
  Clock clock;
  TimedSystem timed(*system, clock);
  Solver bare(*system, cost.setting.options);
  Solver watched(timed, cost.setting.options, timed.timed_kkt());
  State start;
  State watched_start;
  check(bare.initialize(start, 0));
  check(watched.initialize(watched_start, 0));
  start.statistics = {};
  watched_start.statistics = {};

  // Other load on the machine disturbs the fastest pass least.
  const double reading = empty_reading();
  double best_bare = 1e300;
  double best_watched = 1e300;
  for (int i = 0; i < passes; ++i) {
    State state = start;
    best_bare = std::min(best_bare, static_cast<double>(pass(bare, cost.setting, state)));
    cost.statistics = state.statistics;
    state = watched_start;
    clock = {};
    const auto ticks = static_cast<double>(pass(watched, cost.setting, state));
    if (ticks >= best_watched) continue;
    best_watched = ticks;
    for (std::size_t part = 0; part < parts; ++part)
      cost.share[part] =
          static_cast<double>(clock.ticks[part]) - reading * static_cast<double>(clock.calls[part]);
  }
  cost.evaluate = time_evaluation(*system, start.point);
  for (double& share : cost.share) share /= best_bare;
  cost.step = best_bare / cost.setting.steps;
  return cost;
}

/// Only the steps, for a program that counts instructions.
int run_plain(const std::string& model, const MethodChoice& method, double tolerance, double h,
              int passes) {
  const auto system = models::make(model);
  const Setting setting = make_setting(*system, method, tolerance, h);
  Solver solver(*system, setting.options);
  State start;
  check(solver.initialize(start, 0));
  start.statistics = {};
  Statistics s;
  for (int i = 0; i < passes; ++i) {
    State state = start;
    pass(solver, setting, state);
    s = state.statistics;
  }
  std::cout << "model,passes,h,steps,newton_iterations,evaluations,jacobians,factorizations\n"
            << model << ',' << passes << ',' << exactly(setting.h) << ',' << s.steps << ','
            << s.newton_iterations << ',' << s.evaluations << ',' << s.jacobians << ','
            << s.factorizations << '\n';
  return 0;
}

double ratio(std::int64_t a, std::int64_t b) {
  return static_cast<double>(a) / static_cast<double>(std::max<std::int64_t>(b, 1));
}

std::string percent(double share) { return fixed(100 * share, 0) + " %"; }

int step_cost(Arguments arguments) {
  if (arguments.flag("--help")) {
    std::cout << help << method_help;
    return 0;
  }
  const bool plain = arguments.flag("--plain");
  const bool markdown = arguments.flag("--markdown");
  const std::string csv = arguments.text("--csv").value_or("");
  const double h = arguments.positive("--h").value_or(0);
  const double tolerance = arguments.positive("--tolerance").value_or(1e-6);
  const auto passes = arguments.count("--passes", 1'000'000);
  const MethodChoice method = take_method(arguments, 0.8);
  if (plain) return run_plain(take_model(arguments), method, tolerance, h, passes.value_or(1));

  auto names = arguments.rest();
  for (const std::string& name : names) check_model(name);
  if (names.empty()) names = models::names();

  const double tick = nanoseconds_per_tick();
  Table table({"model", "n", "m + k", "h", "Newton/step", "steps/Jacobian", "steps/factorization",
               "evaluation", "derivatives", "factor", "solve", "rest", "step/evaluate()",
               "ns/step"});
  std::vector<std::vector<std::string>> lines{
      {"model", "n", "mu", "h", "newton_per_step", "steps_per_jacobian", "steps_per_factorization",
       "evaluation", "derivatives", "factorization", "solution", "rest", "step_per_evaluation",
       "ns_per_step"}};
  for (const std::string& name : names) {
    const Cost c = measure(name, method, tolerance, h, passes.value_or(0));
    const Statistics& s = c.statistics;
    double rest = 1;
    for (const double share : c.share) rest -= share;
    const double counts[] = {ratio(s.newton_iterations, s.steps), ratio(s.steps, s.jacobians),
                             ratio(s.steps, s.factorizations)};
    table.row({name, std::to_string(c.sizes.n), std::to_string(c.sizes.mu()),
               scientific(c.setting.h, 1), fixed(counts[0]), fixed(counts[1], 0),
               fixed(counts[2], 0), percent(c.share[evaluation]), percent(c.share[derivatives]),
               percent(c.share[factorization]), percent(c.share[solution]), percent(rest),
               fixed(c.step / c.evaluate, 1), fixed(c.step * tick, 0)});
    std::vector<std::string> line{name, std::to_string(c.sizes.n), std::to_string(c.sizes.mu())};
    for (const double value :
         {c.setting.h, counts[0], counts[1], counts[2], c.share[evaluation], c.share[derivatives],
          c.share[factorization], c.share[solution], rest, c.step / c.evaluate, c.step * tick})
      line.push_back(exactly(value));
    lines.push_back(line);
  }
  std::cout << "A step of " << method.text << ", tolerance " << format(tolerance)
            << "; shares of its time:\n\n";
  table.print(std::cout, markdown);
  if (!csv.empty()) write_csv(csv, lines);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return guarded("step_cost", [&] { return step_cost({argc, argv}); });
}
