// The tree of an MJCF file with what stands elsewhere put in: included files, and the defaults of classes. After that every element says all that
// it means by itself.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "robots/attributes.h"
#include "robots/formats.h"

namespace mechfmu::robots {

/// Puts the children of included files in the place of <include>. Errors for files that are included twice.
void put_in_includes(XmlNode& root, const Source& source);

/// Classes of defaults: each holds attributes for kinds of elements, and begins as its parent.
class Defaults {
 public:
  /// Reads the <default> elements of the file.
  Defaults(const XmlNode& root, Attributes& read);

  /// The element with the attributes that its class has and it does not. The class is its own, or `child_class`, or main.
  XmlNode filled(const XmlNode& node, const std::string& child_class, Attributes& read) const;

 private:
  using Class = std::map<std::string, std::vector<Attribute>>;  // by the tag
  void add(const XmlNode& node, const Class& parent, bool is_top, Attributes& read);
  std::map<std::string, Class> classes_;
};

}  // namespace mechfmu::robots
