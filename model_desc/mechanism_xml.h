// An XML file as a tree of elements with attributes, each with its line. The only user of libxml2's parser.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model_desc/mechanism_reader.h"

namespace mechfmu {

struct XmlNode {
  std::string tag;
  Place place;
  std::vector<Attribute> attributes;
  std::vector<XmlNode> children;

  const Attribute* find(std::string_view attribute) const;
};

/// Nothing where the content is not well-formed, is not UTF-8, has a DOCTYPE or exceeds the limits; the diagnostics say
/// which. Text between the tags is an error, comments and processing instructions are skipped.
std::optional<XmlNode> parse_xml(std::string_view content, const std::string& file,
                                 const ReaderLimits& limits, Diagnostics& diagnostics);

}  // namespace mechfmu
