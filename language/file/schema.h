// The table of elements.h, for editors and for readers.

#pragma once

#include <string>

namespace mechfmu {

/// A RELAX NG schema (XML syntax) of mechanism files and the parts they include. Editors complete
/// and check with it: put
///   <?xml-model href="mechanism.rng" schematypens="http://relaxng.org/ns/structure/1.0"?>
/// before the root. It accepts every file that the reader accepts. It does not check conditions
/// between several attributes, nor attributes that a <default> may provide.
std::string mechanism_schema();

/// The page docs/mechanism_reference.md: the readings of expressions, then every element with its
/// equation, its attributes and an example.
std::string mechanism_reference();

}  // namespace mechfmu
