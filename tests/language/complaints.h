// All messages about a mechanism file on its way from text to an assembled mechanism.

#pragma once

#include <map>
#include <string>

#include "language/meaning/check.h"

namespace mechfmu {

using Files = std::map<std::string, std::string>;

/// The file is m.xml; `files` are beside it. A step is taken only if those before it found no
/// fault.
inline std::string complaints(const std::string& content, const Files& files = {}) {
  Diagnostics diagnostics;
  const MechanismText text = read_mechanism_text(content, "m.xml", diagnostics, files);
  if (diagnostics.has_errors()) return diagnostics.text();
  const Plan plan = make_plan(text, diagnostics);
  if (!diagnostics.has_errors()) (void)check_mechanism(plan, diagnostics);
  return diagnostics.text();
}

}  // namespace mechfmu
