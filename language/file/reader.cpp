#include "language/file/reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <functional>
#include <optional>
#include <set>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "language/expression/check.h"
#include "language/file/indices.h"
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
  std::vector<Node> inner;  // shapes of a body, elements of a repeat

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
  std::set<std::string> locals;  // names of its elements; of those with indices: link[
  bool used = false;
};

/// References to the copies of a ring: name[…] with as many indices → in which of them numbers go round, from `low` on.
struct Round {
  long low = 0, period = 0;  // 0: they do not
};
using Ring = std::map<std::pair<std::string, std::size_t>, std::vector<Round>>;

struct RepeatIndex {
  std::string_view name;
  long value;
};

/// What names mean where an element stands.
struct Scope {
  std::string prefix{};
  const std::set<std::string>* locals = nullptr;   // names that take the prefix
  std::map<std::string, std::string> arguments{};  // of the group, in full names
  std::vector<GroupPose> poses{};
  std::vector<RepeatIndex> indices{};  // of the repeats around
  std::vector<Ring> rings{};           // those of them that are
};

/// "i = 3, j = 4"
std::string text_of(const std::vector<RepeatIndex>& indices) {
  std::string text;
  for (const RepeatIndex& index : indices)
    text.append(text.empty() ? "" : ", ")
        .append(index.name)
        .append(" = ")
        .append(std::to_string(index.value));
  return text;
}

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

/// What indices are made of: those of the repeats around, and parameters of the group that are whole numbers.
Whole look_up(std::string_view name, const Scope& scope) {
  for (const RepeatIndex& index : scope.indices)
    if (index.name == name) return {index.value, {}};
  const std::string word(name);
  if (const auto argument = scope.arguments.find(word); argument != scope.arguments.end()) {
    Whole value = whole_number(argument->second, [](std::string_view) { return Whole{}; });
    if (!value.value) value.problem = in_quotes(word) + " is no whole number here";
    return value;
  }
  std::vector<std::string> known;
  for (const RepeatIndex& index : scope.indices) known.emplace_back(index.name);
  return {{},
          in_quotes(word) + " is no index" +
              (known.empty()       ? "; outside of a repeat there are whole numbers only"
               : known.size() == 1 ? "; that of the repeat is " + known[0]
                                   : "; those of the repeats are " + listed(known, "and"))};
}

/// What a text is to be taken for.
enum class TextKind {
  own_name,   // only its indices are worked out
  reference,  // and names are made full, parameters of groups put in
  expression  // and indices, too
};

/// A text as it is in a scope, or what is wrong with it.
struct Scoped {
  std::string text{};
  std::string problem{};
};

/// Puts in what parameters and indices stand for, makes names full and works out what is in brackets after them. Words
/// after a dot, before a parenthesis, and units of numbers (5mm/s) are left alone. What is put in is not looked at
/// again.
class InScope {
 public:
  InScope(std::string_view text, const Scope& scope, TextKind kind)
      : text_(text), scope_(scope), kind_(kind) {}

  Scoped put() {
    if (scope_.locals == nullptr && scope_.indices.empty() &&
        text_.find('[') == std::string_view::npos)
      return {std::string(text_), {}};
    begin_ = text_.find_first_not_of(" \t\r\n");
    last_ = text_.find_last_not_of(" \t\r\n");
    while (at_ < text_.size() && made_.problem.empty()) token();
    return std::move(made_);
  }

 private:
  void token() {
    const char c = text_[at_];
    const std::size_t from = at_++;
    if (!in_word(c) && c != '.') {
      made_.text += c;
      return;
    }
    const bool name = is_letter(c) || c == '_';
    const bool dotted = c == '.' && at_ < text_.size() && is_letter(text_[at_]);
    while (at_ < text_.size() && (in_word(text_[at_]) || (!name && text_[at_] == '.'))) ++at_;
    if (!name && !dotted) {
      double number = 0;
      const char* const end = text_.data() + at_;
      const bool has_unit = std::from_chars(text_.data() + from, end, number).ptr != end;
      if (has_unit) at_ = past_divisors(text_, at_);
    }
    const std::string word(text_.substr(from, at_ - from));
    const char next = at_ < text_.size() ? text_[at_] : ' ';
    if (!name || next == '(' || kind_ == TextKind::own_name)
      made_.text += word;
    else
      put_word(word, from, next);
    if ((name || dotted) && next == '[') put_indices(name ? word : std::string());
  }

