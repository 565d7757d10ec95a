// documentation/licenses: the parts that are linked into the binary of an FMU, and their terms.

#pragma once

#include <string>

#include "model/description.h"
#include "model_desc/origin.h"

namespace mechfmu {

/// The C++ run-time library that is part of the binary.
enum class Runtime {
  gnu,
  llvm  // of the prebuilt libraries for several platforms
};

std::string license_txt(const Description& description, Runtime runtime = Runtime::gnu);
/// The same as an SPDX 2.3 tag-value document.
std::string license_spdx(const Description& description, const Origin& origin,
                         Runtime runtime = Runtime::gnu);
/// documentation/externalDependencies.txt: the requirements of the binary on the machine.
std::string external_dependencies_txt();

}  // namespace mechfmu
