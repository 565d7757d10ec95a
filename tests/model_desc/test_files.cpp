// Everything else an FMU holds, and whole models.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>

#include "model/model.h"
#include "model_desc/documentation.h"
#include "model_desc/files.h"
#include "model_desc/fmi3_xml.h"
#include "model_desc/licenses.h"
#include "model_desc/terminals.h"
#include "models/registry.h"
#include "tests/model_desc/example.h"
#include "tests/model_desc/parse.h"

namespace mechfmu {
namespace {

/// x″ = −g: x = −g t²/2, which a method of second order integrates exactly.
struct Fall : Model<1> {
  double g = 9.81;
  template <class T>
  Mat<T, 1> M(T, const Vec<T, 1>&) const {
    return Mat<T, 1>::Identity();
  }
  template <class T>
  Vec<T, 1> f(T, const Vec<T, 1>&, const Vec<T, 1>&) const {
    return Vec<T, 1>(T(-g));
  }
  void variables(Variables& v) {
    v.parameter("g", g).unit("m/s2");
    v.output("height", [](const Point& p) { return p.y[0]; }).unit("m").about("<above> & below");
    v.experiment({.stop = 0.35, .step = 0.1, .tolerance = 1e-4});
    v.about("A stone");
  }
};

/// x' = 0 for two states with these nominal values.
struct Tanks : Model<1, 0, 0, 2> {
  std::array<double, 2> nominals{};
  template <class T>
  Mat<T, 1> M(T, const Vec<T, 1>&) const {
    return Mat<T, 1>::Identity();
  }
  template <class T>
  Vec<T, 1> f(T, const Vec<T, 1>&, const Vec<T, 1>&, const Vec<T, 2>&) const {
    return Vec<T, 1>(T(0.0));
  }
  template <class T>
  Vec<T, 2> d(T, const Vec<T, 2>& xdot, const Vec<T, 2>&, const Vec<T, 1>&,
              const Vec<T, 1>&) const {
    return xdot;
  }
  void variables(Variables& v) {
    v.state(0, "pA", nominals[0]);
    v.state(1, "pB", nominals[1]);
  }
};

TEST(Nominal, OfStatesIsThatOfTheModelIfAllAreEqualAndFinite) {
  const auto nominal = [](double first, double second) {
    Tanks tanks;
    tanks.nominals = {first, second};
    const ModelSystem<Tanks> system(tanks);
    return query(fmi3_model_description(describe("tanks", system), example_origin()),
                 "//Float64[@name='x']/@nominal");
  };
  EXPECT_EQ(nominal(2.5e4, 2.5e4), std::vector<std::string>{"25000"});
  EXPECT_TRUE(nominal(2.5e4, 1e4).empty());
  EXPECT_TRUE(nominal(1, 1).empty());
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(nominal(infinite, infinite).empty());
}

std::vector<std::vector<double>> rows_of(const std::string& csv) {
  std::vector<std::vector<double>> rows;
  std::size_t at = csv.find('\n') + 1;
  while (at < csv.size()) {
    const std::size_t end = csv.find('\n', at);
    std::vector<double> row;
    std::string line = csv.substr(at, end - at);
    for (std::size_t comma = 0; comma != std::string::npos;) {
      row.push_back(std::stod(line));
      comma = line.find(',');
      if (comma != std::string::npos) line.erase(0, comma + 1);
    }
    rows.push_back(row);
    at = end + 1;
  }
  return rows;
}

TEST(Reference, HoldsTheOutputsAtAllCommunicationPoints) {
  ModelSystem<Fall> system;
  const Reference reference = make_reference(describe("fall", system), system);
  EXPECT_EQ(reference.csv.substr(0, reference.csv.find('\n')), "time,height");
  const auto rows = rows_of(reference.csv);
  ASSERT_EQ(rows.size(), 5U);
  const double times[] = {0, 0.1, 0.2, 3 * 0.1, 0.35};  // the last step is shorter
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i][0], times[i]);
    EXPECT_NEAR(rows[i][1], -9.81 * times[i] * times[i] / 2, 1e-12);
  }
}

/// x″ = −x: x = cos t, with the model's own method and step size.
struct Swing : Model<1> {
  SolverSettings wanted = {.method = Method::hht_i3, .fixed_step = 0.05};
  double stop = 1, communication_step = 0.5;
  std::shared_ptr<long> evaluations = std::make_shared<long>(0);
  template <class T>
  Mat<T, 1> M(T, const Vec<T, 1>&) const {
    return Mat<T, 1>::Identity();
  }
  template <class T>
  Vec<T, 1> f(T, const Vec<T, 1>& y, const Vec<T, 1>&) const {
    ++*evaluations;
    return -y;
  }
  void variables(Variables& v) {
    v.output("x", [](const Point& p) { return p.y[0]; });
    v.start({.y = {1}});
    v.experiment({.stop = stop, .step = communication_step, .tolerance = 1e-4});
    v.solver(wanted);
  }
};

