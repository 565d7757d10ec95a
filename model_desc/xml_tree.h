// An XML file as a tree of elements with attributes and line numbers. The only user of libxml2's
// parser.

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

/// Limits far above the size of mechanisms written by hand.
struct ReaderLimits {
  std::size_t bytes = 10'000'000;        // of a file
  std::size_t mesh_bytes = 300'000'000;  // of a file with triangles
  std::size_t files = 200;               // total number of includes
  std::size_t includes = 16;             // depth of includes of files, and of uses of groups
  std::size_t depth = 32;                // nesting of XML elements
  std::size_t elements = 200'000;        // in a file, and in the mechanism
  std::size_t attributes = 200;          // per element
  std::size_t text = 100'000;  // characters of an attribute after substitution of group parameters
  std::size_t characters = 50'000'000;  // of all attributes after substitution
};

struct XmlNode {
  std::string tag;
  Place place;
  std::vector<Attribute> attributes;
  std::vector<XmlNode> children;
  std::string text{};  // between its tags, where XmlKind::keep_text asks for it

  const Attribute* find(std::string_view attribute) const;
};

/// The kind of file: its name for messages, and the treatment of text between tags (keep, skip or
/// error).
struct XmlKind {
  const char* name = "mechanism file";
  const char* root = "<mechanism name=\"…\">";
  bool skip_text = false;
  bool keep_text = false;
};

/// Nullopt if the content is not well-formed, is not UTF-8, has a DOCTYPE or exceeds the limits;
/// the diagnostics name the reason. Comments and processing instructions are skipped.
std::optional<XmlNode> parse_xml(std::string_view content, const std::string& file,
                                 const ReaderLimits& limits, Diagnostics& diagnostics,
                                 const XmlKind& kind = {});

}  // namespace mechfmu
