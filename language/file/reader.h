// Reads a mechanism file into a flat list of elements, with all errors of its form.
//
//   Diagnostics diagnostics;
//   const MechanismText mechanism = read_mechanism_file("crank.xml", diagnostics);
//   if (diagnostics.has_errors()) std::cerr << diagnostics.text();
//
// The result has no includes, defaults, groups or repeats: their elements are in the list under
// their full names (leg1.knee, link[3]) with all attributes that apply. Their references exist and
// are of the right kind. Attributes are still text; the next step interprets expressions. Within a
// repeat
//   - brackets after a name get their values: link[i-1] → link[2], node[i,2*j] → node[2,10];
//   - elsewhere in expressions the index becomes its number: 0.1*i → 0.1*(3).
// Within a group
//   - names of its elements, in references and in expressions, become full names:
//     knee.angle → leg1.knee.angle;
//   - parameters become the text given to them, in parentheses inside expressions:
//     2*l → 2*(0.3 + d);
//   - the pose of each use is recorded with its elements; the next step applies it to the
//     attributes that Placed in elements.h lists.
//
// Files may be untrusted: size, nesting and growth are limited, entities are refused, and no file
// outside the folder of the mechanism file is read.

#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "language/file/elements.h"
#include "mechanics/modal_body.h"
#include "model_desc/xml_tree.h"

namespace mechfmu {

/// p → at + R(rotation) p
struct GroupPose {
  std::string at, rotation;
  Place place;
};

struct Element {
  const ElementType* type = nullptr;
  std::string name;    // full name; empty if the type has none
  std::string prefix;  // prefix of the uses of groups: "leg1."
  std::string owner;   // of a shape: full name of its body
  std::string copy;    // of a shape in a repeat: "i = 3"
  std::vector<Attribute> attributes;
  // of the uses that contain it; the innermost applies first and is first
  std::vector<GroupPose> poses;
  Place place;

  const Attribute* find(std::string_view attribute) const;  // null when it is left out
  bool has(std::string_view attribute) const { return find(attribute) != nullptr; }
  /// The text as written, otherwise the default value (empty: none).
  std::string_view text(std::string_view attribute) const;
  bool is_true(std::string_view attribute) const { return text(attribute) == "true"; }
  /// For messages: joint 'B', by the name in its group; of a shape in a repeat: shape (i = 3).
  std::string label() const;
};

struct MechanismText {
  Element root;                             // the mechanism element
  std::vector<Element> elements;            // in the order of the file; shapes follow their body
  std::map<std::string, std::string> data;  // files of tables, by the text of their `file`
  /// Data of flexible bodies, likewise. Each of their nodes is an element that follows: a body with
  /// type="node".
  std::map<std::string, std::shared_ptr<const mechanics::ModalBody>> flexible;
  std::vector<std::string> files;  // all files that were read, the mechanism file first
};

MechanismText read_mechanism_file(const std::filesystem::path& path, Diagnostics& diagnostics,
                                  const ReaderLimits& limits = {});

/// The same from memory; `files` contains the files that may be included, by path.
MechanismText read_mechanism_text(std::string_view content, const std::string& file,
                                  Diagnostics& diagnostics,
                                  const std::map<std::string, std::string>& files = {},
                                  const ReaderLimits& limits = {});

}  // namespace mechfmu
