#include "language/meaning/check.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <stdexcept>

#include "language/backend/build.h"
#include "mechanics/motion.h"
#include "model/description.h"
#include "model/format.h"
#include "model_desc/check.h"
#include "model_desc/json.h"
#include "model_desc/text.h"
#include "solver/solver.h"

namespace mechfmu {

namespace {

/// Reports errors of the mechanics library and the solver at the lines of the elements. Their
/// messages use full names: "joint 'leg1.knee': 'axis' has length zero", "… constraint 'leg1.knee:
/// x' …".
class Complaints {
 public:
  Complaints(const Plan& plan, Diagnostics& diagnostics) : plan_(plan), diagnostics_(diagnostics) {
    for (const Item& item : plan.items)
      if (const auto* name =
              std::get_if<std::string>(item.find("name") ? item.find("name") : &none_))
        items_.emplace(*name, &item);
  }
  void add(const std::string& message) {
    // "word 'name': rest"
    const std::size_t open = message.find('\'');
    const std::size_t close = open == std::string::npos ? open : message.find("': ", open + 1);
    if (open == message.find(' ') + 1 && close == message.find('\'', open + 1) &&
        close != std::string::npos)
      if (const Item* item = find(message.substr(open + 1, close - open - 1)))
        return about(*item, message.substr(close + 3));
    // otherwise the first quoted name of an element, or the mechanism as a whole
    Place place{plan_.file, plan_.line};
    for (std::size_t at = open; at != std::string::npos;) {
      const std::size_t end = message.find('\'', at + 1);
      if (end == std::string::npos) break;
      if (const Item* item = find(message.substr(at + 1, end - at - 1))) {
        place = item->place;
        break;
      }
      at = message.find('\'', end + 1);
    }
    diagnostics_.error(place, {}, {}, message);
  }

  void about(const Item& item, std::string message) {
    message = without_prefix(std::move(message), item.prefix);
    if (item.call == "bushing" && message.find("has length zero") != std::string::npos)
      message = "its axes have length zero or are parallel; axis2 must point across axis";
    Said now{item.place, item.label, {}, std::move(message)};
    // "'axis' has length zero": at the line of the attribute
    if (now.message.starts_with('\'')) {
      now.attribute = now.message.substr(1, now.message.find('\'', 1) - 1);
      for (const Field& field : item.fields)
        if (field.name == now.attribute && field.place.line > 0) now.place = field.place;
    }
    auto known = std::find_if(said_.begin(), said_.end(), [&](const Said& s) {
      return s.place.file == now.place.file && s.place.line == now.place.line &&
             s.element == now.element && s.message == now.message;
    });
    if (known == said_.end()) known = said_.insert(said_.end(), std::move(now));
    known->prefixes.insert(item.prefix);
  }

  void say() const {
    for (const Said& s : said_)
      diagnostics_.error(s.place, s.element, s.attribute, s.message + uses(s.prefixes));
  }

  /// The item of a full name, or of the part before ": x" or ".x": a row of a joint, a part of an
  /// element.
  const Item* find(std::string name) const {
    for (;;) {
      const auto found = items_.find(name);
      if (found != items_.end()) return found->second;
      const std::size_t end = name.find_last_of(".:");
      if (end == std::string::npos) return nullptr;
      name.resize(end);
    }
  }

 private:
  struct Said {
    Place place;
    std::string element, attribute, message;
    std::set<std::string> prefixes{};  // of the uses of a group with this complaint
  };

  /// " (in leg1, leg2 and 4 more)"
  static std::string uses(const std::set<std::string>& prefixes) {
    std::vector<std::string> names;
    for (const std::string& prefix : prefixes)
      if (!prefix.empty()) names.push_back(prefix.substr(0, prefix.size() - 1));
    if (names.empty()) return {};
    constexpr std::size_t most = 3;
    if (names.size() > most) {
      names[most - 1] = std::to_string(names.size() - most + 1) + " more";
      names.resize(most);
    }
    return " (in " + listed(names, "and") + ")";
  }