TEST(Reference, IsMadeByTheMethodOfTheModelButNotWithItsFixedStep) {
  ModelSystem<Swing> system;
  const std::string csv = make_reference(describe("swing", system), system).csv;
  const auto rows = rows_of(csv);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_NEAR(rows[2][1], std::cos(1), 1e-6);  // with steps of 0.05 the error is 3e-4
  Swing usual;
  usual.wanted = {};
  ModelSystem<Swing> other(usual);
  EXPECT_NE(csv, make_reference(describe("swing", other), other).csv);
}

/// A singularity that no tolerance passes.
struct Wall : Fall {
  template <class T>
  Vec<T, 1> f(T t, const Vec<T, 1>&, const Vec<T, 1>&) const {
    using std::sqrt;
    return Vec<T, 1>(sqrt(0.2 - t));
  }
};

TEST(Reference, TakesALooserToleranceWhereTheRunWouldTakeTooLong) {
  ModelSystem<Swing> system;
  const Description d = describe("swing", system);
  EXPECT_EQ(make_reference(d, system).tolerance, 1e-11);
  const double looser = make_reference(d, system, 200).tolerance;
  EXPECT_GT(looser, 1e-11);
  EXPECT_EQ(make_reference(d, system).stop, d.experiment.stop);
}

TEST(Reference, IsCutWhereEvenTheDefaultExperimentTakesTooLong) {
  ModelSystem<Swing> system;
  const Description d = describe("swing", system);
  const Reference cut = make_reference(d, system, 5);
  EXPECT_EQ(cut.tolerance, d.experiment.tolerance);
  EXPECT_GT(cut.stop, 0);
  EXPECT_LT(cut.stop, d.experiment.stop);
  // The rows that exist are those of the whole result.
  const auto some = rows_of(cut.csv);
  EXPECT_GT(some.size(), 1U);
  EXPECT_EQ(some.back()[0], cut.stop);
  EXPECT_NE(reference_manifest(d, cut).find("; cut at "), std::string::npos);
  EXPECT_EQ(reference_manifest(d, make_reference(d, system)).find("cut"), std::string::npos);
}

TEST(Reference, IsAlsoCutWithinACommunicationStep) {
  // One communication step of a thousand radians: thousands of steps of the solver
  Swing once;
  once.stop = once.communication_step = 1000;
  ModelSystem<Swing> system(once);
  const Description d = describe("swing", system);
  const Reference cut = make_reference(d, system, 5);
  EXPECT_LT(*once.evaluations, 200);
  ASSERT_EQ(rows_of(cut.csv).size(), 1U);
  EXPECT_EQ(rows_of(cut.csv)[0], (std::vector<double>{0, 1}));
  EXPECT_EQ(cut.stop, 0);
}

TEST(Reference, ReportsThatTheDefaultExperimentFails) {
  ModelSystem<Wall> system;
  try {
    (void)make_reference(describe("wall", system), system);
    FAIL() << "no complaint";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("the default experiment fails at t = "),
              std::string::npos)
        << error.what();
  }
}

TEST(Terminals, GroupByThePartBeforeTheLastDot) {
  const Description d = make_example();
  const std::string xml2 = terminals_and_icons(d, FmiVersion::fmi2);
  EXPECT_EQ(query(xml2, "//Terminal/@name"),
            (std::vector<std::string>{"force", "arm", "reaction"}));
  EXPECT_EQ(query(xml2, "//Terminal/@terminalKind"),
            (std::vector<std::string>{"_mechfmu_actuator", "_mechfmu_sensor", "_mechfmu_sensor"}));
  EXPECT_EQ(query(xml2, "//Terminal[@name='arm']/*/@variableName"),
            (std::vector<std::string>{"arm.angle", "arm.rate"}));
  EXPECT_EQ(query(xml2, "//Terminal[@name='arm']/*/@memberName"),
            (std::vector<std::string>{"angle", "rate"}));
  EXPECT_EQ(query(xml2, "//Terminal[@name='reaction']/*/@variableName"),
            (std::vector<std::string>{"reaction[1]", "reaction[2]"}));
  EXPECT_EQ(query(terminals_and_icons(d, FmiVersion::fmi3),
                  "//Terminal[@name='reaction']/*/@variableName"),
            (std::vector<std::string>{"reaction"}));
}

TEST(Terminals, AVariableJoinsThoseThatBearItsName) {
  Description d = make_example();
  entry(d, "reaction").name = "arm";
  const std::string xml = terminals_and_icons(d, FmiVersion::fmi3);
  EXPECT_EQ(query(xml, "//Terminal[@name='arm']/*/@memberName"),
            (std::vector<std::string>{"angle", "rate", "arm"}));
}

TEST(Documentation, IsOneWellFormedPageWithEverythingEscaped) {
  ModelSystem<Fall> system;
  Description d = describe("fall", system);
  d.about = "1 < 2 & \"3\"";
  const std::string html = documentation_html(d, system, example_origin(), 1e-11, true);
  EXPECT_EQ(query_one(html, "//h1"), "fall");
  EXPECT_EQ(query(html, "//p")[0], d.about);
  EXPECT_EQ(query(html, "//tr[td/code='height']/td[last()]"),
            std::vector<std::string>{"<above> & below"});
  EXPECT_EQ(query_one(html, "//img/@src"), "diagram.png");
  EXPECT_EQ(html.find("http"), std::string::npos);  // needs nothing from elsewhere
  for (const Entry& e : d.entries) EXPECT_NE(html.find(e.name), std::string::npos) << e.name;
}

