#include "packaging/linearize.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <optional>

#include "importer/channels.h"
#include "language/backend/build.h"
#include "language/meaning/check.h"
#include "mechanics/coordinates.h"
#include "model/description.h"
#include "model/format.h"
#include "model_desc/text.h"
#include "packaging/export.h"
#include "packaging/interrupt.h"
#include "packaging/linear_files.h"
#include "packaging/options.h"
#include "packaging/terminal.h"

namespace mechfmu {

namespace {

using Names = std::vector<std::string>;

Names names_of(const std::vector<Variable>& variables, std::optional<Variable::Kind> kind = {}) {
  Names names;
  for (const Variable& v : variables)
    if (!kind || v.kind() == *kind) names.push_back(v.name());
  return names;
}

/// The position in u; `likely` are the names for a suggestion.
Index find_setting(const Variables& variables, const std::string& name, const Names& likely,
                   const char* what) {
  if (std::find(likely.begin(), likely.end(), name) != likely.end())
    return variables.input_index(name);
  const std::string help = suggestion(name, likely);
  throw WrongUsage(
      std::string("unknown ") + what + " '" + name + "'" +
      (help.empty() && !likely.empty() ? "; choose from " + joined(likely, ", ") : help));
}

void set_values(System& system, const Names& set) {
  const Variables& variables = system.variables();
  Vector u(system.sizes().u);
  system.get_inputs(u);
  for (const std::string& text : set) {
    const auto [name, value] = assignment(text);
    const Index i =
        find_setting(variables, name, names_of(variables.inputs()), "parameter or input");
    const Variable& variable = variables.inputs()[static_cast<std::size_t>(i)];
    FmuVariable limits;
    limits.name = name;
    limits.unit = variable.unit() == "1" ? "" : variable.unit();
    if (std::isfinite(variable.min())) limits.min = variable.min();
    if (std::isfinite(variable.max())) limits.max = variable.max();
    try {
      u[i] = number_for(limits, value);
    } catch (const std::runtime_error& error) {
      throw WrongUsage(error.what());
    }
  }
  system.set_inputs(u);
  try {
    system.check();
  } catch (const std::invalid_argument& error) {
    throw WrongUsage(error.what());
  }
}

/// Shows how far a run has come, and ends it after Ctrl-C.
class Progress : public StepObserver {
 public:
  explicit Progress(double end) : end_(end) {}
  bool accepted(State& state) override {
    status_.show_progress(state.point.t / end_, "t = " + format(state.point.t) + " s");
    return !interrupted();
  }

