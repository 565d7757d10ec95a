#include "model_desc/fmi2_xml.h"

#include "model_desc/check.h"
#include "model_desc/common_xml.h"
#include "model_desc/text.h"

namespace mechfmu {

namespace {

void write_capabilities(XmlElement root, const Description& d,
                        const std::vector<std::string>& sources) {
  XmlElement capabilities = root.add("CoSimulation");
  capabilities.set("modelIdentifier", d.model)
      .set("needsExecutionTool", false)
      .set("canHandleVariableCommunicationStepSize", true)
      .set("canInterpolateInputs", true)
      .set("maxOutputDerivativeOrder", d.max_output_derivative)
      .set("canRunAsynchronuously", false)
      .set("canBeInstantiatedOnlyOncePerProcess", false)
      .set("canNotUseMemoryManagementFunctions", true)
      .set("canGetAndSetFMUstate", true)
      .set("canSerializeFMUstate", true)
      .set("providesDirectionalDerivative", true);
  if (sources.empty()) return;
  XmlElement files = capabilities.add("SourceFiles");
  for (const std::string& source : sources) files.add("File").set("name", source);
}

void write_types(XmlElement root, const Types& types) {
  if (types.reals.empty() && types.enumerations.empty()) return;
  XmlElement list = root.add("TypeDefinitions");
  for (const auto& [unit, type] : types.reals) {
    XmlElement simple = list.add("SimpleType");
    simple.set("name", type.name);
    write_real_type(simple.add("Real"), type);
  }
  for (const auto& [variable, type] : types.enumerations) {
    XmlElement simple = list.add("SimpleType");
    simple.set("name", type.name).set("description", type.about);
    write_items(simple.add("Enumeration"), type);
  }
}

const char* element_name(Type type) {
  switch (type) {
    case Type::integer: return "Integer";
    case Type::boolean: return "Boolean";
    case Type::enumeration: return "Enumeration";
    case Type::real: break;
  }
  return "Real";
}

void write_variable(XmlElement list, const Entry& e, Index i, const Types& types) {
  const auto element = static_cast<std::size_t>(i);
  XmlElement variable = list.add("ScalarVariable");
  variable.set("name", e.element_name(i)).set("valueReference", e.first + element);
  write_about(variable, e.about);
  write_causality(variable, e);

  XmlElement value = variable.add(element_name(e.type));
  write_declared_type(value, e, element < e.units.size() ? e.units[element] : "", types);
  write_range(value, e);
  if (element < e.start.size()) value.set("start", value_text(e.type, e.start[element]));
}

/// Indices of all numbers of the entries, ascending because entries and references are.
std::string indices(const Description& d, const std::set<std::size_t>& entries) {
  std::vector<std::string> all;
  for (const std::size_t k : entries)
    for (Index i = 0; i < d.entries[k].size; ++i)
      all.push_back(std::to_string(d.entries[k].first + static_cast<std::size_t>(i) + 1));
  return joined(all, " ");
}

void write_unknowns(XmlElement list, const Entry& e, const std::string& dependencies) {
  for (Index i = 0; i < e.size; ++i)
    list.add("Unknown")
        .set("index", e.first + static_cast<std::size_t>(i) + 1)
        .set("dependencies", dependencies);
}

void write_structure(XmlElement root, const Description& d) {
  XmlElement structure = root.add("ModelStructure");
  std::vector<const Entry*> outputs;
  std::vector<const Entry*> unknowns;
  for (const Entry& e : d.entries) {
    if (e.causality == Causality::output) outputs.push_back(&e);
    if (is_initial_unknown(e)) unknowns.push_back(&e);
  }
  if (!outputs.empty()) {
    XmlElement list = structure.add("Outputs");
    for (const Entry* e : outputs)
      write_unknowns(list, *e, indices(d, stepping_knowns(d, *e, FmiVersion::fmi2)));
  }
  if (!unknowns.empty()) {
    XmlElement list = structure.add("InitialUnknowns");
    for (const Entry* e : unknowns) write_unknowns(list, *e, indices(d, initial_knowns(d, *e)));
  }
}

}  // namespace

std::string fmi2_model_description(const Description& d, const Origin& origin,
                                   const std::vector<std::string>& sources) {
  check(d);
  const Types types(d);
  const XmlDocument document("fmiModelDescription");
  XmlElement root = document.root();
  root.set("fmiVersion", "2.0");
  write_head(root, d, origin, "guid");
  root.set("numberOfEventIndicators", 0);
  write_capabilities(root, d, sources);
  write_units(root, types);
  write_types(root, types);
  write_log_categories(root);
  write_default_experiment(root, d.experiment);
  XmlElement variables = root.add("ModelVariables");
  for (const Entry& e : d.entries)
    for (Index i = 0; i < e.size; ++i) write_variable(variables, e, i, types);
  write_structure(root, d);
  return document.text();
}

}  // namespace mechfmu
