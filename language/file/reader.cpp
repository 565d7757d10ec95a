#include "language/file/reader.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <functional>
#include <optional>
#include <set>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "language/file/rules.h"
#include "model_desc/text.h"
#include "model_desc/units.h"
#include "model_desc/xml_tree.h"

namespace mechfmu {

namespace {

namespace fs = std::filesystem;

/// A file's content, or why there is none.
struct Loaded {
  std::string content{};
  std::string problem{};
};
/// By path from the folder of the mechanism file.
using Loader = std::function<Loaded(const std::string&)>;

Loaded load_file(const fs::path& path, std::size_t limit) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (!fs::exists(status)) return {{}, "the file does not exist"};
  if (fs::is_directory(status)) return {{}, "this is a folder, not a file"};
  if (!fs::is_regular_file(status)) return {{}, "this is not an ordinary file"};
  std::ifstream in(path, std::ios::binary);
  if (!in) return {{}, "the file cannot be read"};
  Loaded loaded;
  loaded.content.resize(std::min(static_cast<std::size_t>(fs::file_size(path, code)), limit) + 1);
  in.read(loaded.content.data(), static_cast<std::streamsize>(loaded.content.size()));
  loaded.content.resize(static_cast<std::size_t>(in.gcount()));
  if (loaded.content.size() > limit)
    return {{},
            "the file is larger than " + std::to_string(limit / 1'000'000) +
                " MB; a mechanism file is not"};
  return loaded;
}

/// Nothing on the way to the file leads elsewhere.
Loaded load_below(const fs::path& folder, const std::string& path, std::size_t limit) {
  fs::path at = folder;
  for (const fs::path& step : fs::path(path)) {
    at /= step;
    std::error_code code;
    if (fs::is_symlink(fs::symlink_status(at, code)))
      return {{},
              "a symbolic link is on its path; only files in the folder of the mechanism file "
              "are read"};
  }
  return load_file(at, limit);
}

/// The path from the main folder, of a path written in a file in `folder`; why not, otherwise.
Loaded resolve_path(const std::string& folder, const std::string& written) {
  if (written.starts_with('/') || written.find_first_of("\\:") != std::string::npos)
    return {{}, "it has to be a path from this file, with / between folders"};
  std::string path = folder;
  for (std::size_t at = 0; at <= written.size();) {
    const std::size_t end = std::min(written.find('/', at), written.size());
    const std::string step = written.substr(at, end - at);
    if (step == "..")
      return {{}, "'..' is not allowed; only files in the folder of the mechanism file are read"};
    if (!step.empty() && step != ".") path += (path.empty() ? "" : "/") + step;
    at = end + 1;
  }
  return {path, {}};
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

/// An element that is checked and has its defaults.
struct Node {
  const ElementType* type;
  std::vector<Attribute> attributes;
  Place place;
  std::vector<Node> shapes;

  const Attribute* find(std::string_view attribute) const {
    for (const Attribute& a : attributes)
      if (a.name == attribute) return &a;
    return nullptr;
  }
  std::string text(std::string_view attribute) const {
    if (const Attribute* a = find(attribute)) return a->text;
    const AttributeType* known = type->find(attribute);
    return known == nullptr ? std::string() : std::string(known->fallback);
  }
  std::string label() const { return label_of(*type, text("name")); }
};

struct Group {
  Node head;
  std::vector<Node> nodes;
  std::set<std::string> locals;  // names of its elements
  bool used = false;
};

/// What names mean where an element stands.
struct Scope {
  std::string prefix;
  const std::set<std::string>* locals = nullptr;  // names that take the prefix
  std::map<std::string, std::string> arguments;   // of the group, in full names
  std::vector<GroupPose> poses;
};

bool in_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

/// Behind "/s" or "/(kg.K)" where they belong to the unit of the number that ends at `at`, as the parser has it.
std::size_t past_divisors(std::string_view text, std::size_t at) {
  const auto is_unit = [](std::string_view symbol) {
    try {
      (void)parse_unit(symbol);
      return true;
    } catch (const std::invalid_argument&) {
      return false;
    }
  };
  while (at + 1 < text.size() && text[at] == '/') {
    std::size_t end = at + 1;
    if (text[end] == '(') {
      end = std::min(text.find(')', end), text.size() - 1) + 1;
    } else {
      while (end < text.size() && (in_word(text[end]) || text[end] == '.')) ++end;
      if (end < text.size() && text[end] == '(') return at;  // 5m/min(a, b)
    }
    const std::string_view divisor = text.substr(at + 1, end - at - 1);
    if (divisor.size() > 40 || divisor.empty() || is_digit(divisor.front()) || !is_unit(divisor))
      return at;
    at = end;
  }
  return at;
}

/// A text of a group with parameters put in and names made full. Words after a dot, before a parenthesis, and units of
/// numbers (5mm/s) are left alone. What is put in is not looked at again.
std::string in_scope(std::string_view text, const Scope& scope, bool expression) {
  if (scope.locals == nullptr) return std::string(text);
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const std::size_t from = at++;
    if (!in_word(c) && c != '.') {
      out += c;
      continue;
    }
    const bool name = is_letter(c) || c == '_';
    while (at < text.size() && (in_word(text[at]) || (!name && text[at] == '.'))) ++at;
    if (!name) {
      double number = 0;
      const char* const end = text.data() + at;
      const bool has_unit = std::from_chars(text.data() + from, end, number).ptr != end;
      if (has_unit) at = past_divisors(text, at);
    }
    const std::string word(text.substr(from, at - from));
    const char next = at < text.size() ? text[at] : ' ';
    const auto argument = scope.arguments.find(word);
    if (!name || next == '(') {
      out += word;
    } else if (argument != scope.arguments.end()) {
      const bool alone = from == begin && at == last + 1;
      out += alone || next == '.' || !expression ? argument->second : "(" + argument->second + ")";
    } else {
      out += scope.locals->contains(word) ? scope.prefix + word : word;
    }
  }
  return out;
}

class Reader {
 public:
  Reader(Loader load, std::string folder_shown, const ReaderLimits& limits,
         Diagnostics& diagnostics)
      : load_(std::move(load)),
        folder_shown_(std::move(folder_shown)),
        limits_(limits),
        diagnostics_(diagnostics) {}