 private:
  double end_;
  StatusLine status_;
};

void expect_ok(const Result& result) {
  if (!result.ok()) throw WrongFile(result.message);
}

/// The state at the time, before and after it was trimmed.
struct OperatingPoint {
  State state;
  Point p, before;
  Vector u_before;
};

OperatingPoint find_point(Solver& solver, mechanics::MechanismSystem& system,
                          const std::vector<mechanics::Measure>& joints,
                          const LinearizeCommand& command) {
  OperatingPoint made;
  expect_ok(solver.initialize(made.state, 0));
  if (command.at > 0) {
    Progress progress(command.at);
    expect_ok(solver.advance(made.state, command.at, &progress));
    if (interrupted()) throw Interrupted();
  }
  expect_ok(solver.output(made.state, made.before));
  made.u_before.resize(system.sizes().u);
  system.get_inputs(made.u_before);
  if (!command.trimmed.empty()) {
    const Names inputs = names_of(system.variables().inputs(), Variable::Kind::input);
    std::vector<Index> adapt;
    if (command.trimmed != "true")
      for (const std::string& name : names_in(command.trimmed))
        adapt.push_back(find_setting(system.variables(), name, inputs, "input"));
    expect_ok(trim(solver, made.state,
                   candidate_coordinates(system, joints, made.before, mechanics::Vec3::Zero()),
                   adapt));
  }
  expect_ok(solver.output(made.state, made.p));
  return made;
}

/// How far trimming has moved the states and the inputs.
struct Moves {
  Vector states, inputs;
};
Moves moves_of(mechanics::MechanismSystem& system, const std::vector<mechanics::Measure>& joints,
               const LinearModel& model, const OperatingPoint& point) {
  const CandidateCoordinates coordinates =
      candidate_coordinates(system, joints, point.before, mechanics::Vec3::Zero());
  const auto count = static_cast<Index>(coordinates.q.size());
  CandidateCoordinates::Values before;
  for (Vector* v : {&before.q, &before.dq, &before.v, &before.dv}) v->resize(count);
  CandidateCoordinates::Values after = before;
  coordinates.read(point.before, before);
  coordinates.read(point.p, after);
  std::map<std::string, double> by;
  for (Index c = 0; c < count; ++c) {
    by[coordinates.q[static_cast<std::size_t>(c)].name] = after.q[c] - before.q[c];
    by[coordinates.v[static_cast<std::size_t>(c)].name] = after.v[c] - before.v[c];
  }
  for (Index i = 0; i < point.p.x.size(); ++i)
    by[system.state_name(i)] = point.p.x[i] - point.before.x[i];
  Moves moves{model.s0, model.u0};
  for (std::size_t i = 0; i < model.states.size(); ++i)
    moves.states[static_cast<Index>(i)] = by[model.states[i].name];
  for (std::size_t i = 0; i < model.inputs.size(); ++i)
    moves.inputs[static_cast<Index>(i)] -=
        point.u_before[system.variables().input_index(model.inputs[i].name)];
  return moves;
}

std::string with_unit(double x, const std::string& unit) {
  return format(x + 0.0, 7) + (unit.empty() || unit == "1" ? "" : " " + unit);
}

/// name, value, rate or how far trimming has moved it
std::string values_text(const char* title, const std::vector<NameAndUnit>& all,
                        const Vector& values, const char* beside, const Vector& more) {
  if (all.empty()) return {};
  std::vector<TextRow> rows = {{title, "value", more.size() > 0 ? beside : ""}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto k = static_cast<Index>(i);
    rows.push_back({"  " + all[i].name, with_unit(values[k], all[i].unit)});
    if (more.size() > 0) rows.back().push_back(format(std::abs(more[k]) < 1e-9 ? 0 : more[k], 7));
  }
  return "\n" + table(rows, 0);
}

/// Units of first-order states, which the mechanism file knows.
void add_units(LinearModel& model, const MechanismText& text) {
  for (NameAndUnit& state : model.states)
    for (const Element& e : text.elements)
      if (e.type->name == "state" && e.name == state.name) state.unit = e.text("unit");
}

}  // namespace

void LinearizeCommand::add_to(CLI::App& app) {
  app.add_option("file", file, "Mechanism file, or an FMU exported from one")
      ->required()
      ->check(existing_file());
  app.add_option("--at", at,
                 "Time of the operating point, s; the mechanism is simulated until then")
      ->check(non_negative_number())
      ->capture_default_str();
  app.add_flag("--trim", trimmed,
               "Linearize at the nearest equilibrium; --trim=a,b also solves for these inputs");
  app.add_option("--set", set, "Set a parameter or an input; repeatable")
      ->option_text("name=value")
      ->allow_extra_args(false);
  app.add_option("-o,--output", output,
                 "File to write: .json, .csv or .npz; -: JSON to standard output");
  app.add_flag("-q,--quiet", quiet, "Print errors and warnings only");
}

int LinearizeCommand::run() {
  const Interruptible interruptible;
  const std::string kind = output.extension().string();
  const bool to_terminal = output == "-";
  if (!output.empty() && !to_terminal && kind != ".json" && kind != ".csv" && kind != ".npz")
    throw WrongUsage("-o " + output.string() + ": the name must end in .json, .csv or .npz");
  if (output.has_parent_path() && !std::filesystem::is_directory(output.parent_path()))
    throw std::runtime_error("cannot write " + output.string() + ": no such folder");
  const UnpackedMechanism mechanism(file);
  Diagnostics diagnostics;
  const LoadedMechanism loaded = load_mechanism(mechanism.file(), diagnostics);
  if (!diagnostics.has_errors()) (void)check_mechanism(loaded.plan, diagnostics);
  std::cerr << diagnostics.text(true);
  if (diagnostics.has_errors()) return has_errors;
  std::vector<std::filesystem::path> read(loaded.text.files.begin(), loaded.text.files.end());
  read.push_back(file);
  refuse_to_overwrite(read, {output});
  if (!loaded.plan.functions.empty())
    throw WrongFile("function '" + loaded.plan.functions[0].name +
                    "' is written in C++, which linearize does not support");

  mechanics::Mechanism description = build_mechanism(loaded.plan);
  const std::vector<mechanics::Measure> joints = mechanics::measure_joints(description);
  mechanics::MechanismSystem system(std::move(description));
  set_values(system, set);
  // So accurate that its error is invisible in A.
  const Variables& variables = system.variables();
  const double tolerance = std::min(1e-9, 0.1 * variables.experiment().tolerance);
  Solver solver(system, make_options(variables.solver(), tolerance));
  const OperatingPoint point = find_point(solver, system, joints, *this);
  const mechanics::Vec3 turning = mechanics::steady_turning(system, point.p);
  LinearModel model;
  try {
    model = linearize(solver, point.state, candidate_coordinates(system, joints, point.p, turning));
  } catch (const std::runtime_error& error) {
    throw WrongFile(error.what());
  }
  add_units(model, loaded.text);

  if (kind == ".npz")
    write_npz(output, model);
  else if (!output.empty())
    write_text(output, kind == ".csv" ? linear_model_csv(model)
                                      : linear_model_json(model, loaded.plan.name));
  if (quiet || to_terminal) return fine;

  const bool at_rest = !trimmed.empty();
  const Moves moves = at_rest ? moves_of(system, joints, model, point) : Moves{};
  const bool rests =
      at_rest || (at == 0 && variables.experiment().start == StartPosition::equilibrium);
  std::cout << loaded.plan.name << ": linear model at t = " << format(model.t) << " s, "
            << (rests ? "at rest in equilibrium" : "in motion") << "\n";
  if (turning.norm() > 0)
    std::cout << "Steady turning: states are in axes that rotate with " << format(turning[0], 5)
              << " " << format(turning[1], 5) << " " << format(turning[2], 5) << " rad/s.\n";
  std::cout << values_text("States", model.states, model.s0, at_rest ? "moved by" : "rate",
                           at_rest ? moves.states : model.ds0)
            << values_text("Inputs", model.inputs, model.u0, "moved by", moves.inputs)
            << values_text("Outputs", model.outputs, model.o0, "", {}) << "\nPoles\n"
            << poles_text(model);
  if (!output.empty()) std::cout << "\nwritten: " << output.string() << "\n";
  return fine;
}

}  // namespace mechfmu
