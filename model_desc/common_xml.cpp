#include "model_desc/common_xml.h"

#include <algorithm>
#include <cmath>

#include "model_desc/text.h"
#include "model_desc/units.h"

namespace mechfmu {

namespace {

/// solver.method → SolverMethod
std::string type_name(const std::string& variable) {
  std::string name;
  bool begins = true;
  for (const char c : variable) {
    const bool kept = is_letter(c) || is_digit(c);
    const bool lower = c >= 'a' && c <= 'z';
    if (kept) name += begins && lower ? static_cast<char>(c - 'a' + 'A') : c;
    begins = !kept;
  }
  return name;
}

std::string about_method(const std::string& item) {
  if (item == "soi2") return "position and velocity constraints hold at every substep";
  if (item == "hht_i3") return "Hilber-Hughes-Taylor, index 3: position constraints hold";
  if (item == "arnold_bruls")
    return "generalized-alpha, index 3: position constraints and equilibrium hold";
  return "";
}

bool is_known(const Entry& known, FmiVersion version) {
  if (known.causality == Causality::parameter) return version == FmiVersion::fmi3;
  return known.causality == Causality::input || known.causality == Causality::independent;
}

}  // namespace

Types::Types(const Description& description) {
  std::set<std::string> taken;
  for (const Entry& e : description.entries) taken.insert(e.name);
  const auto unique = [&](std::string name) {
    while (!taken.insert(name).second) name += "_";
    return name;
  };
  for (const Entry& e : description.entries) {
    if (e.type == Type::enumeration) {
      EnumerationType& type = enumerations[e.name];
      type = {unique(type_name(e.name)), e.about, {}};
      for (const std::string& item : e.items) type.items.push_back({item, about_method(item)});
    }
    if (e.type != Type::real) continue;
    units.insert(e.units.begin(), e.units.end());
  }
  units.erase("");
  for (const std::string& unit : units) {
    const std::string usual = quantity(unit);
    if (usual.empty()) continue;
    reals[unit] = {unique(usual), usual, unit, preferred_display_unit(unit)};
  }
}

const RealType* Types::find_real(const std::string& unit) const {
  const auto found = reals.find(unit);
  return found == reals.end() ? nullptr : &found->second;
}

void write_head(XmlElement root, const Description& d, const Origin& origin,
                const char* token_name) {
  root.set("modelName", d.model).set(token_name, origin.token);
  write_about(root, d.about);
  root.set("copyright", origin.copyright)
      .set("license", origin.license)
      .set("generationTool", origin.tool);
  if (!origin.time.empty()) root.set("generationDateAndTime", origin.time);
  root.set("variableNamingConvention", "structured");
}

void write_units(XmlElement root, const Types& types) {
  if (types.units.empty()) return;
  XmlElement list = root.add("UnitDefinitions");
  for (const std::string& symbol : types.units) {
    const Unit unit = parse_unit(symbol);
    XmlElement element = list.add("Unit");
    element.set("name", symbol);
    XmlElement base = element.add("BaseUnit");
    for (std::size_t i = 0; i < base_units.size(); ++i)
      if (unit.exponents[i] != 0) base.set(base_units[i], unit.exponents[i]);
    if (unit.factor != 1) base.set("factor", unit.factor);
    if (unit.offset != 0) base.set("offset", unit.offset);
    for (const DisplayUnit& shown : display_units(symbol)) {
      XmlElement display = element.add("DisplayUnit");
      display.set("name", shown.name).set("factor", shown.factor);
      if (shown.offset != 0) display.set("offset", shown.offset);
    }
  }
}

void write_log_categories(XmlElement root) {
  XmlElement list = root.add("LogCategories");
  for (const LogCategory& category : log_categories())
    list.add("Category").set("name", category.name).set("description", category.about);
}

void write_default_experiment(XmlElement root, const Experiment& experiment) {
  root.add("DefaultExperiment")
      .set("startTime", 0)
      .set("stopTime", experiment.stop)
      .set("tolerance", experiment.tolerance)
      .set("stepSize", experiment.step);
}

void write_real_type(XmlElement element, const RealType& type) {
  element.set("quantity", type.quantity).set("unit", type.unit);
  if (!type.display_unit.empty()) element.set("displayUnit", type.display_unit);
}

void write_items(XmlElement enumeration, const EnumerationType& type) {
  int value = 0;
  for (const EnumerationItem& item : type.items) {
    XmlElement element = enumeration.add("Item");
    element.set("name", item.name).set("value", ++value);
    write_about(element, item.about);
  }
}

void write_about(XmlElement variable, const std::string& about) {
  if (!about.empty()) variable.set("description", about);
}

void write_causality(XmlElement variable, const Entry& e) {
  variable.set("causality", text(e.causality)).set("variability", text(e.variability));
  const bool has_initial = e.causality != Causality::input && e.causality != Causality::independent;
  if (has_initial && e.initial != Initial::none) variable.set("initial", text(e.initial));
}

void write_declared_type(XmlElement value, const Entry& e, const std::string& unit,
                         const Types& types) {
  if (e.type == Type::enumeration) value.set("declaredType", types.enumerations.at(e.name).name);
  if (e.type != Type::real || unit.empty()) return;
  if (const RealType* type = types.find_real(unit); type != nullptr)
    value.set("declaredType", type->name);
  value.set("unit", unit);
}

void write_range(XmlElement variable, const Entry& e) {
  if (e.type == Type::boolean) return;
  if (std::isfinite(e.min)) variable.set("min", value_text(e.type, e.min));
  if (std::isfinite(e.max)) variable.set("max", value_text(e.type, e.max));
  if (e.type == Type::real && e.nominal != 1) variable.set("nominal", e.nominal);
}

std::string common_unit(const Entry& e) {
  const bool same =
      !e.units.empty() && std::all_of(e.units.begin(), e.units.end(),
                                      [&](const std::string& unit) { return unit == e.units[0]; });
  return same ? e.units[0] : "";
}

bool is_initial_unknown(const Entry& e) {
  return e.causality == Causality::output &&
         (e.initial == Initial::approx || e.initial == Initial::calculated);
}

std::set<std::size_t> stepping_knowns(const Description& d, const Entry& unknown,
                                      FmiVersion version) {
  std::set<std::size_t> knowns;
  for (const std::size_t k : unknown.depends_on)
    if (is_known(d.entries.at(k), version)) knowns.insert(k);
  return knowns;
}

std::set<std::size_t> initial_knowns(const Description& d, const Entry& unknown) {
  std::set<std::size_t> knowns;
  for (const std::size_t k : unknown.initially_depends_on) {
    const Entry& known = d.entries.at(k);
    if (is_known(known, FmiVersion::fmi2) || known.initial == Initial::exact) knowns.insert(k);
  }
  return knowns;
}

}  // namespace mechfmu
