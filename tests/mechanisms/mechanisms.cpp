#include "tests/mechanisms/mechanisms.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "language/backend/build.h"
#include "mechanics/listing.h"

namespace mechfmu::tests {

namespace {

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at))
    text.replace(at, what.size(), by);
}

void expect_none(const Diagnostics& diagnostics) {
  if (!diagnostics.text().empty()) throw std::runtime_error(diagnostics.text());
}

}  // namespace

const std::vector<MechanismFile>& mechanism_files() {
  static const std::vector<MechanismFile> files = {{"joints", &tables::joints_tables},
                                                   {"forces", &tables::forces_tables},
                                                   {"expressions", &tables::expressions_tables},
                                                   {"rest", &tables::rest_tables}};
  return files;
}

std::string read(const std::string& file) {
  std::ifstream stream(std::string(MECHANISMS "/") + file, std::ios::binary);
  std::ostringstream content;
  content << stream.rdbuf();
  if (!stream) throw std::runtime_error("cannot read " + file);
  return content.str();
}

Loaded load(const MechanismFile& file) {
  std::string content = read(file.name + ".xml");
  replace_all(content, "tyre(slip, load)", "0.9*load*tanh(12*slip*1s/1m)");
  Diagnostics diagnostics;
  Loaded made;
  made.text = read_mechanism_text(content, file.name + ".xml", diagnostics,
                                  {{"parts/leg.xml", read("parts/leg.xml")},
                                   {"parts/damper.csv", read("parts/damper.csv")},
                                   {"parts/beam.flex", read("parts/beam.flex")},
                                   {"parts/tetrahedron.obj", read("parts/tetrahedron.obj")},
                                   {"parts/rail.csv", read("parts/rail.csv")}});
  expect_none(diagnostics);
  made.plan = make_plan(made.text, diagnostics);
  expect_none(diagnostics);
  return made;
}

mechanics::Mechanism from_text(const std::string& content) {
  Diagnostics diagnostics;
  const MechanismText text = read_mechanism_text(content, "m.xml", diagnostics);
  const Plan plan = make_plan(text, diagnostics);
  expect_none(diagnostics);
  return build_mechanism(plan);
}

std::unique_ptr<mechanics::MechanismSystem> compiled(const MechanismFile& file) {
  return std::make_unique<mechanics::MechanismSystem>(
      mechanics::from_listing(tables::from_tables(*file.tables)));
}

std::unique_ptr<mechanics::MechanismSystem> interpreted(const MechanismFile& file) {
  return std::make_unique<mechanics::MechanismSystem>(build_mechanism(load(file).plan));
}

}  // namespace mechfmu::tests
