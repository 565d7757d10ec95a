// FMUs without a compiler: the mechanism as a listing in their resources, and one library for all of them.
//
//   crank.xml ─→ plan ─→ listing ┬─→ resources/mechanism.bin ────────────────────┐
//                                └─→ System ─→ XML, documentation … ─────────────┴→ + library of the kit ─→ *.fmu

#pragma once

#include <filesystem>

#include "model_desc/files.h"
#include "packaging/export.h"
#include "packaging/zip.h"

namespace mechfmu {

/// Writes <folder>/fmi2 and <folder>/fmi3, those of them that the options have a place for: all files of the FMUs but their
/// binaries and sources; `sources` are those to compile. With the listing, the binary is the library of the kit; else it was compiled. Throws WrongFile where the mechanism is to blame.
void write_fmu_files(const LoadedMechanism& mechanism, const ExportOptions& options,
                     bool with_listing, Purpose purpose, const std::filesystem::path& folder,
                     const std::vector<std::string>& sources = {});

/// The library of the kit for an archive; it was deflated when the tool was built.
ArchiveFile deflated_library(const Kit& kit);

/// The one for a platform, which may be missing.
ArchiveFile deflated_library(const Kit& kit, const Platform& platform);

}  // namespace mechfmu
