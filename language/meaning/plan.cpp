#include "language/meaning/plan.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>

#include "language/backend/cpp_names.h"
#include "language/expression/build.h"
#include "language/expression/csv.h"
#include "model/description.h"
#include "model_desc/text.h"

namespace mechfmu {

namespace {

using expression::Checked;
using expression::Expected;
using expression::Expression;
using expression::Form;
using expression::Node;
using expression::Symbol;
using expression::ValueType;
namespace kind = expression::kind;

unsigned kinds_of(Knows knows) {
  switch (knows) {
    case Knows::constants: return 0;
    case Knows::parameters: return kind::parameter;
    case Knows::time: return kind::parameter | kind::time;
    case Knows::motion: break;
  }
  return kind::any;
}

/// "1 number", "2 numbers"
std::string counted(std::size_t n, const std::string& what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

/// "N or N.m": the second where it is about an angle. Empty where it depends on more than that.
std::string choose_unit(std::string_view alternatives, CoordinateKind coordinate) {
  const std::size_t at = alternatives.find(" or ");
  if (at == std::string_view::npos)
    return alternatives.find('^') == std::string_view::npos ? std::string(alternatives) : "";
  const std::string first(alternatives.substr(0, at));
  const std::string second(alternatives.substr(at + 4));
  if (coordinate == CoordinateKind::cosine || alternatives.find('^') != std::string_view::npos ||
      first == "1" || second == "1")
    return "";
  const bool second_turns = second == "N.m" || second.find("rad") != std::string::npos;
  return (coordinate == CoordinateKind::angle) == second_turns ? second : first;
}

class Planner {
 public:
  Planner(const MechanismText& text, Diagnostics& diagnostics)
      : text_(text), diagnostics_(diagnostics), names_(text) {}

  Plan run() {
    plan_.name = text_.root.name;
    plan_.about = text_.root.text("about");
    plan_.file = text_.root.place.file;
    plan_.line = text_.root.place.line;
    for (const Element& e : text_.elements)
      if (!e.name.empty() && e.type->name != "output" && e.type->name != "function")
        ids_[e.name] = identifiers_.take(e.name);
    check_names();
    declare_functions();
    read_tables();
    check_variables();

    plan_.gravity = vector(text_.root, "gravity");
    plan_.length_scale = number(text_.root, "length_scale");
    plan_.track_energy = text_.root.is_true("track_energy");
    for (const Element& e : text_.elements) translate(e);

    for (std::vector<Item>& items : phases_)
      for (Item& item : items) plan_.items.push_back(std::move(item));
    return std::move(plan_);
  }

 private:
  /// Items of a phase refer to items of earlier ones only.
  enum Phase {
    settings,
    tables,
    placements,
    bodies,
    joints,
    spots,
    measures,
    states,
    forces,
    outputs,
    phase_count
  };

  // Expressions

  Report report(const Element& e, std::string_view attribute) const {
    const Attribute* a = e.find(attribute);
    Report made{diagnostics_, a != nullptr ? a->place : e.place, e.label(), std::string(attribute),
                e.prefix};
    made.length = e.text(attribute).size();
    return made;
  }

  void error(const Element& e, std::string_view attribute, const std::string& message) const {
    const Attribute* a = e.find(attribute);
    diagnostics_.error(a != nullptr ? a->place : e.place, e.label(), std::string(attribute),
                       without_prefix(message, e.prefix));
  }

  /// The unit that an attribute's value has in SI; empty: not known.
  std::string unit_of(const Element& e, const AttributeType& type) const {
    if (type.unit == "unit" || type.unit == "x_unit") return std::string(e.text(type.unit));
    if (type.unit == "unit/s") {
      const std::string unit(e.text("unit"));
      return unit == "1" ? "1/s" : unit.empty() ? "" : unit + "/s";
    }
    return choose_unit(type.unit, coordinate_kind(e, names_));
  }

  Expected expected(const Element& e, const AttributeType& type, ValueType value) const {
    Expected wanted;
    wanted.type = value;
    wanted.kinds = kinds_of(type.knows);
    wanted.what = "the " + std::string(type.name);
    // only the direction of an axis counts: it may be the difference of two points
    if (type.kind == AttributeKind::vector && type.unit == "1") return wanted;
    wanted.dimension = known_dimension(unit_of(e, type));
    if ((type.unit == "unit" || type.unit == "x_unit") && !e.has(type.unit))
      wanted.unit_from = type.unit;
    return wanted;
  }

  /// The formula of a checked expression.
  Formula formula(const Expression& checked) {
    Formula made{checked};
    if (checked) {
      collect(checked, made);
      for (Use& use : made.uses) resolve(use);
    }
    return made;
  }

  /// What an expression uses, and the variables that it needs, each after those that it needs itself. Variables may be made
  /// of others in long chains: what is still to be done is a list, not a recursion.
  void collect(const Expression& whole, Formula& out) {
    struct Task {
      Expression e;
      int component = -1;
      std::optional<Meaning> meaning{};  // of a name, when what it needs is there
    };
    std::vector<Task> tasks = {{whole}};
    std::set<std::string> lets;
    std::map<std::string, std::size_t> uses;
    // the first child is to be the next
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
      } else if (const std::optional<Meaning> meaning = names_.meaning(*e)) {
        tasks.push_back({e, component, meaning});
        if (meaning->kind == Meaning::Kind::function) add_children(e);
        if (meaning->kind == Meaning::Kind::variable && !lets.contains(meaning->element->name))
          tasks.push_back({variables_.at(meaning->element->name)});
      }
    }
  }

  /// The items that hold what a name stands for.
  void resolve(Use& use) {
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
    if (m.element->type->name != "body") return;
    use.spot = spot(*m.element, m.point, use.text);
    if (m.relative_to != nullptr) use.from = spot(*m.relative_to, {}, "");
  }

