// The first pass: files → nodes with their defaults, and groups.

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "language/file/nodes.h"
#include "language/file/rules.h"
#include "language/file/synonyms.h"
#include "model_desc/text.h"

namespace mechfmu::reader {

namespace {

using Defaults = std::map<std::string, std::vector<Attribute>>;  // by element

class Collector {
 public:
  Collector(std::string path, SourceFiles& files, const ReaderLimits& limits,
            Diagnostics& diagnostics)
      : files_(files), limits_(limits), diagnostics_(diagnostics), chain_{std::move(path)} {}

  Nodes collect(const XmlNode& root) {
    std::vector<Node> nodes;
    collect(root, "mechanism", {}, nodes);
    return {std::move(nodes), std::move(groups_)};
  }

 private:
  /// `parent` is the tag that contains the children.
  void collect(const XmlNode& from, std::string_view parent, Defaults defaults,
               std::vector<Node>& nodes) {
    for (const XmlNode& child : from.children) {
      const ElementType* type = known_type(child, from, parent);
      if (type == nullptr) continue;
      if (type->name == "default")
        take_defaults(child, *type, defaults);
      else if (type->name == "include")
        include(child, *type, parent, defaults, nodes);
      else if (type->name == "group")
        take_group(child, *type, defaults);
      else if (type->name == "repeat")
        take_repeat(child, *type, defaults, nodes);
      else
        nodes.push_back(complete(child, *type, defaults));
    }
  }

  const ElementType* known_type(const XmlNode& child, const XmlNode& from,
                                std::string_view parent) {
    const ElementType* type = find_element_type(child.tag);
    if (type == nullptr) {
      std::vector<std::string> names;
      if (!diagnostics_.full())
        for (const ElementType& e : mechanism_elements())
          if (has_word(e.parents, parent)) names.emplace_back(e.name);
      std::string remedy = suggestion_for_word(child.tag, names);
      if (remedy.empty() && !names.empty())
        remedy = "; " + std::string(parent) + " holds " + listed(names, "and");
      diagnostics_.error(child.place, {}, {}, "unknown element '" + child.tag + "'" + remedy);
      return nullptr;
    }
    if (has_word(type->parents, parent)) return type;
    const Attribute* name = child.find("name");
    const std::string label = label_of(*type, name == nullptr ? "" : name->text);
    const Attribute* outer = from.find("name");
    diagnostics_.error(child.place, label, {},
                       type->parents.empty()
                           ? "it is the root of a file and is not allowed inside another element"
                           : "it is not allowed in " + std::string(parent) +
                                 (outer == nullptr ? "" : " '" + outer->text + "'") +
                                 "; it belongs in " + listed(words_of(type->parents)));
    return nullptr;
  }

  Node complete(const XmlNode& from, const ElementType& type, const Defaults& defaults) {
    Node node{&type, from.attributes, from.place, {}};
    const bool has_shapes = type.name == "body" && !from.children.empty();
    if (const auto found = defaults.find(from.tag); found != defaults.end()) {
      for (const Attribute& a : found->second)
        if (node.find(a.name) == nullptr) node.attributes.push_back(a);
      drop_useless_defaults(type, has_shapes, node.attributes);
    }
    check_form({type, node.attributes, node.place, node.label(), true, has_shapes}, diagnostics_);
    for (const XmlNode& child : from.children)
      if (const ElementType* inner = known_type(child, from, from.tag))
        node.inner.push_back(complete(child, *inner, defaults));
    return node;
  }

  void no_children(const XmlNode& from) {
    for (const XmlNode& child : from.children) (void)known_type(child, from, from.tag);
  }

