#include "tests/model_desc/parse.h"

#include <libxml/parser.h>
#include <libxml/xpath.h>

#include <charconv>
#include <memory>
#include <stdexcept>

namespace mechfmu {

std::vector<std::string> query(const std::string& xml, const std::string& xpath) {
  const std::unique_ptr<xmlDoc, void (*)(xmlDoc*)> document(
      xmlReadMemory(xml.data(), static_cast<int>(xml.size()), nullptr, nullptr,
                    XML_PARSE_NONET | XML_PARSE_NOERROR),
      [](xmlDoc* d) { xmlFreeDoc(d); });
  if (!document) throw std::runtime_error("not well-formed:\n" + xml);
  const std::unique_ptr<xmlXPathContext, void (*)(xmlXPathContext*)> context(
      xmlXPathNewContext(document.get()), xmlXPathFreeContext);
  const std::unique_ptr<xmlXPathObject, void (*)(xmlXPathObject*)> result(
      xmlXPathEvalExpression(reinterpret_cast<const xmlChar*>(xpath.c_str()), context.get()),
      xmlXPathFreeObject);
  if (!result) throw std::runtime_error("no XPath expression: " + xpath);
  std::vector<std::string> values;
  const xmlNodeSet* nodes = result->nodesetval;
  for (int i = 0; nodes != nullptr && i < nodes->nodeNr; ++i) {
    const std::unique_ptr<xmlChar, void (*)(xmlChar*)> text(xmlNodeGetContent(nodes->nodeTab[i]),
                                                            [](xmlChar* t) { xmlFree(t); });
    values.emplace_back(reinterpret_cast<const char*>(text.get()));
  }
  return values;
}

std::string query_one(const std::string& xml, const std::string& xpath) {
  const auto values = query(xml, xpath);
  if (values.size() != 1)
    throw std::runtime_error(xpath + " occurs " + std::to_string(values.size()) + " times");
  return values[0];
}

std::size_t count(const std::string& xml, const std::string& xpath) {
  return query(xml, xpath).size();
}

std::vector<long> numbers(const std::string& list) {
  std::vector<long> all;
  const char* at = list.data();
  const char* end = at + list.size();
  while (at != end) {
    long value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc()) throw std::runtime_error("not a list of numbers: " + list);
    all.push_back(value);
    at = next == end ? end : next + 1;
  }
  return all;
}

}  // namespace mechfmu
