// Checks elements against the table of elements.h: first each one alone, then their references.

#pragma once

#include <string>
#include <vector>

#include "language/file/reader.h"

namespace mechfmu {

struct ElementForm {
  const ElementType& type;
  const std::vector<Attribute>& attributes;
  const Place& place;
  std::string label;
  bool complete = true;     // false: of a <default>, which has some attributes only
  bool has_shapes = false;  // of a body
};

/// joint 'B', or only the type where there is no name.
std::string label_of(const ElementType& type, std::string_view name);

/// Unknown and missing attributes, wrong words, attributes that exclude or need each other.
void check_form(const ElementForm& element, Diagnostics& diagnostics);

/// Removes the defaults that conflict with other attributes.
void drop_useless_defaults(const ElementType& type, bool has_shapes,
                           std::vector<Attribute>& attributes);

/// Finds duplicate names, references to missing elements or elements of another type, coordinates
/// that a joint does not have, and bodies without connections. The uses of groups also have names.
void check_names_and_references(const MechanismText& mechanism, const std::vector<Element>& uses,
                                Diagnostics& diagnostics);

}  // namespace mechfmu
