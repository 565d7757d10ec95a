#include "model_desc/xml_tree.h"

#include <libxml/parser.h>
#include <libxml/tree.h>

#include <algorithm>
#include <memory>
#include <new>

#include "model_desc/text.h"

namespace mechfmu {

namespace {

constexpr auto npos = std::string_view::npos;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string string_of(const xmlChar* text) {
  return text == nullptr ? std::string() : reinterpret_cast<const char*>(text);
}

/// A problem with the file, found before libxml2 reads it or in place of its message.
struct Problem {
  long line = 0;
  std::string message{};
};

long line_at(std::string_view content, std::size_t at) {
  return 1 + std::count(content.begin(), content.begin() + static_cast<std::ptrdiff_t>(at), '\n');
}

Problem check_encoding(std::string_view content) {
  for (std::size_t at = 0; at < content.size();) {
    const std::size_t size = content[at] == '\0' ? 0 : character_size(content.substr(at));
    if (size == 0) return {line_at(content, at), "this is not UTF-8 text; save the file as UTF-8"};
    at += size;
  }
  return {};
}

/// Finds the start of the tags of a file and of their attributes, because libxml2 reports only the
/// end of a tag, and counts lines of elements only up to 65535. It runs before libxml2 and refuses
/// DOCTYPE and too many levels.
class TagScanner {
 public:
  struct Tag {
    long line;
    std::vector<std::pair<std::string_view, long>> attributes;
  };

  TagScanner(std::string_view content, const ReaderLimits& limits, const XmlKind& kind)
      : content_(content), limits_(limits), kind_(kind) {}

  void run() {
    while (problem.message.empty() && at_ < content_.size()) {
      const std::size_t tag = std::min(content_.find('<', at_), content_.size());
      text(tag);
      if (at_ < content_.size()) markup();
    }
  }

  std::vector<Tag> tags;
  std::vector<Problem> stray;  // text between the tags
  Problem problem;

 private:
  std::string_view rest() const { return content_.substr(at_); }

  void move_to(std::size_t end) {
    end = std::min(end, content_.size());
    for (; at_ < end; ++at_)
      if (content_[at_] == '\n') ++line_;
  }
  void skip(std::size_t from, std::string_view end) {
    const std::size_t found = content_.find(end, std::min(at_ + from, content_.size()));
    move_to(found == npos ? content_.size() : found + end.size());
  }

  void text(std::size_t end) {
    while (at_ < end && is_space(content_[at_])) move_to(at_ + 1);
    if (at_ < end && depth_ > 0 && !kind_.skip_text) {
      std::string_view words = content_.substr(at_, end - at_);
      words = words.substr(0, std::min(words.find('\n'), words.size()));
      while (!words.empty() && is_space(words.back())) words.remove_suffix(1);
      std::size_t shown = 0;
      while (shown < words.size() && shown < 30)
        shown += std::max<std::size_t>(1, character_size(words.substr(shown)));
      stray.push_back({line_, "the text \"" + std::string(words.substr(0, shown)) +
                                  (shown < words.size() ? "…" : "") +
                                  "\" has no meaning here; values are written as attributes"});
    }
    move_to(end);
  }

  void markup() {
    if (rest().starts_with("<!--")) return skip(4, "-->");
    if (rest().starts_with("<?")) return skip(2, "?>");
    if (rest().starts_with("<![CDATA[")) {
      if (!kind_.skip_text)
        stray.push_back({line_, "CDATA has no meaning here; values are written as attributes"});
      return skip(9, "]]>");
    }
    if (rest().starts_with("<!")) {
      problem = {line_, "DOCTYPE and entities are not allowed in a " + std::string(kind_.name) +
                            "; remove <!…>"};
      return;
    }
    if (rest().starts_with("</")) {
      if (depth_ > 0) --depth_;
      return skip(2, ">");
    }
    start_tag();
  }

