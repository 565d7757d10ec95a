#include "language/file/schema.h"

#include <string_view>
#include <vector>

#include "language/file/elements.h"
#include "language/file/guide.h"

namespace mechfmu {

namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  return out;
}

/// Indented XML with text, which XmlDocument does not have.
class SchemaWriter {
 public:
  /// An element that ends with the scope of what is returned.
  class Open {
   public:
    Open(SchemaWriter& writer, std::string tag) : writer_(writer), tag_(std::move(tag)) {}
    Open(const Open&) = delete;
    Open& operator=(const Open&) = delete;
    ~Open() {
      writer_.depth_ -= 2;
      writer_.line("</" + tag_ + ">");
    }

   private:
    SchemaWriter& writer_;
    std::string tag_;
  };

  [[nodiscard]] Open open(const std::string& tag, const std::string& attributes = {}) {
    line("<" + tag + (attributes.empty() ? "" : " " + attributes) + ">");
    depth_ += 2;
    return Open(*this, tag);
  }
  void empty(const std::string& tag, const std::string& attributes = {}) {
    line("<" + tag + (attributes.empty() ? "" : " " + attributes) + "/>");
  }
  void text(const std::string& tag, std::string_view content) { text(tag, {}, content); }
  void text(const std::string& tag, const std::string& attributes, std::string_view content) {
    line("<" + tag + (attributes.empty() ? "" : " " + attributes) + ">" + escaped(content) + "</" +
         tag + ">");
  }
  std::string result() && { return std::move(text_); }

 private:
  void line(const std::string& content) { text_ += std::string(depth_, ' ') + content + "\n"; }

  std::string text_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  std::size_t depth_ = 0;
};

std::string name_is(std::string_view name) { return "name=\"" + std::string(name) + "\""; }

void write_words(SchemaWriter& out, std::string_view words) {
  const auto choice = out.open("choice");
  for (const std::string& word : words_of(words)) out.text("value", word);
}

void write_pattern(SchemaWriter& out, std::string_view pattern) {
  const auto data = out.open("data", "type=\"string\"");
  out.text("param", "name=\"pattern\"", pattern);
}

/// Indices hold spaces: lists of tokens would part them.
const std::string word_pattern = "[A-Za-z][A-Za-z0-9_]*";
const std::string name_pattern = word_pattern + "(\\[[^\\[\\]]+\\])?";
const std::string reference_pattern = "[A-Za-z]([A-Za-z0-9_.]|\\[[^\\[\\]]+\\])*";

void write_content(SchemaWriter& out, const AttributeType& a) {
  switch (a.kind) {
    case AttributeKind::word: write_words(out, a.words); break;
    case AttributeKind::word_list: {
      const auto list = out.open("list");
      const auto any = out.open("zeroOrMore");
      write_words(out, a.words);
      break;
    }
    case AttributeKind::boolean: write_words(out, "true false"); break;
    case AttributeKind::plain_name: write_pattern(out, word_pattern); break;
    case AttributeKind::name: write_pattern(out, name_pattern); break;
    case AttributeKind::output_name:
      write_pattern(out, name_pattern + "(\\." + name_pattern + ")*");
      break;
    case AttributeKind::reference: write_pattern(out, "\\s*" + reference_pattern + "\\s*"); break;
    case AttributeKind::references: {
      const std::string more = "(\\s+" + reference_pattern + ")";
      write_pattern(out, "\\s*" + reference_pattern + more + (a.counts == "2" ? "" : "*") + "\\s*");
      break;
    }
    case AttributeKind::units: {
      const auto list = out.open("list");
      out.empty("data", "type=\"token\"");
      for (std::size_t i = 1; i < words_of(a.counts).size(); ++i) {
        const auto optional = out.open("optional");
        out.empty("data", "type=\"token\"");
      }
      break;
    }
    default: out.empty("text"); break;
  }
}

std::string with_unit(const AttributeType& a) {
  return std::string(a.about) +
         (a.unit.empty() || a.unit == "1" ? "" : " [" + std::string(a.unit) + "]") +
         (a.fallback.empty() ? "" : "; default " + std::string(a.fallback));
}

void write_attribute(SchemaWriter& out, const AttributeType& a, bool required) {
  const auto write = [&] {
    const auto attribute = out.open("attribute", name_is(a.name));
    out.text("a:documentation", with_unit(a));
    write_content(out, a);
  };
  if (required) return write();
  const auto optional = out.open("optional");
  write();
}

