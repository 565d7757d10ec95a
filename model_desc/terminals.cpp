#include "model_desc/terminals.h"

#include <algorithm>
#include <set>
#include <vector>

namespace mechfmu {

namespace {

struct Terminal {
  std::string name;
  std::vector<const Entry*> members;

  bool has(Causality causality) const {
    return std::any_of(members.begin(), members.end(),
                       [&](const Entry* e) { return e->causality == causality; });
  }
};

std::size_t last_dot(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return name.find('\'') == std::string::npos ? dot : std::string::npos;
}
std::string prefix(const std::string& name) {
  const std::size_t dot = last_dot(name);
  return dot == std::string::npos ? name : name.substr(0, dot);
}
std::string last_word(const std::string& name) {
  const std::size_t dot = last_dot(name);
  return dot == std::string::npos ? name : name.substr(dot + 1);
}

/// In the order of their first variables. A variable without a dot is its own prefix.
std::vector<Terminal> find_terminals(const Description& d) {
  std::vector<Terminal> terminals;
  for (const Entry& e : d.entries) {
    if ((e.causality != Causality::input && e.causality != Causality::output) || e.size == 0)
      continue;
    const std::string name = prefix(e.name);
    auto found = std::find_if(terminals.begin(), terminals.end(),
                              [&](const Terminal& t) { return t.name == name; });
    if (found == terminals.end()) found = terminals.insert(terminals.end(), {name, {}});
    found->members.push_back(&e);
  }
  return terminals;
}

const char* kind(const Terminal& terminal) {
  if (!terminal.has(Causality::output)) return "_mechfmu_actuator";
  return terminal.has(Causality::input) ? "_mechfmu_flange" : "_mechfmu_sensor";
}

void write_terminal(XmlElement list, const Terminal& terminal, FmiVersion version) {
  XmlElement element = list.add("Terminal");
  // A partner may read some of the sensors; an actuator needs all of its inputs.
  const char* rule = terminal.has(Causality::input) ? "plug" : "bus";
  element.set("name", terminal.name).set("matchingRule", rule).set("terminalKind", kind(terminal));
  if (terminal.members.size() == 1 && !terminal.members[0]->about.empty())
    element.set("description", terminal.members[0]->about);

  std::set<std::string> taken;
  for (const Entry* e : terminal.members) {
    const bool scalars = e->vector && version == FmiVersion::fmi2;
    const std::string word = last_word(e->name);
    const std::string member = taken.insert(word).second ? word : e->name;
    for (Index i = 0; i < (scalars ? e->size : 1); ++i) {
      const std::string index = scalars ? "[" + std::to_string(i + 1) + "]" : "";
      element.add("TerminalMemberVariable")
          .set("variableName", e->name + index)
          .set("memberName", member + index)
          .set("variableKind", "signal");
    }
  }
}

}  // namespace

std::string terminals_and_icons(const Description& description, FmiVersion version) {
  const XmlDocument document("fmiTerminalsAndIcons");
  XmlElement root = document.root();
  root.set("fmiVersion", "3.0");
  XmlElement graphics = root.add("GraphicalRepresentation");
  const auto square = [](XmlElement element) {
    return element.set("x1", -100).set("y1", -100).set("x2", 100).set("y2", 100);
  };
  square(graphics.add("CoordinateSystem")).set("suggestedScalingFactorTo_mm", 0.1);
  square(graphics.add("Icon"));  // icon.png beside this file
  const std::vector<Terminal> terminals = find_terminals(description);
  if (!terminals.empty()) {
    XmlElement list = root.add("Terminals");
    for (const Terminal& terminal : terminals) write_terminal(list, terminal, version);
  }
  return document.text();
}

}  // namespace mechfmu
