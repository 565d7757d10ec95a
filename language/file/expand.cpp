// The second pass: nodes → elements. Groups replace their uses, and copies replace repeats.

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "language/expression/check.h"
#include "language/file/growth.h"
#include "language/file/indices.h"
#include "language/file/nodes.h"
#include "language/file/scope.h"
#include "mechanics/flex_file.h"
#include "model_desc/text.h"

namespace mechfmu::reader {

namespace {

/// Knows no names; its message lists what numbers of copies may contain.
class NothingKnown : public expression::Environment {
 public:
  std::optional<expression::Symbol> find(const expression::Node&) const override { return {}; }
  std::string explain(const expression::Node& name) const override {
    return in_quotes(name.text) +
           " is not known here; the number of copies may use numbers, indices of enclosing repeats "
           "and parameters of the group";
  }
};

class Expander {
 public:
  Expander(std::map<std::string, Group>& groups, SourceFiles& files, const ReaderLimits& limits,
           Diagnostics& diagnostics, MechanismText& mechanism, std::vector<Element>& uses)
      : groups_(groups),
        files_(files),
        limits_(limits),
        diagnostics_(diagnostics),
        mechanism_(mechanism),
        uses_(uses),
        growth_(limits, diagnostics) {}

  bool expand(const std::vector<Node>& nodes) {
    Scope scope;
    expand(nodes, scope);
    return !growth_.is_cut_short();
  }

 private:
  void expand(const std::vector<Node>& nodes, Scope& scope) {
    for (const Node& node : nodes) {
      if (growth_.is_cut_short()) return;
      if (node.type->name == "use")
        expand_use(node, scope);
      else if (node.type->name == "repeat")
        expand_repeat(node, scope);
      else
        emit(node, scope, {});
    }
  }

  void expand_repeat(const Node& node, Scope& scope) {
    if (!growth_.count_work(node, 1)) return;
    const Attribute* name = node.find("name");
    const std::optional<long> from = whole_value(node, "from", scope);
    const std::optional<long> to = whole_value(node, "to", scope);
    if (name == nullptr || !from || !to) {
      growth_.cut_short();
      return;
    }
    if (*from > *to) return;
    const auto copies = static_cast<std::size_t>(*to - *from + 1);
    if (copies > limits_.elements) {
      diagnostics_.error(node.place, node.label(), "to",
                         "from " + std::to_string(*from) + " to " + std::to_string(*to) + " are " +
                             std::to_string(copies) + " copies; a mechanism has at most " +
                             std::to_string(limits_.elements) + " elements");
      growth_.cut_short();
      return;
    }
    const bool is_ring = node.text("ring") == "true";
    scope.indices.push_back({name->text, *from});
    if (is_ring) scope.rings.push_back(ring(node, scope, *from, *to));
    for (long i = *from; i <= *to && growth_.count_work(node, 1); ++i) {
      scope.indices.back().value = i;
      expand(node.inner, scope);
    }
    if (is_ring) scope.rings.pop_back();
    scope.indices.pop_back();
  }

  /// The value of an attribute of a repeat.
  std::optional<long> whole_value(const Node& node, const std::string& attribute,
                                  const Scope& scope) {
    const Attribute* written = node.find(attribute);
    if (written != nullptr && words_of(written->text).empty()) return {};
    const Place& place = written != nullptr ? written->place : node.place;
    Attribute number{attribute, node.text(attribute), place};
    number.text = scoped(node, number, scope, TextKind::expression);
    growth_.count_text(node, number);
    constexpr std::size_t usual = 50;  // longer ones take time, in every copy of an outer repeat
    if (number.text.empty() || !growth_.count_work(node, number.text.size() / usual)) return {};
    Report report{diagnostics_, place, node.label(), attribute};
    const expression::Checked checked =
        expression::check(expression::parse(number.text, report), NothingKnown(), report,
                          {.type = expression::ValueType::scalar,
                           .dimension = expression::Dimension{},
                           .what = "the number"});
    const std::optional<double> value = expression::literal_value(checked.expression);
    if (!value) return {};
    if (*value == std::round(*value) && std::abs(*value) <= static_cast<double>(largest_index))
      return static_cast<long>(*value);
    const std::string shown = attribute + "=\"" + node.text(attribute) + "\"";
    const std::string computed = shortest(*value);
    diagnostics_.error(
        place, node.label(), attribute,
        shown + (computed == node.text(attribute) ? "" : " is " + computed + ", which") +
            (*value == std::round(*value) ? " is too large; a repeat counts to 1000000000 at most"
                                          : " is not a whole number; floor() rounds down"));
    return {};
  }

