// Order of spatial mechanisms with alternating steps: pose, velocity and multipliers of bodies that
// rotate in space.
//
// N pairs of steps h/3, 2h/3 to the end time; errors against a run with 32 times as many steps as
// the finest of the table: for positions and rotations (Frobenius norm of the matrix) the largest
// over the bodies, for velocities and multipliers 2-norms.

#include <algorithm>
#include <cmath>
#include <iostream>

#include "bench/arguments.h"
#include "bench/table.h"
#include "mechanics/motion.h"
#include "models/heavy_top/heavy_top.h"
#include "models/spatial_four_bar/spatial_four_bar.h"
#include "solver/solver.h"

using namespace mechfmu;
using namespace mechfmu::bench;

namespace {

constexpr const char* help =
    "spatial heavy_top|spatial_four_bar [options]   errors with steps h/3, 2h/3\n"
    "\n"
    "  --rho R         spectral radius at infinity (default 0.7)\n"
    "  --end T         end time (default 1)\n"
    "  --pairs N       pairs of steps of the first row (default 200)\n"
    "  --levels L      rows (default 3)\n"
    "  --no-rescale    neither (15) nor (16)\n"
    "  --body-axes     coordinates that spin with the bodies\n"
    "  --markdown      table for a Markdown page\n";

struct Outcome {
  std::vector<mechanics::Vec3> positions;
  std::vector<mechanics::Mat3> rotations;
  Vector z, mu;
};

Outcome run(const mechanics::Mechanism& mechanism, const Options& options, double end, int pairs) {
  mechanics::MechanismSystem system(mechanism);
  Solver solver(system, options);
  State state;
  const auto check = [](const Result& result) {
    if (!result.ok()) throw std::runtime_error(result.message);
  };
  check(solver.initialize(state, 0));
  const double h = end / pairs;
  for (int k = 0; k < pairs; ++k) {
    check(solver.step(state, h / 3));
    check(solver.step(state, 2 * h / 3));
  }
  const mechanics::Motion& motion = system.motion(state.point);
  Outcome outcome{{}, {}, state.point.z, state.point.mu};
  for (Index b = 1; b < static_cast<Index>(mechanism.bodies.size()); ++b) {
    outcome.positions.push_back(motion.position(
        {mechanics::Body{b}, mechanism.bodies[static_cast<std::size_t>(b)].centre, true}));
    outcome.rotations.push_back(motion.rotation(mechanics::Body{b}));
  }
  return outcome;
}

int spatial(Arguments arguments) {
  if (arguments.flag("--help")) {
    std::cout << help;
    return 0;
  }
  Options options;
  options.coefficients = Coefficients::from_rho(arguments.number("--rho").value_or(0.7));
  options.tolerance = 1e-11;
  options.experiments.rescale_a = options.experiments.rescale_Ma = !arguments.flag("--no-rescale");
  const double end = arguments.positive("--end").value_or(1);
  const int pairs = arguments.count("--pairs", 1'000'000).value_or(200);
  const int levels = arguments.count("--levels", 10).value_or(3);
  const bool markdown = arguments.flag("--markdown");
  const bool body_axes = arguments.flag("--body-axes");
  const auto names = arguments.rest();
  if (names.size() != 1 || (names[0] != "heavy_top" && names[0] != "spatial_four_bar"))
    throw BadArgument("name one model: heavy_top or spatial_four_bar");
  mechanics::Mechanism mechanism =
      names[0] == "heavy_top" ? models::heavy_top() : models::spatial_four_bar();
  if (body_axes)
    for (mechanics::BodyData& body : mechanism.bodies) body.spins = mechanics::Spins::no;

  Options fine = options;
  fine.experiments.rescale_a = fine.experiments.rescale_Ma = true;
  const Outcome reference = run(mechanism, fine, end, pairs * (1 << (levels - 1)) * 32);
  Table table({"N", "position", "rotation", "velocity", "multipliers", "orders"});
  std::vector<double> last;
  for (int level = 0; level < levels; ++level) {
    const int n = pairs * (1 << level);
    const Outcome outcome = run(mechanism, options, end, n);
    double position = 0;
    double rotation = 0;
    for (std::size_t b = 0; b < outcome.positions.size(); ++b) {
      position = std::max(position, (outcome.positions[b] - reference.positions[b]).norm());
      rotation = std::max(rotation, (outcome.rotations[b] - reference.rotations[b]).norm());
    }
    const std::vector<double> errors = {position, rotation, (outcome.z - reference.z).norm(),
                                        (outcome.mu - reference.mu).norm()};
    std::string orders = last.empty() ? "-" : "";
    for (std::size_t k = 0; k < last.size(); ++k) {
      if (k > 0) orders += ' ';
      orders += fixed(std::log2(last[k] / errors[k]));
    }
    table.row({std::to_string(n), scientific(errors[0]), scientific(errors[1]),
               scientific(errors[2]), scientific(errors[3]), orders});
    last = errors;
  }
  table.print(std::cout, markdown);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return guarded("spatial", [&] { return spatial({argc, argv}); });
}
