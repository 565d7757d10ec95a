// XML that no honest program writes, made of a good file: elements and attributes that are deleted, doubled, moved, nested
// and swapped, values that are odd, and forms that are meant to do harm (entities, depth, encodings).

#pragma once

#include <map>
#include <string>
#include <vector>

#include "model_desc/xml_tree.h"
#include "tests/attack/dice.h"

namespace mechfmu::attack {

/// Ingredients of the changes of files.
struct Vocabulary {
  /// By element and attribute. @ stands for a name in the file.
  std::map<std::string, std::map<std::string, std::vector<std::string>>> values;
  std::vector<XmlNode> elements;       // to be put in
  std::vector<std::string> functions;  // of expressions
  std::vector<std::string> files;      // that attributes may name

  /// Takes over what stands in a good file.
  void learn(const XmlNode& good);
};

/// Throws std::runtime_error where it is not well-formed.
XmlNode parse_good(const std::string& content, const std::string& file);

std::string as_text(const XmlNode& node);
std::string hostile_xml(const XmlNode& good, const Vocabulary& vocabulary, Dice& dice);

}  // namespace mechfmu::attack
