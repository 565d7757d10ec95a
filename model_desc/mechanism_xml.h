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

/// What is read: its name for messages, and whether text between the tags is skipped or an error.
struct XmlKind {
  const char* name = "mechanism file";
  const char* root = "<mechanism name=\"…\">";
  bool skip_text = false;
};

/// Nothing where the content is not well-formed, is not UTF-8, has a DOCTYPE or exceeds the limits; the diagnostics say
/// which. Comments and processing instructions are skipped.
std::optional<XmlNode> parse_xml(std::string_view content, const std::string& file,
                                 const ReaderLimits& limits, Diagnostics& diagnostics,
                                 const XmlKind& kind = {});

}  // namespace mechfmu