  void start_tag() {
    Tag tag{line_, {}};
    move_to(at_ + 1);
    while (at_ < content_.size() && !is_space(content_[at_]) && content_[at_] != '>' &&
           content_[at_] != '/')
      move_to(at_ + 1);
    ++depth_;
    while (at_ < content_.size() && content_[at_] != '>') {
      const char c = content_[at_];
      if (is_space(c) || c == '=') {
        move_to(at_ + 1);
      } else if (c == '"' || c == '\'') {
        skip(1, std::string_view(&content_[at_], 1));
      } else if (rest().starts_with("/>")) {
        --depth_;
        move_to(at_ + 1);
      } else {
        const std::size_t begin = at_;
        const long line = line_;
        move_to(at_ + 1);
        while (at_ < content_.size() && !is_space(content_[at_]) &&
               std::string_view("=>\"'/").find(content_[at_]) == npos)
          move_to(at_ + 1);
        tag.attributes.emplace_back(content_.substr(begin, at_ - begin), line);
      }
    }
    move_to(at_ + 1);
    tags.push_back(std::move(tag));
    if (depth_ > limits_.depth)
      problem = {tags.back().line,
                 "elements are nested more than " + std::to_string(limits_.depth) + " deep"};
    if (tags.back().attributes.size() > limits_.attributes)
      problem = {tags.back().line,
                 "an element has more than " + std::to_string(limits_.attributes) + " attributes"};
    if (tags.size() > limits_.elements)
      problem = {tags.back().line,
                 "the file has more than " + std::to_string(limits_.elements) + " elements"};
  }

