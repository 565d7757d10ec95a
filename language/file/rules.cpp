#include "language/file/rules.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "language/expression/expression.h"
#include "language/file/indices.h"
#include "language/file/synonyms.h"
#include "model_desc/text.h"

namespace mechfmu {

namespace {

const Attribute* find_in(const std::vector<Attribute>& attributes, std::string_view name) {
  for (const Attribute& a : attributes)
    if (a.name == name) return &a;
  return nullptr;
}

bool any_there(const std::vector<Attribute>& attributes, std::string_view names) {
  return std::any_of(attributes.begin(), attributes.end(),
                     [names](const Attribute& a) { return has_word(names, a.name); });
}

/// The value of the element's selector; empty if it is missing or wrong.
std::string_view selected(const ElementType& type, const std::vector<Attribute>& attributes) {
  if (type.selector.empty()) return {};
  const AttributeType& selector = *type.find(type.selector);
  const Attribute* given = find_in(attributes, type.selector);
  const std::string_view word =
      given != nullptr ? std::string_view(given->text) : selector.fallback;
  return has_word(selector.words, word) ? word : std::string_view();
}

/// Shapes replace the attributes of a body that describe its mass.
constexpr std::string_view instead_of_shapes =
    "mass density inertia centre box cylinder sphere rod axis";

class FormCheck {
 public:
  FormCheck(const ElementForm& element, Diagnostics& diagnostics)
      : e_(element), diagnostics_(diagnostics) {}

  void run() {
    for (const Attribute& a : e_.attributes) {
      const AttributeType* type = e_.type.find(a.name);
      if (type != nullptr)
        check_text(a, *type);
      else if (!e_.type.open)
        unknown(a);
    }
    for (const AttributeType& type : e_.type.attributes) check_presence(type);
    for (const Choice& choice : e_.type.choices) check_choice(choice);
    if (e_.has_shapes)
      for (const Attribute& a : e_.attributes)
        if (has_word(instead_of_shapes, a.name))
          error(a, "attribute " + in_quotes(a.name) +
                       " and shapes are mutually exclusive: the shapes determine mass and inertia");
  }

 private:
  void error(const Attribute& a, const std::string& message) {
    diagnostics_.error(a.place, e_.label, a.name, message);
  }
  void error(std::string_view attribute, const std::string& message) {
    diagnostics_.error(e_.place, e_.label, std::string(attribute), message);
  }

  void unknown(const Attribute& a) {
    std::vector<std::string> own, others;
    if (diagnostics_.full()) return error(a, {});
    for (const AttributeType& type : e_.type.attributes) own.emplace_back(type.name);
    for (const ElementType& other : mechanism_elements())
      if (other.find(a.name) != nullptr) others.emplace_back(other.name);
    std::string remedy = suggestion(a.name, own);
    if (remedy.empty() && !others.empty())
      remedy = "; it belongs to " + listed(others, "and");
    else if (remedy.empty())
      remedy = "; " + std::string(e_.type.name) + " has " + listed(own, "and");
    error(a, "unknown attribute " + in_quotes(a.name) + remedy);
  }