  /// A point of a body: its reference point, or at `point` in its axes.
  std::string spot(const Element& body, const std::vector<Expression>& point,
                   const std::string& text) {
    std::string key = body.name + "|";
    if (!point.empty()) {
      const std::size_t begin = text.find("point(");
      key += text.substr(begin, text.find(").", begin) - begin);
    }
    const auto found = spot_ids_.find(key);
    if (found != spot_ids_.end()) return found->second;
    VectorFormula at{{constant_formula(0), constant_formula(0), constant_formula(0)}};
    for (std::size_t i = 0; i < point.size() && i < 3; ++i) at.of[i] = formula(point[i]);
    Item& item =
        add(spots, "spot", identifiers_.take(body.name + (point.empty() ? "_origin" : "_point")));
    item.fields = {{"spot", SpotPlan{{ids_.at(body.name)}, std::move(at), true}}};
    return spot_ids_[key] = item.id;
  }

  Formula number_of(const Element& e, const AttributeType& type, std::string_view text) {
    Report said = report(e, type.name);
    const Expression parsed = expression::parse(text, said);
    if (!parsed) return {};
    return formula(
        expression::check(parsed, names_, said, expected(e, type, ValueType::scalar)).expression);
  }
  Formula number(const Element& e, std::string_view attribute) {
    return number_of(e, *e.type->find(attribute), e.text(attribute));
  }

  std::vector<Formula> numbers(const Element& e, std::string_view attribute) {
    const AttributeType& type = *e.type->find(attribute);
    Report said = report(e, attribute);
    std::vector<Formula> made;
    for (const Expression& parsed : expression::parse_list(e.text(attribute), said))
      made.push_back(
          formula(expression::check(parsed, names_, said, expected(e, type, ValueType::scalar))
                      .expression));
    if (said.failed() || type.counts.empty()) return made;
    const std::vector<std::string> counts = words_of(type.counts);
    if (std::find(counts.begin(), counts.end(), std::to_string(made.size())) == counts.end()) {
      said.error(0, "it has " + counted(made.size(), "number") + "; it takes " + listed(counts) +
                        ": " + std::string(type.about));
      return {};
    }
    return made;
  }

  /// Three expressions, or one that is a vector.
  std::array<Expression, 3> three(const Element& e, const AttributeType& type,
                                  std::string_view text) {
    Report said = report(e, type.name);
    const std::vector<Expression> parsed = expression::parse_list(text, said);
    std::array<Expression, 3> made;
    const auto refuse_count = [&] {
      said.error(
          0, "it has " + counted(parsed.size(), "number") + "; it takes three, as in \"0 0.1 0\"");
    };
    if (parsed.size() == 1 && !said.failed()) {
      Expected wanted = expected(e, type, ValueType::vector);
      wanted.type.reset();
      const Checked whole = expression::check(parsed[0], names_, said, wanted);
      if (whole.expression && whole.quantity.type != ValueType::vector) {
        refuse_count();
        return made;
      }
      for (int i = 0; whole.expression && i < 3; ++i)
        made[static_cast<std::size_t>(i)] = expression::component(whole.expression, i);
    } else if (parsed.size() == 3) {
      for (std::size_t i = 0; i < 3; ++i)
        made[i] = expression::check(parsed[i], names_, said, expected(e, type, ValueType::scalar))
                      .expression;
    } else if (!said.failed()) {
      refuse_count();
    }
    return made;
  }

  VectorFormula vector(const Element& e, std::string_view attribute) {
    const AttributeType& type = *e.type->find(attribute);
    const std::array<Expression, 3> parts = three(e, type, e.text(attribute));
    VectorFormula made{{formula(parts[0]), formula(parts[1]), formula(parts[2])}};
    if (type.placed != Placed::no && !e.is_true("local")) {
      made.placement = placement(e);
      made.placed = type.placed;
    }
    return made;
  }

  /// A number that no parameter changes, in the unit of the element or, where it has one of its own, in SI.
  std::optional<double> constant(const Element& e, std::string_view attribute) {
    const AttributeType& type = *e.type->find(attribute);
    Report said = report(e, attribute);
    const Expression parsed = expression::parse(e.text(attribute), said);
    if (!parsed) return {};
    const Checked checked =
        expression::check(parsed, names_, said, expected(e, type, ValueType::scalar));
    if (!checked.expression) return {};
    std::optional<double> value = expression::literal_value(checked.expression);
    if (!value || !std::isfinite(*value)) {
      said.error(0, "it is not a finite number");
      return {};
    }
    if (!checked.plain && type.unit == "unit") value = *value / factor(e);
    return value;
  }

  /// From the unit of a parameter, input or output to SI.
  double factor(const Element& e) const {
    try {
      return unit_factor(e.text("unit"));
    } catch (const std::invalid_argument&) {
      return 1;
    }
  }

  void check_unit(const Element& e, std::string_view attribute, bool si_only) const {
    const std::string_view unit = e.text(attribute);
    if (unit.empty()) return;
    try {
      const Unit parsed = parse_unit(unit);
      if (parsed.offset != 0)
        error(e, attribute, "the zero of " + std::string(unit) + " is not that of SI; use K");
      else if (si_only && parsed.factor != 1)
        error(e, attribute,
              "the unit " + std::string(unit) +
                  " is not one of SI without a factor, as it has to be here; use " +
                  expression::text(expression::dimension(std::string(unit))));
    } catch (const std::invalid_argument& wrong) {
      error(e, attribute, wrong.what());
    }
  }

  // Items

  Item& add(Phase phase, std::string call, std::string id) {
    phases_[phase].push_back({std::move(call), std::move(id)});
    return phases_[phase].back();
  }
  Item& add(Phase phase, const Element& e, std::string call) {
    Item& item = add(phase, std::move(call), ids_.at(e.name));
    about(item, e);
    item.fields.push_back({"name", e.name});
    return item;
  }

  /// What messages about an item say.
  static void about(Item& item, const Element& e) {
    item.place = e.place;
    item.label = e.label();
    item.prefix = e.prefix;
  }

  Ref ref(std::string_view name) const {
    if (name == "ground") return {"ground"};
    const auto found = ids_.find(std::string(name));
    return {found == ids_.end() ? "" : found->second};
  }

