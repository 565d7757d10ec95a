// The stage between the files of a mechanism and its elements: a tree of nodes without includes and
// defaults, but still with groups and repeats. Internal to the reader, which has these steps:
//
//   collect.cpp  files → nodes (source_files: where files may come from)
//   nodes.cpp    names that are local to a group or a repeat
//   expand.cpp   nodes → elements (scope: texts in groups and repeats; growth: limits)
//   several.cpp  elements of several bodies → elements
//   rules.cpp    each element alone, and references between elements

#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "language/file/reader.h"
#include "language/file/source_files.h"
#include "model_desc/xml_tree.h"

namespace mechfmu::reader {

/// A checked element with its defaults.
struct Node {
  const ElementType* type;
  std::vector<Attribute> attributes;
  Place place;
  std::vector<Node> inner;  // shapes of a body, elements of a repeat

  const Attribute* find(std::string_view attribute) const;
  std::string text(std::string_view attribute) const;
  std::string label() const;
};

struct Group {
  Node head;
  std::vector<Node> nodes;
  std::set<std::string> locals;  // names of its elements; of those with indices: link[
  bool used = false;
};

struct Nodes {
  std::vector<Node> all;
  std::map<std::string, Group> groups;
};

/// The nodes of the mechanism file at `path` with this XML, and of the files that it includes.
Nodes collect_nodes(const XmlNode& root, const std::string& path, SourceFiles& files,
                    const ReaderLimits& limits, Diagnostics& diagnostics);

/// Checks that parameters of groups and indices of repeats have one meaning. False if copies of a
/// repeat cannot be made.
bool check_local_names(const Nodes& nodes, Diagnostics& diagnostics);

/// Elements; groups replace their uses, and copies replace repeats; `uses` are those of groups.
/// False if there are more than the limits allow, or copies cannot be made.
bool expand_nodes(Nodes& nodes, SourceFiles& files, const ReaderLimits& limits,
                  Diagnostics& diagnostics, MechanismText& mechanism, std::vector<Element>& uses);

/// Elements of several bodies, between="ground shoe*", become one of each. False if there are more
/// than the limits allow.
bool expand_several(const ReaderLimits& limits, Diagnostics& diagnostics, MechanismText& mechanism);

/// All elements that have a name, also those in repeats.
void for_each_name(const std::vector<Node>& nodes,
                   const std::function<void(const Node&, const Attribute& name)>& use);

/// "line 12", with the file where it is another one.
std::string where(const Place& place, const Place& seen_from);

}  // namespace mechfmu::reader
