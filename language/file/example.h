// The mechanism file that the guide, docs/mechanism_file.md, begins with and `mechfmu new four_bar`
// writes.

#pragma once

#include <string_view>

namespace mechfmu {

/// A four-bar linkage.
std::string_view mechanism_example();

}  // namespace mechfmu