  void take_defaults(const XmlNode& from, const ElementType& type, Defaults& defaults) {
    const Node head{&type, from.attributes, from.place, {}};
    check_form({type, head.attributes, head.place, "default"}, diagnostics_);
    no_children(from);
    const ElementType* target = find_element_type(head.text("element"));
    if (target == nullptr || !target->takes_defaults) return;
    std::vector<Attribute> given;
    for (Attribute a : from.attributes) {
      if (a.name == "element" || a.name == "about") continue;
      if (a.name == "name") {
        diagnostics_.error(a.place, "default", a.name, "a name cannot be a default");
        continue;
      }
      a.by_default = true;
      given.push_back(std::move(a));
    }
    check_form({*target, given, from.place, "default " + std::string(target->name), false},
               diagnostics_);
    std::vector<Attribute>& all = defaults[std::string(target->name)];
    for (Attribute& a : given) {
      // A new choice replaces the old one: mass instead of density.
      std::erase_if(all, [&](const Attribute& old) {
        return old.name == a.name ||
               std::any_of(target->choices.begin(), target->choices.end(), [&](const Choice& c) {
                 return has_word(c.of, a.name) && has_word(c.of, old.name);
               });
      });
    }
    all.insert(all.end(), given.begin(), given.end());
  }

  void include(const XmlNode& from, const ElementType& type, std::string_view parent,
               const Defaults& defaults, std::vector<Node>& nodes) {
    check_form({type, from.attributes, from.place, "include"}, diagnostics_);
    no_children(from);
    const Attribute* file = from.find("file");
    if (file == nullptr || words_of(file->text).empty()) return;
    const auto refuse = [&](const std::string& why) {
      diagnostics_.error(file->place, "include", "file", "\"" + file->text + "\": " + why);
    };
    const TextOrProblem path = SourceFiles::path_from(chain_.back(), file->text);
    if (!path.problem.empty()) return refuse(path.problem);
    if (std::find(chain_.begin(), chain_.end(), path.text) != chain_.end()) {
      std::vector<std::string> ring(std::find(chain_.begin(), chain_.end(), path.text),
                                    chain_.end());
      ring.push_back(path.text);
      return refuse("the file includes itself: " + joined(ring, " → "));
    }
    if (chain_.size() > limits_.includes)
      return refuse("more than " + std::to_string(limits_.includes) +
                    " files include each other in a chain");
    const TextOrProblem loaded = files_.load(path.text, "included");
    if (!loaded.problem.empty()) return refuse(loaded.problem);
    const std::string name = files_.shown(path.text);
    diagnostics_.announce(name);
    const std::optional<XmlNode> root = parse_xml(loaded.text, name, limits_, diagnostics_);
    if (!root) return;
    const ElementType& part = *find_element_type("part");
    if (root->tag != "part") {
      diagnostics_.error(
          root->place, {}, {},
          "the root is <" + root->tag + ">; that of an included file must be <part>");
      return;
    }
    check_form({part, root->attributes, root->place, "part"}, diagnostics_);
    chain_.push_back(path.text);
    collect(*root, parent, defaults, nodes);
    chain_.pop_back();
  }

  void take_group(const XmlNode& from, const ElementType& type, const Defaults& defaults) {
    Group group{{&type, from.attributes, from.place, {}}, {}, {}};
    check_form({type, from.attributes, from.place, group.head.label()}, diagnostics_);
    collect(from, "group", defaults, group.nodes);
    for_each_name(group.nodes, [&](const Node& node, const Attribute& name) {
      const std::size_t open = name.text.find('[');
      if (node.type->name != "output")
        group.locals.insert(open == std::string::npos ? name.text : name.text.substr(0, open + 1));
    });
    const std::string name = group.head.text("name");
    const auto [first, is_new] = groups_.emplace(name, std::move(group));
    if (!is_new)
      diagnostics_.error(from.place, label_of(type, name), "name",
                         "the name '" + name + "' is already used by group '" + name + "' in " +
                             where(first->second.head.place, from.place));
  }

  void take_repeat(const XmlNode& from, const ElementType& type, const Defaults& defaults,
                   std::vector<Node>& nodes) {
    Node node{&type, from.attributes, from.place, {}};
    check_form({type, node.attributes, node.place, node.label()}, diagnostics_);
    collect(from, "repeat", defaults, node.inner);
    nodes.push_back(std::move(node));
  }

  SourceFiles& files_;
  const ReaderLimits& limits_;
  Diagnostics& diagnostics_;
  std::vector<std::string> chain_;  // the present file and those that include it
  std::map<std::string, Group> groups_;
};

}  // namespace

Nodes collect_nodes(const XmlNode& root, const std::string& path, SourceFiles& files,
                    const ReaderLimits& limits, Diagnostics& diagnostics) {
  return Collector(path, files, limits, diagnostics).collect(root);
}

}  // namespace mechfmu::reader