  /// In a ring, indices of names declared as shoe[i], pin[2*i] and pin[2*i+1] wrap around.
  Ring ring(const Node& node, Scope& scope, long from, long to) {
    Ring made;
    for_each_name(node.inner, [&](const Node& declared, const Attribute& name) {
      const std::size_t open = name.text.find('[');
      if (declared.type->name == "output" || open == std::string::npos || growth_.is_cut_short() ||
          past_indices(name.text, open) != name.text.size() ||
          !growth_.count_work(node, 1 + name.text.size() / 100))
        return;
      const std::vector<std::string_view> parts =
          split_indices(std::string_view(name.text).substr(open + 1, name.text.size() - open - 2));
      if (parts.size() > most_indices) return;
      const auto [known, is_new] =
          made.try_emplace({name.text.substr(0, open), parts.size()}, parts.size());
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const Round round = round_of(parts[i], scope, from, to);
        Round& all = known->second[i];
        if (is_new)
          all = round;
        else if (all.period == round.period)
          all.low = std::min(all.low, round.low);
        else
          all.period = 0;
      }
    });
    return made;
  }

  static Round round_of(std::string_view part, Scope& scope, long from, long to) {
    const auto at = [&](long value) {
      scope.indices.back().value = value;
      return index_in_scope(part, scope).value;
    };
    const std::optional<long> first = at(from), second = at(from + 1), last = at(to);
    if (!first || !second || !last) return {};  // it contains an index of an inner repeat
    const long step = *second - *first;
    if (step == 0 || *last - *first != step * (to - from)) return {};
    return {std::min(*first, *last), std::abs(step) * (to - from + 1)};
  }

  /// A text in a scope; empty, with an error, if that is impossible.
  std::string scoped(const Node& node, const Attribute& a, const Scope& scope, TextKind kind) {
    TextOrProblem made = in_scope(a.text, scope, kind);
    // the text may shrink; reading it still took time
    if (made.text.size() < a.text.size())
      growth_.count_characters(a.text.size() - made.text.size());
    if (made.problem.empty()) return std::move(made.text);
    diagnostics_.error(a.place, node.label(), a.name,
                       kind == TextKind::own_name ? made.problem : a.name + ": " + made.problem);
    return {};
  }

  /// The attributes of a node as they are in a scope.
  std::vector<Attribute> attributes_in(const Node& node, const Scope& scope) {
    std::vector<Attribute> all = node.attributes;
    for (Attribute& a : all) {
      const AttributeType* type = node.type->find(a.name);
      if (type == nullptr) continue;
      switch (type->kind) {
        case AttributeKind::number:
        case AttributeKind::vector:
        case AttributeKind::value:
        case AttributeKind::numbers: a.text = scoped(node, a, scope, TextKind::expression); break;
        case AttributeKind::reference:
        case AttributeKind::references: a.text = scoped(node, a, scope, TextKind::reference); break;
        case AttributeKind::name:
        case AttributeKind::output_name: a.text = scoped(node, a, scope, TextKind::own_name); break;
        default: break;
      }
      growth_.count_text(node, a);
    }
    return all;
  }

  Element element(const Node& node, const Scope& scope) {
    Element e;
    e.type = node.type;
    e.prefix = scope.prefix;
    e.attributes = attributes_in(node, scope);
    if (const Attribute* name = e.find("name"); name != nullptr && !name->text.empty())
      e.name = scope.prefix + name->text;
    if (e.name.empty() && !scope.indices.empty()) e.copy = text_of(scope.indices);
    e.poses = scope.poses;
    for (const GroupPose& pose : e.poses)
      growth_.count_characters(pose.at.size() + pose.rotation.size());
    e.place = node.place;
    return e;
  }

  void emit(const Node& node, const Scope& scope, const std::string& owner) {
    if (!growth_.count_element(node.place)) return;
    Element e = element(node, scope);
    e.owner = owner;
    if (e.type->once) check_once(e);
    load_data(e);
    const std::string name = e.name;
    if (e.type->name == "flexible") return emit_flexible(std::move(e));
    mechanism_.elements.push_back(std::move(e));
    for (const Node& shape : node.inner) emit(shape, scope, name);
  }

  /// A flexible body, and its nodes as bodies; also for a file with problems, so that only these
  /// are reported.
  void emit_flexible(Element e) {
    const std::string file(e.text("file"));
    const auto data = mechanism_.data.find(file);
    if (data != mechanism_.data.end() && !mechanism_.flexible.contains(file)) {
      std::vector<mechanics::FlexFileProblem> problems;
      mechanics::ModalBody numbers = mechanics::read_flex(data->second, problems);
      nodes_of_flexible_[file] = numbers.nodes;
      for (const mechanics::FlexFileProblem& problem : problems)
        diagnostics_.error({files_.shown(file), problem.line}, e.label(), {}, problem.what);
      if (problems.empty())
        mechanism_.flexible.emplace(
            file, std::make_shared<const mechanics::ModalBody>(std::move(numbers)));
      else
        mechanism_.flexible.emplace(file, nullptr);
    }
    Element node;
    node.type = find_element_type("body");
    node.prefix = e.prefix;
    node.owner = e.name;
    node.place = e.place;
    node.attributes = {{"type", "node", e.place}};
    mechanism_.elements.push_back(std::move(e));
    for (const std::string& its_name : nodes_of_flexible_[file]) {
      if (!growth_.count_element(node.place)) return;
      node.name = node.owner + "." + its_name;
      mechanism_.elements.push_back(node);
    }
  }