  void check_text(const Attribute& a, const AttributeType& type) {
    constexpr std::size_t longest = 200;
    const std::string shown = a.name + "=\"" + plain_line(a.text, longest) + "\"";
    const std::vector<std::string> words = words_of(a.text);
    switch (type.kind) {
      case AttributeKind::word:
        if (!has_word(type.words, a.text)) wrong_word(a, shown, a.text, type.words);
        break;
      case AttributeKind::word_list:
        for (const std::string& word : words)
          if (!has_word(type.words, word)) wrong_word(a, shown, word, type.words);
        break;
      case AttributeKind::boolean:
        if (a.text != "true" && a.text != "false") error(a, shown + " is neither true nor false");
        break;
      case AttributeKind::plain_name:
      case AttributeKind::name:
      case AttributeKind::output_name: check_name(a, type.kind); break;
      case AttributeKind::reference:
      case AttributeKind::references: check_words(a, type, shown); break;
      case AttributeKind::units:
        if (words.empty())
          error(a, "attribute " + in_quotes(a.name) + " is empty");
        else if (!has_word(type.counts, std::to_string(words.size())))
          error(a, shown + " has " + std::to_string(words.size()) + " units; it takes at most " +
                       words_of(type.counts).back());
        break;
      case AttributeKind::text: break;
      case AttributeKind::number:
      case AttributeKind::vector:
      case AttributeKind::value:
      case AttributeKind::numbers:
      case AttributeKind::unit:
      case AttributeKind::file:
        if (words.empty()) error(a, "attribute " + in_quotes(a.name) + " is empty");
        break;
    }
  }

  void check_words(const Attribute& a, const AttributeType& type, const std::string& shown) {
    const std::size_t count = reference_words(a.text).size();
    const std::string counted = shown + " has " + std::to_string(count);
    if (type.kind == AttributeKind::reference) {
      if (count != 1) error(a, counted + " words; it takes one " + listed(words_of(type.words)));
    } else if (type.counts == "2" && count != 2) {
      error(a, counted + (count == 1 ? " word" : " words") + "; it takes two, the names of " +
                   (type.words == "body" ? "bodies, as in \"ground crank\""
                                         : "joints, as in \"A B\""));
    } else if (count == 0) {
      error(a, shown + " names nothing");
    }
  }

  void wrong_word(const Attribute& a, const std::string& shown, std::string_view word,
                  std::string_view allowed) {
    const std::vector<std::string> words = words_of(allowed);
    std::string remedy = suggestion_for_word(word, words);
    if (remedy.empty()) remedy = "; use " + listed(words);
    error(a, shown + ": " + in_quotes(word) + " is unknown" + remedy);
  }

  void check_name(const Attribute& a, AttributeKind kind) {
    const std::string_view text = a.text;
    const bool dots = kind == AttributeKind::output_name;
    std::string_view rest = text;
    bool good = true;
    for (std::size_t dot = rest.find('.'); dots && dot != std::string_view::npos;
         dot = rest.find('.')) {
      good = good && is_name_with_indices(rest.substr(0, dot));
      rest.remove_prefix(dot + 1);
    }
    good = good && (kind == AttributeKind::plain_name ? is_name(rest) : is_name_with_indices(rest));
    if (!good) {
      const bool indices =
          kind != AttributeKind::plain_name && text.find_first_of("[]") != std::string_view::npos;
      error(a, "the name \"" + std::string(text) +
                   "\" is not allowed: use letters, digits and _, beginning with a letter" +
                   (indices ? ", and indices at the end, as in link[3] or node[i,j]" : ""));
      return;
    }
    const std::vector<std::string>& reserved = reserved_names();
    const bool is_reserved = std::find(reserved.begin(), reserved.end(), text) != reserved.end();
    if (is_reserved && e_.type.name != "mechanism" && e_.type.name != "group" &&
        (!dots || text == "time"))
      error(a, "the name " + in_quotes(text) + " is reserved; use another one");
    const std::vector<std::string> functions = expression::function_names();
    if ((e_.type.name == "function" || e_.type.name == "repeat") &&
        std::find(functions.begin(), functions.end(), text) != functions.end())
      error(a, in_quotes(text) + " is already a function; use another name");
  }

