// From a mechanism file to FMUs: read and check, write C++, compile, describe, pack. Without a
// compiler the FMU contains the mechanism as data (packaging/listed.h).
//
//   crank.xml ─→ plan ─→ crank.cpp ─→ crank.o ┬ + FMI functions + solver ─→ crank.so ──────────────┐
//                                             └ + model_desc ─→ describe ─→ XML, documentation … ──┴→ *.fmu

#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "language/meaning/plan.h"
#include "packaging/kit.h"
#include "packaging/platforms.h"
#include "packaging/temporary.h"
#include "scene/poses.h"

namespace mechfmu {

/// A mechanism file, read and translated; `plan` refers to `text`.
struct LoadedMechanism {
  MechanismText text;
  Plan plan;
  scene::Names names{};  // names for viewers, with the variables that were added for them
};

/// Reports everything in the diagnostics; after errors the plan must not be used. If wanted, the
/// mechanism gets outputs for poses and forces.
LoadedMechanism load_mechanism(const std::filesystem::path& file, Diagnostics& diagnostics,
                               std::optional<scene::Wanted> wanted = {});

/// Whether the mechanism is compiled, or read by the FMU from its resources.
enum class Compile {
  never,
  automatic,  // if there is a compiler
  always
};

struct ExportOptions {
  Compile compile = Compile::automatic;
  std::filesystem::path fmi2, fmi3;              // where to write; empty: not wanted
  std::vector<std::filesystem::path> sources{};  // of user-defined functions
  std::filesystem::path icon{}, diagram{};       // pictures
  std::vector<Platform> platforms{};             // empty: the one of this machine
  bool with_sources = false;     // the FMU contains the sources it can be compiled from
  bool with_mechanism = true;    // the FMU contains the mechanism file
  bool with_scene = true;        // and its scene
  std::filesystem::path keep{};  // folder for intermediate files
  std::function<void(const std::string&)> on_stage{};    // "compiling", "linking" …
  std::function<void(const std::string&)> on_command{};  // the command as a user would type it
};

/// The files of generated C++: the model, and its name.
std::vector<std::filesystem::path> generated_files(const Plan& plan,
                                                   const std::filesystem::path& folder);

/// Returns the sources and the files that they include, without the headers of the system. Throws
/// WrongFile for an error in the mechanism or in a source, WrongUsage if one of those files would
/// be overwritten, otherwise std::runtime_error with the output of the compiler and a remedy.
std::vector<std::filesystem::path> export_fmus(const LoadedMechanism& mechanism, const Kit& kit,
                                               const ExportOptions& options);

/// The folder in an FMU with the mechanism file, as mechanism.xml, and the files that it reads.
constexpr const char* mechanism_folder = "extra/org.mechfmu.mechanism";

/// The file in an FMU with its scene.
constexpr const char* scene_file = "extra/org.mechfmu.scene/scene.json";

/// Copies the mechanism file and the files that it reads. Throws WrongFile if their names collide.
void copy_mechanism(const MechanismText& text, const std::filesystem::path& folder);

/// Unpacks an untrusted FMU into a folder that does not exist yet. Throws WrongFile.
void unpack(const std::filesystem::path& file, const std::filesystem::path& folder);

/// A mechanism file, or the one in an FMU. Throws WrongFile if there is none.
class UnpackedMechanism {
 public:
  explicit UnpackedMechanism(const std::filesystem::path& file);
  const std::filesystem::path& file() const { return file_; }

 private:
  std::optional<TemporaryFolder> folder_;
  std::filesystem::path file_;
};

}  // namespace mechfmu
