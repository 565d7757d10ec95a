// Expands the tree of an MJCF file: included files and the defaults of classes. Afterwards every
// element is complete.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "robots/attributes.h"
#include "robots/formats.h"

namespace mechfmu::robots {

/// Replaces <include> by the children of the included files. Reports files that are included twice.
void put_in_includes(XmlNode& root, const Source& source);

/// Classes of defaults: each has attributes for kinds of elements, and inherits those of its
/// parent.
class Defaults {
 public:
  /// Reads the <default> elements of the file.
  Defaults(const XmlNode& root, Attributes& read);

  /// The element with the missing attributes of its class, which is its own, or `child_class`, or
  /// main.
  XmlNode filled(const XmlNode& node, const std::string& child_class, Attributes& read) const;

 private:
  using Class = std::map<std::string, std::vector<Attribute>>;  // by the tag
  void add(const XmlNode& node, const Class& parent, bool is_top, Attributes& read);
  std::map<std::string, Class> classes_;
};

}  // namespace mechfmu::robots
