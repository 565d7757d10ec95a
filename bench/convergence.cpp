// Observed order: errors of runs with smaller and smaller steps, and log₂ of their ratios.
//
//   e_y = ‖y_n − y(t_n)‖₂,  z, λ, ψ likewise,   e_a = ‖a_{n+α} − a(t_n + αh)‖₂
//
// The steps of a level are constant, alternate between h/3 and 2h/3 (Jay & Negrut, section 8), or
// have sizes drawn from [2h/3, 4h/3]. If no exact solution is known, this program makes the
// reference: runs with N … 8N steps, extrapolated to h → 0. There a is the acceleration that solves
// M a = f at t_n, which users see.

#include <cmath>
#include <cstdint>
#include <iostream>
#include <random>

#include "bench/arguments.h"
#include "bench/problems.h"
#include "bench/table.h"
#include "solver/solver.h"

using namespace mechfmu;
using namespace mechfmu::bench;

namespace {

constexpr const char* help =
    "convergence MODEL [options]   table of errors and observed orders\n"
    "convergence --list            names of the models\n"
    "\n"
    "  --steps constant|alternating|random     alternating: h/3, 2h/3\n"
    "  --start fresh|plain   a_alpha = a0 + alpha h a0' (default) or a0\n"
    "  --no-rescale          neither (15) nor (16) on a change of step\n"
    "  --no-rescale-a        no (15)\n"
    "  --no-rescale-Ma       no (16)\n"
    "  --error end|max       at the end (default), or largest over all steps (needs an exact "
    "solution)\n"
    "  --from N              steps (pairs of steps when alternating) of the first row\n"
    "  --levels L            rows; each has twice the steps of the one above\n"
    "  --end T               end time\n"
    "  --set name=value      parameter or input of the model; may be repeated\n"
    "  --tolerance E         accuracy of Newton's method (default 1e-14; index 3: 1e-12)\n"
    "  --csv FILE            errors, and relative errors of every component, as CSV\n"
    "  --markdown            table for a Markdown page\n";

/// Newton's method continues until its error is invisible in a table. In index-3 methods roundoff
/// of size ε/h² in the accelerations ends it sooner.
Options tight(const MethodChoice& method) {
  Options options;
  method.apply(options);
  options.tolerance = traits(method.method).velocity_constraints ? 1e-14 : 1e-12;
  options.experiments.min_iterations = 2;
  options.experiments.max_iterations = 50;
  return options;
}

enum class Steps { constant, alternating, random };

/// Times t₀ = 0 … t_end of a run with n (pairs of) steps.
std::vector<double> grid(Steps kind, int n, double t_end) {
  std::vector<double> times{0};
  const double h = t_end / n;
  if (kind == Steps::random) {
    std::mt19937 generator(1);
    double sum = 0;
    for (int i = 0; i < n; ++i)
      times.push_back(sum += 2.0 / 3 + 2.0 / 3 * static_cast<double>(generator()) / 0x1p32);
    for (double& t : times) t *= t_end / sum;
  } else {
    for (int i = 0; i < n; ++i) {
      if (kind == Steps::alternating) times.push_back((i + 1.0 / 3) * h);
      times.push_back((i + 1) * h);
    }
  }
  times.back() = t_end;
  return times;
}

/// Steps along the grid; visit(state) after each.
template <class Visitor>
State run(Solver& solver, const std::vector<double>& times, Visitor&& visit) {
  State state;
  const auto check = [](const Result& result) {
    if (!result.ok()) throw std::runtime_error(result.message);
  };
  check(solver.initialize(state, times.front()));
  for (std::size_t i = 1; i < times.size(); ++i) {
    check(solver.step(state, times[i] - state.point.t));
    visit(state);
  }
  return state;
}

/// The end of a run as users see it.
Point end_point(System& system, const Options& options, const std::vector<double>& times) {
  Solver solver(system, options);
  State state = run(solver, times, [](const State&) {});
  Point p;
  if (const Result r = solver.output(state, p); !r.ok()) throw std::runtime_error(r.message);
  p.mu = state.point.mu;  // of the method, not from position and velocity
  return p;
}

struct Errors {
  double y = 0, z = 0, a = 0, lambda = 0, psi = 0;