  void put_word(const std::string& word, std::size_t from, char next) {
    const bool alone = from == begin_ && at_ == last_ + 1;
    const bool begins_name = next == '.' || next == '[';
    const auto index = std::find_if(scope_.indices.begin(), scope_.indices.end(),
                                    [&](const RepeatIndex& i) { return i.name == word; });
    const auto argument = scope_.arguments.find(word);
    if (argument != scope_.arguments.end()) {
      const bool plain = alone || begins_name || kind_ != TextKind::expression;
      made_.text += plain ? argument->second : "(" + argument->second + ")";
    } else if (index != scope_.indices.end() && kind_ == TextKind::expression && !begins_name) {
      const std::string number = std::to_string(index->value);
      made_.text += alone ? number : "(" + number + ")";
    } else {
      const bool local =
          scope_.locals != nullptr && scope_.locals->contains(next == '[' ? word + "[" : word);
      made_.text += local ? scope_.prefix + word : word;
    }
  }

  /// The bracket here, which belongs to `name`.
  void put_indices(const std::string& name) {
    const std::optional<std::size_t> end = past_indices(text_, at_);
    if (!end) {  // of an element's own name, this has been said
      made_.problem = kind_ == TextKind::own_name
                          ? std::string()
                          : "'[' after '" + name + "' is not closed: ']' is missing";
      at_ = text_.size();
      return;
    }
    const std::string shown = "\"" + name + std::string(text_.substr(at_, *end - at_)) + "\": ";
    std::vector<long> numbers;
    for (const std::string_view part : split_indices(text_.substr(at_ + 1, *end - at_ - 2))) {
      const Whole number =
          whole_number(part, [this](std::string_view word) { return look_up(word, scope_); });
      if (!number.value) {
        made_.problem = shown + number.problem;
        return;
      }
      numbers.push_back(*number.value);
    }
    if (numbers.size() > most_indices) {
      made_.problem = shown + "a name has at most " + std::to_string(most_indices) + " indices";
      return;
    }
    if (kind_ == TextKind::own_name) {
      if (std::any_of(numbers.begin(), numbers.end(), [](long n) { return n < 0; })) {
        made_.problem = shown + "an index in a name cannot be negative" +
                        (scope_.indices.empty() ? "" : ", as with " + text_of(scope_.indices));
        return;
      }
    } else {
      go_round(name, numbers);
    }
    for (std::size_t i = 0; i < numbers.size(); ++i)
      made_.text += (i == 0 ? "[" : ",") + std::to_string(numbers[i]);
    made_.text += ']';
    at_ = *end;
  }

  void go_round(const std::string& name, std::vector<long>& numbers) const {
    for (const Ring& ring : scope_.rings) {
      const auto found = ring.find({name, numbers.size()});
      if (found == ring.end()) continue;
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto& [low, period] = found->second[i];
        if (period > 0) numbers[i] = low + ((numbers[i] - low) % period + period) % period;
      }
    }
  }

  std::string_view text_;
  const Scope& scope_;
  TextKind kind_;
  std::size_t at_ = 0, begin_ = 0, last_ = 0;
  Scoped made_;
};