  std::string_view content_;
  const ReaderLimits& limits_;
  const XmlKind& kind_;
  std::size_t at_ = 0;
  long line_ = 1;
  std::size_t depth_ = 0;
};

/// The first complaint of libxml2, in plain words for common errors.
template <class Error>
Problem explain(const Error& error, const XmlKind& kind) {
  const auto word = [](const char* text) { return std::string(text == nullptr ? "" : text); };
  const long line = error.line;
  switch (error.code) {
    case XML_ERR_LT_IN_ATTRIBUTE:
      return {line,
              "an attribute holds '<'; write &lt; for it, or turn the comparison around, or "
              "add the quote that ends the attribute"};
    case XML_ERR_NAME_REQUIRED:
      if (word(error.message).starts_with("error parsing attribute"))
        return {line,
                "'>' or '/>' is missing at the end of the element before, or an attribute has "
                "no name"};
      if (word(error.message).starts_with("StartTag"))
        return {line, "the name of an element must follow '<' directly"};
      return {line, "a name is missing; write &amp; for '&'"};
    case XML_ERR_ATTRIBUTE_NOT_STARTED:
      return {line, "the value of an attribute must be in quotes, as in mass=\"1\""};
    case XML_ERR_ATTRIBUTE_WITHOUT_VALUE:
      return {line, "attribute '" + word(error.str1) + "' has no value; write " + word(error.str1) +
                        "=\"…\""};
    case XML_ERR_SPACE_REQUIRED:
      return {line, "a space between two attributes is missing, or there is a quote too many"};
    case XML_ERR_HYPHEN_IN_COMMENT: return {line, "a comment holds '--', which XML does not allow"};
    case XML_ERR_UNDECLARED_ENTITY:
    case XML_WAR_UNDECLARED_ENTITY:
      return {line, "the entity &" + word(error.str1) + "; is not known; write &amp; for '&'"};
    case XML_ERR_TAG_NAME_MISMATCH:
      return {line, "</" + word(error.str2) + "> does not close <" + word(error.str1) +
                        "> of line " + std::to_string(error.int1)};
    case XML_ERR_TAG_NOT_FINISHED:
      return {line, "the file ends before <" + word(error.str1) + "> of line " +
                        std::to_string(error.int1) + " is closed"};
    case XML_ERR_ATTRIBUTE_REDEFINED:
      return {line, "attribute '" + word(error.str1) + "' is given twice"};
    case XML_ERR_DOCUMENT_EMPTY:
      return {line, "this is not an XML file; it should begin with " + std::string(kind.root)};
    case XML_ERR_DOCUMENT_END: return {line, "unexpected content after the root element"};
    default: break;
  }
  std::string message = word(error.message);
  while (!message.empty() && is_space(message.back())) message.pop_back();
  return {line, "not well-formed XML: " + message};
}

std::unique_ptr<xmlDoc, void (*)(xmlDoc*)> parse_document(std::string_view content,
                                                          const XmlKind& kind, Problem& problem) {
  struct Listener {
    const XmlKind& kind;
    Problem& first;
  } listener{kind, problem};

  const std::unique_ptr<xmlParserCtxt, void (*)(xmlParserCtxt*)> context(xmlNewParserCtxt(),
                                                                         xmlFreeParserCtxt);
  if (!context) throw std::bad_alloc();
  context->_private = &listener;
  context->sax->serror = [](void* data, auto* error) {
    const auto& to = *static_cast<Listener*>(static_cast<xmlParserCtxt*>(data)->_private);
    if (to.first.message.empty() && error != nullptr && error->level >= XML_ERR_ERROR)
      to.first = explain(*error, to.kind);
  };
  xmlDoc* document =
      xmlCtxtReadMemory(context.get(), content.data(), static_cast<int>(content.size()), nullptr,
                        "UTF-8", XML_PARSE_NONET | XML_PARSE_NOCDATA | XML_PARSE_COMPACT);
  if (document == nullptr && problem.message.empty()) problem.message = "not well-formed XML";
  return {document, [](xmlDoc* d) { xmlFreeDoc(d); }};
}

std::string qualified(const xmlNs* space, const xmlChar* name) {
  return space != nullptr && space->prefix != nullptr
             ? string_of(space->prefix) + ":" + string_of(name)
             : string_of(name);
}

/// Assigns the places of the tags in the order of the file.
XmlNode convert(xmlNode* node, const std::string& file, const std::vector<TagScanner::Tag>& tags,
                std::size_t& next, bool keep_text) {
  XmlNode made;
  made.tag = qualified(node->ns, node->name);
  const TagScanner::Tag* tag = next < tags.size() ? &tags[next++] : nullptr;
  made.place = {file, tag != nullptr ? tag->line : static_cast<long>(node->line)};
  for (const xmlAttr* a = node->properties; a != nullptr; a = a->next) {
    Attribute attribute{qualified(a->ns, a->name), {}, made.place};
    const std::unique_ptr<xmlChar, void (*)(xmlChar*)> value(
        xmlNodeListGetString(node->doc, a->children, 1), [](xmlChar* t) { xmlFree(t); });
    attribute.text = string_of(value.get());
    if (tag != nullptr)
      for (const auto& [name, line] : tag->attributes)
        if (name == attribute.name) attribute.place.line = line;
    made.attributes.push_back(std::move(attribute));
  }
  for (xmlNode* child = node->children; child != nullptr; child = child->next)
    if (child->type == XML_ELEMENT_NODE)
      made.children.push_back(convert(child, file, tags, next, keep_text));
    else if (keep_text && child->type == XML_TEXT_NODE)
      made.text += string_of(child->content);
  return made;
}

}  // namespace

const Attribute* XmlNode::find(std::string_view attribute) const {
  for (const Attribute& a : attributes)
    if (a.name == attribute) return &a;
  return nullptr;
}

std::optional<XmlNode> parse_xml(std::string_view content, const std::string& file,
                                 const ReaderLimits& limits, Diagnostics& diagnostics,
                                 const XmlKind& kind) {
  const auto refuse = [&](const Problem& problem) {
    diagnostics.error({file, problem.line}, {}, {}, problem.message);
    return std::nullopt;
  };
  if (content.size() > limits.bytes)
    return refuse({0, "the file is larger than the limit of " +
                          std::to_string(limits.bytes / 1'000'000) + " MB"});
  if (content.starts_with("\xef\xbb\xbf")) content.remove_prefix(3);
  if (content.find_first_not_of(" \t\r\n") == npos) return refuse({0, "the file is empty"});
  if (const Problem problem = check_encoding(content); !problem.message.empty())
    return refuse(problem);

  TagScanner scanner(content, limits, kind);
  scanner.run();
  if (!scanner.problem.message.empty()) return refuse(scanner.problem);

  Problem problem;
  const auto document = parse_document(content, kind, problem);
  if (!problem.message.empty()) return refuse(problem);
  for (const Problem& stray : scanner.stray)
    diagnostics.error({file, stray.line}, {}, {}, stray.message);
  std::size_t next = 0;
  return convert(xmlDocGetRootElement(document.get()), file, scanner.tags, next, kind.keep_text);
}

}  // namespace mechfmu
