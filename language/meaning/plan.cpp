#include "language/meaning/plan.h"

#include "language/meaning/planner.h"

namespace mechfmu {

namespace {

void translate(Planner& planner, const Element& e) {
  static const Translators translators = [] {
    Translators all = mechanics_translators();
    all.merge(force_translators());
    all.merge(run_translators());
    return all;
  }();
  const auto found = translators.find(e.type->name);
  if (found != translators.end()) found->second(planner, e);
}

}  // namespace

Plan make_plan(const MechanismText& mechanism, Diagnostics& diagnostics) {
  Planner planner(mechanism, diagnostics);
  planner.declare_names();

  const Element& root = mechanism.root;
  Plan& plan = planner.plan;
  plan.name = root.name;
  plan.about = root.text("about");
  plan.file = root.place.file;
  plan.line = root.place.line;
  plan.gravity = planner.vector(root, "gravity");
  plan.length_scale = planner.number(root, "length_scale");
  plan.track_energy = root.is_true("track_energy");
  for (const Element& e : mechanism.elements) translate(planner, e);
  return planner.finish();
}

const FieldValue* Item::find(std::string_view field) const {
  for (const Field& f : fields)
    if (f.name == field) return &f.value;
  return nullptr;
}

std::optional<double> constant_value(const Formula& formula) {
  if (!formula.expression || !formula.uses.empty() || !formula.lets.empty()) return {};
  const std::optional<double> value = expression::literal_value(formula.expression);
  return value ? std::optional(*value * formula.factor) : value;
}

Formula constant_formula(double value) { return {expression::number(value)}; }

}  // namespace mechfmu
