// FMUs without a compiler: the mechanism as a listing in their resources, and one library for all
// of them.
//
//   crank.xml ─→ plan ─→ listing ┬─→ resources/mechanism.bin ────────────────────┐
//                                └─→ System ─→ XML, documentation … ─────────────┴→ + library of the kit ─→ *.fmu

#pragma once

#include <filesystem>

#include "model_desc/files.h"
#include "packaging/export.h"
#include "packaging/zip.h"

namespace mechfmu {

/// Writes all files of the FMUs except binaries and sources to <folder>/fmi2 and <folder>/fmi3, as
/// far as the options ask for them; `sources` lists the sources to compile. With the listing, the
/// binary is the library of the kit; otherwise it was compiled. Throws WrongFile for an error in
/// the mechanism.
void write_fmu_files(const LoadedMechanism& mechanism, const ExportOptions& options,
                     bool with_listing, Purpose purpose, const std::filesystem::path& folder,
                     const std::vector<std::string>& sources = {});

/// The library of the kit as a file of an archive, deflated when the tool was built.
ArchiveFile deflated_library(const Kit& kit);

/// The library for a platform; its file may be missing.
ArchiveFile deflated_library(const Kit& kit, const Platform& platform);

}  // namespace mechfmu
