#include "robots/mjcf_tree.h"

#include <algorithm>
#include <set>

#include "model_desc/text.h"

namespace mechfmu::robots {

namespace {

void include_below(XmlNode& node, const Source& source, std::set<std::string>& seen) {
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    if (node.children[i].tag != "include") {
      include_below(node.children[i], source, seen);
      continue;
    }
    const XmlNode include = node.children[i];
    node.children.erase(node.children.begin() + static_cast<std::ptrdiff_t>(i));
    const Attribute* file = include.find("file");
    if (file == nullptr) {
      source.diagnostics.error(include.place, "<include>", {}, "the attribute file is missing");
      return;
    }
    const std::string path = source.find(file->text).value_or(file->text);
    if (!seen.insert(path).second) {
      source.diagnostics.error(include.place, "<include>", {},
                               in_quotes(plain_line(path, 80)) + " is included a second time");
      return;
    }
    std::optional<XmlNode> tree = source.tree(file->text, include.place);
    if (!tree) return;
    node.children.insert(node.children.begin() + static_cast<std::ptrdiff_t>(i),
                         std::make_move_iterator(tree->children.begin()),
                         std::make_move_iterator(tree->children.end()));
    --i;  // the inserted part may also include files
  }
}

/// Kinds of actuators share the defaults of their own tag and of "general".
bool is_actuator(std::string_view tag) {
  for (const char* known : {"general", "motor", "position", "velocity", "intvelocity", "damper",
                            "cylinder", "muscle", "adhesion"})
    if (tag == known) return true;
  return false;
}

std::string key_of(const std::string& tag) {
  return is_actuator(tag) ? "general" : tag == "freejoint" ? "joint" : tag;
}

}  // namespace

void put_in_includes(XmlNode& root, const Source& source) {
  std::set<std::string> seen = {source.file.filename().string()};
  include_below(root, source, seen);
}

Defaults::Defaults(const XmlNode& root, Attributes& read) {
  classes_["main"];
  for (const XmlNode* node : children(root, "default")) add(*node, {}, true, read);
}

void Defaults::add(const XmlNode& node, const Class& parent, bool is_top, Attributes& read) {
  const std::string name = read.word(node, "class", is_top ? "main" : "");
  if (name.empty()) return read.error(node, "the attribute class is missing");
  Class& made = classes_[name];
  for (const auto& [tag, attributes] : parent)
    if (!made.contains(tag)) made[tag] = attributes;
  for (const XmlNode& element : node.children) {
    if (element.tag == "default") continue;
    std::vector<Attribute>& attributes = made[key_of(element.tag)];
    for (const Attribute& attribute : element.attributes) {
      const auto same = std::find_if(attributes.begin(), attributes.end(),
                                     [&](const Attribute& a) { return a.name == attribute.name; });
      if (same != attributes.end())
        *same = attribute;
      else
        attributes.push_back(attribute);
    }
  }
  const Class own = made;
  for (const XmlNode& element : node.children)
    if (element.tag == "default") add(element, own, false, read);
}

XmlNode Defaults::filled(const XmlNode& node, const std::string& child_class,
                         Attributes& read) const {
  XmlNode made = node;
  if (node.tag == "freejoint") return made;
  std::string name = read.word(node, "class", child_class);
  if (name.empty()) name = "main";
  const auto found = classes_.find(name);
  if (found == classes_.end()) {
    std::vector<std::string> names;
    for (const auto& [known, value] : classes_) names.push_back(known);
    read.error(node, "there is no default class " + in_quotes(plain_line(name, 60)) +
                         suggestion(name, names));
    return made;
  }
  const auto attributes = found->second.find(key_of(node.tag));
  if (attributes != found->second.end())
    for (const Attribute& attribute : attributes->second)
      if (made.find(attribute.name) == nullptr) {
        made.attributes.push_back(attribute);
        made.attributes.back().by_default = true;
      }
  return made;
}

}  // namespace mechfmu::robots
