// Laws: the quantities of the motion in a formula become arguments, which are values and rates of
// measures, states and reactions.

#include <algorithm>

#include "language/meaning/planner.h"
#include "mechanics/bodies/pool.h"
#include "mechanics/law_value.h"
#include "mechanics/words.h"
#include "model_desc/text.h"

namespace mechfmu {

namespace {

using expression::ValueType;

/// The reason why a law may not use a quantity; empty if it may.
std::string refusal(const Element& e, std::string_view attribute, const Use& use,
                    const LawRules& rules) {
  if (use.meaning.kind == Meaning::Kind::input && !rules.inputs)
    return "is an input, whose rate is not known; a constraint may use measures, joint "
           "coordinates, parameters and time";
  if (use.meaning.kind != Meaning::Kind::reading) return {};
  const InLaw in_law = use.meaning.reading->in_law;
  const bool is_rate =
      in_law == InLaw::rate || in_law == InLaw::velocity || in_law == InLaw::turning;
  if (in_law == InLaw::no)
    return "is known only when the equations of motion are solved; outputs may use it, the " +
           std::string(attribute) + " of a " + std::string(e.type->name) + " may not";
  if (is_rate && !rules.rates)
    return "is a rate: a constraint of rates needs nonholonomic=\"true\"";
  if (in_law == InLaw::state && !rules.states)
    return "is a state; a constraint may use measures, joint coordinates, parameters and time";
  if (in_law != InLaw::reaction) return {};
  if (!rules.reactions)
    return "is a reaction, which the " + std::string(e.type->name) + " cannot depend on";
  const Element& joint = *use.meaning.element;
  const std::string_view type = joint.text("type");
  if (!has_word("fixed revolute spherical universal", type))
    return "cannot be used here: joint " + in_quotes(joint.name) + " is " + std::string(type) +
           ", and laws can use reactions of fixed, revolute, spherical and universal joints only; "
           "for friction use <friction … load=…>";
  return {};
}

/// Both sides of a joint move in the plane, so that it has no force along z.
bool is_planar(const Element& joint, const Names& names) {
  const std::vector<std::string> pair = words_of(joint.text("between"));
  return std::all_of(pair.begin(), pair.end(), [&](const std::string& name) {
    const Element* body = names.element(name);
    if (body == nullptr) return true;
    const auto type = mechanics::find_word<mechanics::BodyType>(body->text("type"));
    return type && mechanics::make_bodies(*type)->freedom().in_plane();
  });
}

bool is_used(const Use& use, int component) {
  if (use.type != ValueType::vector) return component == 0;
  return use.whole || use.components[static_cast<std::size_t>(component)];
}

/// The number of this argument of a law; adds it if necessary.
int argument(LawPlan& law, LawArgument::Kind kind, const std::string& id, int row = 0) {
  for (std::size_t i = 0; i < law.arguments.size(); ++i)
    if (law.arguments[i].kind == kind && law.arguments[i].id == id && law.arguments[i].row == row)
      return static_cast<int>(i);
  law.arguments.push_back({kind, id, row});
  return static_cast<int>(law.arguments.size()) - 1;
}

}  // namespace

LawPlan Planner::law(const Element& e, std::string_view attribute, Formula value) {
  LawPlan made;
  made.value = std::move(value);
  add_arguments(e, attribute, made.value, made, {});
  return made;
}

void Planner::add_arguments(const Element& e, std::string_view attribute, Formula& formula,
                            LawPlan& law, const LawRules& rules) {
  using Kind = LawArgument::Kind;
  for (Use& use : formula.uses) {
    if (const std::string why = refusal(e, attribute, use, rules); !why.empty()) {
      attributes.error(e, attribute, in_quotes(use.text) + " " + why);
      continue;
    }
    if (use.meaning.kind != Meaning::Kind::reading) continue;
    for (int c = 0; c < 3; ++c) {
      if (!is_used(use, c)) continue;
      int& made = use.arguments[static_cast<std::size_t>(c)];
      switch (use.meaning.reading->in_law) {
        case InLaw::value: made = argument(law, Kind::value, use.handle); break;
        case InLaw::rate: made = argument(law, Kind::rate, use.handle); break;
        case InLaw::position:
        case InLaw::direction: made = argument(law, Kind::value, law_measure(e, use, c)); break;
        case InLaw::velocity:
        case InLaw::turning: made = argument(law, Kind::rate, law_measure(e, use, c)); break;
        case InLaw::state: made = argument(law, Kind::state, use.handle); break;
        case InLaw::reaction: {
          const bool is_zero = c == 2 && is_planar(*use.meaning.element, names);
          use.signs[static_cast<std::size_t>(c)] = is_zero ? 0 : -1;
          if (!is_zero) made = argument(law, Kind::multiplier, use.handle, c);
          break;
        }
        case InLaw::no: break;
      }
    }
  }
  constexpr std::size_t most = mechanics::LawValue::capacity;
  if (law.arguments.size() > most)
    attributes.error(e, attribute,
                     "it depends on " + std::to_string(law.arguments.size()) +
                         " measures, states and reactions; the limit is " + std::to_string(most));
}

/// A measure that a law needs for a quantity of a body: made once for each point, axis and
/// observing body.
std::string Planner::law_measure(const Element& e, const Use& use, int component) {
  const Reading& r = *use.meaning.reading;
  const std::string_view what = r.in_law == InLaw::turning     ? "torque"
                                : r.in_law == InLaw::direction ? "alignment"
                                                               : "displacement";
  const std::string from = use.from.empty() ? world_spot() : use.from;
  const std::string key = use.spot + "|" + from + "|" + std::string(what) + "|" +
                          std::to_string(component) + "|" + std::to_string(r.axis);
  std::string& id = law_measures_[key];
  if (!id.empty()) return id;
  const std::string what_of =
      use.spot.ends_with("_origin") ? use.spot.substr(0, use.spot.size() - 7) : use.spot;
  const std::string axis(1, "xyz"[component]);
  const std::string name = what == "torque"      ? what_of + "_turn_" + axis
                           : what == "alignment" ? what_of + "_" + std::string(r.name) + "_" + axis
                                                 : what_of + "_" + axis;
  id = identifiers_.take(name);
  Item item = item_about(e, "measure", id);
  item.fields = {
      {"name", name}, {"type", Word{std::string(what)}}, {"a", Ref{from}}, {"b", Ref{use.spot}}};
  const auto unit = [](int along) {
    return VectorFormula{{constant_formula(along == 0 ? 1 : 0),
                          constant_formula(along == 1 ? 1 : 0),
                          constant_formula(along == 2 ? 1 : 0)}};
  };
  item.fields.push_back({"axis", unit(component)});
  if (what == "alignment") item.fields.push_back({"axis2", unit(r.axis)});
  item.fields.push_back({"local", true});
  add(Phase::measures, std::move(item));
  return id;
}

}  // namespace mechfmu
