// An FMU on one page, for a terminal: what it is, what it can do, and what can be given to it and asked of it.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model_desc/read_description.h"

namespace mechfmu {

/// Lines of at most `width` characters where words allow it; UTF-8 without colours and without the control characters
/// that a foreign description might hold. Local variables are counted only.
std::string describe_text(const FmuDescription& fmu, const std::vector<std::string>& platforms,
                          std::size_t width = 80, bool has_sources = false);
/// Of an unpacked FMU.
std::string describe_text(const std::filesystem::path& folder, std::size_t width = 80);

}  // namespace mechfmu
