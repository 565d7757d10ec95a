// Model descriptions of other tools and of mechfmu, read back; and the one-line message about a
// wrong file.

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "model_desc/fmi2_xml.h"
#include "model_desc/fmi3_xml.h"
#include "model_desc/read_description.h"
#include "model_desc/text.h"
#include "tests/model_desc/example.h"

namespace mechfmu {
namespace {

using C = FmuVariable::Causality;
using T = FmuVariable::Type;
using V = FmuVariable::Variability;

/// In the style of other tools: attributes left out, annotations with text, types used by name.
constexpr const char* other2 = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="Tank.Level" guid="{8c4e810f}" generationTool="Other 1.2"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" numberOfEventIndicators="0">
  <ModelExchange modelIdentifier="Tank_Level"/>
  <CoSimulation modelIdentifier="Tank_Level" canHandleVariableCommunicationStepSize="true"
      canInterpolateInputs="1" canGetAndSetFMUstate="false" maxOutputDerivativeOrder="2">
    <SourceFiles><File name="all.c"/></SourceFiles>
  </CoSimulation>
  <UnitDefinitions><Unit name="m"><BaseUnit m="1"/></Unit><Unit name="m3/s"/></UnitDefinitions>
  <TypeDefinitions>
    <SimpleType name="Level"><Real unit="m" min="0" max="INF"/></SimpleType>
    <SimpleType name="Mode"><Enumeration>
      <Item name="off" value="1"/><Item name="fill" value="3" description="open &lt;valve&gt;"/>
    </Enumeration></SimpleType>
  </TypeDefinitions>
  <DefaultExperiment stopTime=" 1e1 " tolerance="1e-4"/>
  <VendorAnnotations><Tool name="Other"><Deep>text <b>in</b> it</Deep></Tool></VendorAnnotations>
  <ModelVariables>
    <ScalarVariable name="area" valueReference="16777216" causality="parameter" variability="tunable">
      <Real start="2.5"/></ScalarVariable>
    <ScalarVariable name="mode" valueReference="7" causality="parameter">
      <Enumeration declaredType="Mode" start="3"/></ScalarVariable>
    <ScalarVariable name="flow" valueReference="1" causality="input"><Real unit="m3/s" start="0"/></ScalarVariable>
    <ScalarVariable name="h" valueReference="2" causality="output" initial="exact" description="level">
      <Annotations><Tool name="x">words</Tool></Annotations>
      <Real declaredType="Level" max="4" start="1"/></ScalarVariable>
    <ScalarVariable name="count" valueReference="1"><Integer/></ScalarVariable>
    <ScalarVariable name="full" valueReference="1" causality="output" variability="discrete"><Boolean/></ScalarVariable>
    <ScalarVariable name="file" valueReference="1" causality="parameter"><String start="a b"/></ScalarVariable>
    <ScalarVariable name="der(h)" valueReference="9"><Real derivative="4"/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs><Unknown index="4" dependencies="3 1"/><Unknown index="6"/></Outputs>
    <Derivatives><Unknown index="8"/></Derivatives>
  </ModelStructure>
</fmiModelDescription>)xml";

constexpr const char* other3 = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="Grid" instantiationToken="{g}">
  <CoSimulation modelIdentifier="Grid" hasEventMode="true" fixedInternalStepSize="0.01" canGetAndSetFMUState="true"/>
  <TypeDefinitions>
    <Int32Type name="Small" max="9"/>
    <EnumerationType name="Gear"><Item name="N" value="0"/><Item name="R" value="-1"/></EnumerationType>
  </TypeDefinitions>
  <ModelVariables>
    <Float64 name="field" valueReference="3" causality="output" start="1 2 3 4 5 6">
      <Annotations><Annotation type="org.x">text</Annotation></Annotations>
      <Dimension valueReference="4"/><Dimension start="2"/>
      <Alias name="field2" description="same"/>
    </Float64>
    <UInt64 name="n" valueReference="4" causality="structuralParameter" start="3"/>
    <Int32 name="i" valueReference="5" declaredType="Small" min="-2" causality="input"/>
    <Enumeration name="gear" valueReference="6" declaredType="Gear" causality="parameter" start="0"/>
    <String name="s" valueReference="7" causality="parameter"><Start value="one"/></String>
    <Clock name="tick" valueReference="8" causality="output" intervalVariability="triggered"/>
  </ModelVariables>
  <ModelStructure><Output valueReference="3" dependencies="5 4" dependenciesKind="dependent fixed"/></ModelStructure>
</fmiModelDescription>)xml";

