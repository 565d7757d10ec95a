#include "packaging/listed.h"

#include <tuple>

#include "language/backend/listing.h"
#include "mechanics/listing_bytes.h"
#include "mechanics/system.h"
#include "packaging/terminal.h"

namespace mechfmu {

void write_fmu_files(const LoadedMechanism& mechanism, const ExportOptions& options,
                     bool with_listing, Purpose purpose, const std::filesystem::path& folder,
                     const std::vector<std::string>& sources) {
  const std::string& name = mechanism.plan.name;
  Pictures pictures;
  pictures.icon = options.icon.empty() ? default_icon() : read_picture(options.icon);
  if (!options.diagram.empty()) pictures.diagram = read_picture(options.diagram);
  const std::string bytes = mechanics::to_bytes(make_listing(mechanism.plan));
  Envelope envelope;
  try {
    // Read from the bytes, so that the description belongs to the FMU's data.
    mechanics::MechanismSystem system(mechanics::from_listing(mechanics::from_bytes(bytes)));
    envelope = make_envelope(name, system, pictures, purpose);
    envelope.sources = sources;
  } catch (const std::exception& error) {
    throw WrongFile(name + ": " + error.what());
  }
  for (const auto& [version, place, wanted] :
       {std::tuple{FmiVersion::fmi2, "fmi2", !options.fmi2.empty()},
        {FmiVersion::fmi3, "fmi3", !options.fmi3.empty()}}) {
    if (!wanted) continue;
    Files files =
        files_of_fmu(envelope, version, options.platforms.empty() ? Runtime::gnu : Runtime::llvm);
    if (with_listing) files["resources/mechanism.bin"] = bytes;
    write_files(folder / place, files);
  }
}

ArchiveFile deflated_library(const Kit& kit) {
  const std::string name = std::filesystem::path(kit.listed).filename().string();
  return {name, kit.listed_deflated, name};
}

ArchiveFile deflated_library(const Kit& kit, const Platform& platform) {
  const std::string name = std::string("mechfmu_listed") + platform.suffix;
  return {name, std::filesystem::path(kit.platforms) / platform.name / "mechfmu_listed.zip", name};
}

}  // namespace mechfmu
