// Mechanisms that were simulated before need no compiler again: their unpacked FMUs are kept in
//
//   $XDG_CACHE_HOME/mechfmu/<hash of all they are made of>/fmi2 and fmi3        without the variable: ~/.cache/mechfmu
//
// the twenty that were used last (packaging/cache_entry.h), in a folder that is the user's alone (packaging/private_folder.h).

#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "packaging/export.h"

namespace mechfmu {

/// The folder of an FMU, and what keeps it there.
struct UnpackedFmu {
  std::filesystem::path folder;
  std::unique_ptr<TemporaryFolder> temporary{};
  std::string warning{};                         // why it was not kept although it could be
  std::vector<std::filesystem::path> sources{};  // that it is made of, with what they include
};

/// Where nothing can be kept, the FMU is in a temporary folder. `version` is 2 or 3; the places for FMUs in the options are
/// not used. Throws as export_fmus does.
UnpackedFmu unpacked_fmu(const LoadedMechanism& mechanism, const Kit& kit, ExportOptions options,
                         const std::string& version);

}  // namespace mechfmu
