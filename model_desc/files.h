// All files of an FMU except its binaries.

#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "model/description.h"
#include "model/system.h"
#include "model_desc/common_xml.h"
#include "model_desc/licenses.h"
#include "model_desc/origin.h"
#include "model_desc/reference.h"

namespace mechfmu {

using Files = std::map<std::string, std::string>;  // path inside the FMU → content

struct Pictures {
  std::string icon;     // PNG
  std::string diagram;  // PNG that the documentation shows, or empty
};

std::string default_icon();
/// The bytes of a PNG file. Throws std::runtime_error for other files.
std::string read_picture(const std::filesystem::path& file);

/// A model with its descriptions for both versions of the FMU.
struct Envelope {
  Description description;
  Origin origin;
  Pictures pictures;
  Reference reference;
  std::string documentation;           // index.html
  std::vector<std::string> sources{};  // files of the folder sources/ to be compiled
};

/// The use of an FMU.
enum class Purpose {
  travel,
  // here and at once: dependencies and the reference result, for other masters only, are left out
  run
};

/// Describes the model, finds its dependencies and runs the default experiment for a reference
/// result.
Envelope make_envelope(const std::string& model, System& system, const Pictures& pictures,
                       Purpose purpose = Purpose::travel);

/// modelDescription.xml, documentation, licences, terminals, icons and the reference result.
Files files_of_fmu(const Envelope& envelope, FmiVersion version, Runtime runtime = Runtime::gnu);

/// Throws std::runtime_error that names a file that cannot be written.
void write_files(const std::filesystem::path& folder, const Files& files);

}  // namespace mechfmu