  void check_presence(const AttributeType& type) {
    const Attribute* a = find_in(e_.attributes, type.name);
    const std::string_view selector = selected(e_.type, e_.attributes);
    if (a == nullptr) {
      if (!e_.complete) return;
      if (type.required)
        error(type.name,
              "attribute " + in_quotes(type.name) + " is missing: " + std::string(type.about));
      else if (has_word(type.required_for, selector))
        error(type.name, "attribute " + in_quotes(type.name) +
                             " is missing: " + std::string(e_.type.selector) + "=\"" +
                             std::string(selector) + "\" needs it");
      else if (any_there(e_.attributes, type.required_with))
        error(type.name, "attribute " + in_quotes(type.name) +
                             " is missing: " + in_quotes(type.required_with) + " needs it");
      return;
    }
    if (!e_.complete) return;
    if (!type.only_for.empty() && !selector.empty() && !has_word(type.only_for, selector))
      error(*a, "attribute " + in_quotes(type.name) + " is for " + std::string(e_.type.selector) +
                    "=" + listed(marked_words_of(type.only_for, '"')) + ", not for \"" +
                    std::string(selector) + "\"");
    if (!type.needs.empty() && !any_there(e_.attributes, type.needs))
      error(*a, "attribute " + in_quotes(type.name) + " has no meaning without " +
                    listed(marked_words_of(type.needs, '\'')));
  }

  void check_choice(const Choice& choice) {
    const Attribute* first = nullptr;
    for (const std::string& name : words_of(choice.of)) {
      const Attribute* a = find_in(e_.attributes, name);
      if (a == nullptr) continue;
      if (first != nullptr)
        error(*a, in_quotes(first->name) + " and " + in_quotes(name) +
                      " are mutually exclusive; keep one of them");
      else
        first = a;
    }
    if (first == nullptr && choice.required && e_.complete && !e_.has_shapes)
      error("",
            "one of the attributes " + listed(marked_words_of(choice.of, '\'')) + " is missing");
  }

  const ElementForm& e_;
  Diagnostics& diagnostics_;
};

/// The meaning of a name.
struct Symbol {
  const ElementType* type;
  const Element* element;
};

class ReferenceCheck {
 public:
  ReferenceCheck(const MechanismText& mechanism, Diagnostics& diagnostics)
      : mechanism_(mechanism), diagnostics_(diagnostics) {}

  void declare(const std::string& name, const Element& e, bool is_output) {
    if (name.empty()) return;
    // Outputs are visible outside: their names must differ only from those of parameters and
    // inputs.
    const bool is_setting = e.type->name == "parameter" || e.type->name == "input";
    if (!is_output) claim(symbols_, name, e);
    if (is_output || is_setting) claim(variables_, name, e, is_setting);
  }

  void run() {
    for (const Element& e : mechanism_.elements) {
      for (const Attribute& a : e.attributes) {
        const AttributeType* type = e.type->find(a.name);
        if (type == nullptr ||
            (type->kind != AttributeKind::reference && type->kind != AttributeKind::references))
          continue;
        check_references(e, a, *type);
      }
      check_coordinates(e);
    }
    // After an error, elements that could not be read may hold them.
    if (!diagnostics_.has_errors()) check_bodies();
  }

 private:
  using Names = std::map<std::string, Symbol>;

  void claim(Names& names, const std::string& name, const Element& e, bool only_outputs = false) {
    const auto [first, is_new] = names.emplace(name, Symbol{e.type, &e});
    const Element& other = *first->second.element;
    if (is_new || (only_outputs && other.type->name != "output")) return;
    const std::string where = other.place.file == e.place.file
                                  ? "line " + std::to_string(other.place.line)
                                  : other.place.file + ":" + std::to_string(other.place.line);
    const Attribute* a = e.find("name");
    diagnostics_.error(a != nullptr ? a->place : e.place, e.label(), "name",
                       "the name " + in_quotes(local(e, name)) + " is already used by " +
                           std::string(other.type->name) + " " + in_quotes(local(e, name)) +
                           " in " + where);
  }

  /// A full name as it is written inside the group of the element.
  static std::string local(const Element& e, const std::string& name) {
    return name.starts_with(e.prefix) ? name.substr(e.prefix.size()) : name;
  }

