// What the table of elements.h says, for editors and for people.

#pragma once

#include <string>

namespace mechfmu {

/// A RELAX NG schema (XML syntax) of mechanism files and the parts they include. Editors complete and check with it: put
///   <?xml-model href="mechanism.rng" schematypens="http://relaxng.org/ns/structure/1.0"?>
/// before the root. It accepts every file that the reader accepts; what depends on several attributes is left to the
/// reader, and so are attributes that a <default> may give.
std::string mechanism_schema();

/// The page docs/mechanism_reference.md: what expressions can read, then every element with its equation, its attributes and an example.
std::string mechanism_reference();

}  // namespace mechfmu
