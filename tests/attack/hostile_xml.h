// XML that no honest program writes, made from a good file: elements and attributes deleted,
// doubled, moved, nested and swapped, odd values, and constructs meant to do harm (entities, depth,
// encodings).

#pragma once

#include <map>
#include <string>
#include <vector>

#include "model_desc/xml_tree.h"
#include "tests/attack/dice.h"

namespace mechfmu::attack {

/// Ingredients of the changes of files.
struct Vocabulary {
  /// Values by element and attribute. @ stands for a name in the file.
  std::map<std::string, std::map<std::string, std::vector<std::string>>> values;
  std::vector<XmlNode> elements;       // to be inserted
  std::vector<std::string> functions;  // of expressions
  std::vector<std::string> files;      // that attributes may name

  /// Takes over the ingredients of a good file.
  void learn(const XmlNode& good);
};

/// Throws std::runtime_error if the content is not well-formed.
XmlNode parse_good(const std::string& content, const std::string& file);

std::string as_text(const XmlNode& node);
std::string hostile_xml(const XmlNode& good, const Vocabulary& vocabulary, Dice& dice);

}  // namespace mechfmu::attack
