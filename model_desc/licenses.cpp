#include "model_desc/licenses.h"

#include <optional>
#include <vector>

namespace mechfmu {

namespace {

struct Component {
  const char* name;
  const char* id;  // in SPDX documents: letters, digits, dots and hyphens
  const char* license;
  const char* copyright;
  const char* what;
  const char* source;
  std::optional<Runtime> part_of{};  // of binaries with this run-time library only
};

constexpr Component components[] = {
    {"mechfmu", "mechfmu", "BSD-3-Clause", "Copyright (c) 2026, the mechfmu authors",
     "solver, FMI interface and the files that describe the model",
     "project mechfmu, folders solver and fmu_src"},
    {"Eigen", "eigen", "MPL-2.0", "The authors of Eigen", "linear algebra, header files, unchanged",
     "project Eigen (libeigen), release 3.4; Debian package libeigen3-dev"},
    {"libstdc++ and libgcc", "gcc-runtime", "GPL-3.0-or-later WITH GCC-exception-3.1",
     "Free Software Foundation, Inc.", "C++ run-time library, linked statically, unchanged",
     "project GNU Compiler Collection (GCC)", Runtime::gnu},
    {"libc++, libc++abi, libunwind and compiler-rt", "llvm-runtime",
     "Apache-2.0 WITH LLVM-exception", "The authors of LLVM",
     "C++ run-time library, linked statically, unchanged", "project LLVM, as Zig 0.17 brings it",
     Runtime::llvm},
    {"mingw-w64", "mingw-w64", "ZPL-2.1", "The authors of mingw-w64",
     "start of the library and functions of C in the binary for Windows, linked statically, "
     "unchanged",
     "project mingw-w64, as Zig 0.17 brings it", Runtime::llvm},
};

std::vector<Component> components_with(Runtime runtime) {
  std::vector<Component> made;
  for (const Component& c : components)
    if (c.part_of.value_or(runtime) == runtime) made.push_back(c);
  return made;
}

/// The token as a UUID: 8-4-4-4-12 of its 32 digits.
std::string uuid(const std::string& token) {
  std::string text = token;
  for (const std::size_t at : {8U, 13U, 18U, 23U})
    if (text.size() > at) text.insert(at, "-");
  return text;
}

}  // namespace

std::string license_txt(const Description& d, Runtime runtime) {
  std::string text = "Licences of the parts of this FMU\n\n";
  text +=
      "The equations of the model " + d.model + " belong to their author. The binary links in:\n\n";
  for (const Component& c : components_with(runtime)) {
    text += std::string(c.name) + "\n";
    text += std::string("  what     ") + c.what + "\n";
    text += std::string("  licence  ") + c.license + "\n";
    text += std::string("  rights   ") + c.copyright + "\n";
    text += std::string("  source   ") + c.source + "\n\n";
  }
  text +=
      "The licences are named by their identifiers in the SPDX licence list, which has their "
      "texts. The\n"
      "exception " +
      std::string(runtime == Runtime::gnu ? "GCC-exception-3.1" : "LLVM-exception") +
      " allows the run-time library to be part of programs under any "
      "terms.\n"
      "license.spdx contains the same in a form for programs.\n";
  return text;
}

std::string license_spdx(const Description& d, const Origin& origin, Runtime runtime) {
  // The format requires a time; reproducible files have the earliest one.
  const std::string time = origin.time.empty() ? "1970-01-01T00:00:00Z" : origin.time;
  std::string text =
      "SPDXVersion: SPDX-2.3\n"
      "DataLicense: CC0-1.0\n"
      "SPDXID: SPDXRef-DOCUMENT\n"
      "DocumentName: " +
      d.model +
      "\n"
      "DocumentNamespace: urn:uuid:" +
      uuid(origin.token) +
      "\n"
      "Creator: Tool: " +
      origin.tool +
      "\n"
      "Created: " +
      time + "\n";
  for (const Component& c : components_with(runtime)) {
    const std::string id = std::string("SPDXRef-") + c.id;
    text += std::string("\nPackageName: ") + c.name + "\n";
    text += "SPDXID: " + id + "\n";
    text += "PackageDownloadLocation: NOASSERTION\n";
    text += "FilesAnalyzed: false\n";
    text += std::string("PackageLicenseConcluded: ") + c.license + "\n";
    text += std::string("PackageLicenseDeclared: ") + c.license + "\n";
    text += std::string("PackageCopyrightText: ") + c.copyright + "\n";
    text += std::string("PackageComment: ") + c.what + "; source: " + c.source + "\n";
    text += "Relationship: SPDXRef-DOCUMENT DESCRIBES " + id + "\n";
  }
  return text;
}

std::string external_dependencies_txt() {
  return "The binary needs the C library of the operating system (libc, libm) and nothing else: no "
         "files, no\n"
         "environment variables, no other programs, no network.\n";
}

}  // namespace mechfmu