  void check_references(const Element& e, const Attribute& a, const AttributeType& type) {
    const std::vector<std::string> words = words_of(a.text);
    for (const std::string& word : words) {
      if (word == "ground" && has_word(type.words, "body")) continue;
      const auto found = symbols_.find(word);
      const std::string wanted = listed(words_of(type.words));
      if (found == symbols_.end()) {
        missing(e, a, type, word, wanted);
      } else if (!has_word(type.words, found->second.type->name)) {
        const std::string kind = with_article(found->second.type->name);
        diagnostics_.error(a.place, e.label(), a.name,
                           in_quotes(local(e, word)) + " is " + kind + ", but " +
                               in_quotes(a.name) + " takes " + with_article(wanted));
      } else if (found->second.type->name == "body") {
        held_.insert(word);
        if (found->second.element != nullptr) held_.insert(found->second.element->owner);
      }
    }
    if (type.counts == "2" && words.size() == 2 && words[0] == words[1])
      diagnostics_.error(a.place, e.label(), a.name,
                         a.name + "=\"" + local(e, words[0]) + " " + local(e, words[1]) +
                             "\" names the same " + std::string(type.words) + " twice");
  }

  static std::string with_article(std::string_view word) {
    const bool vowel = std::string_view("aeiou").find(word[0]) != std::string_view::npos;
    return (vowel && word != "use" ? "an " : "a ") + std::string(word);
  }

  void missing(const Element& e, const Attribute& a, const AttributeType& type,
               const std::string& word, const std::string& wanted) {
    std::vector<std::string> right;
    const std::string written = local(e, word);
    std::string remedy;
    if (!diagnostics_.would_drop(a.place, e.label(), a.name)) {
      remedy = copies_text(symbols_, word, e.prefix);
      for (const auto& [name, symbol] : symbols_)
        if (has_word(type.words, symbol.type->name)) right.push_back(local(e, name));
    }
    if (has_word(type.words, "body")) right.emplace_back("ground");
    if (remedy.empty()) remedy = suggestion(written, right);
    if (remedy.empty() && written == "world" && has_word(type.words, "body"))
      remedy = "; did you mean 'ground'?";
    diagnostics_.error(a.place, e.label(), a.name,
                       wanted + " " + in_quotes(written) + " does not exist" + remedy);
  }

  const Element* joint(const std::string& name) const {
    const auto found = symbols_.find(name);
    return found != symbols_.end() && found->second.type->name == "joint" ? found->second.element
                                                                          : nullptr;
  }

  /// Checks that a joint has the coordinate along which an element acts.
  void check_coordinate(const Element& e, const Attribute& a, const std::string& name,
                        std::string_view wanted) {
    const Element* j = joint(name);
    if (j == nullptr) return;
    const std::string_view type = j->text("type");
    if (!has_word(j->type->find("type")->words, type)) return;
    const std::string_view all = joint_coordinates(type);
    const std::string which = "joint " + in_quotes(local(e, name)) + " is " + std::string(type);
    if (all.empty())
      diagnostics_.error(a.place, e.label(), a.name,
                         which + " and has no coordinate; use a measure instead");
    else if (wanted.empty() && words_of(all).size() > 1)
      diagnostics_.error(a.place, e.label(), a.name,
                         which + " and has two coordinates; " +
                             (e.type->find("coordinate") != nullptr
                                  ? "choose one with coordinate=\"angle\" or \"displacement\""
                                  : "use a measure instead"));
    else if (!wanted.empty() && !has_word(all, wanted))
      diagnostics_.error(a.place, e.label(), a.name, which + " and has no " + std::string(wanted));
  }

