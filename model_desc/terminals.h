// terminalsAndIcons/terminalsAndIcons.xml: which inputs and outputs belong together, and where the icon is.
//
// Variables with the same name up to the last dot form one terminal: pin.x and pin.y are members x and y of
// terminal pin, and an output theta joins theta.rate. Any other input or output is a terminal of its own.
// FMI 2.0 has taken the file over from FMI 3.0, schema and version number included.

#pragma once

#include <string>

#include "model/description.h"
#include "model_desc/common_xml.h"

namespace mechfmu {

std::string terminals_and_icons(const Description& description, FmiVersion version);

}  // namespace mechfmu
