// Platforms that FMUs run on. The kit may have a library for each (packaging/platforms.py makes
// them), which reads the mechanism from the resources of the FMU, so that one FMU serves all
// platforms.

#pragma once

#include <string>
#include <vector>

namespace mechfmu {

struct Platform {
  const char* name;  // as --platform takes it
  /// Folder below binaries/ in FMI 2.0, which names platforms of x86 only: for the others that of
  /// FMI 3.0.
  const char* fmi2;
  const char* fmi3;    // and in FMI 3.0
  const char* suffix;  // of libraries
};

/// In the order of --platform all.
const std::vector<Platform>& all_platforms();

/// Finds platforms by their names, their names in FMI 3.0, or "all"; each once. Throws WrongUsage.
std::vector<Platform> find_platforms(const std::vector<std::string>& names);

}  // namespace mechfmu