  /// Adds the attribute as a field, if it is there or has to be placed.
  void field(Item& item, const Element& e, std::string_view attribute, std::string name = {}) {
    const AttributeType& type = *e.type->find(attribute);
    if (name.empty()) name = attribute;
    if (!e.has(attribute)) {
      const bool applies =
          type.only_for.empty() || has_word(type.only_for, e.text(e.type->selector));
      const bool is_zero = type.placed == Placed::direction && type.fallback == "0 0 0";
      const bool moves = type.placed != Placed::no && !type.fallback.empty() && applies &&
                         !is_zero && !e.is_true("local") && !placement(e).empty();
      if (!moves) return;
    }
    switch (type.kind) {
      case AttributeKind::number: item.fields.push_back({name, number(e, attribute)}); break;
      case AttributeKind::vector: item.fields.push_back({name, vector(e, attribute)}); break;
      case AttributeKind::boolean:
        if (e.text(attribute) != type.fallback) item.fields.push_back({name, e.is_true(attribute)});
        break;
      case AttributeKind::reference: item.fields.push_back({name, ref(e.text(attribute))}); break;
      case AttributeKind::word: {
        if (e.text(attribute) == type.fallback) break;
        item.fields.push_back({name, Word{std::string(e.text(attribute))}});
        break;
      }
      default: throw std::logic_error("no field is made of " + std::string(attribute));
    }
    if (const Attribute* a = e.find(attribute); a != nullptr && !item.fields.empty())
      item.fields.back().place = a->place;
  }
  void fields(Item& item, const Element& e, std::initializer_list<std::string_view> attributes) {
    for (const std::string_view attribute : attributes) field(item, e, attribute);
  }
  void between(Item& item, const Element& e) {
    const std::vector<std::string> pair = words_of(e.text("between"));
    item.fields.push_back({"a", ref(pair[0])});
    item.fields.push_back({"b", ref(pair[1])});
  }

  /// The pose of the groups an element is in; empty where it moves nothing.
  std::string placement(const Element& e) { return placement(e.prefix, e.poses, 0); }
  std::string placement(const std::string& prefix, const std::vector<GroupPose>& poses,
                        std::size_t level) {
    if (level >= poses.size()) return {};
    const auto found = placement_ids_.find(prefix);
    if (found != placement_ids_.end()) return found->second;
    // "leg1.foot." is inside "leg1."
    const std::size_t dot =
        prefix.size() < 2 ? std::string::npos : prefix.rfind('.', prefix.size() - 2);
    const std::string outer =
        placement(dot == std::string::npos ? "" : prefix.substr(0, dot + 1), poses, level + 1);
    const GroupPose& pose = poses[level];
    if (words_of(pose.at).empty() && words_of(pose.rotation).empty())
      return placement_ids_[prefix] = outer;
    Element use;  // for the check of its attributes
    use.type = find_element_type("use");
    use.name = prefix.substr(0, prefix.size() - 1);
    use.place = pose.place;
    if (!pose.at.empty()) use.attributes.push_back({"at", pose.at, pose.place});
    if (!pose.rotation.empty()) use.attributes.push_back({"rotation", pose.rotation, pose.place});
    VectorFormula at = vector(use, "at");
    VectorFormula rotation = vector(use, "rotation");
    if (is_zero(at) && is_zero(rotation)) return placement_ids_[prefix] = outer;
    Item& item = add(placements, "placement", identifiers_.take(use.name));
    item.place = pose.place;
    item.label = use.label();
    if (!is_zero(at)) item.fields.push_back({"at", std::move(at)});
    if (!is_zero(rotation)) item.fields.push_back({"rotation", std::move(rotation)});
    if (!outer.empty()) item.fields.push_back({"inside", Ref{outer}});
    return placement_ids_[prefix] = item.id;
  }
  static bool is_zero(const VectorFormula& v) {
    return std::all_of(v.of.begin(), v.of.end(),
                       [](const Formula& f) { return constant_value(f) == 0; });
  }

  /// The measure of a joint's coordinate.
  Ref joint_measure(const Element& joint, std::string_view coordinate) {
    const std::string which(joint_coordinate(joint, coordinate));
    std::string& id = joint_measures_[{joint.name, which}];
    if (id.empty()) {
      Item& item = add(measures, which, identifiers_.take(joint.name + "_" + which));
      item.fields = {{"of", Ref{ids_.at(joint.name)}}};
      id = item.id;
    }
    return {id};
  }

  /// What an element acts along.
  Ref along(const Element& e) {
    if (e.has("joint")) {
      const Element* joint = names_.element(std::string(e.text("joint")));
      return joint_measure(*joint, e.type->name == "torque" ? "angle" : e.text("coordinate"));
    }
    if (e.has("measure")) return ref(e.text("measure"));
    std::string& id = distances_[e.name];
    if (id.empty()) {
      id = identifiers_.take(e.name + "_length");
      Item item{"measure", id};
      about(item, e);
      const std::vector<std::string> pair = words_of(e.text("between"));
      item.fields = {{"name", e.name},
                     {"type", Word{"distance"}},
                     {"a", SpotPlan{ref(pair[0]), vector(e, "from"), e.is_true("local")}},
                     {"b", SpotPlan{ref(pair[1]), vector(e, "to"), e.is_true("local")}}};
      phases_[measures].push_back(std::move(item));
    }
    return {id};
  }

  // Laws

  /// A measure that a law needs for what it uses of a body: made once for each point, axis and body it is seen from.
  std::string law_measure(const Element& e, const Use& use, int component) {
    const Reading& r = *use.meaning.reading;
    const std::string_view what = r.in_law == InLaw::turning     ? "torque"
                                  : r.in_law == InLaw::direction ? "alignment"
                                                                 : "displacement";
    static constexpr std::string_view axes[3] = {"x", "y", "z"};
    const auto k = static_cast<std::size_t>(component);
    const std::string key = use.spot + "|" + use.from + "|" + std::string(what) + "|" +
                            std::to_string(component) + "|" + std::to_string(r.axis);
    std::string& id = law_measures_[key];
    if (!id.empty()) return id;
    const std::string what_of =
        use.spot.ends_with("_origin") ? use.spot.substr(0, use.spot.size() - 7) : use.spot;
    const std::string name = what == "torque" ? what_of + "_turn_" + std::string(axes[k])
                             : what == "alignment"
                                 ? what_of + "_" + std::string(r.name) + "_" + std::string(axes[k])
                                 : what_of + "_" + std::string(axes[k]);
    id = identifiers_.take(name);
    Item item{"measure", id};
    about(item, e);
    item.fields = {{"name", name},
                   {"type", Word{std::string(what)}},
                   {"a", Ref{use.from}},
                   {"b", Ref{use.spot}}};
    const auto unit = [](int axis) {
      return VectorFormula{{constant_formula(axis == 0 ? 1 : 0),
                            constant_formula(axis == 1 ? 1 : 0),
                            constant_formula(axis == 2 ? 1 : 0)}};
    };
    item.fields.push_back({"axis", unit(component)});
    if (what == "alignment") item.fields.push_back({"axis2", unit(r.axis)});
    item.fields.push_back({"local", true});
    phases_[measures].push_back(std::move(item));
    return id;
  }

