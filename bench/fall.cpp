// Rods fall (bench/structures.h); prints one line of JSON: the part of mechfmu in the comparison
// with other solvers (bench/peers/). x, y, z is the centre of the last rod at the end.
//
// With --jump a force jumps at the end of every interval; it is too small to affect the motion
// visibly, but the solver treats it like any other jump.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>

#include "bench/arguments.h"
#include "bench/structures.h"
#include "mechanics/motion.h"
#include "solver/solver.h"

using namespace mechfmu;

namespace {
constexpr const char* help =
    "fall [options]   simulates rods that fall from rest and prints one line of JSON\n"
    "\n"
    "  --structure S   chain (default), tree, ladder, spatial_arm or spatial_tree\n"
    "  --bodies N      number of rods (default 10)\n"
    "  --tolerance E   steps follow this tolerance (default 1e-6)\n"
    "  --step H        fixed steps instead; the tolerance is then that of Newton's method\n"
    "  --jump D        a force jumps every D seconds\n"
    "  --end T         end time (default 1)\n"
    "  --rho R         spectral radius at infinity (default 0.8)\n";

int run(bench::Arguments arguments) {
  if (arguments.flag("--help")) {
    std::cout << help;
    return 0;
  }
  const std::string structure =
      arguments.one_of("--structure", bench::structure_names()).value_or("chain");
  const int n = arguments.count("--bodies", 1'000'000).value_or(10);
  const double end = arguments.positive("--end").value_or(1);
  const double jump = arguments.positive("--jump").value_or(0);
  Options options;
  options.tolerance = arguments.positive("--tolerance").value_or(1e-6);
  options.fixed_step = arguments.positive("--step").value_or(0);
  options.coefficients = Coefficients::from_rho(arguments.number("--rho").value_or(0.8));
  arguments.rest();

  mechanics::Mechanism m = bench::make_structure(structure, n);
  const mechanics::Body last{static_cast<Index>(m.bodies.size()) - 1};
  const mechanics::Input push = m.input("push", 0, "N");
  m.force(mechanics::VectorForceData{.name = "push",
                                     .at = {last, m.bodies.back().at},
                                     .value = {mechanics::Law(0.0), push, mechanics::Law(0.0)}});
  mechanics::MechanismSystem system(m);
  Solver solver(system, options);
  State state;
  Result result = solver.initialize(state, 0);

  const auto begin = std::chrono::steady_clock::now();
  if (jump > 0) {
    const long intervals = std::lround(end / jump);
    for (long k = 0; k < intervals && result.ok(); ++k) {
      Vector u(1);
      u[0] = k % 2 == 0 ? 1e-9 : 2e-9;
      solver.set_inputs(state, u);
      result =
          solver.advance(state, end * static_cast<double>(k + 1) / static_cast<double>(intervals));
    }
  } else if (result.ok()) {
    result = solver.advance(state, end);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  if (!result.ok()) {
    std::cerr << result.message << '\n';
    return 1;
  }
  const mechanics::Vec3 centre = system.motion(state.point).position({last, {0, 0, 0}, true});
  const double steps = static_cast<double>(std::max<std::int64_t>(1, state.statistics.steps));
  std::printf(
      "{\"solver\": \"mechfmu\", \"structure\": \"%s\", \"n\": %d, \"tolerance\": %g, \"h\": %g, "
      "\"jump\": %g, \"steps\": "
      "%.0f, \"rejected\": %lld, "
      "\"newton\": %lld, \"jacobians\": %lld, \"factorizations\": %lld, \"seconds\": %.6g, "
      "\"seconds_per_step_and_body\": %.4g, \"x\": %.15g, \"y\": %.15g, \"z\": %.15g}\n",
      structure.c_str(), n, options.tolerance, options.fixed_step, jump, steps,
      static_cast<long long>(state.statistics.rejected()),
      static_cast<long long>(state.statistics.newton_iterations),
      static_cast<long long>(state.statistics.jacobians),
      static_cast<long long>(state.statistics.factorizations), seconds.count(),
      seconds.count() / steps / static_cast<double>(last.index), centre[0], centre[1], centre[2]);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::guarded("fall", [&] { return run({argc, argv}); });
}
