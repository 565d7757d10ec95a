// Spinning bodies: coordinates in a frame without the spin, compared with body axes.
//
//   top        error of the axle of a heavy top after 1 s, constant steps
//   vehicle    steps and error of a vehicle on wheels after 100 m, steps chosen by the tolerance

#include <cmath>
#include <iostream>

#include "bench/arguments.h"
#include "bench/table.h"
#include "mechanics/motion.h"
#include "mechanics/system.h"
#include "models/spinning.h"
#include "solver/solver.h"

using namespace mechfmu;
using namespace mechfmu::bench;

namespace {

constexpr const char* help =
    "rotors top|vehicle [options]   bodies that spin, in a frame that does not and in body axes\n"
    "\n"
    "  --markdown      table for a Markdown page\n";

void check(const Result& result) {
  if (!result.ok()) throw std::runtime_error(result.message);
}

mechanics::Vec3 axle(const mechanics::Mechanism& mechanism, double h) {
  Options options;
  options.tolerance = 1e-11;
  options.coefficients = Coefficients::from_rho(0.8);
  mechanics::MechanismSystem system(mechanism);
  Solver solver(system, options);
  State state;
  check(solver.initialize(state, 0));
  for (long k = std::lround(1 / h); k > 0; --k) check(solver.step(state, h));
  return system.motion(state.point).rotation({1}).col(2);
}

void top(Table& table) {
  for (const auto& [spin, h] : {std::pair{10.0, 0.02},
                                {10.0, 0.005},
                                {100.0, 0.02},
                                {100.0, 0.01},
                                {100.0, 0.0025},
                                {300.0, 0.01},
                                {300.0, 0.0025}}) {
    const mechanics::Vec3 exact = axle(models::leaning_top(spin, mechanics::Spins::yes), 1.25e-4);
    const auto error = [&, spin = spin, h = h](mechanics::Spins spins) {
      return (axle(models::leaning_top(spin, spins), h) - exact).norm();
    };
    table.row({fixed(spin, 0), exactly(h), fixed(spin * h, 2),
               scientific(error(mechanics::Spins::no), 1),
               scientific(error(mechanics::Spins::automatic), 1)});
  }
}

struct Ride {
  mechanics::Vec3 place;
  double steps;
};
Ride ride(double v, mechanics::Spins spins, double tolerance) {
  mechanics::MechanismSystem system(models::single_track_vehicle(v, spins));
  Options options;
  options.tolerance = tolerance;
  Solver solver(system, options);
  State state;
  check(solver.initialize(state, 0));
  check(solver.advance(state, 100 / v));
  return {system.motion(state.point).position({{1}, {}, true}),
          static_cast<double>(state.statistics.steps)};
}

void vehicle(Table& table) {
  for (const double v : {1.0, 10.0, 30.0, 100.0}) {
    const mechanics::Vec3 exact = ride(v, mechanics::Spins::automatic, 1e-9).place;
    std::vector<std::string> cells = {fixed(v, 0), fixed(v / 0.3, 0)};
    for (const auto spins : {mechanics::Spins::no, mechanics::Spins::automatic}) {
      const Ride there = ride(v, spins, 1e-5);
      cells.push_back(fixed(there.steps, 0));
      cells.push_back(scientific((there.place - exact).norm(), 1));
    }
    table.row(cells);
  }
}

int rotors(Arguments arguments) {
  if (arguments.flag("--help")) {
    std::cout << help;
    return 0;
  }
  const bool markdown = arguments.flag("--markdown");
  const auto names = arguments.rest();
  if (names.size() != 1 || (names[0] != "top" && names[0] != "vehicle"))
    throw BadArgument("name one table: top or vehicle");
  Table table(names[0] == "top" ? std::vector<std::string>{"spin [rad/s]", "h [s]", "spin h [rad]",
                                                           "body axes", "frame without spin"}
                                : std::vector<std::string>{
                                      "speed [m/s]", "spin [rad/s]", "steps, body axes",
                                      "error [m]", "steps, frame without spin", "error [m]"});
  names[0] == "top" ? top(table) : vehicle(table);
  table.print(std::cout, markdown);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return guarded("rotors", [&] { return rotors({argc, argv}); });
}