  MechanismText read(const std::string& content, const std::string& path) {
    main_ = shown(path);
    diagnostics_.announce(main_);
    result_.files.push_back(main_);
    const std::optional<XmlNode> root = parse_xml(content, main_, limits_, diagnostics_);
    if (!root) return {};
    if (root->tag != "mechanism") {
      diagnostics_.error(root->place, {}, {},
                         "the root is <" + root->tag + ">; it has to be <mechanism name=\"…\">" +
                             (root->tag == "part" ? ": a part is for other files to include" : ""));
      return {};
    }
    const ElementType& type = *find_element_type("mechanism");
    const Node head{&type, root->attributes, root->place, {}};
    check_form({type, head.attributes, head.place, head.label()}, diagnostics_);
    result_.root.type = &type;
    result_.root.name = head.text("name");
    result_.root.attributes = head.attributes;
    result_.root.place = head.place;

    chain_ = {path};
    std::vector<Node> nodes;
    collect(*root, "mechanism", {}, nodes);
    check_groups();
    expand(nodes, Scope{});
    for (const auto& [name, group] : groups_)
      if (!group.used && group.head.place.file == main_)
        diagnostics_.warning(group.head.place, group.head.label(), {}, "it is never used");
    if (!cut_short_) check_names_and_references(result_, uses_, diagnostics_);
    return std::move(result_);
  }

 private:
  using Defaults = std::map<std::string, std::vector<Attribute>>;  // by element

  std::string shown(const std::string& path) const {
    return folder_shown_.empty() ? path : (fs::path(folder_shown_) / path).generic_string();
  }

  // First pass: files → nodes with their defaults, and groups

  /// `parent` is the tag the children stand in.
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
      std::string remedy = suggestion(child.tag, names);
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
                           ? "it is the root of a file and cannot stand inside another element"
                           : "it cannot stand in " + std::string(parent) +
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
        node.shapes.push_back(complete(child, *inner, defaults));
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
    const Loaded path = resolve_path(folder_of(chain_.back()), file->text);
    if (!path.problem.empty()) return refuse(path.problem);
    if (std::find(chain_.begin(), chain_.end(), path.content) != chain_.end()) {
      std::vector<std::string> ring(std::find(chain_.begin(), chain_.end(), path.content),
                                    chain_.end());
      ring.push_back(path.content);
      return refuse("the file includes itself: " + joined(ring, " → "));
    }
    if (chain_.size() > limits_.includes)
      return refuse("more than " + std::to_string(limits_.includes) +
                    " files include each other in a chain");
    if (++files_ > limits_.files)
      return refuse("more than " + std::to_string(limits_.files) + " files are included");
    const Loaded loaded = load_(path.content);
    if (!loaded.problem.empty()) return refuse(loaded.problem);
    const std::string name = shown(path.content);
    diagnostics_.announce(name);
    result_.files.push_back(name);
    const std::optional<XmlNode> root = parse_xml(loaded.content, name, limits_, diagnostics_);
    if (!root) return;
    const ElementType& part = *find_element_type("part");
    if (root->tag != "part") {
      diagnostics_.error(root->place, {}, {},
                         "the root is <" + root->tag +
                             ">; that of an included file has to be "
                             "<part>");
      return;
    }
    check_form({part, root->attributes, root->place, "part"}, diagnostics_);
    chain_.push_back(path.content);
    collect(*root, parent, defaults, nodes);
    chain_.pop_back();
  }

