// Builds XML documents: elements with attributes, escaped and indented by libxml2.
//
//   XmlDocument document("fmiModelDescription");
//   document.root().set("fmiVersion", "2.0").add("CoSimulation").set("needsExecutionTool", false);
//   std::string text = document.text();

#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <string_view>

struct _xmlDoc;
struct _xmlNode;

namespace mechfmu {

/// An element of a document; it is valid as long as the document. Copies are the same element.
class XmlElement {
 public:
  explicit XmlElement(_xmlNode* node) : node_(node) {}

  /// Adds a last child.
  XmlElement add(const char* name);
  /// Adds a last child that contains a text.
  XmlElement add(const char* name, std::string_view text);

  /// Attributes appear in the order of the calls. "xmlns:p" declares a namespace and "p:name" uses
  /// it. Throws std::invalid_argument for text that XML cannot contain and for numbers that are not
  /// finite.
  XmlElement& set(const char* name, std::string_view value);
  XmlElement& set(const char* name, const char* value) {
    return set(name, std::string_view(value));
  }
  XmlElement& set(const char* name, double value);
  template <std::integral T>
  XmlElement& set(const char* name, T value) {
    if constexpr (std::same_as<T, bool>) return set(name, value ? "true" : "false");
    return set(name, std::string_view(std::to_string(value)));
  }

 private:
  _xmlNode* node_;
};

class XmlDocument {
 public:
  explicit XmlDocument(const char* root);

  XmlElement root() const;
  /// UTF-8, indented, with declaration.
  std::string text() const;

 private:
  std::unique_ptr<_xmlDoc, void (*)(_xmlDoc*)> document_;
};

}  // namespace mechfmu
