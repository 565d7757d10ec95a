// Chains of four-bars that pass through their flat position: does every run keep its energy, or say that it cannot?
//
// N windows of links of 1 m and 1 kg, upright with 1 m/s at the start. Flat, a four-bar can go on as a parallelogram or crossed; a
// run that took the other branch without a word would show in its energy. For every tolerance the largest change of energy
// is compared with what the tolerance lets one expect.

#include <cmath>
#include <iostream>

#include "bench/arguments.h"
#include "bench/table.h"
#include "mechanics/motion.h"
#include "mechanics/system.h"
#include "models/four_bar_chain_bodies/four_bar_chain_bodies.h"
#include "solver/solver.h"

using namespace mechfmu;
using namespace mechfmu::bench;

namespace {

constexpr const char* help =
    "singular [options]   chains of four-bars through their flat position, over tolerances 1e-4 "
    "... 1e-11\n"
    "\n"
    "  --windows N       four-bars (default 2)\n"
    "  --type planar|spatial\n"
    "  --step H          communication step (default 0.05)\n"
    "  --end T           (default 10)\n"
    "  --tolerances K    how many (default 200)\n"
    "  --markdown        table for a Markdown page\n";

struct Run {
  double change = 0;  // of the energy, the largest
  double end = 0;     // time it came to
  std::string message;
  long steps = 0, restarts = 0;
};
Run run(const mechanics::Mechanism& mechanism, double tolerance, double H, double end) {
  mechanics::MechanismSystem system(mechanism);
  Options options;
  options.tolerance = tolerance;
  Solver solver(system, options);
  State state;
  Run made;
  const auto energy = [&] {
    const mechanics::Motion& now = system.motion(state.point);
    return now.kinetic_energy() + now.potential_energy();
  };
  if (const Result result = solver.initialize(state, 0); !result.ok()) {
    made.message = result.message;
    return made;
  }
  const double begin = energy();
  for (long k = 1; k <= std::lround(end / H); ++k) {
    const Result result = solver.advance(state, H * static_cast<double>(k));
    made.change = std::max(made.change, std::abs(energy() - begin) / std::abs(begin));
    made.end = state.point.t;
    if (!result.ok()) {
      made.message = result.message;
      break;
    }
  }
  made.steps = state.statistics.steps;
  made.restarts = state.statistics.restarts;
  return made;
}

int singular(Arguments arguments) {
  if (arguments.flag("--help")) {
    std::cout << help;
    return 0;
  }
  const int n = arguments.count("--windows", 1000).value_or(2);
  const std::string type = arguments.one_of("--type", {"planar", "spatial"}).value_or("spatial");
  const double H = arguments.positive("--step").value_or(0.05);
  const double end = arguments.positive("--end").value_or(10);
  const int count = arguments.count("--tolerances", 10'000).value_or(200);
  const bool markdown = arguments.flag("--markdown");
  (void)arguments.rest();
  const auto mechanism = models::four_bar_chain_bodies(
      n, type == "planar" ? models::Space::planar : models::Space::spatial);
  int silent = 0;
  int refused = 0;
  int restarted = 0;
  double worst = 0;
  for (int k = 0; k < count; ++k) {
    const double tolerance = std::pow(10, -4 - 7.0 * k / std::max(1, count - 1));
    const Run made = run(mechanism, tolerance, H, end);
    // Errors grow with the number of steps: tolerance^(2/3) is what the method promises, with room for the flat positions.
    const double bound = 300 * std::pow(tolerance, 2.0 / 3);
    const bool kept = made.change <= bound;
    restarted += made.restarts > 0 ? 1 : 0;
    if (!made.message.empty()) {
      ++refused;
      std::cerr << "tolerance " << scientific(tolerance, 2) << ": " << made.message << "\n";
    }
    worst = std::max(worst, made.change / std::pow(tolerance, 2.0 / 3));
    if (!kept) {
      ++silent;
      std::cerr << "tolerance " << scientific(tolerance, 2) << ": energy changes by "
                << scientific(made.change, 1) << ", " << made.restarts << " restarts\n";
    }
  }
  Table table({"type", "windows", "H [s]", "runs", "wrong", "refused", "with fresh starts",
               "largest change of energy / tolerance^(2/3)"});
  table.row({type, std::to_string(n), exactly(H), std::to_string(count), std::to_string(silent),
             std::to_string(refused), std::to_string(restarted), fixed(worst, 1)});
  table.print(std::cout, markdown);
  return silent == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  return guarded("singular", [&] { return singular({argc, argv}); });
}
