#include "model/description.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "model/checksum.h"
#include "model/format.h"

namespace mechfmu {

namespace {

/// The unit of a rate: N.m → N.m/s; 1 → 1/s; m → m/s.
std::string per_second(const std::string& unit, int power) {
  const std::string seconds = power == 1 ? "s" : "s" + std::to_string(power);
  return unit == "1" ? "1/" + seconds : unit + "/" + seconds;
}

Type type_of(SolverSettingRow::Type type) {
  switch (type) {
    case SolverSettingRow::Type::real: return Type::real;
    case SolverSettingRow::Type::integer: return Type::integer;
    case SolverSettingRow::Type::boolean: return Type::boolean;
    case SolverSettingRow::Type::method: return Type::enumeration;
  }
  return Type::real;
}

struct StatisticRow {
  const char* name;
  Type type;
  const char* unit;
  const char* about;
};

constexpr std::array<StatisticRow, statistic_count> statistic_rows = {{
    {"solver.steps", Type::integer, "1", "accepted substeps"},
    {"solver.rejected", Type::integer, "1", "rejected substeps"},
    {"solver.newton_iterations", Type::integer, "1", "Newton iterations"},
    {"solver.jacobians", Type::integer, "1", "evaluations of derivatives"},
    {"solver.factorizations", Type::integer, "1", "matrix factorizations"},
    {"solver.restarts", Type::integer, "1", "histories restarted: input jumps, large step ratios"},
    {"solver.step_size", Type::real, "s", "last substep"},
    {"solver.error", Type::real, "1", "error estimate of the last substep over the tolerance"},
    {"solver.residual", Type::real, "1", "last Newton correction over the tolerance"},
    {"constraint.position", Type::real, "", "largest residual of the position constraints"},
    {"constraint.velocity", Type::real, "", "largest residual of the velocity constraints"},
}};

class Table {
 public:
  explicit Table(Description& description) : description_(description) {}

  Entry& add(const std::string& name, Source source, Index index, Index size, bool vector) {
    Entry entry;
    entry.name = name;
    entry.source = source;
    entry.index = index;
    entry.size = size;
    entry.vector = vector;
    entry.first = description_.references;
    entry.units.assign(static_cast<std::size_t>(size), "1");
    description_.references += static_cast<std::uint32_t>(size);
    description_.entries.push_back(std::move(entry));
    return description_.entries.back();
  }

  void time() {
    Entry& t = add("time", Source::time, 0, 1, false);
    t.causality = Causality::independent;
    t.initial = Initial::none;
    t.units = {"s"};
    t.about = "time";
  }

  void inputs(const Variables& v, Variable::Kind kind) {
    for (std::size_t i = 0; i < v.inputs().size(); ++i) {
      const Variable& variable = v.inputs()[i];
      if (variable.kind() != kind) continue;
      const bool parameter = kind == Variable::Kind::parameter;
      Entry& e = add(variable.name(), Source::input, static_cast<Index>(i), 1, false);
      e.causality = parameter ? Causality::parameter : Causality::input;
      e.variability = !parameter         ? Variability::continuous
                      : variable.fixed() ? Variability::fixed
                                         : Variability::tunable;
      e.initial = parameter ? Initial::exact : Initial::none;
      e.start = {*v.input_values()[i]};
      take(e, variable);
    }
  }

  void outputs(const Variables& v) {
    for (std::size_t i = 0; i < v.outputs().size(); ++i) {
      Entry& e = add(v.outputs()[i].name(), Source::output, static_cast<Index>(i), 1, false);
      e.causality = Causality::output;
      take(e, v.outputs()[i]);
    }
  }

  /// y, z and a: one array, or a scalar for each coordinate. Held coordinates have exact starts.
  void coordinates(const Variables& v, const Sizes& size) {
    letters("y", Source::y, v, 0, v.start().y, &Coordinate::hold_position, "positions");
    letters("z", Source::z, v, 1, v.start().z, &Coordinate::hold_velocity, "velocities");
    letters("a", Source::a, v, 2, {}, nullptr, "accelerations");
    plain("lambda", Source::lambda, size.m, "multipliers of the holonomic constraints");
    plain("psi", Source::psi, size.k, "multipliers of the nonholonomic constraints");
    if (Entry* x = plain("x", Source::x, size.x, "first-order states"); x != nullptr) {
      x->initial = Initial::exact;
      x->start = padded(v.start().x, size.x);
      x->nominal = shared(v.state_nominals());
    }
    letters("method.a", Source::method_a, v, 2, {}, nullptr,
            "the method's own accelerations, at t + alpha h of the last substep");
    plain("method.lambda", Source::method_lambda, size.m,
          "the method's own multipliers of the holonomic constraints");
    plain("method.psi", Source::method_psi, size.k,
          "the method's own multipliers of the nonholonomic constraints");
  }

