#include "language/file/nodes.h"

#include <algorithm>

#include "language/file/indices.h"
#include "language/file/rules.h"
#include "model_desc/text.h"

namespace mechfmu::reader {

namespace {

/// The parameters of groups: names that expressions can use and that have one meaning.
void check_parameters(const Group& group, Diagnostics& diagnostics) {
  const ElementType& use = *find_element_type("use");
  for (const Attribute& a : group.head.attributes) {
    if (group.head.type->find(a.name) != nullptr) continue;
    const std::vector<std::string>& reserved = reserved_names();
    std::string why;
    if (!is_name(a.name))
      why = "is not allowed: use letters, digits and _, beginning with a letter";
    else if (std::find(reserved.begin(), reserved.end(), a.name) != reserved.end())
      why = "is reserved; use another one";
    else if (use.find(a.name) != nullptr)
      why = "is an attribute of use; use another one";
    else if (group.locals.contains(a.name) || group.locals.contains(a.name + "["))
      why = "is also the name of an element in the group; use another one";
    if (!why.empty())
      diagnostics.error(a.place, group.head.label(), a.name,
                        "the parameter name '" + a.name + "' " + why);
  }
}

/// The indices of repeats: names that have one meaning, and that every name in the repeat contains.
class RepeatCheck {
 public:
  /// For the repeats in a group, or outside groups.
  RepeatCheck(const std::vector<Node>& nodes, const Group* group, Diagnostics& diagnostics)
      : nodes_(nodes), group_(group), diagnostics_(diagnostics) {
    for_each_name(nodes, [&](const Node& node, const Attribute& name) {
      if (node.type->name != "output") names_.emplace(name.text, &node);
    });
  }

  bool passes() {
    for (const Node& node : nodes_)
      if (node.type->name == "repeat") check_repeat(node);
    return passes_;
  }

 private:
  void check_repeat(const Node& repeat) {
    check_index(repeat);
    around_.push_back(&repeat);
    for (const Node& node : repeat.inner)
      if (node.type->name == "repeat")
        check_repeat(node);
      else if (const Attribute* name = node.find("name"))
        check_copied_name(node, *name);
    around_.pop_back();
  }

  void check_index(const Node& repeat) {
    const Attribute* name = repeat.find("name");
    if (name == nullptr) return;
    const auto refuse = [&](const std::string& why) {
      diagnostics_.error(
          name->place, repeat.label(), "name",
          "the index " + in_quotes(name->text) + " is also " + why + "; use another name");
      passes_ = false;
    };
    for (const Node* outer : around_)
      if (outer->text("name") == name->text)
        return refuse("the index of the enclosing repeat in " + where(outer->place, repeat.place));
    if (const auto found = names_.find(name->text); found != names_.end())
      return refuse("the name of " + found->second->label() + " in " +
                    where(found->second->place, repeat.place));
    if (group_ != nullptr && group_->head.type->find(name->text) == nullptr &&
        group_->head.find(name->text) != nullptr)
      refuse("a parameter of " + group_->head.label());
  }

  void check_copied_name(const Node& node, const Attribute& name) {
    std::vector<std::string> indices, missing;
    for (const Node* repeat : around_) {
      indices.push_back(repeat->text("name"));
      if (!holds_index(name.text, indices.back())) missing.push_back(in_quotes(indices.back()));
    }
    if (missing.empty()) return;
    const std::string base = name.text.substr(0, name.text.find('['));
    diagnostics_.error(name.place, node.label(), "name",
                       "all its copies would have this name; write the " +
                           std::string(missing.size() == 1 ? "index " : "indices ") +
                           listed(missing, "and") + " into it, as in " + base + "[" +
                           joined(indices, ",") + "]");
    passes_ = false;
  }

  const std::vector<Node>& nodes_;
  const Group* group_;
  Diagnostics& diagnostics_;
  std::map<std::string, const Node*> names_;  // of elements
  std::vector<const Node*> around_;           // repeats
  bool passes_ = true;
};

}  // namespace

const Attribute* Node::find(std::string_view attribute) const {
  for (const Attribute& a : attributes)
    if (a.name == attribute) return &a;
  return nullptr;
}

std::string Node::text(std::string_view attribute) const {
  if (const Attribute* a = find(attribute)) return a->text;
  const AttributeType* known = type->find(attribute);
  return known == nullptr ? std::string() : std::string(known->fallback);
}

std::string Node::label() const { return label_of(*type, text("name")); }

bool check_local_names(const Nodes& nodes, Diagnostics& diagnostics) {
  for (const auto& [name, group] : nodes.groups) check_parameters(group, diagnostics);
  bool passes = RepeatCheck(nodes.all, nullptr, diagnostics).passes();
  for (const auto& [name, group] : nodes.groups)
    if (!RepeatCheck(group.nodes, &group, diagnostics).passes()) passes = false;
  return passes;
}

void for_each_name(const std::vector<Node>& nodes,
                   const std::function<void(const Node&, const Attribute& name)>& use) {
  for (const Node& node : nodes)
    if (node.type->name == "repeat")
      for_each_name(node.inner, use);
    else if (const Attribute* name = node.find("name"))
      use(node, *name);
}

std::string where(const Place& place, const Place& seen_from) {
  return place.file == seen_from.file ? "line " + std::to_string(place.line)
                                      : place.file + ":" + std::to_string(place.line);
}

}  // namespace mechfmu::reader
