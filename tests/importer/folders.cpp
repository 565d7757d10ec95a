#include "tests/importer/folders.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "packaging/zip.h"

namespace mechfmu::tests {

namespace fs = std::filesystem;

namespace {

constexpr const char* description2 = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="integrator" guid="integrator-1" description="x' = gain u"
    generationTool="by hand">
  <CoSimulation modelIdentifier="integrator" canHandleVariableCommunicationStepSize="true"
      canInterpolateInputs="true" canGetAndSetFMUstate="true"/>
  <DefaultExperiment stopTime="1" stepSize="0.1"/>
  <ModelVariables>
    <ScalarVariable name="u" valueReference="0" causality="input"><Real unit="m/s" start="0"/></ScalarVariable>
    <ScalarVariable name="x" valueReference="1" causality="output"><Real unit="m"/></ScalarVariable>
    <ScalarVariable name="gain" valueReference="2" causality="parameter" variability="tunable">
      <Real min="-5" max="5" start="1"/></ScalarVariable>
    <ScalarVariable name="largest" valueReference="3" causality="parameter"><Real start="0"/></ScalarVariable>
    <ScalarVariable name="fails" valueReference="5" causality="parameter"><Real unit="s" start="0"/></ScalarVariable>
    <ScalarVariable name="ends" valueReference="6" causality="parameter"><Real start="0"/></ScalarVariable>
    <ScalarVariable name="last" valueReference="7" causality="local"><Real/></ScalarVariable>
    <ScalarVariable name="status" valueReference="20" causality="parameter">
      <Enumeration declaredType="Status" start="3"/></ScalarVariable>
    <ScalarVariable name="solver.steps" valueReference="21" causality="local"><Integer/></ScalarVariable>
    <ScalarVariable name="n" valueReference="22" causality="input"><Integer start="0"/></ScalarVariable>
    <ScalarVariable name="on" valueReference="30" causality="input"><Boolean start="true"/></ScalarVariable>
    <ScalarVariable name="label" valueReference="40" causality="parameter"><String start=""/></ScalarVariable>
    <ScalarVariable name="frozen" valueReference="2" variability="constant"><Real start="1"/></ScalarVariable>
  </ModelVariables>
  <ModelStructure><Outputs><Unknown index="2" dependencies=""/></Outputs></ModelStructure>
  <TypeDefinitions><SimpleType name="Status"><Enumeration>
    <Item name="discard" value="2"/><Item name="error" value="3"/><Item name="fatal" value="4"/>
  </Enumeration></SimpleType></TypeDefinitions>
</fmiModelDescription>
)xml";

constexpr const char* description3 = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="integrator" instantiationToken="integrator-1">
  <CoSimulation modelIdentifier="integrator" canHandleVariableCommunicationStepSize="true" hasEventMode="true"/>
  <TypeDefinitions>
    <EnumerationType name="Status"><Item name="error" value="3"/></EnumerationType>
  </TypeDefinitions>
  <DefaultExperiment stopTime="1" stepSize="0.1"/>
  <ModelVariables>
    <Float64 name="u" valueReference="0" causality="input" start="0"/>
    <Float64 name="x" valueReference="1" causality="output"/>
    <Float64 name="gain" valueReference="2" causality="parameter" start="1"/>
    <Float64 name="largest" valueReference="3" causality="parameter" start="0"/>
    <Float64 name="early" valueReference="4" causality="parameter" start="0"/>
    <Float64 name="fails" valueReference="5" causality="parameter" start="0"/>
    <Float64 name="ends" valueReference="6" causality="parameter" start="0"/>
    <Float64 name="last" valueReference="7" causality="local"/>
    <Float64 name="w" valueReference="8" causality="input" start="0 2"><Dimension start="2"/></Float64>
    <Float64 name="v" valueReference="10" causality="output"><Dimension start="1"/><Dimension start="2"/></Float64>
    <Int16 name="status" valueReference="20" causality="parameter" start="3"/>
    <Int16 name="solver.steps" valueReference="21" causality="local"/>
    <Int16 name="n" valueReference="22" causality="input" start="0"/>
    <Boolean name="on" valueReference="30" causality="input" start="true"/>
    <String name="label" valueReference="40" causality="parameter"><Start value=""/></String>
  </ModelVariables>
  <ModelStructure><Output valueReference="1"/><Output valueReference="10"/></ModelStructure>
</fmiModelDescription>
)xml";

}  // namespace

BuiltFmu::BuiltFmu(const std::string& name, int major) {
  extract(fs::path(MECHFMU_FMUS) / (name + (major == 3 ? ".fmi3.fmu" : ".fmu")), path());
}

Integrator::Integrator(int major, const std::function<void(std::string&)>& description) {
  std::string text = major == 2 ? description2 : description3;
  if (description) description(text);
  write_file(path() / "modelDescription.xml", text);
  const fs::path folder = path() / "binaries" / own_platforms(major).front();
  fs::create_directories(folder);
  fs::copy_file(INTEGRATOR_BINARY, folder / "integrator.so");
}

void replace(std::string& text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  if (at == std::string::npos) throw std::logic_error("there is no " + what);
  text.replace(at, what.size(), by);
}

std::string read_file(const fs::path& file) {
  std::ifstream input(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(input), {}};
}

void write_file(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

std::string message_of_run(const fs::path& folder, const RunOptions& options) {
  return message_of([&] { run(folder, options); });
}

std::string message_of(const std::function<void()>& function) {
  try {
    function();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

}  // namespace mechfmu::tests
