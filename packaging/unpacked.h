// The FMU of a mechanism in a folder, to be run at once.

#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "packaging/export.h"

namespace mechfmu {

/// The folder of an FMU, and the object that removes it in the end.
struct UnpackedFmu {
  std::filesystem::path folder;
  std::unique_ptr<TemporaryFolder> temporary{};
  std::vector<std::filesystem::path> sources{};  // of functions in C++
};

/// Makes it without a compiler, unless the mechanism has functions in C++. `version` is 2 or 3;
/// ignores the places for FMUs in the options. Throws as export_fmus does.
UnpackedFmu unpacked_fmu(const LoadedMechanism& mechanism, const Kit& kit, ExportOptions options,
                         const std::string& version);

}  // namespace mechfmu
