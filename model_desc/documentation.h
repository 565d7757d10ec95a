// documentation/index.html: information for users of the FMU, on one page that needs no other file.

#pragma once

#include <string>

#include "model/description.h"
#include "model/system.h"
#include "model_desc/origin.h"

namespace mechfmu {

/// The page for both versions of the FMU; well-formed XML as well as HTML. `with_diagram` shows
/// diagram.png.
std::string documentation_html(const Description& description, const System& system,
                               const Origin& origin, double reference_tolerance, bool with_diagram);

/// Text for HTML: & < > " are escaped.
std::string html_escape(const std::string& text);

}  // namespace mechfmu