  /// What a law of an element may depend on.
  struct LawRules {
    bool rates = true, states = true, reactions = true, inputs = true;
  };

  void add_arguments(const Element& e, std::string_view attribute, Formula& formula, LawPlan& law,
                     const LawRules& rules) {
    using Kind = LawArgument::Kind;
    const auto argument = [&](Kind kind, const std::string& id, int row = 0) {
      for (std::size_t i = 0; i < law.arguments.size(); ++i)
        if (law.arguments[i].kind == kind && law.arguments[i].id == id &&
            law.arguments[i].row == row)
          return static_cast<int>(i);
      law.arguments.push_back({kind, id, row});
      return static_cast<int>(law.arguments.size()) - 1;
    };
    for (Use& use : formula.uses) {
      const auto refuse = [&](const std::string& why) {
        error(e, attribute, in_quotes(use.text) + " " + why);
      };
      if (use.meaning.kind == Meaning::Kind::input && !rules.inputs)
        refuse(
            "is an input, whose rate is not known; a constraint may use measures, joint "
            "coordinates, parameters and time");
      if (use.meaning.kind != Meaning::Kind::reading) continue;
      const InLaw in_law = use.meaning.reading->in_law;
      const bool is_rate =
          in_law == InLaw::rate || in_law == InLaw::velocity || in_law == InLaw::turning;
      if (in_law == InLaw::no) {
        refuse("is known only when the equations of motion are solved; outputs may use it, the " +
               std::string(attribute) + " of a " + std::string(e.type->name) + " may not");
        continue;
      }
      if (is_rate && !rules.rates) {
        refuse("is a rate: a constraint of rates needs nonholonomic=\"true\"");
        continue;
      }
      if (in_law == InLaw::state && !rules.states) {
        refuse("is a state; a constraint may use measures, joint coordinates, parameters and time");
        continue;
      }
      if (in_law == InLaw::reaction && !rules.reactions) {
        refuse("is a reaction, which the " + std::string(e.type->name) + " cannot depend on");
        continue;
      }
      for (int c = 0; c < 3; ++c) {
        const auto k = static_cast<std::size_t>(c);
        const bool is_vector = use.type == ValueType::vector;
        if (is_vector ? !use.whole && !use.components[k] : c > 0) continue;
        switch (in_law) {
          case InLaw::value: use.arguments[k] = argument(Kind::value, use.handle); break;
          case InLaw::rate: use.arguments[k] = argument(Kind::rate, use.handle); break;
          case InLaw::position:
          case InLaw::direction:
            use.arguments[k] = argument(Kind::value, law_measure(e, seen_from(use), c));
            break;
          case InLaw::velocity:
          case InLaw::turning:
            use.arguments[k] = argument(Kind::rate, law_measure(e, seen_from(use), c));
            break;
          case InLaw::state: use.arguments[k] = argument(Kind::state, use.handle); break;
          case InLaw::reaction: {
            const Element& joint = *use.meaning.element;
            const std::string_view type = joint.text("type");
            if (!has_word("fixed revolute spherical universal", type)) {
              if (c == 0 || !is_vector || !use.whole)
                refuse("cannot be used here: joint " + in_quotes(joint.name) + " is " +
                       std::string(type) +
                       ", and laws know the reactions of fixed, revolute, spherical and universal "
                       "joints only; for friction use <friction … load=…>");
              c = 3;
              break;
            }
            use.signs[k] = is_planar(joint) && c == 2 ? 0 : -1;
            if (use.signs[k] != 0) use.arguments[k] = argument(Kind::multiplier, use.handle, c);
            break;
          }
          case InLaw::no: break;
        }
      }
    }
    constexpr std::size_t most = mechanics::LawValue::capacity;
    if (law.arguments.size() > most)
      error(e, attribute,
            "it depends on " + std::to_string(law.arguments.size()) +
                " measures, states and reactions; " + std::to_string(most) + " are the most");
  }

  Use seen_from(Use use) {
    if (use.from.empty()) use.from = world_spot();
    return use;
  }
  std::string world_spot() {
    std::string& id = spot_ids_["ground|"];
    if (id.empty()) {
      Item& item = add(spots, "spot", identifiers_.take("world_origin"));
      item.fields = {
          {"spot", SpotPlan{{"ground"},
                            {{constant_formula(0), constant_formula(0), constant_formula(0)}},
                            true}}};
      id = item.id;
    }
    return id;
  }

  /// Both sides of a joint move in the plane: it has no force along z.
  bool is_planar(const Element& joint) const {
    const std::vector<std::string> pair = words_of(joint.text("between"));
    return std::all_of(pair.begin(), pair.end(), [&](const std::string& name) {
      const Element* body = names_.element(name);
      return body == nullptr || has_word("planar planar_point", body->text("type"));
    });
  }

  LawPlan law(const Element& e, std::string_view attribute, Formula value) {
    LawPlan made;
    made.value = std::move(value);
    add_arguments(e, attribute, made.value, made, {});
    return made;
  }

  // Before the elements: names that others use

  /// The FMU has variables of its own.
  void check_names() const {
    for (const Element& e : text_.elements)
      if (e.name.starts_with("solver.") && has_word("parameter input output", e.type->name))
        diagnostics_.error(
            e.place, e.label(), "name",
            "the name '" + e.name +
                "' belongs to settings and statistics of the solver; use another one");
  }

