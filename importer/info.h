// An FMU on one page, for a terminal: its description, capabilities, parameters, inputs and
// outputs.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model_desc/read_description.h"

namespace mechfmu {

/// Lines of at most `width` characters if words allow it; UTF-8 without colors and without control
/// characters of the description. Local variables are only counted.
std::string describe_text(const FmuDescription& fmu, const std::vector<std::string>& platforms,
                          std::size_t width = 80, bool has_sources = false);
/// The same for an unpacked FMU.
std::string describe_text(const std::filesystem::path& folder, std::size_t width = 80);

}  // namespace mechfmu
