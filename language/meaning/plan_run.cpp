// Items of the interface and the run: parameters, inputs, states, outputs, experiment and solver.

#include <algorithm>
#include <stdexcept>

#include "language/meaning/planner.h"
#include "model/settings.h"
#include "model_desc/text.h"

namespace mechfmu {

namespace {

using expression::Checked;
using expression::Expected;
using expression::Expression;
using expression::ValueType;

struct Range {
  std::optional<double> least, most;
};

Range range(Planner& planner, Item& item, const Element& e) {
  const auto bound = [&](const char* which) {
    std::optional<double> value;
    if (e.has(which)) value = planner.attributes.constant(e, which);
    if (value) item.fields.push_back({which, *value});
    return value;
  };
  const Range made{bound("min"), bound("max")};
  if (made.least && made.most && *made.least > *made.most)
    planner.attributes.error(
        e, "min", "min is " + shortest(*made.least) + ", above max = " + shortest(*made.most));
  return made;
}

Item& setting(Planner& planner, const Element& e, const char* call, const char* value) {
  planner.attributes.check_unit(e, "unit", false);
  Item& item = planner.add(Phase::settings, planner.item_of(e, call));
  const std::optional<double> start = planner.attributes.constant(e, value);
  item.fields.push_back({"value", start.value_or(0)});
  item.fields.push_back({"unit", std::string(e.text("unit"))});
  item.fields.push_back({"about", std::string(e.text("about"))});
  const auto [least, most] = range(planner, item, e);
  if (!start || (least && most && *least > *most)) return item;
  const auto refuse = [&](const char* side, double bound) {
    planner.attributes.error(
        e, value,
        std::string(value) + " is " + shortest(*start) + ", " + side + " = " + shortest(bound));
  };
  if (least && *start < *least) refuse("below min", *least);
  if (most && *start > *most) refuse("above max", *most);
  return item;
}

void parameter(Planner& planner, const Element& e) {
  Item& item = setting(planner, e, "parameter", "value");
  if (e.is_true("fixed")) item.fields.push_back({"fixed", true});
}

void input(Planner& planner, const Element& e) { setting(planner, e, "input", "start"); }

void positive(Planner& planner, const Element& e, std::string_view attribute, double& into) {
  if (const std::optional<double> value = planner.attributes.constant(e, attribute)) {
    into = *value;
    if (!(into > 0))
      planner.attributes.error(
          e, attribute, in_quotes(attribute) + " is " + shortest(into) + "; it must be above zero");
  }
}

void state(Planner& planner, const Element& e) {
  planner.attributes.check_unit(e, "unit", true);
  Formula start = planner.number(e, "start");
  LawPlan rate = planner.law(e, "rate", planner.number(e, "rate"));
  Item& item = planner.add(Phase::states, planner.item_of(e, "state"));
  if (e.has("start")) item.fields.push_back({"start", std::move(start)});
  item.fields.push_back({"rate", std::move(rate)});
  if (e.has("nominal")) {
    double nominal = 1;
    positive(planner, e, "nominal", nominal);
    item.fields.push_back({"nominal", nominal});
  }
}

void add_output(Planner& planner, const Element& e, const std::string& component,
                const Expression& checked) {
  const std::string name = e.name + component;
  if (!planner.output_names.insert(name).second)
    planner.attributes.error(e, "name",
                             "there is already an output " + in_quotes(name) +
                                 "; the components of a vector are outputs, too");
  Formula value = planner.formula(checked);
  value.factor = 1 / factor_to_si(e);
  Item& item = planner.add(Phase::outputs, item_about(e, "output", ""));
  item.fields = {{"name", name},
                 {"value", std::move(value)},
                 {"unit", std::string(e.text("unit"))},
                 {"about", std::string(e.text("about"))}};
  range(planner, item, e);
}

/// A vector is three outputs: name.x, name.y, name.z.
void output(Planner& planner, const Element& e) {
  planner.attributes.check_unit(e, "unit", false);
  const Expression parsed = planner.attributes.number_or_vector(e);
  if (!parsed) return;
  Report said = planner.attributes.report(e, "value");
  Expected wanted = planner.attributes.expected(e, *e.type->find("value"), ValueType::scalar);
  wanted.type.reset();
  const Checked checked = expression::check(parsed, planner.names, said, wanted);
  if (!checked.expression) return;
  if (checked.quantity.type == ValueType::vector) {
    for (int i = 0; i < 3; ++i)
      add_output(planner, e, std::string(".") + "xyz"[i],
                 expression::component(checked.expression, i));
    return;
  }
  wanted.type = ValueType::scalar;
  add_output(planner, e, "", expression::check(parsed, planner.names, said, wanted).expression);
}

void experiment(Planner& planner, const Element& e) {
  Experiment& run = planner.plan.experiment;
  positive(planner, e, "stop", run.stop);
  positive(planner, e, "step", run.step);
  positive(planner, e, "tolerance", run.tolerance);
  if (e.text("start") == "equilibrium") run.start = StartPosition::equilibrium;
  if (run.stop > 0 && run.step > run.stop)
    planner.attributes.error(e, "step",
                             "the step, " + shortest(run.step) + " s, is longer than the run, " +
                                 shortest(run.stop) + " s");
}

/// Reports the errors that the solver would report.
void check_setting(Planner& planner, const Element& e, const std::string& name, double value) {
  const SolverSettingRow* row = find_solver_setting(name);
  if (row == nullptr) return;
  try {
    check_range(*row, value);
  } catch (const std::invalid_argument& wrong) {
    planner.attributes.error(e, name, wrong.what());
  }
}

void solver(Planner& planner, const Element& e) {
  auto& settings = planner.plan.solver;
  for (const Attribute& a : e.attributes) {
    const AttributeType& type = *e.type->find(a.name);
    if (type.kind == AttributeKind::number) {
      if (const std::optional<double> value = planner.attributes.constant(e, a.name)) {
        check_setting(planner, e, a.name, *value);
        settings.emplace_back(a.name, *value);
      }
    } else if (type.kind == AttributeKind::boolean) {
      settings.emplace_back(a.name, e.is_true(a.name) ? 1.0 : 0.0);
    } else if (type.kind == AttributeKind::word) {
      const std::vector<std::string> words = words_of(type.words);
      const auto found = std::find(words.begin(), words.end(), a.text);
      settings.emplace_back(a.name, static_cast<double>(found - words.begin()) + 1);
    }
  }
}

}  // namespace

Translators run_translators() {
  return {{"parameter", parameter}, {"input", input},           {"state", state},
          {"output", output},       {"experiment", experiment}, {"solver", solver}};
}

}  // namespace mechfmu