TEST(Documentation, StatesTheMethodAndSettingsOfTheModel) {
  for (const Method method : {Method::soi2, Method::hht_i3, Method::arnold_bruls}) {
    Swing model;
    model.wanted.method = method;
    ModelSystem<Swing> system(model);
    const Description d = describe("swing", system);
    const std::string html = documentation_html(d, system, example_origin(), 1e-11, false);
    const std::string name(mechfmu::name(method));
    EXPECT_EQ(query_one(html, "//li[contains(., '(default)')]").find(name), 0U) << name;
    EXPECT_EQ(query(html, "//tr[td/code='solver.method']/td[2]").back(), name);
    EXPECT_EQ(query(html, "//tr[td/code='solver.fixed_step']/td[2]").back(), "0.05");
    // and in the model description
    const std::string xml = fmi3_model_description(d, example_origin());
    EXPECT_EQ(query_one(xml, "//Float64[@name='solver.fixed_step']/@start"), "0.05");
  }
}

TEST(Origin, TimesAreThoseOfTheCalendar) {
  EXPECT_EQ(format_time("0"), "1970-01-01T00:00:00Z");
  EXPECT_EQ(format_time("951782400"), "2000-02-29T00:00:00Z");
  EXPECT_EQ(format_time("1234567890"), "2009-02-13T23:31:30Z");
  EXPECT_EQ(format_time("253402300799"), "9999-12-31T23:59:59Z");
  for (const char* wrong : {"", "now", "-1", "12.5", "253402300800"})
    EXPECT_THROW((void)format_time(wrong), std::invalid_argument) << wrong;
}

TEST(Licenses, NameTheLicensesOfLinkedCode) {
  const Description d = make_example();
  for (const std::string& text : {license_txt(d), license_spdx(d, example_origin())}) {
    for (const char* license :
         {"BSD-3-Clause", "MPL-2.0", "GPL-3.0-or-later WITH GCC-exception-3.1"})
      EXPECT_NE(text.find(license), std::string::npos) << license;
  }
  EXPECT_NE(
      license_spdx(d, example_origin()).find("urn:uuid:01234567-89ab-cdef-0123-456789abcdef\n"),
      std::string::npos);
}

TEST(Files, IconIsAPng) {
  EXPECT_TRUE(default_icon().starts_with("\x89PNG\r\n\x1a\n"));
  EXPECT_GT(default_icon().size(), 500U);
}

void write(const std::filesystem::path& folder, const Files& files) {
  for (const auto& [name, content] : files) {
    create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << content;
  }
}

class EveryModel : public testing::TestWithParam<std::string> {};

/// With MECHFMU_TREES=<folder> the files are written there; test_schema.py validates them.
TEST_P(EveryModel, HasAllFilesOfBothVersionsAndTheSameOnesEachTime) {
  const std::string& name = GetParam();
  const Pictures pictures{default_icon(), default_icon()};
  const Envelope envelope = make_envelope(name, *models::make(name), pictures);
  const Envelope again = make_envelope(name, *models::make(name), pictures);
  for (const FmiVersion version : {FmiVersion::fmi2, FmiVersion::fmi3}) {
    const Files files = files_of_fmu(envelope, version);
    EXPECT_EQ(files, files_of_fmu(again, version));
    for (const char* path :
         {"modelDescription.xml", "terminalsAndIcons/terminalsAndIcons.xml",
          "terminalsAndIcons/icon.png", "documentation/index.html", "documentation/diagram.png",
          "documentation/licenses/license.txt", "documentation/licenses/license.spdx",
          "documentation/externalDependencies.txt",
          "extra/org.fmi-standard.fmi-ls-ref/fmi-ls-manifest.xml"})
      EXPECT_TRUE(files.contains(path)) << path;
    EXPECT_TRUE(files.contains("extra/org.fmi-standard.fmi-ls-ref/" + name + "_ref.csv"));
    EXPECT_EQ(files.contains("model.png"), version == FmiVersion::fmi2);
    EXPECT_EQ(count(files.at("modelDescription.xml"),
                    "//@*[contains(., 'inf') or contains(., 'nan')][name() != 'name' and name() != "
                    "'description']"),
              0U);
    for (const auto& [path, content] : files)
      if (path.ends_with(".xml") || path.ends_with(".html")) {
        EXPECT_NO_THROW((void)query(content, "/*")) << path;
      }
    if (const char* folder = std::getenv("MECHFMU_TREES"); folder != nullptr)
      write(std::filesystem::path(folder) / name / (version == FmiVersion::fmi2 ? "fmi2" : "fmi3"),
            files);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, EveryModel, testing::ValuesIn(models::names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace mechfmu