  void check_once(const Element& e) {
    const auto [first, is_new] = once_.emplace(e.type, e.place);
    if (!is_new)
      diagnostics_.error(e.place, e.label(), {},
                         "it is already given in " + where(first->second, e.place));
  }

  /// The text of an attribute that names a file becomes the path from the main folder, the key of
  /// the data.
  void load_data(Element& e) {
    for (Attribute& a : e.attributes) {
      const AttributeType* type = e.type->find(a.name);
      if (type == nullptr || type->kind != AttributeKind::file || words_of(a.text).empty())
        continue;
      const TextOrProblem path = files_.path_from_shown(a.place.file, a.text);
      std::string problem = path.problem;
      if (problem.empty() && !mechanism_.data.contains(path.text)) {
        TextOrProblem loaded = files_.load(path.text, "used");
        problem = loaded.problem;
        if (problem.empty()) mechanism_.data.emplace(path.text, std::move(loaded.text));
      }
      if (!problem.empty()) {
        diagnostics_.error(a.place, e.label(), a.name, "\"" + a.text + "\": " + problem);
        return;
      }
      a.text = path.text;
    }
  }

  void expand_use(const Node& node, const Scope& scope) {
    if (!growth_.count_element(node.place)) return;
    Element use = element(node, scope);
    const std::string name = node.text("group");
    const Attribute* written = node.find("group");
    const std::string label = use.label();
    uses_.push_back(std::move(use));
    if (written == nullptr || words_of(name).size() != 1) return;
    const auto found = groups_.find(name);
    if (found == groups_.end()) {
      std::vector<std::string> names;
      for (const auto& [known, group] : groups_) names.push_back(known);
      diagnostics_.error(written->place, label, "group",
                         "group '" + name + "' does not exist" + suggestion(name, names));
      return;
    }
    Group& group = found->second;
    group.used = true;
    if (std::find(open_groups_.begin(), open_groups_.end(), name) != open_groups_.end()) {
      diagnostics_.error(node.place, label, "group", "group '" + name + "' uses itself");
      return;
    }
    if (open_groups_.size() >= limits_.includes) {
      diagnostics_.error(
          node.place, label, "group",
          "more than " + std::to_string(limits_.includes) + " groups use each other in a chain");
      return;
    }
    Scope inner;
    inner.prefix = uses_.back().name + ".";
    inner.locals = &group.locals;
    inner.poses.push_back({std::string(uses_.back().text("at")),
                           std::string(uses_.back().text("rotation")), node.place});
    inner.poses.insert(inner.poses.end(), scope.poses.begin(), scope.poses.end());
    if (!bind_arguments(node, label, group, scope, inner)) return;
    open_groups_.push_back(name);
    expand(group.nodes, inner);
    open_groups_.pop_back();
  }

  /// The values of the parameters of a group in one use: texts of the use's scope, otherwise the
  /// defaults of the group, which may use the parameters before them.
  bool bind_arguments(const Node& node, const std::string& label, const Group& group,
                      const Scope& scope, Scope& inner) {
    bool complete = true;
    std::vector<std::string> names;
    for (const Attribute& parameter : group.head.attributes) {
      if (group.head.type->find(parameter.name) != nullptr) continue;
      names.push_back(parameter.name);
      Attribute value = parameter;
      if (const Attribute* given = node.find(parameter.name)) {
        value = *given;
        value.text = scoped(node, *given, scope, TextKind::expression);
      } else if (words_of(parameter.text).empty()) {
        diagnostics_.error(node.place, label, parameter.name,
                           "parameter '" + parameter.name + "' of group '" +
                               group.head.text("name") + "' is missing");
        complete = false;
      } else {
        value.text = scoped(node, parameter, inner, TextKind::expression);
      }
      growth_.count_text(node, value);
      inner.arguments[parameter.name] = value.text;
    }
    for (const Attribute& a : node.attributes)
      if (node.type->find(a.name) == nullptr && !inner.arguments.contains(a.name)) {
        std::string remedy = suggestion(a.name, names);
        if (remedy.empty())
          remedy =
              names.empty() ? std::string("; it has none") : "; it has " + listed(names, "and");
        diagnostics_.error(
            a.place, label, a.name,
            "group '" + group.head.text("name") + "' has no parameter '" + a.name + "'" + remedy);
      }
    return complete && !growth_.is_cut_short();
  }

  std::map<std::string, Group>& groups_;
  SourceFiles& files_;
  const ReaderLimits& limits_;
  Diagnostics& diagnostics_;
  MechanismText& mechanism_;
  std::vector<Element>& uses_;
  Growth growth_;
  std::vector<std::string> open_groups_;
  std::map<const ElementType*, Place> once_;
  std::map<std::string, std::vector<std::string>> nodes_of_flexible_;  // by file
};

}  // namespace

bool expand_nodes(Nodes& nodes, SourceFiles& files, const ReaderLimits& limits,
                  Diagnostics& diagnostics, MechanismText& mechanism, std::vector<Element>& uses) {
  return Expander(nodes.groups, files, limits, diagnostics, mechanism, uses).expand(nodes.all);
}

}  // namespace mechfmu::reader
