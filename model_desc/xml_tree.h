// An XML file as a tree of elements with attributes, each with its line. The only user of libxml2's parser.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model_desc/diagnostics.h"

namespace mechfmu {

struct Attribute {
  std::string name, text;
  Place place;
  bool by_default = false;  // from a <default>
};

/// Limits that no mechanism written by hand comes near.
struct ReaderLimits {
  std::size_t bytes = 10'000'000;        // of a file
  std::size_t mesh_bytes = 300'000'000;  // of one with triangles
  std::size_t files = 200;               // includes in all
  std::size_t includes = 16;       // files that include each other in a chain; uses of groups too
  std::size_t depth = 32;          // XML elements in each other
  std::size_t elements = 200'000;  // in a file, and in the mechanism
  std::size_t attributes = 200;    // of an element
  std::size_t text = 100'000;      // characters of an attribute after group parameters are put in
  std::size_t characters = 50'000'000;  // of all attributes after that
};

struct XmlNode {
  std::string tag;
  Place place;
  std::vector<Attribute> attributes;
  std::vector<XmlNode> children;
  std::string text{};  // between its tags, where XmlKind::keep_text asks for it

  const Attribute* find(std::string_view attribute) const;
};

/// What is read: its name for messages, and whether text between the tags is kept, skipped or an error.
struct XmlKind {
  const char* name = "mechanism file";
  const char* root = "<mechanism name=\"…\">";
  bool skip_text = false;
  bool keep_text = false;
};

/// Nothing where the content is not well-formed, is not UTF-8, has a DOCTYPE or exceeds the limits; the diagnostics say
/// which. Comments and processing instructions are skipped.
std::optional<XmlNode> parse_xml(std::string_view content, const std::string& file,
                                 const ReaderLimits& limits, Diagnostics& diagnostics,
                                 const XmlKind& kind = {});

}  // namespace mechfmu
