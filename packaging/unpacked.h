// The FMU of a mechanism in a folder, to be run at once.

#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "packaging/export.h"

namespace mechfmu {

/// The folder of an FMU, and what removes it in the end.
struct UnpackedFmu {
  std::filesystem::path folder;
  std::unique_ptr<TemporaryFolder> temporary{};
  std::vector<std::filesystem::path> sources{};  // what functions in C++ were made of
};

/// Made without a compiler, unless the mechanism has functions in C++. `version` is 2 or 3; the places for FMUs in the options
/// are not used. Throws as export_fmus does.
UnpackedFmu unpacked_fmu(const LoadedMechanism& mechanism, const Kit& kit, ExportOptions options,
                         const std::string& version);

}  // namespace mechfmu
