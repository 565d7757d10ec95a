// The effect of a tolerance: the error at the end of the run, the residuals of the constraints, and
// the work.
//
// Every row is one run with step-size control. The error is ‖y_N − y(t_end)‖₂ against values from
// outside this code (bench/problems.h); the residuals of g and of (g_t + G z, k) are the largest
// in any component after any step.

#include <algorithm>
#include <cmath>
#include <iostream>

#include "bench/arguments.h"
#include "bench/problems.h"
#include "bench/table.h"
#include "solver/solver.h"

using namespace mechfmu;
using namespace mechfmu::bench;

namespace {

constexpr const char* help =
    "adaptive [MODEL...] [options]   error and work for tolerances 1e-3 ... 1e-9\n"
    "\n"
    "  --min-iterations N  of Newton's method in every step (default: the solver's)\n"
    "  --csv FILE          results as CSV\n"
    "  --markdown          tables for a Markdown page\n";

/// A run to a time at which the solution is known.
struct Case {
  const char* model;
  double rho, end;
};

constexpr Case cases[] = {
    {"slider_crank", 0.7, 1}, {"andrews", 0.7, 0.03},    {"car_axis", 0.8, 3},
    {"pendulum", 0.8, 10},    {"rolling_disk", 0.8, 10},
};

struct Outcome {
  double tolerance = 0;
  double error = 0, position = 0, velocity = 0;
  Statistics statistics;
  std::string failure;
};

/// Keeps the largest residuals of the constraints.
class ResidualWatch final : public StepObserver {
 public:
  ResidualWatch(Solver& solver, Outcome& outcome) : solver_(solver), outcome_(outcome) {}

  bool accepted(State& state) override {
    double position = 0;
    double velocity = 0;
    solver_.constraint_residuals(state, position, velocity);
    outcome_.position = std::max(outcome_.position, position);
    outcome_.velocity = std::max(outcome_.velocity, velocity);
    return true;
  }

 private:
  Solver& solver_;
  Outcome& outcome_;
};

Outcome run(const Case& which, Options options, double tolerance) {
  const auto system = models::make(which.model);
  const Problem problem = find_problem(which.model);
  options.tolerance = tolerance;
  Solver solver(*system, options);

  Outcome outcome;
  outcome.tolerance = tolerance;
  ResidualWatch watch(solver, outcome);
  State state;
  Result result = solver.initialize(state, 0);
  if (result.ok()) result = solver.advance(state, which.end, &watch);
  outcome.failure = result.message;
  outcome.statistics = state.statistics;
  outcome.error = distance(state.point.y, known_at(problem, which.end)->y);
  return outcome;
}

std::int64_t other_rejections(const Statistics& s) {
  return s.rejected_singular + s.rejected_non_finite;
}

Table make_table(const Sizes& size, const std::vector<Outcome>& outcomes) {
  Table table({"tolerance", "error of y", "error/tolerance", "max g", "max g', k", "steps",
               "rejected: error", "Newton", "other", "Newton iterations", "evaluations",
               "Jacobians", "factorizations"});
  for (const Outcome& o : outcomes) {
    const Statistics& s = o.statistics;
    std::vector<std::string> cells{
        scientific(o.tolerance, 0),
        o.failure.empty() ? scientific(o.error, 2) : "failed",
        o.failure.empty() ? fixed(o.error / o.tolerance, 0) : "failed",
        size.m > 0 ? scientific(o.position, 1) : "–",
        size.mu() > 0 ? scientific(o.velocity, 1) : "–",
    };
    for (const auto count : {s.steps, s.rejected_error, s.rejected_newton, other_rejections(s),
                             s.newton_iterations, s.evaluations, s.jacobians, s.factorizations})
      cells.push_back(std::to_string(count));
    table.row(cells);
  }
  return table;
}

void add_lines(std::vector<std::vector<std::string>>& lines, const Case& which,
               const MethodChoice& method, const std::vector<Outcome>& outcomes) {
  for (const Outcome& o : outcomes) {
    const Statistics& s = o.statistics;
    std::vector<std::string> line{which.model, '"' + method.text + '"'};
    for (const double value : {o.tolerance, o.error, o.position, o.velocity})
      line.push_back(exactly(value));
    for (const auto count : {s.steps, s.rejected_error, s.rejected_newton, other_rejections(s),
                             s.newton_iterations, s.evaluations, s.jacobians, s.factorizations})
      line.push_back(std::to_string(count));
    lines.push_back(line);
  }
}

const Case& find_case(const std::string& name) {
  for (const Case& c : cases)
    if (name == c.model) return c;
  std::string known;
  for (const Case& c : cases) known.append(known.empty() ? "" : ", ").append(c.model);
  throw BadArgument("no end values are known for '" + name + "'; allowed are: " + known);
}

std::vector<Case> choose(const std::vector<std::string>& names) {
  if (names.empty()) return {std::begin(cases), std::end(cases)};
  std::vector<Case> chosen;
  chosen.reserve(names.size());
  for (const std::string& name : names) chosen.push_back(find_case(name));
  return chosen;
}

int adaptive(Arguments arguments) {
  if (arguments.flag("--help")) {
    std::cout << help << method_help;
    return 0;
  }
  const std::string csv = arguments.text("--csv").value_or("");
  const bool markdown = arguments.flag("--markdown");
  const auto min_iterations = arguments.count("--min-iterations", 10);
  Arguments without_method = arguments;
  take_method(without_method, 0.8);
  const auto chosen = choose(without_method.rest());

  std::vector<std::vector<std::string>> lines{
      {"model", "method", "tolerance", "error_y", "max_position_residual", "max_velocity_residual",
       "steps", "rejected_error", "rejected_newton", "rejected_other", "newton_iterations",
       "evaluations", "jacobians", "factorizations"}};
  bool failed = false;
  for (const Case& which : chosen) {
    Arguments of_method = arguments;
    const MethodChoice method = take_method(of_method, which.rho);
    Options options;
    method.apply(options);
    options.experiments.min_iterations =
        min_iterations.value_or(options.experiments.min_iterations);
    std::vector<Outcome> outcomes;
    for (const double tolerance : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9})
      outcomes.push_back(run(which, options, tolerance));
    std::cout << (markdown ? "**" : "") << which.model << ": " << method.text << ", t = 0 … "
              << format(which.end) << (markdown ? "**\n\n" : "\n");
    make_table(models::make(which.model)->sizes(), outcomes).print(std::cout, markdown);
    std::cout << '\n';
    for (const Outcome& o : outcomes) {
      if (o.failure.empty()) continue;
      std::cerr << "adaptive: " << which.model << ", tolerance " << format(o.tolerance) << ": "
                << o.failure << '\n';
      failed = true;
    }
    add_lines(lines, which, method, outcomes);
  }
  if (!csv.empty()) write_csv(csv, lines);
  return failed ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  return guarded("adaptive", [&] { return adaptive({argc, argv}); });
}