  void take_group(const XmlNode& from, const ElementType& type, const Defaults& defaults) {
    Group group{{&type, from.attributes, from.place, {}}, {}, {}};
    check_form({type, from.attributes, from.place, group.head.label()}, diagnostics_);
    collect(from, "group", defaults, group.nodes);
    for (const Node& node : group.nodes)
      if (const Attribute* name = node.find("name"); name != nullptr && node.type->name != "output")
        group.locals.insert(name->text);
    const std::string name = group.head.text("name");
    const auto [first, is_new] = groups_.emplace(name, std::move(group));
    if (!is_new)
      diagnostics_.error(from.place, label_of(type, name), "name",
                         "the name '" + name + "' is already that of group '" + name + "' in " +
                             where(first->second.head.place, from.place));
  }

  static std::string where(const Place& place, const Place& seen_from) {
    return place.file == seen_from.file ? "line " + std::to_string(place.line)
                                        : place.file + ":" + std::to_string(place.line);
  }

  /// The parameters of groups: names that can be used in expressions and mean one thing.
  void check_groups() {
    const ElementType& use = *find_element_type("use");
    for (const auto& [name, group] : groups_)
      for (const Attribute& a : group.head.attributes) {
        if (group.head.type->find(a.name) != nullptr) continue;
        const std::vector<std::string>& reserved = reserved_names();
        std::string why;
        if (!is_name(a.name))
          why = "is not allowed: use letters, digits and _, beginning with a letter";
        else if (std::find(reserved.begin(), reserved.end(), a.name) != reserved.end())
          why = "has a meaning of its own; use another one";
        else if (use.find(a.name) != nullptr)
          why = "is that of an attribute of use; use another one";
        else if (group.locals.contains(a.name))
          why = "is also that of an element in the group; use another one";
        if (!why.empty())
          diagnostics_.error(a.place, group.head.label(), a.name,
                             "the name of the parameter '" + a.name + "' " + why);
      }
  }

  // Second pass: nodes → elements, with groups in place of their uses