  void declare_functions() {
    for (const Element& e : text_.elements) {
      if (e.type->name != "function") continue;
      check_unit(e, "unit", true);
      const std::vector<std::string> units = words_of(e.text("arguments"));
      for (const std::string& unit : units) try {
          (void)parse_unit(unit);
        } catch (const std::invalid_argument& wrong) {
          error(e, "arguments", wrong.what());
        }
      if (is_taken_in_cpp(e.name))
        error(e, "name", "the name " + in_quotes(e.name) + " is taken in C++; use another one");
      identifiers_.reserve(e.name);
      plan_.functions.push_back({e.name, static_cast<int>(units.size())});
    }
  }

  std::vector<double> constants(const Element& e, std::string_view attribute) {
    std::vector<double> values;
    const AttributeType& type = *e.type->find(attribute);
    Report said = report(e, attribute);
    for (const Expression& parsed : expression::parse_list(e.text(attribute), said)) {
      const Checked checked =
          expression::check(parsed, names_, said, expected(e, type, ValueType::scalar));
      if (!checked.expression) continue;
      const std::optional<double> value = expression::literal_value(checked.expression);
      if (!value) continue;
      const double to_si = unit_factor(std::string(e.text(type.unit)));
      values.push_back(checked.plain ? *value * to_si : *value);
    }
    return values;
  }

  void read_tables() {
    for (const Element& e : text_.elements) {
      if (e.type->name != "table") continue;
      const std::size_t errors = diagnostics_.errors();
      check_unit(e, "unit", false);
      check_unit(e, "x_unit", false);
      if (diagnostics_.errors() > errors) continue;
      std::vector<double> x;
      std::vector<double> y;
      if (e.has("file")) {
        const auto data = text_.data.find(std::string(e.text("file")));
        if (data == text_.data.end()) continue;  // said by the reader
        Report said = report(e, "");
        said.place = {data->first, 0};
        const auto table = expression::read_table(data->second, said);
        if (!table) continue;
        x = table->x();
        y = table->y();
        for (double& value : x) value *= unit_factor(e.text("x_unit"));
        for (double& value : y) value *= unit_factor(e.text("unit"));
      } else {
        x = constants(e, "x");
        y = constants(e, "y");
        if (diagnostics_.errors() > errors) continue;
        if (x.size() != y.size()) {
          error(e, "y",
                "'x' has " + std::to_string(x.size()) + " numbers and 'y' has " +
                    std::to_string(y.size()) + "; they belong together one by one");
          continue;
        }
      }
      try {
        const auto table = std::make_shared<const functions::Table>(
            std::move(x), std::move(y),
            e.text("interpolation") == "linear" ? functions::Interpolation::linear
                                                : functions::Interpolation::smooth,
            e.text("beyond") == "extend" ? functions::Beyond::extend : functions::Beyond::hold);
        Symbol symbol;
        symbol.type = ValueType::table;
        symbol.kinds = 0;
        symbol.dimension = expression::dimension(std::string(e.text("unit")));
        symbol.table_of = expression::dimension(std::string(e.text("x_unit")));
        symbol.table = table;
        names_.add_table(e.name, symbol);
        Item& item = add(tables, "table", ids_.at(e.name));
        about(item, e);
        item.fields = {{"table", table}};
      } catch (const std::invalid_argument& wrong) {
        error(e, e.has("file") ? "file" : "x", wrong.what());
      }
    }
  }

  /// The value of a variable or an output: one expression, or three that make a vector.
  Expression number_or_vector(const Element& e) const {
    Report said = report(e, "value");
    std::vector<Expression> parsed = expression::parse_list(e.text("value"), said);
    if (parsed.size() == 1) return parsed[0];
    if (parsed.size() == 3) {
      Node vector;
      vector.form = Form::vector;
      vector.children = std::move(parsed);
      return expression::finished(std::move(vector));
    }
    if (!said.failed())
      said.error(0, "it has " + std::to_string(parsed.size()) + " expressions; " +
                        (e.type->name == "output" ? "an " : "a ") + std::string(e.type->name) +
                        " is one number, or three for a vector");
    return {};
  }

  /// Variables in an order in which each comes after those it uses.
  void check_variables() {
    std::vector<const Element*> elements;
    std::vector<expression::Definition> definitions;
    for (const Element& e : text_.elements) {
      if (e.type->name != "variable") continue;
      check_unit(e, "unit", true);
      elements.push_back(&e);
      definitions.push_back({e.name, number_or_vector(e), e.place, e.label(), e.prefix});
    }
    if (elements.empty()) return;
    Report cycles{diagnostics_};
    for (const std::size_t i : expression::order(definitions, cycles)) {
      const Element& e = *elements[i];
      if (!definitions[i].value) continue;
      Report said = report(e, "value");
      Expected wanted = expected(e, *e.type->find("value"), ValueType::scalar);
      wanted.type.reset();
      const Checked checked = expression::check(definitions[i].value, names_, said, wanted);
      if (!checked.expression) continue;
      if (checked.quantity.type == ValueType::table) {
        said.error(0, "a table is not a value; use table(name, x)");
        continue;
      }
      Symbol symbol;
      symbol.type = checked.quantity.type;
      symbol.kinds = checked.kinds;
      symbol.dimension = wanted.dimension ? wanted.dimension : checked.quantity.dimension;
      if (checked.plain && !wanted.dimension) symbol.dimension.reset();
      names_.add_variable(e.name, symbol);
      variables_[e.name] = checked.expression;
    }
  }

  // The elements

  void translate(const Element& e) {
    using Translator = void (Planner::*)(const Element&);
    static const std::map<std::string_view, Translator> translators = {
        {"parameter", &Planner::parameter},
        {"input", &Planner::input},
        {"body", &Planner::body},
        {"joint", &Planner::joint},
        {"measure", &Planner::measure},
        {"rolling", &Planner::rolling},
        {"contact", &Planner::contact},
        {"spring", &Planner::spring},
        {"bushing", &Planner::bushing},
        {"stop", &Planner::stop},
        {"friction", &Planner::friction},
        {"force", &Planner::force},
        {"torque", &Planner::force},
        {"driver", &Planner::driver},
        {"coupling", &Planner::coupling},
        {"gear", &Planner::gear},
        {"rack", &Planner::gear},
        {"constraint", &Planner::constraint},
        {"state", &Planner::state},
        {"output", &Planner::output},
        {"experiment", &Planner::experiment},
        {"solver", &Planner::solver}};
    const auto found = translators.find(e.type->name);
    if (found != translators.end()) (this->*found->second)(e);
  }

