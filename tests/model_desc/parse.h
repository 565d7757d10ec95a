// Reading back what the library wrote: XPath on its XML.

#pragma once

#include <string>
#include <vector>

namespace mechfmu {

/// Values of all nodes that an XPath expression finds; throws std::runtime_error when the text is not well-formed.
std::vector<std::string> query(const std::string& xml, const std::string& xpath);
/// The one value there has to be.
std::string query_one(const std::string& xml, const std::string& xpath);
std::size_t count(const std::string& xml, const std::string& xpath);

/// "3 5 8" → 3, 5, 8
std::vector<long> numbers(const std::string& list);

}  // namespace mechfmu
