// modelDescription.xml of both versions by the rules of the FMI 2.0.5 and 3.0.2 texts.

#include <gtest/gtest.h>

#include <clocale>
#include <locale>

#include "model_desc/check.h"
#include "model_desc/fmi2_xml.h"
#include "model_desc/fmi3_xml.h"
#include "tests/model_desc/example.h"
#include "tests/model_desc/parse.h"

namespace mechfmu {
namespace {

std::string fmi2(const Description& d) { return fmi2_model_description(d, example_origin()); }
std::string fmi3(const Description& d) { return fmi3_model_description(d, example_origin()); }

std::string variable2(const std::string& name) { return "//ScalarVariable[@name='" + name + "']"; }
std::string variable3(const std::string& name) {
  return "//ModelVariables/*[@name='" + name + "']";
}

TEST(ModelDescription, TextSurvivesInBothVersions) {
  const Description d = make_example();
  EXPECT_EQ(query_one(fmi2(d), "/fmiModelDescription/@description"), d.about);
  EXPECT_EQ(query_one(fmi3(d), "/fmiModelDescription/@description"), d.about);
}

TEST(ModelDescription, TokenIsTheGuidOfFmi2AndTheInstantiationTokenOfFmi3) {
  const Description d = make_example();
  EXPECT_EQ(query_one(fmi2(d), "/*/@guid"), example_origin().token);
  EXPECT_EQ(query_one(fmi3(d), "/*/@instantiationToken"), example_origin().token);
}

TEST(ModelDescription, SameInputSameBytes) {
  EXPECT_EQ(fmi2(make_example()), fmi2(make_example()));
  EXPECT_EQ(fmi3(make_example()), fmi3(make_example()));
  EXPECT_EQ(fmi2(make_example()).find("generationDateAndTime"), std::string::npos);
}

TEST(ModelDescription, TimeIsWrittenWhenGiven) {
  Origin origin = example_origin();
  origin.time = "2026-01-02T03:04:05Z";
  const Description d = make_example();
  EXPECT_EQ(query_one(fmi2_model_description(d, origin), "/*/@generationDateAndTime"), origin.time);
  EXPECT_EQ(query_one(fmi3_model_description(d, origin), "/*/@generationDateAndTime"), origin.time);
}

/// A locale with decimal commas, if this program finds one.
class CommaLocale {
 public:
  CommaLocale() {
    before_ = std::locale::global(std::locale(std::locale::classic(), new Comma));
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"})
      if (std::setlocale(LC_ALL, name) != nullptr) break;
  }
  CommaLocale(const CommaLocale&) = delete;
  CommaLocale& operator=(const CommaLocale&) = delete;
  ~CommaLocale() {
    std::setlocale(LC_ALL, "C");
    std::locale::global(before_);
  }

