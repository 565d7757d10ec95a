#include "model_desc/fmi3_xml.h"

#include "model_desc/check.h"
#include "model_desc/common_xml.h"
#include "model_desc/text.h"

namespace mechfmu {

namespace {

void write_capabilities(XmlElement root, const Description& d) {
  root.add("CoSimulation")
      .set("modelIdentifier", d.model)
      .set("needsExecutionTool", false)
      .set("canBeInstantiatedOnlyOncePerProcess", false)
      .set("canGetAndSetFMUState", true)
      .set("canSerializeFMUState", true)
      .set("providesDirectionalDerivatives", true)
      .set("providesAdjointDerivatives", true)
      .set("canHandleVariableCommunicationStepSize", true)
      .set("maxOutputDerivativeOrder", d.max_output_derivative)
      .set("recommendedIntermediateInputSmoothness", 1)
      .set("providesIntermediateUpdate", true)
      .set("mightReturnEarlyFromDoStep", true)
      .set("canReturnEarlyAfterIntermediateUpdate", true)
      .set("hasEventMode", true);
}

void write_types(XmlElement root, const Types& types) {
  if (types.reals.empty() && types.enumerations.empty()) return;
  XmlElement list = root.add("TypeDefinitions");
  for (const auto& [unit, type] : types.reals) {
    XmlElement real = list.add("Float64Type");
    real.set("name", type.name);
    write_real_type(real, type);
  }
  for (const auto& [variable, type] : types.enumerations) {
    XmlElement enumeration = list.add("EnumerationType");
    enumeration.set("name", type.name).set("description", type.about);
    write_items(enumeration, type);
  }
}

const char* element_name(Type type) {
  switch (type) {
    case Type::integer: return "Int64";
    case Type::boolean: return "Boolean";
    case Type::enumeration: return "Enumeration";
    case Type::real: break;
  }
  return "Float64";
}

/// An array has one unit; if its numbers have several, the description lists them.
std::string about(const Entry& e) {
  if (e.type != Type::real || e.size < 2 || !common_unit(e).empty()) return e.about;
  return e.about + (e.about.empty() ? "units: " : "; units: ") + joined(e.units, ", ");
}

void write_variable(XmlElement list, const Entry& e, const Types& types) {
  XmlElement variable = list.add(element_name(e.type));
  variable.set("name", e.name).set("valueReference", e.first);
  write_about(variable, about(e));
  write_causality(variable, e);
  const bool at_boundary = e.causality == Causality::input || e.causality == Causality::output;
  if (at_boundary && e.variability == Variability::continuous)
    variable.set("intermediateUpdate", true);

  write_declared_type(variable, e, common_unit(e), types);
  write_range(variable, e);
  std::vector<std::string> start;
  for (const double value : e.start) start.push_back(value_text(e.type, value));
  if (!start.empty()) variable.set("start", joined(start, " "));
  if (e.vector) variable.add("Dimension").set("start", e.size);
}

std::string references(const Description& d, const std::set<std::size_t>& entries) {
  std::vector<std::string> all;
  for (const std::size_t k : entries)
    if (d.entries[k].size > 0) all.push_back(std::to_string(d.entries[k].first));
  return joined(all, " ");
}

void write_structure(XmlElement root, const Description& d) {
  XmlElement structure = root.add("ModelStructure");
  for (const Entry& e : d.entries)
    if (e.causality == Causality::output && e.size > 0)
      structure.add("Output")
          .set("valueReference", e.first)
          .set("dependencies", references(d, stepping_knowns(d, e, FmiVersion::fmi3)));
  for (const Entry& e : d.entries)
    if (is_initial_unknown(e) && e.size > 0)
      structure.add("InitialUnknown")
          .set("valueReference", e.first)
          .set("dependencies", references(d, initial_knowns(d, e)));
}

}  // namespace

std::string fmi3_model_description(const Description& d, const Origin& origin) {
  check(d);
  const Types types(d);
  const XmlDocument document("fmiModelDescription");
  XmlElement root = document.root();
  root.set("fmiVersion", "3.0");
  write_head(root, d, origin, "instantiationToken");
  write_capabilities(root, d);
  write_units(root, types);
  write_types(root, types);
  write_log_categories(root);
  write_default_experiment(root, d.experiment);
  XmlElement variables = root.add("ModelVariables");
  for (const Entry& e : d.entries)
    if (e.size > 0) write_variable(variables, e, types);
  write_structure(root, d);
  return document.text();
}

std::string build_description(const Description& d, const std::vector<std::string>& sources) {
  const XmlDocument document("fmiBuildDescription");
  document.root().set("fmiVersion", "3.0");
  XmlElement configuration = document.root().add("BuildConfiguration");
  configuration.set("modelIdentifier", d.model);
  XmlElement files = configuration.add("SourceFileSet");
  files.set("language", "C++20");
  for (const std::string& source : sources) files.add("SourceFile").set("name", source);
  files.add("PreprocessorDefinition").set("name", "NDEBUG").set("value", "1");
  files.add("IncludeDirectory").set("name", ".");
  return document.text();
}

}  // namespace mechfmu