  void largest_of(const Errors& other) {
    y = std::max(y, other.y);
    z = std::max(z, other.z);
    a = std::max(a, other.a);
    lambda = std::max(lambda, other.lambda);
    psi = std::max(psi, other.psi);
  }
};

Errors difference(const Point& p, In a, const Point& reference) {
  return {(p.y - reference.y).norm(), (p.z - reference.z).norm(), (a - reference.a).norm(),
          (p.lambda() - reference.lambda()).norm(), (p.psi() - reference.psi()).norm()};
}

/// Σ weights_i points_i in y, z, a, μ.
Point combine(const std::vector<Point>& points, const std::vector<double>& weights) {
  Point sum = points.front();
  for (Vector Point::*part : {&Point::y, &Point::z, &Point::a, &Point::mu}) {
    (sum.*part).setZero();
    for (std::size_t i = 0; i < points.size(); ++i) sum.*part += weights[i] * (points[i].*part);
  }
  return sum;
}

struct Reference {
  Point point;
  Errors uncertainty;
  double tolerance = 0;  // of Newton's method
};

/// Runs with h, h/2, h/4, h/8 and errors c₂h² + c₃h³ + c₄h⁴ + …: the combination without these
/// three terms, and its distance from the best one without the first two.
Reference extrapolate(System& system, const Options& options, int n, double t_end) {
  std::vector<Point> points;
  for (const int factor : {1, 2, 4, 8})
    points.push_back(end_point(system, options, grid(Steps::constant, factor * n, t_end)));
  const Point third = combine(points, {0, 1.0 / 21, -12.0 / 21, 32.0 / 21});
  const Point fourth = combine(points, {-1.0 / 315, 28.0 / 315, -224.0 / 315, 512.0 / 315});
  return {fourth, difference(fourth, fourth.a, third), options.tolerance};
}

/// With the tightest tolerance of Newton's method that roundoff allows.
Reference find_reference(System& system, int n, double t_end) {
  Options options = tight(make_method(Method::soi2, 0.9));
  for (;; options.tolerance *= 10) {
    try {
      return extrapolate(system, options, n, t_end);
    } catch (const std::runtime_error&) {
      if (options.tolerance > 1e-10) throw;
    }
  }
}

struct Study {
  Problem problem;
  std::string model;
  std::vector<std::string> settings;
  MethodChoice method;
  Options options;
  Steps steps = Steps::constant;
  double end = 1;
  int from = 10, levels = 6;
  bool maximum = false;
  std::string csv;
  bool markdown = false;
};

struct Row {
  int n = 0;
  double h = 0, newton_per_step = 0;
  Errors errors;
  Point end, reference;
  std::string failure;
};

Row run_level(const Study& study, System& system, const Reference& reference, int n) {
  Row row;
  row.n = n;
  row.h = study.end / n;
  Solver solver(system, study.options);
  try {
    const auto exact_errors = [&](const State& s) {
      const double t = s.point.t;
      row.reference = study.problem.exact(t, t + study.options.coefficients.alpha() * s.last_h);
      return difference(s.point, s.history.a, row.reference);
    };
    const bool exact = study.problem.exact != nullptr;
    State state = run(solver, grid(study.steps, n, study.end), [&](const State& s) {
      if (exact && study.maximum) row.errors.largest_of(exact_errors(s));
    });
    row.end = state.point;
    row.newton_per_step = static_cast<double>(state.statistics.newton_iterations) /
                          static_cast<double>(state.statistics.steps);
    if (!exact) {
      row.reference = reference.point;
      if (const Result r = solver.output(state, row.end); !r.ok())
        throw std::runtime_error(r.message);
      row.end.mu = state.point.mu;  // those of the method
      row.errors = difference(row.end, row.end.a, reference.point);
    } else if (!study.maximum) {
      row.errors = exact_errors(state);
    }
  } catch (const std::runtime_error& error) {
    row.failure = error.what();
  }
  return row;
}

/// "1.234e-05 (2.01)".
std::string cell(double error, const Row* before, double Errors::*part) {
  std::string text = scientific(error);
  if (before && before->failure.empty() && error > 0 && before->errors.*part > 0)
    text += " (" + fixed(std::log2(before->errors.*part / error)) + ")";
  return text;
}

/// Columns of a table: those variables that the model has.
std::vector<std::pair<const char*, double Errors::*>> columns(const Sizes& size) {
  std::vector<std::pair<const char*, double Errors::*>> list = {
      {"y", &Errors::y}, {"z", &Errors::z}, {"a", &Errors::a}};
  if (size.m > 0) list.emplace_back("λ", &Errors::lambda);
  if (size.k > 0) list.emplace_back("ψ", &Errors::psi);
  return list;
}

void print_table(const Study& study, const Sizes& size, const std::vector<Row>& rows) {
  std::vector<std::string> header{study.steps == Steps::alternating ? "pairs" : "steps", "h"};
  for (const auto& [name, part] : columns(size)) header.emplace_back(name);
  header.emplace_back("Newton/step");
  Table table(header);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    std::vector<std::string> cells{std::to_string(row.n), scientific(row.h, 2)};
    for (const auto& [name, part] : columns(size))
      cells.push_back(row.failure.empty()
                          ? cell(row.errors.*part, i > 0 ? &rows[i - 1] : nullptr, part)
                          : "failed");
    cells.push_back(row.failure.empty() ? fixed(row.newton_per_step) : "failed");
    table.row(cells);
  }
  table.print(std::cout, study.markdown);
}