  void check_coordinates(const Element& e) {
    const std::string_view type = e.type->name;
    if (const Attribute* a = e.find("joint"))
      check_coordinate(e, *a, a->text, type == "torque" ? "angle" : e.text("coordinate"));
    const Attribute* joints = e.find("joints");
    const std::vector<std::string> words = words_of(joints != nullptr ? joints->text : "");
    if (words.size() == 2) {
      check_coordinate(e, *joints, words[0], type == "rack" ? "displacement" : "angle");
      check_coordinate(e, *joints, words[1], "angle");
    }
    if (const Attribute* of = e.find("of"))
      for (const std::string& word : words_of(of->text)) {
        check_coordinate(e, *of, word, "");
        check_value(e, *of, word);
      }
    if (type == "spring" || type == "stop" || type == "driver")
      if (const Attribute* a = e.find("measure")) check_value(e, *a, a->text);
  }

  /// Springs and drivers cannot act along directions.
  void check_value(const Element& e, const Attribute& a, const std::string& name) {
    const auto found = symbols_.find(name);
    if (found == symbols_.end() || found->second.type->name != "measure") return;
    const std::string_view type = found->second.element->text("type");
    if (type == "force" || type == "torque")
      diagnostics_.error(
          a.place, e.label(), a.name,
          "measure " + in_quotes(local(e, name)) + " is a direction: it has a rate and no value");
  }

  void check_bodies() {
    bool any = false;
    for (const Element& e : mechanism_.elements) {
      const bool flexible = e.type->name == "flexible";
      if ((e.type->name != "body" || e.text("type") == "node") && !flexible) continue;
      any = true;
      if (!held_.contains(e.name) && !e.is_true("free"))
        diagnostics_.warning(
            e.place, e.label(), {},
            "it is connected to nothing and moves freely; add free=\"true\" if this is intended");
    }
    if (!any && mechanism_.root.type != nullptr)
      diagnostics_.error(mechanism_.root.place, mechanism_.root.label(), {},
                         "it has no body; add one, as in <body name=\"crank\" mass=\"1\"/>");
  }

  const MechanismText& mechanism_;
  Diagnostics& diagnostics_;
  Names symbols_, variables_;
  std::set<std::string> held_;  // bodies with references to them
};

}  // namespace

std::string label_of(const ElementType& type, std::string_view name) {
  return std::string(type.name) + (name.empty() ? "" : " " + in_quotes(name));
}

void check_form(const ElementForm& element, Diagnostics& diagnostics) {
  FormCheck(element, diagnostics).run();
}

void drop_useless_defaults(const ElementType& type, bool has_shapes,
                           std::vector<Attribute>& attributes) {
  const auto drop_where = [&](const std::function<bool(const Attribute&)>& useless) {
    std::erase_if(attributes, [&](const Attribute& a) { return a.by_default && useless(a); });
  };
  // First the attributes that the element's own choice excludes, then those that have become
  // useless
  std::string own;
  for (const Attribute& a : attributes)
    if (!a.by_default) own += (own.empty() ? "" : " ") + a.name;
  drop_where([&](const Attribute& a) {
    if (has_shapes && has_word(instead_of_shapes, a.name)) return true;
    for (const Choice& choice : type.choices) {
      if (!has_word(choice.of, a.name)) continue;
      for (const std::string& other : words_of(choice.of))
        if (has_word(own, other)) return true;
    }
    return false;
  });
  const std::string selector(selected(type, attributes));
  const std::vector<Attribute> all = attributes;
  drop_where([&](const Attribute& a) {
    const AttributeType* known = type.find(a.name);
    if (known == nullptr) return true;
    if (!known->only_for.empty() && !has_word(known->only_for, selector)) return true;
    return !known->needs.empty() && !any_there(all, known->needs);
  });
}

void check_names_and_references(const MechanismText& mechanism, const std::vector<Element>& uses,
                                Diagnostics& diagnostics) {
  ReferenceCheck check(mechanism, diagnostics);
  for (const Element& e : mechanism.elements) check.declare(e.name, e, e.type->name == "output");
  for (const Element& use : uses) check.declare(use.name, use, false);
  check.run();
}

}  // namespace mechfmu
