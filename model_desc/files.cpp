#include "model_desc/files.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "analysis/dependencies.h"
#include "model_desc/check.h"
#include "model_desc/documentation.h"
#include "model_desc/fmi2_xml.h"
#include "model_desc/fmi3_xml.h"
#include "model_desc/licenses.h"
#include "model_desc/terminals.h"

namespace mechfmu {

std::string read_picture(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw std::runtime_error("cannot read " + file.string());
  if (!bytes.starts_with("\x89PNG\r\n\x1a\n"))
    throw std::runtime_error(file.string() + " is not a PNG picture");
  return bytes;
}

void write_files(const std::filesystem::path& folder, const Files& files) {
  for (const auto& [name, content] : files) {
    const std::filesystem::path path = folder / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary);
    file << content;
    file.close();
    if (!file) throw std::runtime_error("cannot write " + path.string() + "; is the disk full?");
  }
}

Envelope make_envelope(const std::string& model, System& system, const Pictures& pictures,
                       Purpose purpose) {
  Envelope envelope;
  Description& d = envelope.description;
  d = describe(model, system);
  check(d);
  if (purpose == Purpose::travel) find_dependencies(d, system);
  envelope.origin = make_origin(d);
  envelope.pictures = pictures;
  if (purpose == Purpose::travel) envelope.reference = make_reference(d, system);
  envelope.documentation = documentation_html(
      d, system, envelope.origin, envelope.reference.tolerance, !pictures.diagram.empty());
  return envelope;
}

Files files_of_fmu(const Envelope& envelope, FmiVersion version, Runtime runtime) {
  const Description& d = envelope.description;
  const Origin& origin = envelope.origin;
  const std::string& icon = envelope.pictures.icon;
  Files files;
  if (version == FmiVersion::fmi2) {
    files["modelDescription.xml"] = fmi2_model_description(d, origin, envelope.sources);
    files["model.png"] = icon;
  } else {
    files["modelDescription.xml"] = fmi3_model_description(d, origin);
    if (!envelope.sources.empty())
      files["sources/buildDescription.xml"] = build_description(d, envelope.sources);
  }
  files["terminalsAndIcons/terminalsAndIcons.xml"] = terminals_and_icons(d, version);
  files["terminalsAndIcons/icon.png"] = icon;
  files["documentation/index.html"] = envelope.documentation;
  if (!envelope.pictures.diagram.empty())
    files["documentation/diagram.png"] = envelope.pictures.diagram;
  files["documentation/externalDependencies.txt"] = external_dependencies_txt();
  files["documentation/licenses/license.txt"] = license_txt(d, runtime);
  files["documentation/licenses/license.spdx"] = license_spdx(d, origin, runtime);
  if (envelope.reference.csv.empty()) return files;
  const std::string folder = "extra/org.fmi-standard.fmi-ls-ref/";
  files[folder + "fmi-ls-manifest.xml"] = reference_manifest(d, envelope.reference);
  files[folder + reference_file_name(d)] = envelope.reference.csv;
  return files;
}

}  // namespace mechfmu