  void setting(const Element& e, const char* call, const char* value) {
    check_unit(e, "unit", false);
    Item& item = add(settings, e, call);
    const std::optional<double> start = constant(e, value);
    item.fields.push_back({"value", start.value_or(0)});
    item.fields.push_back({"unit", std::string(e.text("unit"))});
    item.fields.push_back({"about", std::string(e.text("about"))});
    const auto [least, most] = range(item, e);
    if (!start || (least && most && *least > *most)) return;
    const std::string is = std::string(value) + " is " + shortest(*start);
    if (least && *start < *least) error(e, value, is + " and below min, " + shortest(*least));
    if (most && *start > *most) error(e, value, is + " and above max, " + shortest(*most));
  }
  struct Range {
    std::optional<double> least, most;
  };
  Range range(Item& item, const Element& e) {
    const auto bound = [&](const char* which) {
      std::optional<double> value;
      if (e.has(which)) value = constant(e, which);
      if (value) item.fields.push_back({which, *value});
      return value;
    };
    const Range made{bound("min"), bound("max")};
    if (made.least && made.most && *made.least > *made.most)
      error(e, "min",
            "min is " + shortest(*made.least) + " and above max, " + shortest(*made.most));
    return made;
  }
  void parameter(const Element& e) {
    setting(e, "parameter", "value");
    if (e.is_true("fixed")) phases_[settings].back().fields.push_back({"fixed", true});
  }
  void input(const Element& e) { setting(e, "input", "start"); }

  void body(const Element& e) {
    Item& item = add(bodies, e, "body");
    field(item, e, "type");
    if (e.text("spins") == "true") item.fields.push_back({"spins", Word{"yes"}});
    if (e.text("spins") == "false") item.fields.push_back({"spins", Word{"no"}});
    std::vector<SolidPlan> solids;
    bool by_shapes = false;
    // The shapes of a body follow it.
    for (const Element* next = &e + 1; next != text_.elements.data() + text_.elements.size() &&
                                       next->type->name == "shape" && next->owner == e.name;
         ++next) {
      solids.push_back(solid(*next));
      by_shapes = true;
    }
    if (!by_shapes && (e.has("box") || e.has("cylinder") || e.has("sphere") || e.has("rod")))
      solids.push_back(solid(e));
    if (solids.empty()) {
      field(item, e, "mass");
      if (e.has("inertia")) inertia(item, e);
    } else {
      item.fields.push_back({"solid", std::move(solids)});
    }
    fields(item, e, {"at", "rotation"});
    if (item.find("solid") == nullptr) field(item, e, "centre");
    fields(item, e, {"velocity", "angular_velocity"});
    hold(item, e, "hold_position");
    hold(item, e, "hold_velocity");
  }
  void inertia(Item& item, const Element& e) {
    std::vector<Formula> moments = numbers(e, "inertia");
    const bool planar = e.text("type") == "planar";
    if (moments.size() == 1 && !planar) {
      error(e, "inertia",
            "one moment of inertia is for type=\"planar\"; a spatial body takes xx yy zz");
      return;
    }
    item.fields.push_back({"inertia", std::move(moments)});
  }
  SolidPlan solid(const Element& e) {
    SolidPlan made;
    for (const char* shape : {"box", "cylinder", "sphere", "rod"})
      if (e.has(shape)) made.shape = shape;
    if (made.shape == "sphere" || made.shape == "rod")
      made.size = {number(e, made.shape)};
    else
      made.size = numbers(e, made.shape);
    if (e.has("axis")) made.axis = vector(e, "axis");
    made.by_density = e.has("density");
    made.amount = number(e, made.by_density ? "density" : "mass");
    const char* middle = e.type->name == "shape" ? "at" : "centre";
    if (e.has(middle)) made.at = vector(e, middle);
    if (e.type->name == "shape" && e.has("rotation")) made.rotation = vector(e, "rotation");
    return made;
  }
  static void hold(Item& item, const Element& e, std::string_view which) {
    const std::string words = std::string(e.text("hold")) + " " + std::string(e.text(which));
    static constexpr std::string_view axes[] = {"x", "y", "z", "about_x", "about_y", "about_z"};
    std::array<bool, 6> held{};
    for (std::size_t i = 0; i < 6; ++i)
      held[i] = has_word(words, axes[i]) || has_word(words, "all");
    if (std::any_of(held.begin(), held.end(), [](bool h) { return h; }))
      item.fields.push_back({std::string(which), held});
  }

  void joint(const Element& e) {
    Item& item = add(joints, e, "joint");
    // revolute is what JointData begins with
    item.fields.push_back({"type", Word{std::string(e.text("type"))}});
    between(item, e);
    fields(item, e, {"at", "axis", "axis2"});
    if (e.has("to")) {
      item.fields.push_back({"apart", true});
      field(item, e, "to", "at_b");
    }
    fields(item, e, {"length", "pitch", "local"});
    fields(item, e, {"angle", "angle_rate", "displacement", "displacement_rate"});
  }

  void measure(const Element& e) {
    const std::vector<std::string> pair = words_of(e.text("between"));
    const bool local = e.is_true("local");
    Item item{"measure", ids_.at(e.name)};
    about(item, e);
    item.fields = {{"name", e.name}, {"type", Word{std::string(e.text("type"))}}};
    const std::string_view type = e.text("type");
    const bool of_points = type != "angle" && type != "alignment" && type != "torque";
    const auto side = [&](std::size_t i, const char* at) {
      SpotPlan spot{ref(pair[i]),
                    {{constant_formula(0), constant_formula(0), constant_formula(0)}}};
      if (of_points && (e.has(at) || i == 0)) {
        spot.at = vector(e, at);
        spot.local = local;
      }
      return spot;
    };
    item.fields.push_back({"a", side(0, "from")});
    item.fields.push_back({"b", side(1, "to")});
    fields(item, e, {"axis", "axis2", "local"});
    if (of_points && !e.has("to")) item.fields.push_back({"b_like_a", true});
    if (e.text("axis_in") == "b") item.fields.push_back({"axes_of_b", true});
    fields(item, e, {"from_start", "offset"});
    phases_[measures].push_back(std::move(item));
  }

