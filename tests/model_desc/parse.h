// Reads back the output of the library: XPath on its XML.

#pragma once

#include <string>
#include <vector>

namespace mechfmu {

/// Values of all nodes that an XPath expression finds; throws std::runtime_error if the text is not
/// well-formed.
std::vector<std::string> query(const std::string& xml, const std::string& xpath);
/// The only value; throws unless there is exactly one.
std::string query_one(const std::string& xml, const std::string& xpath);
std::size_t count(const std::string& xml, const std::string& xpath);

/// "3 5 8" → 3, 5, 8
std::vector<long> numbers(const std::string& list);

}  // namespace mechfmu
