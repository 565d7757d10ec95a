// Runs a mechanism file by mechfmu or by IDA of SUNDIALS, with the same equations and derivatives:
// cost of the run, and its results.
//
// The interval is that of rows; steps of mechfmu end there, those of IDA do not. Both solve for
// accelerations and reactions of rows from positions and velocities in the same way. With a
// controller, the input is set at regular times: a step ends there for both, and IDA restarts, or
// continues with its history.

#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>

#include "bench/arguments.h"
#include "bench/large/ida_mechanism.h"
#include "bench/table.h"
#include "language/backend/build.h"
#include "language/file/reader.h"
#include "language/meaning/plan.h"
#include "mechanics/system.h"
#include "solver/solver.h"

namespace mechfmu::bench {

namespace {

constexpr const char* help =
    "large FILE --tolerance E --end T [options]   a mechanism file by mechfmu or by IDA\n"
    "\n"
    "  --solver soi2|hht_i3|ida   (default: soi2)\n"
    "  --interval S        of rows, and of mechfmu's ends of steps (default: a hundredth of the "
    "end)\n"
    "  --out FILE          rows as CSV\n"
    "  --repeat N          times, of which the mean is taken (default: 1)\n"
    "  --control S         a controller holds a velocity, and sets its input every S seconds;\n"
    "  --body NAME, --axis 0..5, --gain N     its body, force or torque along or about x, y, z; "
    "N.s/m or N.m.s\n"
    "  --go-on             IDA continues with its history when the input is set\n"
    "IDA alone:\n"
    "  --order 1..5, --index 2|3\n"
    "  --velocity W        tolerance of velocities in that of positions, 1/s (default: 10)\n"
    "  --ordering 0|1|2    of KLU: AMD, COLAMD, natural (default: 0)\n";

mechanics::Mechanism read_mechanism(const std::string& file) {
  Diagnostics diagnostics;
  const MechanismText text = read_mechanism_file(file, diagnostics);
  Plan plan;
  if (!diagnostics.has_errors()) plan = make_plan(text, diagnostics);
  if (diagnostics.has_errors()) throw std::runtime_error(diagnostics.text(true));
  return build_mechanism(plan);
}

/// A sampled force or torque −gain·(velocity − velocity at t = 0) on a body.
struct Controller {
  double interval = 0;  // 0: there is none
  std::string body;
  int axis = 0;
  double gain = 0;
  Index input = -1, number = -1;  // of its input, and of the body
  double held = 0;

  void add_to(mechanics::Mechanism& m) {
    if (interval == 0) return;
    const auto found = std::find_if(m.bodies.begin(), m.bodies.end(),
                                    [&](const auto& data) { return data.name == body; });
    if (found == m.bodies.end()) throw BadArgument("there is no body '" + body + "'");
    number = found - m.bodies.begin();
    const mechanics::Input command = m.input("controller", 0, axis < 3 ? "N" : "N.m");
    input = static_cast<Index>(m.settings.size()) - 1;
    mechanics::VectorForceData force{
        .name = "controller", .torque = axis >= 3, .at = {mechanics::Body{number}, found->at}};
    force.value[static_cast<std::size_t>(axis % 3)] = command;
    m.force(force);
  }
  /// In axes of the body if it is angular: bodies with a torque rotate only about that axis.
  double velocity(const mechanics::MechanismSystem& system, const Point& p) const {
    const mechanics::BodyPlace& place = system.layout().bodies[ix(number)];
    return p.z[place.z + (axis >= 3 && place.freedom.spins() ? 5 : axis)];
  }
  void hold(const mechanics::MechanismSystem& system, const Point& p) {
    if (interval > 0) held = velocity(system, p);
  }
  void command(const mechanics::MechanismSystem& system, const Point& p, Vector& u) const {
    u[input] = -gain * (velocity(system, p) - held);
  }
};

struct Facts {
  std::string method;
  double seconds = 0;
  long steps = 0, rejected = 0, newton = 0, evaluations = 0, jacobians = 0, factorizations = 0,
       restarts = 0;
  std::string more;  // JSON
};

class Rows {
 public:
  Rows(System& system, const std::string& file) : system_(system) {
    if (file.empty()) return;
    out_.open(file);
    if (!out_) throw std::runtime_error("cannot write '" + file + "'");
    out_ << "time";
    for (const Variable& output : system.variables().outputs()) out_ << ',' << output.name();
    out_ << '\n';
  }
  /// At the point, which has its accelerations and where the system is.
  void add(const Point& p) {
    if (!out_.is_open()) return;
    out_ << exactly(p.t);
    for (std::size_t i = 0; i < system_.variables().outputs().size(); ++i)
      out_ << ',' << exactly(system_.read(i));
    out_ << '\n';
  }