  void rolling(const Element& e) {
    Item& item = add(joints, e, "rolling");
    item.fields.push_back({"type", Word{std::string(e.text("type"))}});
    between(item, e);
    fields(item, e, {"centre", "axle", "plane", "normal", "radius", "tube", "contact"});
  }

  void contact(const Element& e) {
    Item& item = add(forces, e, "contact");
    between(item, e);
    fields(item, e,
           {"centre", "radius", "shape", "at", "axis", "radius_a", "length", "local", "stiffness",
            "exponent", "damping", "friction", "static_friction", "stribeck", "regularization"});
  }

  /// An element that acts along something, with plain numbers.
  void acting(const Element& e, const char* call,
              std::initializer_list<std::string_view> attributes) {
    const Ref measure = along(e);
    Item& item = add(forces, e, call);
    item.fields.push_back({"along", measure});
    fields(item, e, attributes);
  }
  void spring(const Element& e) {
    acting(e, "spring", {"stiffness", "damping", "length", "preload"});
  }
  void stop(const Element& e) {
    if (!e.has("lower") && !e.has("upper"))
      error(e, "", "it stops nothing; add 'lower' or 'upper', or both");
    acting(e, "stop", {"lower", "upper", "stiffness", "damping", "exponent"});
    const auto known = [&](std::string_view bound) {
      const FieldValue* value = phases_[forces].back().find(bound);
      return value == nullptr ? std::nullopt : constant_value(std::get<Formula>(*value));
    };
    const std::optional<double> lower = known("lower");
    const std::optional<double> upper = known("upper");
    if (lower && upper && *lower > *upper)
      error(e, "lower", "lower is " + shortest(*lower) + " and above upper, " + shortest(*upper));
  }
  void friction(const Element& e) {
    const Element* load = e.has("load") ? names_.element(std::string(e.text("load"))) : nullptr;
    if (load != nullptr && load->text("type") == "constant_orientation")
      error(e, "load",
            "joint " + in_quotes(load->name) + " transmits no force; load it by a joint that does");
    acting(e, "friction",
           {"coulomb", "breakaway", "viscous", "stribeck", "regularization", "load", "arm"});
  }
  void bushing(const Element& e) {
    Item& item = add(forces, e, "bushing");
    between(item, e);
    fields(item, e, {"at", "axis", "axis2", "stiffness", "damping", "torsion", "torsion_damping"});
  }

  void force(const Element& e) {
    const bool torque = e.type->name == "torque";
    if (e.has("body")) {
      const std::array<Expression, 3> parts = three(e, *e.type->find("value"), e.text("value"));
      SpotPlan at{ref(e.text("body")),
                  {{constant_formula(0), constant_formula(0), constant_formula(0)}},
                  true};
      if (!torque) {
        at.at = vector(e, "at");
        at.local = e.is_true("local");
      }
      std::array<LawPlan, 3> value;
      for (std::size_t k = 0; k < 3; ++k) value[k] = law(e, "value", formula(parts[k]));
      Item& item = add(forces, e, "vector_force");
      if (torque) item.fields.push_back({"torque", true});
      item.fields.push_back({"at", std::move(at)});
      field(item, e, "reaction");
      const std::string_view axes = e.text("axes");
      if (e.text("reaction") == e.text("body"))
        error(e, "reaction", "the reaction is on the body itself; it has to be on another one");
      else if (axes == "world" && e.has("reaction") && e.text("reaction") != "ground")
        error(e, "axes",
              "with a reaction on a moving body the axes must be those of a body: axes=\"body\" or "
              "\"reaction\"");
      if (axes != "world")
        item.fields.push_back({"axes", Word{axes == "body" ? "body" : "reaction_body"}});
      item.fields.push_back({"value", std::move(value)});
      return;
    }
    const Ref measure = along(e);
    LawPlan value = law(e, "value", scalar_value(e));
    if (e.has("energy")) {
      value.energy = number(e, "energy");
      add_arguments(e, "energy", *value.energy, value, {});
    }
    Item& item = add(forces, e, "force");
    item.fields.push_back({"along", measure});
    item.fields.push_back({"value", std::move(value)});
    field(item, e, "passive");
  }
  /// One number; three are for bodies.
  Formula scalar_value(const Element& e) {
    Report quiet = report(e, "value");
    const std::vector<Expression> parsed = expression::parse_list(e.text("value"), quiet);
    if (quiet.failed()) return {};
    if (parsed.size() == 3) {
      quiet.error(0, "three components need a body: along a joint, a measure or two points a " +
                         std::string(e.type->name) + " is one number");
      return {};
    }
    return number(e, "value");
  }

  void driver(const Element& e) {
    const Ref measure = along(e);
    Formula value = number(e, "value");
    Item& item = add(forces, e, "driver");
    item.fields.push_back({"measure", measure});
    item.fields.push_back({"position", std::move(value)});
  }

  void relation(const Element& e, bool nonholonomic) {
    const AttributeType& type = *e.type->find("value");
    Report said = report(e, "value");
    LawPlan made;
    made.relation = true;
    if (const Expression parsed = expression::parse(e.text("value"), said)) {
      Expected wanted = expected(e, type, ValueType::scalar);
      wanted.kinds = kind::any;  // add_arguments says more of what may not be used
      made.value = formula(expression::check(parsed, names_, said, wanted).expression);
      if (made.value.expression) {
        const std::size_t errors = diagnostics_.errors();
        add_arguments(e, "value", made.value, made, {nonholonomic, false, false, false});
        if (made.arguments.empty() && diagnostics_.errors() == errors)
          said.error(0, "it does not depend on the motion, so it constrains nothing");
      }
    }
    Item& item = add(forces, e, "constraint");
    item.fields.push_back({"relation", std::move(made)});
    if (nonholonomic) item.fields.push_back({"nonholonomic", true});
  }
  void constraint(const Element& e) { relation(e, e.is_true("nonholonomic")); }

  Ref coordinate(const std::string& name, std::string_view which) {
    const Element* e = names_.element(name);
    return e->type->name == "joint" ? joint_measure(*e, which) : ref(name);
  }