/// Errors by kind, then |error/reference| of every coordinate and multiplier.
void write_errors(const Study& study, const System& system, const std::vector<Row>& rows) {
  const Sizes& size = system.sizes();
  std::vector<std::vector<std::string>> lines{
      {"n", "h", "newton_per_step", "y", "z", "a", "lambda", "psi"}};
  for (Index i = 0; i < size.n; ++i) lines[0].push_back("relative:" + system.coordinate_name(i));
  for (Index i = 0; i < size.m; ++i)
    lines[0].push_back("relative:lambda[" + std::to_string(i + 1) + "]");
  for (Index i = 0; i < size.k; ++i)
    lines[0].push_back("relative:psi[" + std::to_string(i + 1) + "]");
  for (const Row& row : rows) {
    if (!row.failure.empty()) continue;
    std::vector<std::string> line{std::to_string(row.n)};
    for (const double value : {row.h, row.newton_per_step, row.errors.y, row.errors.z, row.errors.a,
                               row.errors.lambda, row.errors.psi})
      line.push_back(exactly(value));
    const auto relative = [&](double value, double reference) {
      line.push_back(exactly(std::abs((value - reference) / reference)));
    };
    for (Index i = 0; i < size.n; ++i) relative(row.end.y[i], row.reference.y[i]);
    for (Index i = 0; i < size.mu(); ++i) relative(row.end.mu[i], row.reference.mu[i]);
    lines.push_back(line);
  }
  write_csv(study.csv, lines);
}

std::string list_errors(const Sizes& size, const Errors& errors) {
  std::string text;
  for (const auto& [name, part] : columns(size))
    text += (text.empty() ? "" : ", ") + std::string(name) + " " + scientific(errors.*part, 1);
  return text;
}

/// Compares the reference with known values from other sources.
std::string compare_with_known(const Study& study, const Point& p) {
  const KnownValues* known = known_at(study.problem, study.end);
  if (!known || !study.settings.empty()) return "no independent values at this time";
  std::string text;
  const auto add = [&](const char* name, In v, const std::vector<double>& values) {
    if (!values.empty())
      text +=
          (text.empty() ? "" : ", ") + std::string(name) + " " + scientific(distance(v, values), 1);
  };
  add("y", p.y, known->y);
  add("z", p.z, known->z);
  add("λ", p.lambda(), known->lambda);
  add("ψ", p.psi(), known->psi);
  return "distance from independent values (" + std::string(study.problem.source) + "): " + text;
}

std::string steps_text(const Study& study) {
  std::string text;
  switch (study.steps) {
    case Steps::constant: text = "constant steps"; break;
    case Steps::alternating: text = "steps h/3 and 2h/3"; break;
    case Steps::random: text = "random steps 2h/3 … 4h/3"; break;
  }
  const Options& o = study.options;
  if (study.steps != Steps::constant) {
    if (o.experiments.rescale_a && o.experiments.rescale_Ma) text += " with (15) and (16)";
    if (o.experiments.rescale_a && !o.experiments.rescale_Ma) text += " with (15) but not (16)";
    if (!o.experiments.rescale_a && o.experiments.rescale_Ma) text += " with (16) but not (15)";
    if (!o.experiments.rescale_a && !o.experiments.rescale_Ma)
      text += " with neither (15) nor (16)";
  }
  text += o.experiments.start == StartTreatment::fresh ? ", start a_α = a₀ + αh a₀'"
                                                       : ", start a_α = a₀";
  return text;
}