TEST(ReadDescription, OtherToolsFmi2) {
  const FmuDescription d = read_description(other2, "m.xml");
  EXPECT_EQ(d.major, 2);
  EXPECT_EQ(d.model, "Tank.Level");
  EXPECT_EQ(d.token, "{8c4e810f}");
  EXPECT_EQ(d.tool, "Other 1.2");
  EXPECT_FALSE(d.start.has_value());
  EXPECT_EQ(d.stop, 10);
  EXPECT_EQ(d.tolerance, 1e-4);
  EXPECT_FALSE(d.step.has_value());
  EXPECT_TRUE(d.model_exchange);
  ASSERT_TRUE(d.co_simulation.has_value());
  EXPECT_EQ(d.co_simulation->identifier, "Tank_Level");
  EXPECT_TRUE(d.co_simulation->variable_step);
  EXPECT_TRUE(d.co_simulation->input_derivatives);
  EXPECT_FALSE(d.co_simulation->saves_state);
  EXPECT_EQ(d.co_simulation->capabilities.size(), 4U);
  EXPECT_EQ(d.units, (std::vector<std::string>{"m", "m3/s"}));
  ASSERT_EQ(d.variables.size(), 8U);

  const FmuVariable& area = *d.find("area");
  EXPECT_EQ(area.reference, 16777216U);
  EXPECT_EQ(area.variability, V::tunable);
  EXPECT_EQ(area.initial, Initial::exact);
  EXPECT_EQ(area.start, "2.5");
  const FmuVariable& mode = *d.find("mode");
  EXPECT_EQ(mode.type, T::enumeration);
  EXPECT_EQ(mode.variability, V::fixed);
  ASSERT_EQ(mode.items.size(), 2U);
  EXPECT_EQ(mode.items[1].name, "fill");
  EXPECT_EQ(mode.items[1].value, 3);
  EXPECT_EQ(mode.items[1].about, "open <valve>");
  const FmuVariable& h = *d.find("h");
  EXPECT_EQ(h.unit, "m");
  EXPECT_EQ(h.min, 0);
  EXPECT_EQ(h.max, 4);  // its own, not that of the type
  EXPECT_EQ(h.initial, Initial::exact);
  EXPECT_EQ(h.about, "level");
  EXPECT_EQ(d.find("flow")->initial, Initial::none);
  EXPECT_EQ(d.find("count")->type, T::int32);
  EXPECT_EQ(d.find("count")->causality, C::local);
  EXPECT_EQ(d.find("count")->variability, V::discrete);
  EXPECT_EQ(d.find("count")->initial, Initial::calculated);
  EXPECT_EQ(d.find("full")->type, T::boolean);
  EXPECT_FALSE(d.find("file")->is_number());
  EXPECT_EQ(d.find("file")->start, "a b");
  EXPECT_EQ(d.find("H"), nullptr);

  ASSERT_EQ(d.outputs.size(), 2U);
  EXPECT_EQ(d.variables[d.outputs[0].variable].name, "h");
  EXPECT_EQ(d.outputs[0].dependencies, (std::vector<std::size_t>{2, 0}));
  EXPECT_EQ(d.variables[d.outputs[1].variable].name, "full");
  EXPECT_FALSE(d.outputs[1].dependencies.has_value());
}

TEST(ReadDescription, OtherToolsFmi3) {
  const FmuDescription d = read_description(other3, "m.xml");
  EXPECT_EQ(d.major, 3);
  EXPECT_EQ(d.token, "{g}");
  EXPECT_EQ(d.co_simulation->internal_step, 0.01);
  EXPECT_TRUE(d.co_simulation->saves_state);
  EXPECT_EQ(d.find("field")->dimensions, (std::vector<std::size_t>{3, 2}));
  EXPECT_EQ(d.find("field")->size(), 6U);
  ASSERT_NE(d.find("field2"), nullptr);
  EXPECT_TRUE(d.find("field2")->alias);
  EXPECT_EQ(d.find("field2")->reference, 3U);
  EXPECT_EQ(d.find("field2")->size(), 6U);
  EXPECT_EQ(d.find("n")->causality, C::structural_parameter);
  EXPECT_EQ(d.find("i")->min, -2);
  EXPECT_EQ(d.find("i")->max, 9);
  EXPECT_EQ(d.find("gear")->items[1].value, -1);
  EXPECT_EQ(d.find("s")->start, "one");
  EXPECT_EQ(d.find("tick")->type, T::clock);
  ASSERT_EQ(d.outputs.size(), 1U);
  EXPECT_EQ(d.variables[d.outputs[0].variable].name, "field");
  EXPECT_EQ(d.outputs[0].dependencies, (std::vector<std::size_t>{3, 2}));
}

