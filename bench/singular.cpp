// Runs through singular positions: each must keep its energy or report that it cannot.
//
//   chain    N windows of links of 1 m and 1 kg, upright with 1 m/s at t = 0. When flat, a four-bar
//            can continue as a parallelogram or crossed
//   toggle   a slider-crank with a rod as long as its crank, 1 m and 1 kg each. When upright, the
//            slider is on the axis of the crank: it can pass, or rest there while the rod turns
//            with the crank
//
// For every tolerance the largest change of energy is compared with the expected one, and angles
// show whether the run is on its branch: the posts of the chain stay parallel, the link of the
// toggle leans like the crank.

#include <cmath>
#include <iostream>
#include <numbers>

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
    "singular [options]   mechanisms that pass singular positions, over tolerances 1e-4 ... 1e-11\n"
    "\n"
    "  --model chain|toggle   four-bars through their flat position; a slider-crank of equal "
    "lengths\n"
    "  --windows N            four-bars of the chain (default 2, and 10)\n"
    "  --type planar|spatial  (default both)\n"
    "  --step H               communication step (default 0.5, 0.05 and 0.01)\n"
    "  --end T                (default 10)\n"
    "  --tolerances K         how many (default 40)\n"
    "  --verbose              report why runs were refused\n"
    "  --markdown             table for a Markdown page\n";

mechanics::Mechanism toggle(models::Space space) {
  using namespace mechanics;
  constexpr double phi = 0.5;   // of the crank at t = 0
  constexpr double rate = 3.0;  // … and its speed
  const double x = std::cos(phi);
  const double y = std::sin(phi);
  Mechanism m("toggle");
  m.gravity = {0, -9.81, 0};
  const auto rod = [&](const char* name, double middle, double angle, double vx) {
    return m.body({.name = name,
                   .type = models::turning_body(space),
                   .mass = 1,
                   .inertia = {.xx = 1e-3, .yy = 1.0 / 12, .zz = 1.0 / 12},
                   .at = {middle, y / 2, 0},
                   .rotation = {0, 0, angle},
                   .velocity = {vx, rate * x / 2, 0},
                   .angular_velocity = {0, 0, angle > 0 ? rate : -rate}});
  };
  const Body crank = rod("crank", x / 2, phi, -rate * y / 2);
  const Body link = rod("link", 1.5 * x, -phi, -1.5 * rate * y);
  const Body slider = m.body({.name = "slider",
                              .type = models::turning_body(space),
                              .mass = 1,
                              .inertia = {.xx = 0.1, .yy = 0.1, .zz = 0.1},
                              .at = {2 * x, 0, 0},
                              .velocity = {-2 * rate * y, 0, 0}});
  m.joint({.name = "pin", .a = ground, .b = crank});
  m.joint({.name = "hinge", .a = crank, .b = link, .at = {x, y, 0}});
  m.joint({.name = "wrist", .a = link, .b = slider, .at = {2 * x, 0, 0}});
  m.joint(
      {.name = "guide", .type = JointType::prismatic, .a = ground, .b = slider, .axis = {1, 0, 0}});
  return m;
}

struct Run {
  double change = 0;  // of the energy, the largest
  double off = 0;     // largest angle to its branch
  std::string message;
  long restarts = 0;
};

/// The rotation angle of body `b` (from 1) about z.
double angle(const mechanics::Motion& motion, Index b) {
  const mechanics::Mat3 R = motion.rotation({b});
  return std::atan2(R(1, 0), R(0, 0));
}

Run run(const mechanics::Mechanism& mechanism, int windows, double tolerance, double H,
        double end) {
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
    if (!result.ok()) {
      made.message = result.message;
      break;
    }
    made.change = std::max(made.change, std::abs(energy() - begin) / std::abs(begin));
    const mechanics::Motion& now = system.motion(state.point);
    const double first = angle(now, 1);
    const auto differs = [&](double other) {
      made.off = std::max(made.off, std::abs(std::remainder(other - first, 2 * std::numbers::pi)));
    };
    for (int k = 1; k <= windows; ++k) differs(angle(now, 1 + k));
    if (windows == 0) differs(-angle(now, 2));
  }
  made.restarts = state.statistics.restarts;
  return made;
}

