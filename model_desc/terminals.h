// terminalsAndIcons/terminalsAndIcons.xml: groups of inputs and outputs, and the place of the icon.
//
// Variables with the same name up to the last dot form one terminal: pin.x and pin.y are members x
// and y of terminal pin, and an output theta joins theta.rate. Any other input or output is a
// terminal on its own. FMI 2.0 uses the file of FMI 3.0, schema and version number included.

#pragma once

#include <string>

#include "model/description.h"
#include "model_desc/common_xml.h"

namespace mechfmu {

std::string terminals_and_icons(const Description& description, FmiVersion version);

}  // namespace mechfmu