/// A description written from a table is read back as that table.
TEST(ReadDescription, OwnDescriptionsInBothVersions) {
  const Description table = make_example();
  const Origin origin = example_origin();
  for (const int major : {2, 3}) {
    const FmuDescription d = read_description(
        major == 2 ? fmi2_model_description(table, origin) : fmi3_model_description(table, origin),
        "m.xml");
    EXPECT_EQ(d.major, major);
    EXPECT_EQ(d.model, table.model);
    EXPECT_EQ(d.token, origin.token);
    EXPECT_EQ(d.about, table.about);
    EXPECT_EQ(d.stop, table.experiment.stop);
    EXPECT_EQ(d.step, table.experiment.step);
    ASSERT_EQ(d.log_categories.size(), log_categories().size());
    EXPECT_EQ(d.log_categories.front(), log_categories().front().name);
    EXPECT_TRUE(d.co_simulation->variable_step && d.co_simulation->saves_state);
    for (const Entry& e : table.entries)
      for (Index i = 0; i < (major == 2 ? e.size : 1); ++i) {
        const std::string name = major == 2 && e.vector ? e.element_name(i) : e.name;
        const FmuVariable* v = d.find(name);
        ASSERT_NE(v, nullptr) << name;
        EXPECT_EQ(v->reference, e.first + static_cast<std::uint32_t>(i));
        EXPECT_STREQ(text(v->causality), text(e.causality)) << name;
        EXPECT_EQ(v->min.has_value(), std::isfinite(e.min)) << name;
        EXPECT_EQ(v->size(), static_cast<std::size_t>(major == 3 && e.vector ? e.size : 1)) << name;
        EXPECT_EQ(v->items.size(), e.items.size()) << name;
        EXPECT_EQ(v->start.empty(), e.start.empty()) << name;
      }
  }
}

std::string message(const std::string& content) {
  try {
    read_description(content, "m.xml");
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  if (at == std::string::npos) throw std::logic_error("no " + what);
  return text.replace(at, what.size(), by);
}

TEST(ReadDescription, ReasonIsGivenForFilesThatAreNotModelDescriptions) {
  EXPECT_EQ(message(""), "m.xml: the file is empty");
  EXPECT_EQ(message("PK"),
            "m.xml:1: this is not an XML file; it should begin with <fmiModelDescription …>");
  EXPECT_EQ(message("<mechanism/>"),
            "m.xml:1: the root is <mechanism>; a model description has <fmiModelDescription …>. Is "
            "this an FMU?");
  EXPECT_EQ(message(replaced(other2, "\"2.0\"", "\"1.0\"")),
            "m.xml:2: this is FMI 1.0; FMI 2.0 and 3.0 can be read");
  EXPECT_EQ(message("<!DOCTYPE a [<!ENTITY b SYSTEM \"/etc/passwd\">]>\n<fmiModelDescription/>"),
            "m.xml:1: DOCTYPE and entities are not allowed in a model description; remove <!…>");
  EXPECT_EQ(message(replaced(other2, "Other 1.2", "\xff")),
            "m.xml:2: this is not UTF-8 text; save the file as UTF-8");
}

TEST(ReadDescription, WhatIsWrongIsNamedWithItsLine) {
  EXPECT_EQ(message(replaced(other2, "guid=\"{8c4e810f}\"", "")),
            "m.xml:2: <fmiModelDescription> has no attribute 'guid'");
  EXPECT_EQ(message(replaced(other2, "stopTime=\" 1e1 \"", "stopTime=\"1,5\"")),
            "m.xml:16: <DefaultExperiment>: stopTime=\"1,5\" is not a number");
  EXPECT_EQ(message(replaced(other2, "valueReference=\"2\"", "valueReference=\"-2\"")),
            "m.xml:24: <ScalarVariable name=\"h\">: valueReference=\"-2\" is not a whole number "
            "that fits");
  EXPECT_EQ(message(replaced(other2, "valueReference=\"2\"", "")),
            "m.xml:24: <ScalarVariable name=\"h\"> has no attribute 'valueReference'");
  EXPECT_EQ(message(replaced(other2, "\"input\"", "\"in\"")),
            "m.xml:23: <ScalarVariable name=\"flow\">: causality=\"in\" is not a word that FMI has "
            "there");
  EXPECT_EQ(message(replaced(other2, "name=\"flow\"", "name=\"area\"")),
            "m.xml:23: two variables are named 'area'");
  EXPECT_EQ(message(replaced(other2, "<Integer/>", "")),
            "m.xml:27: <ScalarVariable name=\"count\"> has no type: Real, Integer, Boolean, …");
  EXPECT_EQ(message(replaced(other2, "index=\"4\"", "index=\"99\"")),
            "m.xml:33: <Unknown>: index=\"99\" is not a whole number that fits");
  EXPECT_EQ(message(replaced(other2, "canInterpolateInputs=\"1\"", "canInterpolateInputs=\"yes\"")),
            "m.xml:6: <CoSimulation>: canInterpolateInputs=\"yes\" is not true or false");
  EXPECT_EQ(message(replaced(other3, "<Dimension start=\"2\"/>", "<Dimension start=\"-2\"/>")),
            "m.xml:11: <Dimension>: start=\"-2\" is not a whole number that fits");
  EXPECT_EQ(message(replaced(other3, "<Dimension valueReference=\"4\"/>",
                             "<Dimension start=\"100000000\"/>")),
            "m.xml:9: <Float64 name=\"field\"> has too many elements");
  EXPECT_EQ(
      message(replaced(other3, "<Output valueReference=\"3\"", "<Output valueReference=\"33\"")),
      "m.xml:20: <Output>: valueReference=\"33\" is not the reference of a variable");
}

TEST(ReadDescription, MessagesAreOneLineThatATerminalDoesNotObey) {
  EXPECT_EQ(
      message(replaced(other2, "name=\"h\" valueReference=\"2\"", "name=\"a&#10;b&#x9b;31m\"")),
      "m.xml:24: <ScalarVariable name=\"a b 31m\"> has no attribute 'valueReference'");
  EXPECT_EQ(message("<fmiModelDescription>\n<![CDATA[a\nb\n").find('\n'), std::string::npos);
  const std::string long_name(1'000'000, 'n');
  EXPECT_LT(
      message(replaced(other2, "name=\"h\" valueReference=\"2\"", "name=\"" + long_name + "\""))
          .size(),
      2000U);
}

TEST(ReadDescription, IdentifierThatLeadsOutOfTheFolderIsRefused) {
  for (const char* name : {"../../evil", "/tmp/evil", "a\\b", "..", "."})
    EXPECT_NE(message(replaced(other3, "modelIdentifier=\"Grid\"",
                               "modelIdentifier=\"" + std::string(name) + "\""))
                  .find("is not a name for a binary"),
              std::string::npos)
        << name;
}

/// Wherever a file is cut off, there is a one-line message and no crash.
TEST(ReadDescription, FilesCutOffAnywhereAreRefused) {
  for (const char* whole : {other2, other3}) {
    const std::string content = whole;
    for (std::size_t size = 0; size < content.size(); ++size) {
      const std::string text = message(content.substr(0, size));
      EXPECT_TRUE(text.starts_with("m.xml") && text.find('\n') == std::string::npos)
          << size << text;
    }
  }
}

TEST(ReadDescription, MissingFileIsNamed) {
  try {
    read_description(std::filesystem::path("/nowhere/modelDescription.xml"));
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "cannot read '/nowhere/modelDescription.xml'");
  }
}