struct Case {
  int windows = 0;  // 0: toggle
  models::Space space = models::Space::planar;
  double H = 0;

  std::string name() const {
    return windows == 0 ? "toggle" : "chain of " + std::to_string(windows);
  }
  std::string bodies() const { return space == models::Space::planar ? "planar" : "spatial"; }
};

/// Adds a row of the table; false if a run was wrong.
bool scan(const Case& c, double end, int count, bool verbose, Table& table) {
  const auto mechanism =
      c.windows > 0 ? models::four_bar_chain_bodies(c.windows, c.space) : toggle(c.space);
  int wrong = 0;
  int refused = 0;
  double refused_at = 0;  // the loosest tolerance
  double worst = 0;
  for (int k = 0; k < count; ++k) {
    const double tolerance = std::pow(10, -4 - 7.0 * k / std::max(1, count - 1));
    const Run made = run(mechanism, c.windows, tolerance, c.H, end);
    // Errors grow with the number of steps: the expected error is tolerance^(2/3), with a margin
    // for the singular positions.
    const bool kept = made.change <= 100 * std::pow(tolerance, 2.0 / 3) && made.off < 0.01;
    worst = std::max(worst, made.change / std::pow(tolerance, 2.0 / 3));
    const auto say = [&]() -> std::ostream& {
      return std::cerr << c.name() << ", " << c.bodies() << ", H = " << c.H << ", tolerance "
                       << scientific(tolerance, 2) << ": ";
    };
    if (!made.message.empty()) {
      ++refused;
      refused_at = std::max(refused_at, tolerance);
      if (verbose) say() << made.message << "\n";
    }
    if (kept) continue;
    ++wrong;
    say() << "energy changes by " << scientific(made.change, 1) << ", the branch is left by "
          << scientific(made.off, 1) << " rad, " << made.restarts << " restarts\n";
  }
  table.row({c.name(), c.bodies(), exactly(c.H), std::to_string(count), std::to_string(wrong),
             std::to_string(refused), refused > 0 ? scientific(refused_at, 0) : "",
             fixed(worst, 1)});
  return wrong == 0;
}

int singular(Arguments arguments) {
  if (arguments.flag("--help")) {
    std::cout << help;
    return 0;
  }
  const auto model = arguments.one_of("--model", {"chain", "toggle"});
  const auto windows = arguments.count("--windows", 1000);
  const auto type = arguments.one_of("--type", {"planar", "spatial"});
  const auto step = arguments.positive("--step");
  const double end = arguments.positive("--end").value_or(10);
  const int count = arguments.count("--tolerances", 10'000).value_or(40);
  const bool markdown = arguments.flag("--markdown");
  const bool verbose = arguments.flag("--verbose");
  (void)arguments.rest();
  std::vector<int> chains = {2, 10, 0};
  if (windows) chains = {*windows, 0};
  if (model == "chain") chains.pop_back();
  if (model == "toggle") chains = {0};
  std::vector<double> steps = {0.5, 0.05, 0.01};
  if (step) steps = {*step};
  Table table({"mechanism", "bodies", "H [s]", "runs", "wrong", "refused",
               "loosest tolerance refused", "largest change of energy / tolerance^(2/3)"});
  bool right = true;
  for (const int n : chains)
    for (const auto space : {models::Space::planar, models::Space::spatial})
      for (const double H : steps) {
        const Case c{n, space, H};
        if (type && *type != c.bodies()) continue;
        right = scan(c, end, count, verbose, table) && right;
      }
  table.print(std::cout, markdown);
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  return guarded("singular", [&] { return singular({argc, argv}); });
}