/// Knows nothing, and says what numbers of copies are made of.
class NothingKnown : public expression::Environment {
 public:
  std::optional<expression::Symbol> find(const expression::Node&) const override { return {}; }
  std::string explain(const expression::Node& name) const override {
    return in_quotes(name.text) +
           " is not known here; how many copies there are is made of numbers, indices of repeats "
           "around this one and parameters of its group";
  }
};

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
    check_repeats(nodes, nullptr);
    for (const auto& [name, group] : groups_) check_repeats(group.nodes, &group);
    Scope scope;
    expand(nodes, scope);
    for (const auto& [name, group] : groups_)
      if (!group.used && !cut_short_ && group.head.place.file == main_)
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
    for_each_name(group.nodes, [&](const Node& node, const Attribute& name) {
      const std::size_t open = name.text.find('[');
      if (node.type->name != "output")
        group.locals.insert(open == std::string::npos ? name.text : name.text.substr(0, open + 1));
    });
    const std::string name = group.head.text("name");
    const auto [first, is_new] = groups_.emplace(name, std::move(group));
    if (!is_new)
      diagnostics_.error(from.place, label_of(type, name), "name",
                         "the name '" + name + "' is already that of group '" + name + "' in " +
                             where(first->second.head.place, from.place));
  }

  void take_repeat(const XmlNode& from, const ElementType& type, const Defaults& defaults,
                   std::vector<Node>& nodes) {
    Node node{&type, from.attributes, from.place, {}};
    check_form({type, node.attributes, node.place, node.label()}, diagnostics_);
    collect(from, "repeat", defaults, node.inner);
    nodes.push_back(std::move(node));
  }

  /// All elements that have a name, also those in repeats.
  static void for_each_name(const std::vector<Node>& nodes,
                            const std::function<void(const Node&, const Attribute&)>& use) {
    for (const Node& node : nodes)
      if (node.type->name == "repeat")
        for_each_name(node.inner, use);
      else if (const Attribute* name = node.find("name"))
        use(node, *name);
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
        else if (group.locals.contains(a.name) || group.locals.contains(a.name + "["))
          why = "is also that of an element in the group; use another one";
        if (!why.empty())
          diagnostics_.error(a.place, group.head.label(), a.name,
                             "the name of the parameter '" + a.name + "' " + why);
      }
  }

  using NamedNodes = std::map<std::string, const Node*>;

  /// The indices of repeats: names that mean one thing, and that every name in the repeat holds.
  void check_repeats(const std::vector<Node>& nodes, const Group* group) {
    NamedNodes names;
    for_each_name(nodes, [&](const Node& node, const Attribute& name) {
      if (node.type->name != "output") names.emplace(name.text, &node);
    });
    std::vector<const Node*> around;
    for (const Node& node : nodes)
      if (node.type->name == "repeat") check_repeat(node, group, names, around);
  }

  void check_repeat(const Node& repeat, const Group* group, const NamedNodes& names,
                    std::vector<const Node*>& around) {
    check_index(repeat, group, names, around);
    around.push_back(&repeat);
    for (const Node& node : repeat.inner)
      if (node.type->name == "repeat")
        check_repeat(node, group, names, around);
      else if (const Attribute* name = node.find("name"))
        check_copied_name(node, *name, around);
    around.pop_back();
  }

  void check_index(const Node& repeat, const Group* group, const NamedNodes& names,
                   const std::vector<const Node*>& around) {
    const Attribute* name = repeat.find("name");
    if (name == nullptr) return;
    const auto refuse = [&](const std::string& why) {
      diagnostics_.error(
          name->place, repeat.label(), "name",
          "the index " + in_quotes(name->text) + " is also " + why + "; use another name");
      cut_short_ = true;
    };
    for (const Node* outer : around)
      if (outer->text("name") == name->text)
        return refuse("that of the repeat around it, in " + where(outer->place, repeat.place));
    if (const auto found = names.find(name->text); found != names.end())
      return refuse("the name of " + found->second->label() + " in " +
                    where(found->second->place, repeat.place));
    if (group != nullptr && group->head.type->find(name->text) == nullptr &&
        group->head.find(name->text) != nullptr)
      refuse("a parameter of " + group->head.label());
  }

  void check_copied_name(const Node& node, const Attribute& name,
                         const std::vector<const Node*>& around) {
    std::vector<std::string> indices, missing;
    for (const Node* repeat : around) {
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
    cut_short_ = true;
  }

  // Second pass: nodes → elements, with groups in place of their uses, and copies in place of repeats

  void expand(const std::vector<Node>& nodes, Scope& scope) {
    for (const Node& node : nodes) {
      if (cut_short_) return;
      if (node.type->name == "use")
        expand_use(node, scope);
      else if (node.type->name == "repeat")
        expand_repeat(node, scope);
      else
        emit(node, scope, {});
    }
  }

  void expand_repeat(const Node& node, Scope& scope) {
    if (!count_work(node, 1)) return;
    const Attribute* name = node.find("name");
    const std::optional<long> from = whole_value(node, "from", scope);
    const std::optional<long> to = whole_value(node, "to", scope);
    if (name == nullptr || !from || !to) {
      cut_short_ = true;
      return;
    }
    if (*from > *to) return;
    const auto copies = static_cast<std::size_t>(*to - *from + 1);
    if (copies > limits_.elements) {
      diagnostics_.error(node.place, node.label(), "to",
                         "from " + std::to_string(*from) + " to " + std::to_string(*to) + " are " +
                             std::to_string(copies) + " copies; a mechanism has at most " +
                             std::to_string(limits_.elements) + " elements");
      cut_short_ = true;
      return;
    }
    const bool is_ring = node.text("ring") == "true";
    scope.indices.push_back({name->text, *from});
    if (is_ring) scope.rings.push_back(ring(node, scope, *from, *to));
    for (long i = *from; i <= *to && count_work(node, 1); ++i) {
      scope.indices.back().value = i;
      expand(node.inner, scope);
    }
    if (is_ring) scope.rings.pop_back();
    scope.indices.pop_back();
  }

  /// The number that an attribute of a repeat says.
  std::optional<long> whole_value(const Node& node, const std::string& attribute,
                                  const Scope& scope) {
    const Attribute* written = node.find(attribute);
    if (written != nullptr && words_of(written->text).empty()) return {};
    const Place& place = written != nullptr ? written->place : node.place;
    Attribute number{attribute, node.text(attribute), place};
    number.text = scoped(node, number, scope, TextKind::expression);
    check_size(node, number);
    constexpr std::size_t usual =
        50;  // longer ones take their time in every copy of a repeat around
    if (number.text.empty() || !count_work(node, number.text.size() / usual)) return {};
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
    diagnostics_.error(place, node.label(), attribute,
                       shown +
                           (computed == node.text(attribute) ? "" : " is " + computed + ", which") +
                           (*value == std::round(*value)
                                ? " is too large; a repeat counts to a thousand million at most"
                                : " is no whole number; floor() rounds down"));
    return {};
  }

  /// In names that are declared as shoe[i], pin[2*i] and pin[2*i+1], what i makes goes round.
  Ring ring(const Node& node, Scope& scope, long from, long to) {
    Ring made;
    for_each_name(node.inner, [&](const Node& declared, const Attribute& name) {
      const std::size_t open = name.text.find('[');
      if (declared.type->name == "output" || open == std::string::npos || cut_short_ ||
          past_indices(name.text, open) != name.text.size() ||
          !count_work(node, 1 + name.text.size() / 100))
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
      return whole_number(part, [&](std::string_view word) { return look_up(word, scope); }).value;
    };
    const std::optional<long> first = at(from), second = at(from + 1), last = at(to);
    if (!first || !second || !last) return {};  // an index of a repeat in this one is in it
    const long step = *second - *first;
    if (step == 0 || *last - *first != step * (to - from)) return {};
    return {std::min(*first, *last), std::abs(step) * (to - from + 1)};
  }

  /// Repeats that hold nothing take time, too.
  bool count_work(const Node& repeat, std::size_t steps) {
    work_ += steps;
    if (work_ > limits_.elements && !cut_short_) {
      diagnostics_.error(repeat.place, repeat.label(), {},
                         "the repeats of the mechanism make more than " +
                             std::to_string(limits_.elements) + " copies");
      cut_short_ = true;
    }
    return !cut_short_;
  }

  /// A text in a scope; empty, and an error, where it cannot be.
  std::string scoped(const Node& node, const Attribute& a, const Scope& scope, TextKind kind) {
    Scoped made = InScope(a.text, scope, kind).put();
    // indices may shrink; it has taken time to read them all the same
    if (made.text.size() < a.text.size()) characters_ += a.text.size() - made.text.size();
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
    e.prefix = scope.prefix;
    e.attributes = attributes_in(node, scope);
    if (const Attribute* name = e.find("name"); name != nullptr && !name->text.empty())
      e.name = scope.prefix + name->text;
    if (e.name.empty() && !scope.indices.empty()) e.copy = text_of(scope.indices);
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
    for (const Node& shape : node.inner) emit(shape, scope, name);
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
      if (result_.data.emplace(path.content, std::move(loaded.content)).second)
        result_.files.push_back(shown(path.content));
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
        value.text = scoped(node, *given, scope, TextKind::expression);
      } else if (words_of(parameter.text).empty()) {
        diagnostics_.error(node.place, label, parameter.name,
                           "parameter '" + parameter.name + "' of group '" +
                               group.head.text("name") + "' is missing");
        complete = false;
      } else {
        value.text = scoped(node, parameter, inner, TextKind::expression);
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
  std::size_t work_ = 0;  // copies of repeats, and looks at them
  std::map<std::string, Group> groups_;
  std::vector<std::string> open_groups_;
  std::map<const ElementType*, Place> once_;
  std::vector<Element> uses_;
  bool cut_short_ = false;  // a limit was exceeded, or what a repeat makes is not known
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
  return label_of(*type, std::string_view(name).substr(name.empty() ? 0 : prefix.size())) +
         (copy.empty() ? "" : " (" + copy + ")");
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
