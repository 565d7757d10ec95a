// What the reference page of mechanism files says before it lists the elements.

#pragma once

#include <string>
#include <string_view>

namespace mechfmu {

/// The example the page begins with, a file of its own: a four-bar linkage.
std::string_view mechanism_example();

/// How a file looks, where things are placed, expressions, names, groups, errors. In Markdown, headings from ## on.
std::string mechanism_guide();

}  // namespace mechfmu
