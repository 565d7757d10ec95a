#include "scene/poses.h"

#include <algorithm>

#include "language/meaning/names.h"
#include "mechanics/bodies/pool.h"
#include "mechanics/words.h"

namespace mechfmu::scene {

namespace {

using TextElement = mechfmu::Element;

bool is_point(const TextElement& body) {
  const auto type = mechanics::find_word<mechanics::BodyType>(body.text("type"));
  return type && !mechanics::make_bodies(*type)->freedom().turns();
}

bool is_vector_force(const TextElement& e) { return e.has("body"); }

/// The name of the force of an element in expressions, if it is drawn.
const char* force_name(const TextElement& e) {
  const std::string_view tag = e.type->name;
  if (tag == "torque") return "torque";
  for (const char* known : {"joint", "spring", "contact", "rolling", "force", "bushing", "stop"})
    if (tag == known) return "force";
  return nullptr;
}

bool has_three(const TextElement& e) {
  const std::string_view tag = e.type->name;
  if (tag == "force" || tag == "torque") return is_vector_force(e);
  return tag != "spring" && tag != "stop";
}

int modes_of(const TextElement& flexible, const MechanismText& text) {
  const auto numbers = text.flexible.find(std::string(flexible.text("file")));
  if (numbers == text.flexible.end() || numbers->second == nullptr) return 0;
  return kept_modes(flexible, *numbers->second).value_or(0);
}

std::string free_prefix(const MechanismText& text, std::string prefix) {
  const auto taken = [&](const std::string& p) {
    return std::any_of(text.elements.begin(), text.elements.end(), [&](const TextElement& e) {
      return e.name == p || e.name.starts_with(p + ".");
    });
  };
  while (taken(prefix)) prefix += "_";
  return prefix;
}

TextElement output(const std::string& name, const std::string& value, const std::string& unit,
                   const std::string& about, const Place& place) {
  TextElement made;
  made.type = find_element_type("output");
  made.name = name;
  made.place = place;
  made.attributes = {{"name", name, place},
                     {"value", value, place},
                     {"unit", unit, place},
                     {"about", about, place}};
  return made;
}

}  // namespace

Names name_variables(const MechanismText& text, Wanted wanted) {
  Names names;
  for (const TextElement& e : text.elements)
    for (const auto& [element, attribute] : {std::pair{"look", "file"}, {"shape", "mesh"}})
      if (e.type->name == element && e.has(attribute))
        if (const auto content = text.data.find(std::string(e.text(attribute)));
            content != text.data.end())
          names.files.insert(*content);
  const auto in_use = names_in_attributes(text);
  const std::string pose = free_prefix(text, "pose") + ".";
  const std::string load = free_prefix(text, "load") + ".";
  for (const TextElement& e : text.elements) {
    if (!e.name.empty() && !e.text("about").empty()) names.about[e.name] = e.text("about");
    const bool flexible = e.type->name == "flexible";
    if (e.type->name == "body" || flexible) {
      // Unused nodes are not bodies of the model; their positions follow from the modes.
      if (e.text("type") == "node" && !in_use.contains(e.name)) continue;
      std::vector<std::string>& variables = names.poses[e.name];
      for (const char* part : {".x", ".y", ".z"}) variables.push_back(pose + e.name + part);
      if (is_point(e)) continue;
      for (const char* part : {".qw", ".qx", ".qy", ".qz"})
        variables.push_back(pose + e.name + part);
      const int modes = flexible ? modes_of(e, text) : 0;
      for (int k = 1; k <= modes; ++k)
        names.modes[e.name].push_back(pose + e.name + ".q" + std::to_string(k));
    } else if (wanted == Wanted::poses_and_forces && force_name(e) != nullptr && !e.name.empty() &&
               e.text("type") != "constant_orientation") {
      std::vector<std::string>& variables = names.forces[e.name];
      if (has_three(e))
        for (const char* part : {".x", ".y", ".z"}) variables.push_back(load + e.name + part);
      else
        variables.push_back(load + e.name);
    }
  }
  return names;
}

void add_outputs(MechanismText& text, const Names& names) {
  const mechfmu::Names meanings(text);
  std::vector<TextElement> made;
  const auto without_end = [](const std::string& name) { return name.substr(0, name.size() - 2); };
  for (const TextElement& e : text.elements) {
    if (const auto body = names.poses.find(e.name);
        body != names.poses.end() && (e.type->name == "body" || e.type->name == "flexible")) {
      const std::vector<std::string>& variables = body->second;
      made.push_back(output(without_end(variables[0]), e.name + ".position", "m",
                            "of the reference point", e.place));
      for (std::size_t i = 3; i < variables.size(); ++i)
        made.push_back(output(variables[i], e.name + ".quaternion_" + variables[i].back(), "1",
                              "component of the unit quaternion", e.place));
      if (const auto modes = names.modes.find(e.name); modes != names.modes.end())
        for (std::size_t k = 0; k < modes->second.size(); ++k)
          made.push_back(output(modes->second[k], e.name + ".q(" + std::to_string(k + 1) + ")", "1",
                                "mode of deformation", e.place));
    }
    const auto force = names.forces.find(e.name);
    if (force == names.forces.end() || force_name(e) == nullptr) continue;
    const bool three = force->second.size() == 3;
    const bool turning =
        three ? e.type->name == "torque" : coordinate_kind(e, meanings) != CoordinateKind::length;
    made.push_back(output(three ? without_end(force->second[0]) : force->second[0],
                          e.name + "." + force_name(e), turning ? "N.m" : "N", "", e.place));
  }
  text.elements.insert(text.elements.end(), made.begin(), made.end());
}

std::vector<std::string> variables_of(const Names& names) {
  std::vector<std::string> all;
  for (const auto* map : {&names.poses, &names.modes, &names.forces})
    for (const auto& [name, variables] : *map)
      all.insert(all.end(), variables.begin(), variables.end());
  return all;
}

}  // namespace mechfmu::scene
