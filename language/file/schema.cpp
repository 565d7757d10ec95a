#include "language/file/schema.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "language/file/elements.h"
#include "language/meaning/names.h"
#include "model_desc/xml.h"

namespace mechfmu {

namespace {

void write_words(XmlElement to, std::string_view words) {
  XmlElement choice = to.add("choice");
  for (const std::string& word : words_of(words)) choice.add("value", word);
}

void write_pattern(XmlElement to, std::string_view pattern) {
  to.add("data").set("type", "string").add("param", pattern).set("name", "pattern");
}

/// Indices contain spaces, where lists of tokens would split them.
const std::string word_pattern = "[A-Za-z][A-Za-z0-9_]*";
const std::string name_pattern = word_pattern + "(\\[[^\\[\\]]+\\])?";
const std::string reference_pattern = "[A-Za-z]([A-Za-z0-9_.]|\\[[^\\[\\]]+\\])*";

void write_content(XmlElement to, const AttributeType& a) {
  switch (a.kind) {
    case AttributeKind::word: write_words(to, a.words); break;
    case AttributeKind::word_list: write_words(to.add("list").add("zeroOrMore"), a.words); break;
    case AttributeKind::boolean: write_words(to, "true false"); break;
    case AttributeKind::plain_name: write_pattern(to, word_pattern); break;
    case AttributeKind::name: write_pattern(to, name_pattern); break;
    case AttributeKind::output_name:
      write_pattern(to, name_pattern + "(\\." + name_pattern + ")*");
      break;
    case AttributeKind::reference: write_pattern(to, "\\s*" + reference_pattern + "\\s*"); break;
    case AttributeKind::references: {
      const std::string one = a.several
                                  ? reference_pattern + "\\*?(," + reference_pattern + "\\*?)*"
                                  : reference_pattern;
      const std::string more = "(\\s+" + one + ")";
      write_pattern(to, "\\s*" + one + more + (a.counts == "2" ? "" : "*") + "\\s*");
      break;
    }
    case AttributeKind::units: {
      XmlElement list = to.add("list");
      list.add("data").set("type", "token");
      for (std::size_t i = 1; i < words_of(a.counts).size(); ++i)
        list.add("optional").add("data").set("type", "token");
      break;
    }
    default: to.add("text"); break;
  }
}

std::string with_unit(const AttributeType& a) {
  return std::string(a.about) +
         (a.unit.empty() || a.unit == "1" ? "" : " [" + std::string(a.unit) + "]") +
         (a.fallback.empty() ? "" : "; default " + std::string(a.fallback));
}

void write_attribute(XmlElement to, const AttributeType& a, bool required) {
  XmlElement attribute = (required ? to : to.add("optional")).add("attribute").set("name", a.name);
  attribute.add("a:documentation", with_unit(a));
  write_content(attribute, a);
}

/// Parameters of groups: any name except those of the element's own attributes.
void write_other_attributes(XmlElement to, const ElementType& e) {
  XmlElement attribute = to.add("zeroOrMore").add("attribute");
  XmlElement except = attribute.add("anyName").add("except");
  for (const AttributeType& a : e.attributes) except.add("name", a.name);
  attribute.add("text");
}

/// One pattern for each type of element, with its attributes.
void write_default(XmlElement to, const ElementType& e) {
  XmlElement element = to.add("element").set("name", e.name);
  element.add("a:documentation", e.about);
  write_attribute(element, *e.find("about"), false);
  XmlElement choice = element.add("choice");
  for (const ElementType& target : mechanism_elements()) {
    if (!target.takes_defaults) continue;
    XmlElement group = choice.add("group");
    group.add("attribute").set("name", "element").add("value", target.name);
    for (const AttributeType& a : target.attributes)
      if (a.name != "name" && a.name != "about") write_attribute(group, a, false);
  }
}

void write_element(XmlElement to, const ElementType& e) {
  XmlElement element = to.add("element").set("name", e.name);
  element.add("a:documentation", e.about);
  for (const AttributeType& a : e.attributes)
    write_attribute(element, a, a.required && (!e.takes_defaults || a.name == "name"));
  if (e.open) write_other_attributes(element, e);
  std::vector<std::string> children;
  for (const ElementType& child : mechanism_elements())
    if (has_word(child.parents, e.name)) children.emplace_back(child.name);
  if (children.empty()) return;
  XmlElement choice = element.add("zeroOrMore").add("choice");
  for (const std::string& child : children) choice.add("ref").set("name", child);
}

// The reference page

std::string kind_text(const AttributeType& a) {
  switch (a.kind) {
    case AttributeKind::number: return "number";
    case AttributeKind::vector: return "vector";
    case AttributeKind::value: return "number or vector";
    case AttributeKind::numbers:
      return a.counts.empty()
                 ? "numbers"
                 : listed(words_of(a.counts)) + (a.counts == "1" ? " number" : " numbers");
    case AttributeKind::word:
      return a.name == "element" ? "type of element" : listed(marked_words_of(a.words, '`'));
    case AttributeKind::word_list: return "some of " + listed(marked_words_of(a.words, '`'));
    case AttributeKind::boolean: return "`true` or `false`";
    case AttributeKind::text: return "text";
    case AttributeKind::unit: return "unit";
    case AttributeKind::units:
      return words_of(a.counts).front() + " to " + words_of(a.counts).back() + " units";
    case AttributeKind::plain_name: return "name, without indices";
    case AttributeKind::name: return "name";
    case AttributeKind::output_name: return "name, with dots";
    case AttributeKind::reference: return "name of a " + listed(words_of(a.words));
    case AttributeKind::references:
      return (a.counts == "2" ? "two names: " : "names: ") + listed(words_of(a.words));
    case AttributeKind::file: return "path";
  }
  return {};
}

std::string knows_text(Knows knows) {
  switch (knows) {
    case Knows::constants: return "a constant";
    case Knows::parameters: return "";
    case Knows::time: return "may use time";
    case Knows::motion: return "may use the motion";
  }
  return {};
}

bool is_expression(AttributeKind kind) {
  return kind == AttributeKind::number || kind == AttributeKind::vector ||
         kind == AttributeKind::value || kind == AttributeKind::numbers;
}

std::string attribute_row(const ElementType& e, const AttributeType& a) {
  std::string notes(a.about);
  const auto note = [&notes](const std::string& text) { notes += "; " + text; };
  const auto of_types = [&e](std::string_view words) {
    return std::string(e.selector) + " " + listed(words_of(words));
  };
  if (is_expression(a.kind) && !knows_text(a.knows).empty()) note(knows_text(a.knows));
  if (!a.only_for.empty()) note("only for " + of_types(a.only_for));
  if (!a.needs.empty()) note("with " + listed(marked_words_of(a.needs, '`')));
  std::string fallback = a.fallback.empty() ? "" : "`" + std::string(a.fallback) + "`";
  if (a.required)
    fallback = "**required**";
  else if (!a.required_for.empty())
    fallback = "required for " + listed(words_of(a.required_for));
  else if (!a.required_with.empty())
    fallback = "required with `" + std::string(a.required_with) + "`";
  return "| `" + std::string(a.name) + "` | " + kind_text(a) + " | " + fallback + " | " +
         std::string(a.unit) + " | " + notes + " |\n";
}

/// A paragraph in lines of at most 100 columns. No line begins with an operator of a formula, which
/// Markdown takes for a list.
std::string wrapped(std::string_view text) {
  std::vector<std::string> pieces;
  for (const std::string& word : words_of(text)) {
    if (!pieces.empty() && (word == "+" || word == "-" || word == "*"))
      pieces.back() += " " + word;
    else
      pieces.push_back(word);
  }
  std::string lines;
  std::size_t columns = 0;
  for (const std::string& piece : pieces) {
    const auto width = static_cast<std::size_t>(std::ranges::count_if(
        piece, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
    const bool fits = columns + 1 + width <= 100;
    if (!lines.empty()) lines += fits ? " " : "\n";
    columns = lines.empty() || !fits ? width : columns + 1 + width;
    lines += piece;
  }
  return lines + "\n\n";
}

std::string element_section(const ElementType& e) {
  std::string page = "### " + std::string(e.name) + "\n\n" + wrapped(e.about);
  if (!e.equation.empty()) page += wrapped(e.equation);
  page += "```xml\n" + std::string(e.example) + "\n```\n\n";
  if (e.attributes.size() > 1) {
    page += "| attribute | value | default | unit | meaning |\n|---|---|---|---|---|\n";
    for (const AttributeType& a : e.attributes)
      if (a.name != "about") page += attribute_row(e, a);
    page += "\n";
  }
  for (const Choice& choice : e.choices) {
    page += wrapped((choice.required ? "One of " : "At most one of ") +
                    listed(marked_words_of(choice.of, '`')) +
                    (choice.required && e.name == "body" ? ", unless it has shapes" : "") + ".");
  }
  return page;
}

}  // namespace

std::string mechanism_schema() {
  XmlDocument document("grammar");
  XmlElement grammar = document.root();
  grammar.set("xmlns", "http://relaxng.org/ns/structure/1.0")
      .set("xmlns:a", "http://relaxng.org/ns/compatibility/annotations/1.0")
      .set("datatypeLibrary", "http://www.w3.org/2001/XMLSchema-datatypes");
  XmlElement start = grammar.add("start").add("choice");
  for (const ElementType& e : mechanism_elements())
    if (e.parents.empty()) start.add("ref").set("name", e.name);
  for (const ElementType& e : mechanism_elements()) {
    XmlElement define = grammar.add("define").set("name", e.name);
    if (e.name == "default")
      write_default(define, e);
    else
      write_element(define, e);
  }
  return document.text();
}

std::string mechanism_reference() {
  std::string page = R"(# Reference of mechanism files

Every [quantity](#quantities) that expressions can read, and every [element](#elements) with its
attributes. [The guide](mechanism_file.md) explains how to write a file. `mechfmu reference` writes
this page from the tables that the tool checks files with; `mechfmu schema` writes them as a schema
for editors.

## Quantities

Expressions read quantities of elements by name: `A.angle`, `tie.force`, `crank.velocity.x`. Vectors
are in world axes; joint forces are those on body b. Quantities marked *(for outputs)* are known
only after the equations of motion are solved, so forces cannot depend on them.
)";
  page += readings_reference();
  page += R"(
Quantities of a body can also be taken at a point of the body or relative to another body:

| name | meaning |
|---|---|
| `crank.point(0.1, 0, 0).velocity` | position, velocity or acceleration of a point given in body axes relative to the reference point |
| `crank.relative_to(rocker).position` | as seen by an observer on the other body, in that body's axes |
| `crank.point(0.1, 0, 0).relative_to(rocker).position` | both |

## Elements

The unit of an attribute is that of numbers written without one. Every element may also have the
attribute `about`, a description for readers, which the FMU shows for parameters, inputs and
outputs.

)";
  page += "| element | |\n|---|---|\n";
  for (const ElementType& e : mechanism_elements())
    page += "| [`" + std::string(e.name) + "`](#" + std::string(e.name) + ") | " +
            std::string(e.about.substr(0, e.about.find(". ") == std::string_view::npos
                                              ? e.about.size()
                                              : e.about.find(". ") + 1)) +
            " |\n";
  page += "\n";
  for (const ElementType& e : mechanism_elements()) page += element_section(e);
  while (page.ends_with("\n\n")) page.pop_back();
  return page;
}

}  // namespace mechfmu
