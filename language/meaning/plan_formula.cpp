// Formulas: checked expressions with the meaning of their names.

#include <optional>
#include <set>

#include "language/meaning/planner.h"

namespace mechfmu {

using expression::Expression;
using expression::Form;

Formula Planner::formula(const Expression& checked) {
  Formula made{checked};
  if (checked) {
    collect(checked, made);
    for (Use& use : made.uses) resolve(use);
  }
  return made;
}

/// Finds the uses of an expression and the variables that it needs, each after those that it needs
/// itself. Chains of variables may be long: the remaining work is a list, not a recursion.
void Planner::collect(const Expression& whole, Formula& out) const {
  struct Task {
    Expression e;
    int component = -1;
    std::optional<Meaning> meaning{};  // of a name, once its dependencies are known
  };
  std::vector<Task> tasks = {{whole}};
  std::set<std::string> lets;
  std::map<std::string, std::size_t> uses;
  // so that the first child is the next
  const auto add_children = [&](const Expression& e) {
    for (std::size_t i = e->children.size(); i-- > 0;)
      if (e->children[i]) tasks.push_back({e->children[i]});
  };
  while (!tasks.empty()) {
    const auto [e, component, known] = std::move(tasks.back());
    tasks.pop_back();
    if (known) {
      const bool is_variable = known->kind == Meaning::Kind::variable;
      if (is_variable && lets.insert(known->element->name).second)
        out.lets.push_back({known->element->name, variables_.at(known->element->name)});
      const auto [use, is_new] = uses.emplace(e->text, out.uses.size());
      if (is_new) out.uses.push_back({e->text, *known, e->type});
      if (component < 0)
        out.uses[use->second].whole = true;
      else
        out.uses[use->second].components[static_cast<std::size_t>(component)] = true;
    } else if (e->form == Form::component && e->children[0]->form == Form::name) {
      tasks.push_back({e->children[0], e->component});
    } else if (e->form != Form::name) {
      add_children(e);
    } else if (const std::optional<Meaning> meaning = names.meaning(*e)) {
      tasks.push_back({e, component, meaning});
      if (meaning->kind == Meaning::Kind::function) add_children(e);
      if (meaning->kind == Meaning::Kind::variable && !lets.contains(meaning->element->name))
        tasks.push_back({variables_.at(meaning->element->name)});
    }
  }
}

/// The items that provide the value of a name.
void Planner::resolve(Use& use) {
  const Meaning& m = use.meaning;
  if (m.element != nullptr && m.kind != Meaning::Kind::function)
    use.handle = ids_.at(m.element->name);
  if (m.kind != Meaning::Kind::reading || m.element == nullptr) return;
  switch (m.reading->through) {
    case Through::self: break;
    case Through::angle: use.handle = joint_measure(*m.element, "angle").id; break;
    case Through::displacement: use.handle = joint_measure(*m.element, "displacement").id; break;
    case Through::coordinate: use.handle = joint_measure(*m.element, "").id; break;
    case Through::along: use.handle = along(*m.element).id; break;
  }
  if (m.element->type->name != "body" && m.element->type->name != "flexible") return;
  use.spot = spot(*m.element, m.point, use.text);
  if (m.relative_to != nullptr) use.from = spot(*m.relative_to, {}, "");
}

Formula Planner::number(const Element& e, std::string_view attribute) {
  return formula(attributes.number(e, attribute));
}

std::vector<Formula> Planner::numbers(const Element& e, std::string_view attribute) {
  std::vector<Formula> made;
  for (const Expression& checked : attributes.numbers(e, attribute))
    made.push_back(formula(checked));
  return made;
}

VectorFormula Planner::vector(const Element& e, std::string_view attribute) {
  const std::array<Expression, 3> parts = attributes.vector(e, attribute);
  VectorFormula made{{formula(parts[0]), formula(parts[1]), formula(parts[2])}};
  const Placed placed = e.type->find(attribute)->placed;
  if (placed != Placed::no && !e.is_true("local")) {
    made.placement = placement(e);
    made.placed = placed;
  }
  return made;
}

}  // namespace mechfmu