 private:
  System& system_;
  std::ofstream out_;
};

void require(const Result& result) {
  if (!result.ok()) throw std::runtime_error(result.message);
}

/// Ends of intervals, 0 < t ≤ end; samples of the controller are marked.
struct Stop {
  double t = 0;
  bool row = false, control = false;
};
std::vector<Stop> stops_until(double end, double interval, double control) {
  std::vector<Stop> stops;
  const auto add = [&](double every, bool is_control) {
    const auto count = std::lround(end / every);
    for (long k = 1; k <= count; ++k) {
      const double t = k == count ? end : end * static_cast<double>(k) / static_cast<double>(count);
      stops.push_back({t, !is_control, is_control});
    }
  };
  add(interval, false);
  if (control > 0) add(control, true);
  std::stable_sort(stops.begin(), stops.end(),
                   [](const Stop& a, const Stop& b) { return a.t < b.t; });
  std::vector<Stop> merged;
  for (const Stop& stop : stops)
    if (!merged.empty() && stop.t - merged.back().t < 1e-9 * end) {
      merged.back().row = merged.back().row || stop.row;
      merged.back().control = merged.back().control || stop.control;
    } else {
      merged.push_back(stop);
    }
  return merged;
}

struct Task {
  double tolerance = 0, end = 0;
  std::vector<Stop> stops;
  Controller controller;
  bool go_on = false;
};

Facts run_mechfmu(mechanics::MechanismSystem& system, const Options& options, Task task,
                  Rows& rows) {
  Solver solver(system, options);
  State state;
  require(solver.initialize(state, 0));
  Point p;
  p.resize(system.sizes());
  Vector u(system.sizes().u);
  system.get_inputs(u);
  const Statistics before = state.statistics;
  require(solver.output(state, p));
  rows.add(p);
  task.controller.hold(system, p);
  Facts facts;
  for (const Stop& stop : task.stops) {
    const double begin = processor_time();
    require(solver.advance(state, stop.t));
    facts.seconds += processor_time() - begin;
    if (stop.row) {
      require(solver.output(state, p));
      rows.add(p);
    }
    if (stop.control) {
      task.controller.command(system, state.point, u);
      solver.set_inputs(state, u);
    }
  }
  const Statistics& s = state.statistics;
  facts.method = name(options.method);
  facts.steps = s.steps - before.steps;
  facts.rejected = s.rejected() - before.rejected();
  facts.newton = s.newton_iterations - before.newton_iterations;
  facts.evaluations = s.evaluations - before.evaluations;
  facts.jacobians = s.jacobians - before.jacobians;
  facts.factorizations = s.factorizations - before.factorizations;
  facts.restarts = s.restarts - before.restarts;
  return facts;
}

Facts run_ida(mechanics::MechanismSystem& system, const IdaOptions& options, Task task,
              Rows& rows) {
  // Finds consistent values, and accelerations of rows.
  Solver solver(system, make_options(system.variables().solver(), 1e-9));
  State state;
  require(solver.initialize(state, 0));
  if (!solver.redundant().empty())
    throw std::runtime_error("redundant constraints are not known to this comparison");
  Point p;
  p.resize(system.sizes());
  require(solver.output(state, p));
  rows.add(p);
  task.controller.hold(system, p);
  IdaMechanism ida(system, options);
  Vector u(system.sizes().u);
  system.get_inputs(u);
  ida.start(p);
  Facts facts;
  const bool controlled = task.controller.interval > 0;
  if (!controlled) ida.stop_at(task.end);
  for (const Stop& stop : task.stops) {
    double begin = processor_time();
    if (controlled) ida.stop_at(stop.t);
    ida.advance(stop.t);
    facts.seconds += processor_time() - begin;
    if (stop.row || stop.control) ida.look(stop.t, state.point);
    if (stop.row) {
      require(solver.output(state, p));
      rows.add(p);
    }
    if (!stop.control || stop.t == task.end) continue;
    begin = processor_time();
    task.controller.command(system, state.point, u);
    solver.set_inputs(state, u);
    if (task.go_on) {
      system.set_inputs(u);
    } else {
      require(solver.output(state, p));
      ida.start(p);
    }
    facts.seconds += processor_time() - begin;
  }
  const IdaCounts& c = ida.counts();
  facts.method = "ida";
  facts.steps = c.steps;
  facts.rejected = c.error_failures + c.newton_failures;
  facts.newton = c.iterations;
  facts.evaluations = c.residuals;
  facts.jacobians = facts.factorizations = c.jacobians;
  facts.restarts = c.restarts;
  facts.more = R"(, "order": )" + std::to_string(options.order) + R"(, "index": )" +
               std::to_string(options.index) + R"(, "velocity": )" +
               exactly(options.velocity_weight) + R"(, "unknowns": )" +
               std::to_string(ida.unknowns()) + R"(, "entries": )" + std::to_string(ida.entries()) +
               R"(, "factor_entries": )" + exactly(ida.factor_entries()) + R"(, "analyses": )" +
               std::to_string(c.analyses) + R"(, "in_residuals": )" + exactly(c.in_residuals) +
               R"(, "in_jacobians": )" + exactly(c.in_jacobians) + R"(, "in_factors": )" +
               exactly(c.in_factors) + R"(, "in_solves": )" + exactly(c.in_solves);
  return facts;
}

Controller take_controller(Arguments& arguments) {
  Controller made;
  made.interval = arguments.positive("--control").value_or(0);
  made.body = arguments.text("--body").value_or("");
  made.axis = static_cast<int>(arguments.number("--axis").value_or(0));
  made.gain = arguments.number("--gain").value_or(0);
  if (made.axis < 0 || made.axis > 5) throw BadArgument("--axis must be a number from 0 to 5");
  return made;
}

int program(int argc, char** argv) {
  Arguments arguments(argc, argv);
  if (arguments.flag("--help")) {
    std::cout << help;
    return 0;
  }
  const std::string solver =
      arguments.one_of("--solver", {"soi2", "hht_i3", "ida"}).value_or("soi2");
  const auto tolerance = arguments.positive("--tolerance");
  const auto end = arguments.positive("--end");
  const double interval = arguments.positive("--interval").value_or(end.value_or(1) / 100);
  const std::string out = arguments.text("--out").value_or("");
  const int repeat = arguments.count("--repeat", 1000).value_or(1);
  Task task;
  task.controller = take_controller(arguments);
  task.go_on = arguments.flag("--go-on");
  IdaOptions ida;
  ida.order = arguments.count("--order", 5).value_or(5);
  ida.index = arguments.count("--index", 3).value_or(2);
  ida.velocity_weight = arguments.positive("--velocity").value_or(10);
  ida.ordering = static_cast<int>(arguments.number("--ordering").value_or(0));
  const auto files = arguments.rest();
  if (files.size() != 1 || !tolerance || !end) throw BadArgument(help);
  task.tolerance = ida.tolerance = *tolerance;
  task.end = *end;
  task.stops = stops_until(*end, interval, task.controller.interval);

  mechanics::Mechanism mechanism = read_mechanism(files[0]);
  task.controller.add_to(mechanism);
  mechanics::MechanismSystem system(std::move(mechanism));
  Options options = make_options(system.variables().solver(), *tolerance);
  if (solver == "hht_i3") options.method = Method::hht_i3;
  options.coefficients = default_coefficients(options.method);
  options.max_substeps = 100'000'000;
  Vector u(system.sizes().u);
  system.get_inputs(u);
  Facts facts;
  double seconds = 0;
  for (int i = 0; i < repeat; ++i) {
    system.set_inputs(u);
    Rows rows(system, i == 0 ? out : "");
    facts = solver == "ida" ? run_ida(system, ida, task, rows)
                            : run_mechfmu(system, options, task, rows);
    seconds += facts.seconds / repeat;
  }
  const Sizes& s = system.sizes();
  std::cout << R"({"file": ")" << files[0] << R"(", "solver": ")" << facts.method
            << R"(", "tolerance": )" << exactly(*tolerance) << R"(, "end": )" << exactly(*end)
            << R"(, "control": )" << exactly(task.controller.interval) << R"(, "n": )" << s.n
            << R"(, "m": )" << s.mu() << R"(, "steps": )" << facts.steps << R"(, "rejected": )"
            << facts.rejected << R"(, "newton": )" << facts.newton << R"(, "evaluations": )"
            << facts.evaluations << R"(, "jacobians": )" << facts.jacobians
            << R"(, "factorizations": )" << facts.factorizations << R"(, "restarts": )"
            << facts.restarts << R"(, "seconds": )" << exactly(seconds) << facts.more << "}\n";
  return 0;
}

}  // namespace

}  // namespace mechfmu::bench

int main(int argc, char** argv) {
  return mechfmu::bench::guarded("large", [&] { return mechfmu::bench::program(argc, argv); });
}