TEST(ReadDescription, NumbersAreTheWholeText) {
  EXPECT_EQ(parse_number(" +1.5e3\r"), 1500);
  EXPECT_EQ(parse_number("-INF"), -std::numeric_limits<double>::infinity());
  for (const char* bad : {"", " ", "1.5m", "1,5", "+-1", "0x10", "1e999", "--1"})
    EXPECT_FALSE(parse_number(bad).has_value()) << bad;
}

TEST(ReadDescription, ManyVariablesAreFoundByBisection) {
  std::string content =
      "<fmiModelDescription fmiVersion='2.0' modelName='M' guid='g'>"
      "<CoSimulation modelIdentifier='M'/><ModelVariables>";
  constexpr int count = 50'000;
  for (int i = 0; i < count; ++i)
    content += "<ScalarVariable name='o" + std::to_string(i) + "' valueReference='" +
               std::to_string(i) + "'><Real/></ScalarVariable>\n";
  const FmuDescription fmu =
      read_description(content + "</ModelVariables></fmiModelDescription>", "x");
  // An index in the order of the names; otherwise all variables are searched.
  ASSERT_EQ(fmu.by_name.size(), fmu.variables.size());
  EXPECT_TRUE(std::ranges::is_sorted(
      fmu.by_name, {}, [&](std::size_t i) -> std::string_view { return fmu.variables[i].name; }));
  for (int i = 0; i < count; ++i) {
    const FmuVariable* found = fmu.find("o" + std::to_string(i));
    ASSERT_TRUE(found != nullptr && found->reference == static_cast<std::uint32_t>(i));
  }
  EXPECT_EQ(fmu.find("o"), nullptr);
  EXPECT_EQ(fmu.find("p"), nullptr);
}

}  // namespace
}  // namespace mechfmu
