// The author, tool and time of an FMU: the same in all of its files.

#pragma once

#include <string>

#include "model/description.h"

namespace mechfmu {

struct Origin {
  std::string token;  // ties the XML to the binary: guid (FMI 2), instantiationToken (FMI 3)
  std::string tool;   // name and version of the program that made the files
  std::string time;   // YYYY-MM-DDThh:mm:ssZ, or empty for reproducible files
  std::string license = "BSD-3-Clause for solver and interface; see documentation/licenses";
  std::string copyright = "Copyright (c) 2026, the mechfmu authors, for solver and interface";
};

/// The origin of files that this library writes. The time is the value of the environment variable
/// SOURCE_DATE_EPOCH, which reproducible builds set, or else empty.
Origin make_origin(const Description& description);

/// Name and version of this program: mechfmu 0.1.0.
std::string tool_name();

/// Seconds since 1970 as YYYY-MM-DDThh:mm:ssZ; throws std::invalid_argument if the text is not a
/// number.
std::string format_time(const std::string& seconds_since_1970);

}  // namespace mechfmu
