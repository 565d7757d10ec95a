// Cost of undamped fast modes: steps of a beam during spin-up (tests/mechanics/spin_up.h), for
// several ρ∞.
//
// The error is that of the tip's deflection, the largest at multiples of 0.25 s, against a run at a
// tolerance of 1e-10.

#include <algorithm>
#include <cmath>
#include <iostream>
#include <vector>

#include "bench/arguments.h"
#include "bench/table.h"
#include "mechanics/system.h"
#include "model/variables.h"
#include "solver/solver.h"
#include "tests/mechanics/spin_up.h"

using namespace mechfmu;
using namespace mechfmu::bench;

namespace {

constexpr const char* help =
    "stiff [options]   steps of an undamped beam of lumps that is spun up\n"
    "\n"
    "  --lumps N         of the beam (default: 20)\n"
    "  --tolerance E     (default: 1e-7)\n"
    "  --markdown        a table for a Markdown page\n";

struct Outcome {
  std::vector<double> deflection;
  Statistics statistics;
};

Outcome run(const tests::SpinUp& beam, int lumps, double tolerance, Method method,
            const Coefficients& coefficients) {
  mechanics::MechanismSystem system(beam.mechanism(lumps));
  Options options;
  options.method = method;
  options.coefficients = coefficients;
  options.tolerance = tolerance;
  Solver solver(system, options);
  State state;
  Result result = solver.initialize(state, 0);
  Outcome outcome;
  Point p;
  p.resize(system.sizes());
  const auto& outputs = system.variables().outputs();
  std::size_t deflection = 0;
  while (outputs[deflection].name() != "deflection") ++deflection;
  const int rows = static_cast<int>(std::round(4 * beam.T));
  for (int i = 1; i <= rows && result.ok(); ++i) {
    result = solver.advance(state, beam.T * i / rows);
    if (result.ok()) result = solver.output(state, p);
    system.at(p);
    outcome.deflection.push_back(system.read(deflection));
  }
  if (!result.ok()) throw std::runtime_error(result.message);
  outcome.statistics = state.statistics;
  return outcome;
}

int stiff(Arguments arguments) {
  if (arguments.flag("--help")) {
    std::cout << help;
    return 0;
  }
  const bool markdown = arguments.flag("--markdown");
  const int lumps = static_cast<int>(arguments.count("--lumps", 1000).value_or(20));
  const double tolerance = arguments.positive("--tolerance").value_or(1e-7);
  if (!arguments.rest().empty()) throw BadArgument(help);

  const tests::SpinUp beam;
  const Outcome exact = run(beam, lumps, 1e-10, Method::soi2, Coefficients::from_rho(0.5));
  Table table({"method", "ρ∞", "steps", "rejected", "Newton iterations", "Jacobians",
               "factorizations", "error of the deflection / m"});
  for (const Method method : {Method::soi2, Method::hht_i3, Method::arnold_bruls})
    for (const double rho : {0.5, 0.8, 0.9}) {
      const bool hht = method == Method::hht_i3;
      if (hht && rho != 0.5) continue;
      const Outcome o = run(beam, lumps, tolerance, method,
                            hht ? default_coefficients(method) : Coefficients::from_rho(rho));
      double error = 0;
      for (std::size_t i = 0; i < exact.deflection.size(); ++i)
        error = std::max(error, std::abs(o.deflection[i] - exact.deflection[i]));
      const Statistics& s = o.statistics;
      table.row({std::string(name(method)), hht ? "α = −0.3" : fixed(rho, 1),
                 std::to_string(s.steps), std::to_string(s.rejected()),
                 std::to_string(s.newton_iterations), std::to_string(s.jacobians),
                 std::to_string(s.factorizations), scientific(error, 1)});
    }
  std::cout << "spin-up of a beam of " << lumps << " lumps, no damping, tolerance "
            << scientific(tolerance, 0) << ", t = 0 … " << fixed(beam.T, 0) << "\n\n";
  table.print(std::cout, markdown);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return guarded("stiff", [&] { return stiff(Arguments(argc, argv)); });
}
