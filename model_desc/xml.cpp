#include "model_desc/xml.h"

#include <libxml/tree.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <stdexcept>

#include "model_desc/text.h"

namespace mechfmu {

namespace {

const xmlChar* chars(const char* text) { return reinterpret_cast<const xmlChar*>(text); }

/// In the calls used here, libxml2 returns null only if memory is short.
template <class T>
T* needed(T* made) {
  if (made == nullptr) throw std::bad_alloc();
  return made;
}

/// XML allows no control characters except tab and the two line ends, and no invalid UTF-8.
void check_text(const char* attribute, const std::string& value) {
  const bool control = std::any_of(value.begin(), value.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
  });
  if (control || xmlCheckUTF8(chars(value.c_str())) == 0)
    throw std::invalid_argument(std::string("the text of ") + attribute +
                                " has a control character or is not UTF-8: \"" + value + "\"");
}

}  // namespace

XmlElement XmlElement::add(const char* name) {
  return XmlElement(needed(xmlNewChild(node_, nullptr, chars(name), nullptr)));
}

XmlElement XmlElement::add(const char* name, std::string_view text) {
  const std::string copy(text);
  check_text(name, copy);
  return XmlElement(needed(xmlNewTextChild(node_, nullptr, chars(name), chars(copy.c_str()))));
}

XmlElement& XmlElement::set(const char* name, std::string_view value) {
  const std::string copy(value);
  check_text(name, copy);
  const std::string full(name);
  const std::size_t colon = full.find(':');
  if (colon == std::string::npos) {
    needed(xmlNewProp(node_, chars(name), chars(copy.c_str())));
    return *this;
  }
  const std::string prefix = full.substr(0, colon);
  const char* local = name + colon + 1;
  if (prefix == "xmlns") {
    needed(xmlNewNs(node_, chars(copy.c_str()), chars(local)));
  } else {
    xmlNs* space = needed(xmlSearchNs(node_->doc, node_, chars(prefix.c_str())));
    needed(xmlNewNsProp(node_, space, chars(local), chars(copy.c_str())));
  }
  return *this;
}

XmlElement& XmlElement::set(const char* name, double value) {
  if (!std::isfinite(value))
    throw std::invalid_argument(std::string(name) + " = " + shortest(value) +
                                " is not a finite number");
  return set(name, std::string_view(shortest(value)));
}

XmlDocument::XmlDocument(const char* root)
    : document_(needed(xmlNewDoc(chars("1.0"))), [](xmlDoc* d) { xmlFreeDoc(d); }) {
  xmlDocSetRootElement(document_.get(),
                       needed(xmlNewDocNode(document_.get(), nullptr, chars(root), nullptr)));
}

XmlElement XmlDocument::root() const { return XmlElement(xmlDocGetRootElement(document_.get())); }

std::string XmlDocument::text() const {
  xmlChar* buffer = nullptr;
  int size = 0;
  xmlDocDumpFormatMemoryEnc(document_.get(), &buffer, &size, "UTF-8", 1);
  const std::unique_ptr<xmlChar, void (*)(xmlChar*)> owner(needed(buffer),
                                                           [](xmlChar* b) { xmlFree(b); });
  return {reinterpret_cast<const char*>(buffer), static_cast<std::size_t>(size)};
}

}  // namespace mechfmu
