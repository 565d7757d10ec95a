#include "model_desc/reference.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <vector>

#include "model_desc/csv.h"
#include "model_desc/text.h"
#include "model_desc/xml.h"
#include "solver/solver.h"

namespace mechfmu {

namespace {

/// An output, read at the present point of the system.
struct Column {
  std::string name;
  std::function<double()> read;
};

std::vector<Column> find_columns(const Description& d, System& system) {
  std::vector<Column> columns;
  for (const Entry& e : d.entries)
    if (e.source == Source::output)
      columns.push_back(
          {e.name, [&system, i = static_cast<std::size_t>(e.index)] { return system.read(i); }});
  if (!columns.empty()) return columns;
  for (const Entry& e : d.entries)
    for (Index i = 0; i < e.size; ++i) {
      if (e.source == Source::y)
        columns.push_back({e.element_name(i), [&system, i] { return system.point().y[i]; }});
      if (e.source == Source::z)
        columns.push_back({e.element_name(i), [&system, i] { return system.point().z[i]; }});
    }
  return columns;
}

/// Gives up if the whole run would take too long or, if it may be cut, once it has taken too long.
Result run(System& system, double tolerance, const Experiment& experiment, double most_work,
           bool cut, const std::vector<Column>& columns, Reference& reference, double& work) {
  std::string& csv = reference.csv;
  // The model's method and damping, but not its settings that reduce accuracy.
  const SolverSettings& wanted = system.variables().solver();
  const SolverSettings settings = {.method = wanted.method,
                                   .rho_inf = wanted.rho_inf,
                                   .alpha_hht = wanted.alpha_hht,
                                   .h_max = wanted.h_max};
  Options options = make_options(settings, tolerance);
  // A single communication step must not take longer than the whole run may.
  const auto n = static_cast<double>(std::max<Index>(system.sizes().n, 1));
  options.max_substeps = static_cast<long>(std::clamp(most_work / n, 1.0, 1e8));
  Solver solver(system, options);
  State state;
  Point p;
  p.resize(system.sizes());
  csv = "time";
  for (const Column& column : columns) csv += "," + csv_name(column.name);
  csv += "\n";

  // If the stop time is a multiple of the step up to roundoff, there is no tiny last step.
  const auto steps =
      std::max(1LL, std::llround(std::ceil(experiment.stop / experiment.step - 1e-6)));
  Result result = solver.initialize(state, 0);
  for (long long i = 0; i <= steps && result.ok(); ++i) {
    const double t = i == steps ? experiment.stop : static_cast<double>(i) * experiment.step;
    if (i > 0) result = solver.advance(state, t);
    // After part of the run, its total cost is known well enough.
    work = static_cast<double>(state.statistics.steps) * n;
    const double done = static_cast<double>(i) / static_cast<double>(steps);
    if (result.ok() && i > 0 &&
        (work > most_work || (!cut && 20 * i >= steps && work > most_work * done)))
      return {Failure::too_many_steps, t, "the run takes too long"};
    if (result.ok()) result = solver.output(state, p);
    if (!result.ok()) break;
    system.at(p);
    csv += shortest(t);
    reference.stop = t;
    for (const Column& column : columns) csv += "," + shortest(column.read());
    csv += "\n";
  }
  return result;
}

}  // namespace

Reference make_reference(const Description& description, System& system,
                         std::optional<double> most_work) {
  constexpr Index large = 1000;
  const double limit = most_work.value_or(system.sizes().n > large ? 2e5 : 1e6);
  const std::vector<Column> columns = find_columns(description, system);
  // First with the tolerance of the default experiment: its cost predicts that of tighter
  // tolerances, by the third root.
  Reference usual;
  usual.tolerance = description.experiment.tolerance;
  double work = 0;
  const Result result =
      run(system, usual.tolerance, description.experiment, limit, true, columns, usual, work);
  if (result.failure == Failure::too_many_steps) return usual;
  if (!result.ok())
    throw std::runtime_error("the default experiment fails at t = " + shortest(result.t) + ": " +
                             result.message);
  // The tightest tolerance that roundoff and the limit of work allow.
  for (const double tolerance : {1e-11, 1e-10, 1e-9, 1e-8}) {
    if (tolerance >= usual.tolerance || work * std::cbrt(usual.tolerance / tolerance) > limit)
      continue;
    Reference tight;
    tight.tolerance = tolerance;
    double more = 0;
    if (run(system, tolerance, description.experiment, 2 * limit, false, columns, tight, more).ok())
      return tight;
  }
  return usual;
}

std::string reference_file_name(const Description& d) { return d.model + "_ref.csv"; }

std::string reference_manifest(const Description& d, const Reference& reference) {
  const XmlDocument document("fmiReferences");
  XmlElement root = document.root();
  // v1.0.0-beta.1 of the text still asks for the version 1.0.0-alpha.1 here; the format is the
  // same.
  root.set("xmlns:fmi-ls", "http://fmi-standard.org/fmi-ls-manifest")
      .set("fmi-ls:fmi-ls-name", "org.fmi-standard.fmi-ls-ref")
      .set("fmi-ls:fmi-ls-version", "1.0.0-alpha.1")
      .set("fmi-ls:fmi-ls-description",
           "Layered Standard providing information on related files included in an FMU.");
  root.add("Related")
      .set("type", "text/csv")
      .set("source", reference_file_name(d))
      .set("role", "result")
      .set("description",
           "Default experiment with inputs and parameters at their start values; tolerance of "
           "the solver " +
               shortest(reference.tolerance) +
               (reference.stop < d.experiment.stop ? "; cut at " + shortest(reference.stop) +
                                                         " s, where it had taken its share of work"
                                                   : ""));
  return document.text();
}

}  // namespace mechfmu