Study read_study(Arguments& arguments) {
  Study study;
  study.settings = take_settings(arguments);
  const bool neither = arguments.flag("--no-rescale");
  const bool no_a = arguments.flag("--no-rescale-a");
  const bool no_Ma = arguments.flag("--no-rescale-Ma");
  const std::string steps =
      arguments.one_of("--steps", {"constant", "alternating", "random"}).value_or("constant");
  study.steps = steps == "constant"      ? Steps::constant
                : steps == "alternating" ? Steps::alternating
                                         : Steps::random;
  const bool plain = arguments.one_of("--start", {"fresh", "plain"}).value_or("fresh") == "plain";
  study.maximum = arguments.one_of("--error", {"end", "max"}).value_or("end") == "max";
  const auto from = arguments.count("--from", 1'000'000);
  study.levels = arguments.count("--levels", 20).value_or(6);
  const auto end = arguments.positive("--end");
  const auto tolerance = arguments.positive("--tolerance");
  study.csv = arguments.text("--csv").value_or("");
  study.markdown = arguments.flag("--markdown");
  // The usual damping depends on the model, which remains after all options are taken.
  Arguments without_method = arguments;
  take_method(without_method, 0.8);
  study.model = take_model(without_method);
  study.problem = find_problem(study.model);
  study.method = take_method(arguments, study.problem.rho);

  Options& options = study.options = tight(study.method);
  options.tolerance = tolerance.value_or(options.tolerance);
  options.experiments.rescale_a = !neither && !no_a;
  options.experiments.rescale_Ma = !neither && !no_Ma;
  options.experiments.start = plain ? StartTreatment::plain : StartTreatment::fresh;
  study.end = end.value_or(models::make(study.model)->variables().experiment().stop);
  study.from = from.value_or(study.problem.from);
  if (std::ldexp(study.from, study.levels - 1) > 1e8)
    throw BadArgument("--from " + std::to_string(study.from) + " with --levels " +
                      std::to_string(study.levels) + " asks for more than 1e8 steps");
  if (study.maximum && !study.problem.exact)
    throw BadArgument("--error max needs an exact solution, which " + study.model +
                      " has not; use --error end");
  return study;
}

int convergence(Arguments arguments) {
  if (arguments.flag("--help")) {
    std::cout << help << method_help;
    return 0;
  }
  if (arguments.flag("--list")) {
    for (const std::string& name : models::names()) std::cout << name << '\n';
    return 0;
  }
  const Study study = read_study(arguments);
  const auto system = models::make(study.model);
  apply_settings(*system, study.settings);
  const Sizes& size = system->sizes();

  std::cout << study.model << ": " << study.method.text << ", " << steps_text(study) << ", t = 0 … "
            << format(study.end) << (study.maximum ? ", largest error of all steps" : "") << ".\n";
  Reference reference;
  if (study.problem.exact) {
    std::cout << "Reference: exact solution.\n\n";
  } else {
    const int n = study.problem.fine;
    reference = find_reference(*system, n, study.end);
    std::cout << "Reference: soi2, ρ∞ = 0.9, " << n << " … " << 8 * n
              << " steps extrapolated, Newton to " << scientific(reference.tolerance, 0)
              << "; uncertain by " << list_errors(size, reference.uncertainty) << ";\n"
              << compare_with_known(study, reference.point) << ".\n\n";
  }

  std::vector<Row> rows;
  rows.reserve(static_cast<std::size_t>(study.levels));
  for (int level = 0; level < study.levels; ++level)
    rows.push_back(run_level(study, *system, reference, study.from << level));
  print_table(study, size, rows);
  if (!study.csv.empty()) write_errors(study, *system, rows);

  bool failed = false;
  for (const Row& row : rows) {
    if (row.failure.empty()) continue;
    std::cerr << "convergence: " << row.n << " steps: " << row.failure << '\n';
    failed = true;
  }
  return failed ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  return guarded("convergence", [&] { return convergence({argc, argv}); });
}
