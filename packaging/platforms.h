// Platforms that FMUs run on. The kit may have a library for each (packaging/platforms.py makes them); it reads the mechanism from
// the resources of the FMU, so that one FMU serves all of them.

#pragma once

#include <string>
#include <vector>

namespace mechfmu {

struct Platform {
  const char* name;  // as --platform takes it
  const char*
      fmi2;  // folder below binaries/ in FMI 2.0, which names those of x86 alone: for the others, that of FMI 3.0
  const char* fmi3;    // and in FMI 3.0
  const char* suffix;  // of libraries
};

/// In the order of --platform all.
const std::vector<Platform>& all_platforms();

/// By their names, or by those of FMI 3.0, or all of them; each once. Throws WrongUsage.
std::vector<Platform> find_platforms(const std::vector<std::string>& names);

}  // namespace mechfmu
