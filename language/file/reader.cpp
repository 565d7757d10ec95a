#include "language/file/reader.h"

#include <optional>
#include <utility>

#include "language/file/mesh_file.h"
#include "language/file/nodes.h"
#include "language/file/rules.h"
#include "language/file/source_files.h"

namespace mechfmu {

namespace fs = std::filesystem;
using reader::Nodes;
using reader::SourceFiles;
using reader::TextOrProblem;

namespace {

/// The root of the mechanism file as an element.
Element root_element(const XmlNode& root, Diagnostics& diagnostics) {
  Element made;
  made.type = find_element_type("mechanism");
  made.attributes = root.attributes;
  made.place = root.place;
  made.name = made.text("name");
  check_form({*made.type, made.attributes, made.place, made.label()}, diagnostics);
  return made;
}

MechanismText read(const std::string& content, const std::string& path, SourceFiles files,
                   const ReaderLimits& limits, Diagnostics& diagnostics) {
  const std::string shown = files.shown(path);
  diagnostics.announce(shown);
  files.read.push_back(shown);
  const std::optional<XmlNode> root = parse_xml(content, shown, limits, diagnostics);
  if (!root) return {};
  if (root->tag != "mechanism") {
    const bool is_robot = root->tag == "robot" || root->tag == "mujoco" || root->tag == "sdf";
    diagnostics.error(root->place, {}, {},
                      "the root is <" + root->tag + ">; it must be <mechanism name=\"…\">" +
                          (root->tag == "part" ? ": a part is for other files to include"
                           : is_robot          ? ": mechfmu import converts this file of a robot"
                                               : ""));
    return {};
  }
  MechanismText mechanism;
  mechanism.root = root_element(*root, diagnostics);
  Nodes nodes = reader::collect_nodes(*root, path, files, limits, diagnostics);
  std::vector<Element> uses;
  const bool complete = reader::check_local_names(nodes, diagnostics) &&
                        reader::expand_nodes(nodes, files, limits, diagnostics, mechanism, uses);
  if (complete && reader::expand_several(limits, diagnostics, mechanism)) {
    for (const auto& [name, group] : nodes.groups)
      if (!group.used && group.head.place.file == shown)
        diagnostics.warning(group.head.place, group.head.label(), {}, "it is never used");
    check_names_and_references(mechanism, uses, diagnostics);
  }
  mechanism.files = std::move(files.read);
  return mechanism;
}

}  // namespace

const Attribute* Element::find(std::string_view attribute) const {
  for (const Attribute& a : attributes)
    if (a.name == attribute) return &a;
  return nullptr;
}

std::string_view Element::text(std::string_view attribute) const {
  if (const Attribute* a = find(attribute)) return a->text;
  const AttributeType* known = type == nullptr ? nullptr : type->find(attribute);
  return known == nullptr ? std::string_view() : known->fallback;
}

std::string Element::label() const {
  return label_of(*type, std::string_view(name).substr(name.empty() ? 0 : prefix.size())) +
         (copy.empty() ? "" : " (" + copy + ")");
}

MechanismText read_mechanism_file(const fs::path& path, Diagnostics& diagnostics,
                                  const ReaderLimits& limits) {
  const TextOrProblem loaded = reader::load_file(path, limits.bytes);
  if (!loaded.problem.empty()) {
    diagnostics.error({path.generic_string(), 0}, {}, {}, loaded.problem);
    return {};
  }
  const fs::path folder = path.parent_path();
  const auto load = [&](const std::string& below) {
    return reader::load_below(folder.empty() ? fs::path(".") : folder, below,
                              is_mesh(below) ? limits.mesh_bytes : limits.bytes);
  };
  return read(loaded.text, path.filename().generic_string(),
              {load, folder.generic_string(), limits.files}, limits, diagnostics);
}

MechanismText read_mechanism_text(std::string_view content, const std::string& file,
                                  Diagnostics& diagnostics,
                                  const std::map<std::string, std::string>& files,
                                  const ReaderLimits& limits) {
  const auto load = [&](const std::string& path) -> TextOrProblem {
    const auto found = files.find(path);
    if (found == files.end()) return {{}, "the file does not exist"};
    return {found->second, {}};
  };
  return read(std::string(content), file, {load, "", limits.files}, limits, diagnostics);
}

}  // namespace mechfmu