  const Plan& plan_;
  Diagnostics& diagnostics_;
  std::map<std::string, const Item*> items_;
  std::vector<Said> said_;
  FieldValue none_ = false;
};

std::string significant(double x) { return format(x, 5); }

std::string counted(Index n, const std::string& one, const std::string& many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

void add_bodies(const mechanics::Mechanism& m, const mechanics::Motion& q,
                const mechanics::InputValues& s, MechanismCheck& check) {
  for (std::size_t b = 1; b < m.bodies.size(); ++b) {
    const mechanics::BodyData& data = m.bodies[b];
    const mechanics::Number& mass = data.solid ? data.solid->mass : data.mass;
    const mechanics::Triple& centre = data.solid ? data.solid->centre : data.centre;
    const Mat<double, 3> J = (data.solid ? data.solid->inertia : data.inertia)(s);
    const Eigen::SelfAdjointEigenSolver<Mat<double, 3>> principal(J, Eigen::EigenvaluesOnly);
    Vec<double, 3> moments = principal.eigenvalues();
    for (double& moment : moments)  // for a thin rod, roundoff
      if (std::abs(moment) < 1e-12 * moments.maxCoeff()) moment = 0;
    check.bodies.push_back({data.name, mass(s),
                            q.position({mechanics::Body{static_cast<Index>(b)}, centre, true}),
                            moments});
    check.mass += check.bodies.back().mass;
  }
}

/// Reports why the solver cannot start. If the equations are not finite, it names the forces
/// responsible.
void add_failure(const Result& result, mechanics::MechanismSystem& system, const State& state,
                 Complaints& complaints) {
  bool found = false;
  if (result.failure == Failure::non_finite) {
    const mechanics::Motion& q = system.motion(state.point);
    for (std::size_t f = 0; f < system.description().forces.size(); ++f)
      if (!std::isfinite(q.force(mechanics::Force{static_cast<Index>(f)}))) {
        complaints.add("force '" + system.description().forces[f].name +
                       "': it is not finite at t = 0; check divisions and roots");
        found = true;
      }
  }
  if (!found) complaints.add(result.message);
}

/// The FMU has predefined variables, and each name only once. These errors would stop the export.
bool check_variables(const Plan& plan, const System& system, Complaints& complaints) {
  const Description description = describe(plan.name, system);
  std::set<std::string> names;
  bool good = true;
  for (const Entry& e : description.entries)
    if (!names.insert(e.name).second) {
      complaints.add("variable '" + e.name +
                     "': the FMU has a variable of this name already; use another one");
      good = false;
    }
  if (good) check(description);
  return good;
}

std::optional<MechanismCheck> build_and_assemble(const Plan& plan, Diagnostics& diagnostics,
                                                 Complaints& complaints) {
  try {
    mechanics::MechanismSystem system(build_mechanism(plan));
    if (!check_variables(plan, system, complaints)) return {};
    Solver solver(system, {.tolerance = plan.experiment.tolerance});
    State state;
    // Functions in C++ count as 0 here, although they may hold the mechanism.
    const bool in_equilibrium =
        plan.functions.empty() && plan.experiment.start == StartPosition::equilibrium;
    const auto where = in_equilibrium ? StartPosition::equilibrium : StartPosition::placed;
    if (const Result result = solver.initialize(state, 0, system.start(), where); !result.ok()) {
      add_failure(result, system, state, complaints);
      return {};
    }
    if (!solver.changed_velocities().empty()) {
      const Index first = solver.changed_velocities().front().coordinate;
      const Item* item = complaints.find(system.coordinate_name(first));
      if (item != nullptr)
        diagnostics.warning(item->place, item->label, "velocity", solver.warnings().front());
    }
    MechanismCheck check;
    check.name = plan.name;
    check.about = plan.about;
    check.file = plan.file;
    check.mobility = mechanics::mobility(system, solver.redundant());
    for (const Index row : solver.redundant())
      check.redundant.push_back(system.constraint_name(row));
    for (const mechanics::BodyMove& move : mechanics::moves(system, state.point))
      if (std::max({move.distance, move.angle, move.speed_change, move.spin_change}) > 1e-8)
        check.moves.push_back(move);
    for (const mechanics::JointData& joint : system.description().joints)
      check.joints_start =
          check.joints_start || joint.has_start_position() || joint.has_start_velocity();
    check.in_equilibrium = in_equilibrium;
    for (const FunctionPlan& f : plan.functions) check.functions.push_back(f.name);

    Point p;
    if (const Result result = solver.output(state, p); !result.ok()) {
      add_failure(result, system, state, complaints);
      return {};
    }
    const mechanics::Mechanism& m = system.description();
    std::vector<double> u;
    for (const auto& setting : m.settings) u.push_back(setting.start);
    add_bodies(m, system.motion(p), {u.data()}, check);
    for (const auto& [variable, start] : m.settings)
      (variable.kind() == Variable::Kind::input ? check.inputs : check.parameters)
          .push_back({variable.name(), variable.unit(), variable.about(), start});
    const Variables& variables = system.variables();
    for (std::size_t i = 0; i < variables.outputs().size(); ++i) {
      const Variable& v = variables.outputs()[i];
      check.outputs.push_back({v.name(), v.unit(), v.about(), system.read(i)});
      if (const Item* item = complaints.find(v.name());
          item != nullptr && !std::isfinite(check.outputs.back().value))
        diagnostics.warning(item->place, item->label, "value", "it is not finite at t = 0");
    }
    for (const auto& x : m.states) check.states.push_back(x.name);
    return check;
  } catch (const mechanics::InvalidMechanism& invalid) {
    for (const std::string& problem : invalid.problems()) complaints.add(problem);
  } catch (const std::invalid_argument& invalid) {
    complaints.add(invalid.what());
  }
  return {};
}

}  // namespace

std::optional<MechanismCheck> check_mechanism(const Plan& plan, Diagnostics& diagnostics) {
  Complaints complaints(plan, diagnostics);
  std::optional<MechanismCheck> check = build_and_assemble(plan, diagnostics, complaints);
  complaints.say();
  return check;
}

std::string text(const MechanismCheck& c) {
  constexpr double degrees = 180 / std::numbers::pi;
  // Values far below the threshold of a move are roundoff.
  const auto three_digits = [](double x) { return format(x < 1e-10 ? 0 : x, 3); };
  std::string text = c.name + (c.about.empty() ? "" : ": " + plain_line(c.about)) + "\n\n";
  const mechanics::Mobility& m = c.mobility;
  text += "  degrees of freedom  " + std::to_string(m.freedom) + " = " +
          counted(m.coordinates, "coordinate", "coordinates") + " of " +
          counted(m.bodies, "body", "bodies") + " - " +
          counted(m.constraints, "constraint", "constraints") +
          (m.redundant > 0 ? " + " + std::to_string(m.redundant) + " redundant" : "") + "\n";
  if (m.positions != m.freedom)
    text += "                      of its velocities; positions have " +
            std::to_string(m.positions) + "; rolling restricts velocities only\n";
  if (!c.redundant.empty())
    text +=
        "  redundant           " + joined(c.redundant, "; ") +
        "\n                      (they follow from the other constraints: the motion is correct, "
        "reactions are the smallest possible)\n";
  text += "  mass                " + significant(c.mass) + " kg\n";
  if (c.moves.empty()) {
    text += std::string("  assembly            all joints fit as placed") +
            (c.in_equilibrium ? ", at rest in equilibrium\n" : "\n");
  } else {
    text += std::string(
                "  assembly            bodies were changed so that the mechanism fits "
                "together") +
            (c.in_equilibrium ? ", at rest in equilibrium:\n"
             : c.joints_start ? " with the start values of joints:\n"
                              : " at t = 0:\n");
    std::vector<TextRow> rows;
    for (const mechanics::BodyMove& move : c.moves) {
      TextRow row = {move.body};
      if (std::max(move.distance, move.angle) > 1e-8)
        row.push_back("moved by " + three_digits(move.distance) + " m, " +
                      three_digits(move.angle * degrees) + " deg");
      if (std::max(move.speed_change, move.spin_change) > 1e-8)
        row.push_back("velocity changed by " + three_digits(move.speed_change) + " m/s, " +
                      three_digits(move.spin_change) + " rad/s");
      rows.push_back(std::move(row));
    }
    text += table(rows, 22);
  }
  if (!c.functions.empty())
    text += "  functions in C++    " + joined(c.functions, ", ") +
            " (compiled by export; 0 in this check)\n";
  std::vector<TextRow> rows = {{"name", "mass", "centre of mass", "principal moments"}};
  for (const MechanismCheck::BodyRow& b : c.bodies) {
    const auto three = [](const Vec<double, 3>& v) {
      return significant(v[0]) + " " + significant(v[1]) + " " + significant(v[2]);
    };
    rows.push_back(
        {b.name, significant(b.mass) + " kg", three(b.centre) + " m", three(b.inertia) + " kg.m2"});
  }
  text += "\nBodies\n" + table(rows, 2);
  const auto list = [&](const char* title, const std::vector<MechanismCheck::VariableRow>& all) {
    if (all.empty()) return;
    std::vector<TextRow> lines;
    lines.reserve(all.size());
    for (const MechanismCheck::VariableRow& v : all)
      lines.push_back({v.name, "= " + format(v.value, 7) + (v.unit == "1" ? "" : " " + v.unit),
                       plain_line(v.about)});
    text += std::string("\n") + title + "\n" + table(lines, 2);
  };
  list("Parameters", c.parameters);
  list("Inputs", c.inputs);
  if (!c.states.empty()) text += "\nStates\n  " + joined(c.states, ", ") + "\n";
  list("Outputs at t = 0", c.outputs);
  return text;
}

std::string json(const MechanismCheck& c) {
  const auto number = [](Index n) { return std::to_string(n); };
  const auto variables = [&](const std::vector<MechanismCheck::VariableRow>& all) {
    return json_list(all, [](const MechanismCheck::VariableRow& v) {
      return json_object({{"name", json(v.name)},
                          {"value", json(v.value)},
                          {"unit", json(v.unit)},
                          {"about", json(v.about)}});
    });
  };
  const mechanics::Mobility& m = c.mobility;
  return json_object({{"name", json(c.name)},
                      {"about", json(c.about)},
                      {"file", json(c.file)},
                      {"degrees_of_freedom", number(m.freedom)},
                      {"degrees_of_freedom_of_positions", number(m.positions)},
                      {"coordinates", number(m.coordinates)},
                      {"constraints", number(m.constraints)},
                      {"redundant", json(c.redundant)},
                      {"mass", json(c.mass)},
                      {"moves", json_list(c.moves,
                                          [](const mechanics::BodyMove& move) {
                                            return json_object(
                                                {{"body", json(move.body)},
                                                 {"distance", json(move.distance)},
                                                 {"angle", json(move.angle)},
                                                 {"speed_change", json(move.speed_change)},
                                                 {"spin_change", json(move.spin_change)}});
                                          })},
                      {"bodies", json_list(c.bodies,
                                           [](const MechanismCheck::BodyRow& b) {
                                             return json_object({{"name", json(b.name)},
                                                                 {"mass", json(b.mass)},
                                                                 {"centre", json(b.centre)},
                                                                 {"inertia", json(b.inertia)}});
                                           })},
                      {"parameters", variables(c.parameters)},
                      {"inputs", variables(c.inputs)},
                      {"outputs", variables(c.outputs)},
                      {"states", json(c.states)},
                      {"functions", json(c.functions)}});
}

}  // namespace mechfmu