/// Parameters of groups: any name but those of the element's own attributes.
void write_other_attributes(SchemaWriter& out, const ElementType& e) {
  const auto any = out.open("zeroOrMore");
  const auto attribute = out.open("attribute");
  {
    const auto name = out.open("anyName");
    const auto except = out.open("except");
    for (const AttributeType& a : e.attributes) out.text("name", a.name);
  }
  out.empty("text");
}

/// One pattern for each type of element, with its attributes.
void write_default(SchemaWriter& out, const ElementType& e) {
  const auto element = out.open("element", name_is(e.name));
  out.text("a:documentation", e.about);
  write_attribute(out, *e.find("about"), false);
  const auto choice = out.open("choice");
  for (const ElementType& target : mechanism_elements()) {
    if (!target.takes_defaults) continue;
    const auto group = out.open("group");
    {
      const auto attribute = out.open("attribute", name_is("element"));
      out.text("value", target.name);
    }
    for (const AttributeType& a : target.attributes)
      if (a.name != "name" && a.name != "about") write_attribute(out, a, false);
  }
}

void write_element(SchemaWriter& out, const ElementType& e) {
  const auto element = out.open("element", name_is(e.name));
  out.text("a:documentation", e.about);
  for (const AttributeType& a : e.attributes)
    write_attribute(out, a, a.required && (!e.takes_defaults || a.name == "name"));
  if (e.open) write_other_attributes(out, e);
  std::vector<std::string> children;
  for (const ElementType& child : mechanism_elements())
    if (has_word(child.parents, e.name)) children.emplace_back(child.name);
  if (children.empty()) return;
  const auto any = out.open("zeroOrMore");
  const auto choice = out.open("choice");
  for (const std::string& child : children) out.empty("ref", name_is(child));
}

// The reference page

std::string kind_text(const AttributeType& a) {
  switch (a.kind) {
    case AttributeKind::number: return "number";
    case AttributeKind::vector: return "vector";
    case AttributeKind::value: return "number or vector";
    case AttributeKind::numbers:
      return a.counts.empty() ? "numbers" : listed(words_of(a.counts)) + " numbers";
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

std::string element_section(const ElementType& e) {
  std::string page = "### " + std::string(e.name) + "\n\n" + std::string(e.about) + "\n\n";
  if (!e.equation.empty()) page += std::string(e.equation) + "\n\n";
  page += "```xml\n" + std::string(e.example) + "\n```\n\n";
  if (e.attributes.size() > 1) {
    page += "| attribute | value | default | unit | meaning |\n|---|---|---|---|---|\n";
    for (const AttributeType& a : e.attributes)
      if (a.name != "about") page += attribute_row(e, a);
    page += "\n";
  }
  for (const Choice& choice : e.choices) {
    page += (choice.required ? "One of " : "At most one of ") +
            listed(marked_words_of(choice.of, '`')) +
            (choice.required && e.name == "body" ? ", unless it has shapes" : "") + ".\n";
  }
  if (!e.choices.empty()) page += "\n";
  return page;
}

}  // namespace

std::string mechanism_schema() {
  SchemaWriter out;
  {
    const auto grammar = out.open("grammar",
                                  "xmlns=\"http://relaxng.org/ns/structure/1.0\" "
                                  "xmlns:a=\"http://relaxng.org/ns/compatibility/annotations/1.0\" "
                                  "datatypeLibrary=\"http://www.w3.org/2001/XMLSchema-datatypes\"");
    {
      const auto start = out.open("start");
      const auto choice = out.open("choice");
      for (const ElementType& e : mechanism_elements())
        if (e.parents.empty()) out.empty("ref", name_is(e.name));
    }
    for (const ElementType& e : mechanism_elements()) {
      const auto define = out.open("define", name_is(e.name));
      if (e.name == "default")
        write_default(out, e);
      else
        write_element(out, e);
    }
  }
  return std::move(out).result();
}

std::string mechanism_reference() {
  std::string page = R"(# The mechanism file

A mechanism is described in one XML file: flat lists of bodies, joints and forces, placed in the world as it stands at the
start. First a guide: [how a file looks](#how-a-file-looks), [placement and assembly](#placement-and-assembly),
[expressions](#expressions), [names](#names), [defaults, groups and files](#defaults-groups-and-files), [copies](#copies),
[errors](#errors). Then [every element](#elements). The page is made by `mechfmu reference` from the tables that the tool itself checks files with.

)";
  page += mechanism_guide();
  page +=
      "## Elements\n\nUnits are those of numbers written without one. `mechfmu schema` writes the "
      "same table "
      "for editors, which then complete and explain while one types.\n\n";
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