  void expand(const std::vector<Node>& nodes, const Scope& scope) {
    for (const Node& node : nodes) {
      if (cut_short_) return;
      if (node.type->name == "use")
        expand_use(node, scope);
      else
        emit(node, scope, {});
    }
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
        case AttributeKind::numbers: a.text = in_scope(a.text, scope, true); break;
        case AttributeKind::reference:
        case AttributeKind::references: a.text = in_scope(a.text, scope, false); break;
        default: break;
      }
      check_size(node, a);
    }
    return all;
  }

  /// Parameters that are made of parameters grow fast.
  void check_size(const Node& node, Attribute& a) {
    characters_ += a.text.size();
    if (a.text.size() <= limits_.text && characters_ <= limits_.characters) return;
    if (!cut_short_)
      diagnostics_.error(a.place, node.label(), a.name,
                         a.text.size() > limits_.text
                             ? "attribute '" + a.name + "' is longer than " +
                                   std::to_string(limits_.text) + " characters"
                             : "the mechanism has more than " + std::to_string(limits_.characters) +
                                   " characters");
    a.text.clear();
    cut_short_ = true;
  }

  bool count_element(const Place& place) {
    if (++elements_ <= limits_.elements) return true;
    if (!cut_short_)
      diagnostics_.error(
          place, {}, {},
          "the mechanism has more than " + std::to_string(limits_.elements) + " elements");
    cut_short_ = true;
    return false;
  }

  Element element(const Node& node, const Scope& scope) {
    Element e;
    e.type = node.type;
    const std::string name = node.text("name");
    e.name = name.empty() ? name : scope.prefix + name;
    e.prefix = scope.prefix;
    e.attributes = attributes_in(node, scope);
    e.poses = scope.poses;
    for (const GroupPose& pose : e.poses) characters_ += pose.at.size() + pose.rotation.size();
    e.place = node.place;
    return e;
  }

  void emit(const Node& node, const Scope& scope, const std::string& owner) {
    if (!count_element(node.place)) return;
    Element e = element(node, scope);
    e.owner = owner;
    if (e.type->once) check_once(e);
    if (e.type->name == "table") load_table(e);
    const std::string name = e.name;
    result_.elements.push_back(std::move(e));
    for (const Node& shape : node.shapes) emit(shape, scope, name);
  }

  void check_once(const Element& e) {
    const auto [first, is_new] = once_.emplace(e.type, e.place);
    if (!is_new)
      diagnostics_.error(e.place, e.label(), {},
                         "there is one already, in " + where(first->second, e.place));
  }

  /// The text of `file` becomes the path from the main folder, the key of the data.
  void load_table(Element& e) {
    for (Attribute& a : e.attributes) {
      if (a.name != "file" || words_of(a.text).empty()) continue;
      std::string folder = folder_of(a.place.file);
      if (!folder_shown_.empty())
        folder = fs::path(folder).lexically_relative(folder_shown_).generic_string();
      if (folder == ".") folder.clear();
      Loaded path = resolve_path(folder, a.text);
      Loaded loaded;
      if (path.problem.empty() && !result_.data.contains(path.content)) {
        if (++files_ > limits_.files)
          path.problem = "more than " + std::to_string(limits_.files) + " files are used";
        else
          loaded = load_(path.content);
      }
      const std::string problem = path.problem.empty() ? loaded.problem : path.problem;
      if (!problem.empty()) {
        diagnostics_.error(a.place, e.label(), "file", "\"" + a.text + "\": " + problem);
        return;
      }
      result_.files.push_back(shown(path.content));
      result_.data.emplace(path.content, std::move(loaded.content));
      a.text = path.content;
    }
  }

  void expand_use(const Node& node, const Scope& scope) {
    if (!count_element(node.place)) return;
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

  /// What the parameters of a group stand for in one use: texts of the use's scope, else the group's own values, which
  /// may use the parameters before them.
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
        value.text = in_scope(given->text, scope, true);
      } else if (words_of(parameter.text).empty()) {
        diagnostics_.error(node.place, label, parameter.name,
                           "parameter '" + parameter.name + "' of group '" +
                               group.head.text("name") + "' is missing");
        complete = false;
      } else {
        value.text = in_scope(parameter.text, inner, true);
      }
      check_size(node, value);
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
    return complete && !cut_short_;
  }

  Loader load_;
  std::string folder_shown_, main_;
  ReaderLimits limits_;
  Diagnostics& diagnostics_;

  std::vector<std::string> chain_;  // the file that is read and those that include it
  std::size_t files_ = 0, elements_ = 0, characters_ = 0;
  std::map<std::string, Group> groups_;
  std::vector<std::string> open_groups_;
  std::map<const ElementType*, Place> once_;
  std::vector<Element> uses_;
  bool cut_short_ = false;  // a limit was exceeded
  MechanismText result_;
};

}  // namespace

const Attribute* Element::find(std::string_view attribute) const {
  for (const Attribute& a : attributes)
    if (a.name == attribute) return &a;
  return nullptr;
}

std::string_view Element::text(std::string_view attribute) const {
  if (const Attribute* a = find(attribute)) return a->text;
  const AttributeType* known = type == nullptr ? nullptr : type->find(attribute);
  return known == nullptr ? std::string_view() : known->fallback;
}

std::string Element::label() const {
  return label_of(*type, std::string_view(name).substr(name.empty() ? 0 : prefix.size()));
}

MechanismText read_mechanism_file(const fs::path& path, Diagnostics& diagnostics,
                                  const ReaderLimits& limits) {
  const std::string shown = path.generic_string();
  Loaded loaded = load_file(path, limits.bytes);
  if (!loaded.problem.empty()) {
    diagnostics.error({shown, 0}, {}, {}, loaded.problem);
    return {};
  }
  const fs::path folder = path.parent_path();
  const Loader load = [&](const std::string& below) {
    return load_below(folder.empty() ? fs::path(".") : folder, below, limits.bytes);
  };
  return Reader(load, folder.generic_string(), limits, diagnostics)
      .read(loaded.content, path.filename().generic_string());
}

MechanismText read_mechanism_text(std::string_view content, const std::string& file,
                                  Diagnostics& diagnostics,
                                  const std::map<std::string, std::string>& files,
                                  const ReaderLimits& limits) {
  const Loader load = [&](const std::string& path) -> Loaded {
    const auto found = files.find(path);
    if (found == files.end()) return {{}, "the file does not exist"};
    return {found->second, {}};
  };
  return Reader(load, "", limits, diagnostics).read(std::string(content), file);
}

}  // namespace mechfmu
