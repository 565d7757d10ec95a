// Cost of reading outputs against the size of a mechanism: a chain with one position output per
// body, all of them read after every step, as inside an FMU (System::at, then System::read for
// each).
//
// Positions need no accelerations: System::on_demand offers them on request, and the program counts
// requests.

#include <algorithm>
#include <ctime>
#include <iostream>
#include <limits>
#include <stdexcept>

#include "bench/arguments.h"
#include "bench/structures.h"
#include "bench/table.h"
#include "mechanics/motion.h"
#include "mechanics/system.h"
#include "solver/solver.h"

using namespace mechfmu;
using namespace mechfmu::bench;

namespace {

constexpr const char* help =
    "output_cost [options]   cost of reading one position of every body after each step\n"
    "\n"
    "  --bodies N      only this size (default 10 100 1000 10000)\n"
    "  --steps K       steps, of which the cheapest reading counts (default 5)\n"
    "  --csv FILE      results as CSV\n"
    "  --markdown      table for a Markdown page\n";

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

void check(const Result& result) {
  if (!result.ok()) throw std::runtime_error(result.message);
}

/// Solves for accelerations on request.
class OnDemand final : public AccelerationSource {
 public:
  OnDemand(Solver& solver, const State& state) : solver_(solver), state_(state) {}
  const Point& solved() override {
    ++solves;
    check(solver_.output(state_, point_));
    solver_.system().at(point_);
    return point_;
  }
  int solves = 0;

 private:
  Solver& solver_;
  const State& state_;
  Point point_;
};

struct Row {
  double step = 0;    // seconds of a step
  double output = 0;  // seconds of an output
  double solves = 0;  // for accelerations, per step
};

Row measure(int n, int steps) {
  mechanics::Mechanism m = chain(n);
  for (int b = 1; b <= n; ++b) {
    const mechanics::Spot centre{mechanics::Body{b}, {0, 0, 0}, true};
    m.output("x" + std::to_string(b), [=](const mechanics::Motion& q) {
       return q.position(centre).x();
     }).unit("m");
  }
  mechanics::MechanismSystem system(m);
  Solver solver(system, {.tolerance = 1e-6});
  State state;
  check(solver.initialize(state, 0));
  OnDemand source(solver, state);
  const auto outputs = static_cast<std::size_t>(n);
  Row row{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  double sum = 0;
  for (int k = 0; k < steps; ++k) {
    const double begin = cpu_seconds();
    check(solver.step(state, 1e-3));
    const double stepped = cpu_seconds();
    system.at(state.point);
    system.on_demand(&source);
    for (std::size_t i = 0; i < outputs; ++i) sum += system.read(i);
    const double read = cpu_seconds();
    row.step = std::min(row.step, stepped - begin);
    row.output = std::min(row.output, (read - stepped) / n);
  }
  row.solves = static_cast<double>(source.solves) / steps;
  // The rods have hardly moved: the centre of rod b is near x = b − 1/2.
  if (!(std::abs(sum / steps - 0.5 * n * n) < 0.01 * n * n))
    throw std::runtime_error("the outputs are wrong");
  return row;
}

int run(Arguments arguments) {
  if (arguments.flag("--help")) {
    std::cout << help;
    return 0;
  }
  const auto only = arguments.count("--bodies", 1'000'000);
  const int steps = arguments.count("--steps", 1'000'000).value_or(5);
  const auto csv = arguments.text("--csv");
  const bool markdown = arguments.flag("--markdown");
  arguments.rest();
  std::vector<int> sizes = {10, 100, 1000, 10000};
  if (only) sizes = {*only};

  Table table({"bodies", "step [µs/body]", "output [ns]", "all outputs/step", "solves/step"});
  std::vector<std::vector<std::string>> rows = {
      {"bodies", "step_s", "output_s", "solves_per_step"}};
  for (const int n : sizes) {
    const Row row = measure(n, steps);
    table.row({std::to_string(n), fixed(1e6 * row.step / n), fixed(1e9 * row.output, 0),
               fixed(row.output * n / row.step), fixed(row.solves, 1)});
    rows.push_back(
        {std::to_string(n), exactly(row.step), exactly(row.output), exactly(row.solves)});
  }
  table.print(std::cout, markdown);
  if (csv) write_csv(*csv, rows);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return guarded("output_cost", [&] { return run({argc, argv}); });
}