 private:
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  std::locale before_;
};

TEST(ModelDescription, DoesNotDependOnTheLocale) {
  Description d = make_example();
  entry(d, "force").start = {1234567.25};
  const std::string before2 = fmi2(d);
  const std::string before3 = fmi3(d);
  const CommaLocale comma;
  EXPECT_EQ(fmi2(d), before2);
  EXPECT_EQ(fmi3(d), before3);
}

TEST(ModelDescription, Fmi2HasOneVariableForEachReferenceInTheirOrder) {
  const auto references = query(fmi2(make_example()), "//ScalarVariable/@valueReference");
  ASSERT_EQ(references.size(), make_example().references);
  for (std::size_t i = 0; i < references.size(); ++i) EXPECT_EQ(references[i], std::to_string(i));
  EXPECT_EQ(query(fmi2(make_example()), "//ScalarVariable[4]/@name")[0], "q[1]");
  EXPECT_EQ(query(fmi2(make_example()), "//ScalarVariable[6]/@name")[0], "q[3]");
}

TEST(ModelDescription, Fmi3HasArrays) {
  const std::string xml = fmi3(make_example());
  EXPECT_EQ(query_one(xml, variable3("q") + "/Dimension/@start"), "3");
  EXPECT_EQ(query_one(xml, variable3("q") + "/@start"), "0.1 0.2 0.3");
  EXPECT_EQ(query_one(xml, variable3("q") + "/@valueReference"), "3");
  EXPECT_EQ(query_one(xml, variable3("reaction") + "/Dimension/@start"), "2");
  EXPECT_EQ(count(xml, variable3("arm.angle") + "/Dimension"), 0U);
}

TEST(ModelDescription, Fmi2DependenciesAreAscendingIndicesOfInputsAndTime) {
  const std::string xml = fmi2(make_example());
  // reaction, references 10 and 11, has entries 0 (time, index 1), 1 (force, index 2) and the
  // parameter mass.
  EXPECT_EQ(query(xml, "//Outputs/Unknown/@index"),
            (std::vector<std::string>{"9", "10", "11", "12"}));
  EXPECT_EQ(query(xml, "//Outputs/Unknown/@dependencies"),
            (std::vector<std::string>{"", "", "1 2", "1 2"}));
}

TEST(ModelDescription, Fmi3DependenciesAreReferencesAndIncludeParameters) {
  const std::string xml = fmi3(make_example());
  EXPECT_EQ(query(xml, "//Output/@valueReference"), (std::vector<std::string>{"8", "9", "10"}));
  EXPECT_EQ(query(xml, "//Output/@dependencies"), (std::vector<std::string>{"", "", "0 1 2"}));
}

TEST(ModelDescription, InitialUnknownsDependOnExactStartValues) {
  // q is exact: indices 4 … 6; w is a guess and no known; mass is index 3, force 2.
  const std::string xml2 = fmi2(make_example());
  EXPECT_EQ(query(xml2, "//InitialUnknowns/Unknown/@index"),
            (std::vector<std::string>{"9", "10", "11", "12"}));
  EXPECT_EQ(query(xml2, "//InitialUnknowns/Unknown/@dependencies"),
            (std::vector<std::string>{"4 5 6", "2 4 5 6", "2 3 4 5 6", "2 3 4 5 6"}));
  const std::string xml3 = fmi3(make_example());
  EXPECT_EQ(query(xml3, "//InitialUnknown/@dependencies"),
            (std::vector<std::string>{"3", "1 3", "1 2 3"}));
}

TEST(ModelDescription, OutputsWithExactStartAreNotInitialUnknowns) {
  Description d = make_example();
  entry(d, "arm.angle").initial = Initial::exact;
  entry(d, "arm.angle").start = {0.5};
  EXPECT_EQ(query(fmi2(d), "//InitialUnknowns/Unknown/@index")[0], "10");
  EXPECT_EQ(query(fmi3(d), "//InitialUnknown/@valueReference")[0], "9");
  EXPECT_EQ(count(fmi2(d), "//Outputs/Unknown"), 4U);
}

TEST(ModelDescription, StartAndInitialFollowCausality) {
  const std::string xml2 = fmi2(make_example());
  EXPECT_EQ(count(xml2, variable2("time") + "/@initial"), 0U);
  EXPECT_EQ(count(xml2, variable2("time") + "/Real/@start"), 0U);
  EXPECT_EQ(count(xml2, variable2("force") + "/@initial"), 0U);
  EXPECT_EQ(query_one(xml2, variable2("force") + "/Real/@start"), "0.5");
  EXPECT_EQ(query_one(xml2, variable2("w[2]") + "/@initial"), "approx");
  EXPECT_EQ(query_one(xml2, variable2("w[2]") + "/Real/@start"), "-1");
  EXPECT_EQ(count(xml2, variable2("arm.angle") + "/Real/@start"), 0U);
  EXPECT_EQ(query_one(xml2, variable2("flag") + "/Boolean/@start"), "true");
  EXPECT_EQ(query_one(xml2, variable2("solver.method") + "/Enumeration/@start"), "2");
  EXPECT_EQ(count(xml2, variable2("solver.steps") + "/Integer/@start"), 0U);
  const std::string xml3 = fmi3(make_example());
  EXPECT_EQ(count(xml3, variable3("force") + "/@initial"), 0U);
  EXPECT_EQ(query_one(xml3, variable3("w") + "/@start"), "0 -1");
  EXPECT_EQ(query_one(xml3, "//Boolean[@name='flag']/@start"), "true");
  EXPECT_EQ(count(xml3, "//Int64[@name='solver.steps']/@start"), 0U);
}

TEST(ModelDescription, RangesAreWrittenWhenFinite) {
  for (const std::string& xml : {fmi2(make_example()), fmi3(make_example())}) {
    EXPECT_EQ(xml.find("\"inf"), std::string::npos);
    EXPECT_EQ(xml.find("\"-inf"), std::string::npos);
    EXPECT_EQ(xml.find("nan"), std::string::npos);
  }
  EXPECT_EQ(query_one(fmi2(make_example()), variable2("mass") + "/Real/@min"), "0");
  EXPECT_EQ(count(fmi2(make_example()), variable2("mass") + "/Real/@max"), 0U);
  EXPECT_EQ(query_one(fmi2(make_example()), variable2("mass") + "/Real/@nominal"), "10");
  EXPECT_EQ(count(fmi2(make_example()), "//@nominal"), 1U);
}

TEST(ModelDescription, UnitsAreDefinedWhenUsedAndOnlyThen) {
  const std::vector<std::string> expected = {"N", "kg", "m", "m/s", "rad", "rad/s", "s"};
  EXPECT_EQ(query(fmi2(make_example()), "//Unit/@name"), expected);
  EXPECT_EQ(query(fmi3(make_example()), "//Unit/@name"), expected);
  EXPECT_EQ(query_one(fmi2(make_example()), "//Unit[@name='rad']/DisplayUnit[@name='deg']/@factor"),
            "57.29577951308232");
}

TEST(ModelDescription, AnArrayOfSeveralUnitsHasThemInItsDescription) {
  const std::string xml = fmi3(make_example());
  EXPECT_EQ(count(xml, variable3("q") + "/@unit"), 0U);
  EXPECT_EQ(query_one(xml, variable3("q") + "/@description"), "positions; units: m, m, rad");
  EXPECT_EQ(query_one(xml, variable3("w") + "/@unit"), "m/s");
  EXPECT_EQ(query_one(fmi2(make_example()), variable2("q[3]") + "/Real/@unit"), "rad");
}

TEST(ModelDescription, NoTypeHasTheNameOfAVariable) {
  const std::string xml = fmi2(make_example());
  const std::string type = query_one(xml, variable2("arm.angle") + "/Real/@declaredType");
  EXPECT_NE(type, "Angle");
  EXPECT_EQ(query_one(xml, "//SimpleType[@name='" + type + "']/Real/@quantity"), "Angle");
  EXPECT_EQ(query_one(xml, "//SimpleType[@name='" + type + "']/Real/@displayUnit"), "deg");
  EXPECT_EQ(query_one(xml, "//SimpleType[@name='SolverMethod']/Enumeration/Item[2]/@name"),
            "hht_i3");
  EXPECT_EQ(
      query_one(fmi3(make_example()), "//EnumerationType[@name='SolverMethod']/Item[2]/@value"),
      "2");
}

TEST(ModelDescription, InputsAndOutputsOfFmi3AreThereInIntermediateUpdates) {
  const auto names = query(fmi3(make_example()), "//*[@intermediateUpdate='true']/@name");
  EXPECT_EQ(names, (std::vector<std::string>{"force", "arm.angle", "arm.rate", "reaction"}));
}

TEST(ModelDescription, StepSizeIsNotFixed) {
  EXPECT_EQ(count(fmi3(make_example()), "//@fixedInternalStepSize"), 0U);
  EXPECT_EQ(
      query_one(fmi2(make_example()), "//CoSimulation/@canHandleVariableCommunicationStepSize"),
      "true");
  EXPECT_EQ(query_one(fmi2(make_example()), "//DefaultExperiment/@stepSize"), "0.01");
  EXPECT_EQ(query_one(fmi3(make_example()), "//DefaultExperiment/@tolerance"), "1e-06");
}

std::string complaint(const Description& d) {
  try {
    check(d);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

template <class Change>
void expect_complaint(const std::string& variable, const std::string& words, Change&& change) {
  Description d = make_example();
  change(entry(d, variable));
  const std::string text = complaint(d);
  EXPECT_NE(text.find(words), std::string::npos) << variable << ": \"" << text << "\"";
}

TEST(ModelDescription, MistakesOfAModelAreNamedWithTheirVariable) {
  EXPECT_EQ(complaint(make_example()), "");
  expect_complaint("mass", "variable mass: the start value -2", [](Entry& e) { e.start = {-2}; });
  expect_complaint("mass", "not finite", [](Entry& e) { e.start = {std::nan("")}; });
  expect_complaint("mass", "nominal", [](Entry& e) { e.nominal = 0; });
  expect_complaint("mass", "min = 3", [](Entry& e) { e.min = 3, e.max = 2; });
  expect_complaint("force", "0 start values and needs 1", [](Entry& e) { e.start.clear(); });
  expect_complaint("arm.angle", "1 start values and needs 0", [](Entry& e) { e.start = {1}; });
  expect_complaint("q", "unit \"ells\" of variable q", [](Entry& e) { e.units[1] = "ells"; });
  expect_complaint("flag", "used twice", [](Entry& e) { e.name = "mass"; });
  expect_complaint("solver.steps", "continuous",
                   [](Entry& e) { e.variability = Variability::continuous; });
  for (const char* name :
       {"two words", "1st", "a..b", "a.", "", "naïve", "b[", "b[1", "der(x", "''"})
    expect_complaint("flag", "is not allowed", [&](Entry& e) { e.name = name; });
  for (const char* name : {"a.b_2.c", "R[1,2].x", "der(x)", "der(x[1],2)", "'two words'.x", "_a"}) {
    Description d = make_example();
    entry(d, "flag").name = name;
    EXPECT_EQ(complaint(d), "") << name;
  }
  Description d = make_example();
  d.model = "no-name";
  EXPECT_NE(complaint(d).find("no-name"), std::string::npos);
}

}  // namespace
}  // namespace mechfmu
