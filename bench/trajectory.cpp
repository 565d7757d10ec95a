// The motion of a model as CSV: time and all outputs, for plots.

#include <cmath>
#include <iostream>

#include "bench/arguments.h"
#include "bench/table.h"
#include "solver/solver.h"

using namespace mechfmu;
using namespace mechfmu::bench;

namespace {

constexpr const char* help =
    "trajectory MODEL --csv FILE [options]   time and all outputs\n"
    "\n"
    "  --every H          time between lines (default: the model's communication step)\n"
    "  --end T            end time (default: the model's)\n"
    "  --fixed-step H     constant steps instead of steps that follow the tolerance\n"
    "  --tolerance E      default: the model's\n"
    "  --set name=value   parameter or input of the model; may be repeated\n";

int trajectory(Arguments arguments) {
  if (arguments.flag("--help")) {
    std::cout << help << method_help;
    return 0;
  }
  const auto settings = take_settings(arguments);
  const auto every = arguments.positive("--every");
  const auto end = arguments.positive("--end");
  const auto fixed_step = arguments.positive("--fixed-step");
  const auto tolerance = arguments.positive("--tolerance");
  const auto csv = arguments.text("--csv");
  const MethodChoice method = take_method(arguments, 0.8);
  const auto system = models::make(take_model(arguments));
  if (!csv) throw BadArgument("--csv FILE is needed: where to write to");
  apply_settings(*system, settings);

  const Variables& variables = system->variables();
  const Experiment& experiment = variables.experiment();
  Options options;
  method.apply(options);
  options.tolerance = tolerance.value_or(experiment.tolerance);
  options.fixed_step = fixed_step.value_or(0);
  Solver solver(*system, options);

  std::vector<std::vector<std::string>> lines{{"t [s]"}};
  for (const Variable& output : variables.outputs())
    lines[0].push_back(output.name() + " [" + output.unit() + "]");
  State state;
  const auto check = [](const Result& result) {
    if (!result.ok()) throw std::runtime_error(result.message);
  };
  const auto write_line = [&] {
    Point p;
    check(solver.output(state, p));
    std::vector<std::string> line{exactly(p.t)};
    for (std::size_t i = 0; i < variables.outputs().size(); ++i)
      line.push_back(exactly(system->read(i)));
    lines.push_back(line);
  };
  check(solver.initialize(state, 0));
  write_line();
  const double stop = end.value_or(experiment.stop);
  const long count = std::max(1L, std::lround(stop / every.value_or(experiment.step)));
  for (long i = 1; i <= count; ++i) {
    check(solver.advance(state, stop * static_cast<double>(i) / static_cast<double>(count)));
    write_line();
  }
  write_csv(*csv, lines);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return guarded("trajectory", [&] { return trajectory({argc, argv}); });
}