  void solver(const Variables& v) {
    Index number = 0;
    for (const SolverSettingRow& row : solver_setting_rows()) {
      Entry& e = add("solver." + std::string(row.name), Source::setting, number++, 1, false);
      e.type = type_of(row.type);
      e.causality = Causality::parameter;
      e.variability = Variability::fixed;
      e.initial = Initial::exact;
      e.start = {row.get(v.solver())};
      e.min = row.min;
      e.max = row.max;
      e.units = {std::string(row.unit)};
      e.about = row.about;
      if (e.type == Type::enumeration)
        for (int m = 0; m < offered_methods; ++m)
          e.items.emplace_back(name(static_cast<Method>(m)));
    }
    for (int i = 0; i < statistic_count; ++i) {
      const StatisticRow& row = statistic_rows[static_cast<std::size_t>(i)];
      Entry& e = add(row.name, Source::statistic, i, 1, false);
      e.type = row.type;
      e.variability = row.type == Type::real ? Variability::continuous : Variability::discrete;
      e.units = {row.unit};
      e.about = row.about;
    }
  }

 private:
  static void take(Entry& e, const Variable& variable) {
    e.units = {variable.unit()};
    e.about = variable.about();
    e.min = variable.min();
    e.max = variable.max();
  }

  /// The nominal value that all elements share; 1 where they differ or count for nothing.
  static double shared(const std::vector<double>& nominals) {
    const double first = nominals.empty() ? 1 : nominals[0];
    const bool same =
        std::all_of(nominals.begin(), nominals.end(), [&](double x) { return x == first; });
    return same && std::isfinite(first) ? first : 1;
  }

  Entry* plain(const std::string& name, Source source, Index size, const char* about) {
    if (size == 0) return nullptr;
    Entry& e = add(name, source, 0, size, true);
    e.units.assign(static_cast<std::size_t>(size), "");  // only the model knows them
    e.about = about;
    return &e;
  }

  void letters(const std::string& name, Source source, const Variables& v, int derivative,
               const std::vector<double>& start, bool Coordinate::*held, const char* about) {
    const auto& coordinates = v.coordinates();
    const auto size = static_cast<Index>(coordinates.size());
    Entry& e = add(name, source, 0, size, true);
    e.about = about;
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      const std::string& unit = coordinates[i].unit;
      e.units[i] = derivative == 0 ? unit : per_second(unit, derivative);
    }
    if (held == nullptr) return;
    const bool all_held = std::all_of(coordinates.begin(), coordinates.end(),
                                      [&](const Coordinate& c) { return c.*held; });
    e.initial = all_held ? Initial::exact : Initial::approx;
    e.start = padded(start, size);
  }

  Description& description_;
};

}  // namespace

std::string Entry::unit() const {
  const bool same =
      std::all_of(units.begin(), units.end(), [&](const auto& u) { return u == units[0]; });
  return same && !units.empty() ? units[0] : "1";
}

std::string Entry::element_name(Index i) const {
  return vector ? name + "[" + std::to_string(i + 1) + "]" : name;
}

Description::Place Description::find(std::uint32_t reference) const {
  if (reference >= references) return {entries.size(), 0};
  const auto after = std::upper_bound(entries.begin(), entries.end(), reference,
                                      [](std::uint32_t r, const Entry& e) { return r < e.first; });
  const auto entry = static_cast<std::size_t>(after - entries.begin()) - 1;
  return {entry, static_cast<Index>(reference - entries[entry].first)};
}

std::size_t Description::find(const std::string& name) const {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.name == name; });
  return static_cast<std::size_t>(found - entries.begin());
}

Description describe(const std::string& model, const System& system) {
  const Variables& v = system.variables();
  Description description;
  description.model = model;
  description.about = v.about();
  description.experiment = v.experiment();
  Table table(description);
  table.time();
  table.inputs(v, Variable::Kind::input);
  table.inputs(v, Variable::Kind::parameter);
  table.outputs(v);
  if (v.letters()) table.coordinates(v, system.sizes());
  table.solver(v);
  return description;
}

std::string token(const Description& d) {
  // Two checksums of a text that contains everything a master could rely on.
  std::string text = "mechfmu 1;" + d.model + ";";
  for (const Entry& e : d.entries) {
    text += e.name + "|" + std::to_string(static_cast<int>(e.type)) +
            std::to_string(static_cast<int>(e.causality)) +
            std::to_string(static_cast<int>(e.variability)) +
            std::to_string(static_cast<int>(e.initial)) + "|" + std::to_string(e.first) + "+" +
            std::to_string(e.size) + "|";
    for (const double start : e.start) text += format(start) + ",";
    for (const std::string& unit : e.units) text += unit + ",";
    text += ";";
  }
  std::string digits;
  for (const std::uint64_t hash : {checksum(text), checksum(text, 1099511628211ULL * 31)})
    for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[(hash >> shift) & 15];
  return digits;
}

const std::vector<LogCategory>& log_categories() {
  static const std::vector<LogCategory> categories = {
      {"logStatusWarning", "something is unusual; the results are correct"},
      {"logStatusDiscard",
       "a step could not be carried out; another step size or other inputs may help"},
      {"logStatusError", "a call was refused"},
      {"logStatusFatal", "the instance cannot continue"},
      {"logEvents", "jumps of inputs and parameters, restarts"},
      {"logNonlinearSystems", "convergence of the step equations"},
      {"logSingularLinearSystems", "redundant constraints and singular positions"},
      {"logSolverStatistics", "work per communication step"},
  };
  return categories;
}

}  // namespace mechfmu