  void coupling(const Element& e) {
    if (e.has("value")) return relation(e, false);
    const std::vector<std::string> of = words_of(e.text("of"));
    std::vector<Formula> factors = numbers(e, "factors");
    if (factors.size() != of.size()) {
      if (!factors.empty())
        error(e, "factors",
              "'of' names " + std::to_string(of.size()) + " coordinates and 'factors' has " +
                  counted(factors.size(), "number") + "; they belong together one by one");
      return;
    }
    constexpr std::size_t most = mechanics::LawValue::capacity;
    if (of.size() > most)
      return error(e, "of",
                   "it couples " + std::to_string(of.size()) + " coordinates; " +
                       std::to_string(most) + " are the most");
    Terms terms;
    for (std::size_t i = 0; i < of.size(); ++i)
      terms.emplace_back(coordinate(of[i], ""), std::move(factors[i]));
    add_coupling(e, std::move(terms));
    if (e.has("constant"))
      phases_[forces].back().fields.push_back({"constant", number(e, "constant")});
  }
  void add_coupling(const Element& e, Terms terms) {
    Item& item = add(forces, e, "coupling");
    item.fields.push_back({"terms", std::move(terms)});
  }
  /// φ₁ + ratio φ₂ = 0, or s₁ − radius φ₂ = 0.
  void gear(const Element& e) {
    const std::vector<std::string> pair = words_of(e.text("joints"));
    const bool rack = e.type->name == "rack";
    Formula second = number(e, rack ? "radius" : "ratio");
    if (rack) second.factor = -1;
    Terms terms;
    terms.emplace_back(coordinate(pair[0], rack ? "displacement" : "angle"), constant_formula(1));
    terms.emplace_back(coordinate(pair[1], "angle"), std::move(second));
    add_coupling(e, std::move(terms));
  }

  void state(const Element& e) {
    check_unit(e, "unit", true);
    Formula start = number(e, "start");
    LawPlan rate = law(e, "rate", number(e, "rate"));
    Item& item = add(states, e, "state");
    if (e.has("start")) item.fields.push_back({"start", std::move(start)});
    item.fields.push_back({"rate", std::move(rate)});
    if (e.has("nominal")) {
      double nominal = 1;
      positive(e, "nominal", nominal);
      item.fields.push_back({"nominal", nominal});
    }
  }

  /// A vector is three outputs: name.x, name.y, name.z.
  void output(const Element& e) {
    check_unit(e, "unit", false);
    const Expression parsed = number_or_vector(e);
    if (!parsed) return;
    Report said = report(e, "value");
    Expected wanted = expected(e, *e.type->find("value"), ValueType::scalar);
    wanted.type.reset();
    const Checked checked = expression::check(parsed, names_, said, wanted);
    if (!checked.expression) return;
    if (checked.quantity.type == ValueType::vector) {
      for (int i = 0; i < 3; ++i)
        output(e, std::string(".") + "xyz"[i], expression::component(checked.expression, i));
      return;
    }
    wanted.type = ValueType::scalar;
    output(e, "", expression::check(parsed, names_, said, wanted).expression);
  }
  void output(const Element& e, const std::string& component, const Expression& checked) {
    if (!output_names_.insert(e.name + component).second)
      error(e, "name",
            "there is already an output " + in_quotes(e.name + component) +
                "; the components of a vector are outputs, too");
    Formula value = formula(checked);
    value.factor = 1 / factor(e);
    phases_[outputs].push_back({"output", ""});
    Item& item = phases_[outputs].back();
    about(item, e);
    item.fields = {{"name", e.name + component},
                   {"value", std::move(value)},
                   {"unit", std::string(e.text("unit"))},
                   {"about", std::string(e.text("about"))}};
    range(item, e);
  }

  void positive(const Element& e, std::string_view attribute, double& into) {
    if (const std::optional<double> value = constant(e, attribute)) {
      into = *value;
      if (!(into > 0))
        error(e, attribute,
              in_quotes(attribute) + " is " + shortest(into) + "; it has to be above zero");
    }
  }
  void experiment(const Element& e) {
    positive(e, "stop", plan_.experiment.stop);
    positive(e, "step", plan_.experiment.step);
    positive(e, "tolerance", plan_.experiment.tolerance);
    const auto& [stop, step] = std::pair(plan_.experiment.stop, plan_.experiment.step);
    if (stop > 0 && step > stop)
      error(e, "step",
            "the step, " + shortest(plan_.experiment.step) + " s, is longer than the run, " +
                shortest(plan_.experiment.stop) + " s");
  }
  /// Complains where the solver would.
  void check_setting(const Element& e, const std::string& name, double value) {
    const SettingRow* row = find_setting(name);
    if (row == nullptr) return;
    try {
      check_range(*row, value);
    } catch (const std::invalid_argument& wrong) {
      error(e, name, wrong.what());
    }
  }
  void solver(const Element& e) {
    for (const Attribute& a : e.attributes) {
      const AttributeType& type = *e.type->find(a.name);
      if (type.kind == AttributeKind::number) {
        if (const std::optional<double> value = constant(e, a.name)) {
          check_setting(e, a.name, *value);
          plan_.solver.emplace_back(a.name, *value);
        }
      } else if (type.kind == AttributeKind::boolean) {
        plan_.solver.emplace_back(a.name, e.is_true(a.name) ? 1.0 : 0.0);
      } else if (type.kind == AttributeKind::word) {
        const std::vector<std::string> words = words_of(type.words);
        const auto found = std::find(words.begin(), words.end(), a.text);
        plan_.solver.emplace_back(a.name, static_cast<double>(found - words.begin()) + 1);
      }
    }
  }

  const MechanismText& text_;
  Diagnostics& diagnostics_;
  Names names_;
  Plan plan_;
  CppNames identifiers_;
  std::map<std::string, std::string> ids_;  // of elements, by full name
  std::map<std::string, Expression> variables_;
  std::set<std::string> output_names_;
  std::map<std::string, std::string> spot_ids_, placement_ids_, distances_, law_measures_;
  std::map<std::pair<std::string, std::string>, std::string> joint_measures_;
  std::array<std::vector<Item>, phase_count> phases_;
};

}  // namespace

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

Plan make_plan(const MechanismText& mechanism, Diagnostics& diagnostics) {
  return Planner(mechanism, diagnostics).run();
}

}  // namespace mechfmu
