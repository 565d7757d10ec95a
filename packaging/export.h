// From a mechanism file to FMUs: read and check, write C++, compile, describe, pack. Where there is no compiler, the mechanism
// goes into the FMU as data (packaging/listed.h).
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
  scene::Names names{};  // what a viewer is told, with the variables that were added for it
};

/// All complaints are in the diagnostics; with errors, the plan is not to be used. Where they are wanted, the mechanism has outputs that
/// tell poses and forces.
LoadedMechanism load_mechanism(const std::filesystem::path& file, Diagnostics& diagnostics,
                               std::optional<scene::Wanted> wanted = {});

/// Whether the mechanism is compiled, or read by the FMU.
enum class Compile {
  never,
  automatic,  // where there is a compiler
  always
};

struct ExportOptions {
  Compile compile = Compile::automatic;
  std::filesystem::path fmi2, fmi3;              // where to write; empty: not wanted
  std::vector<std::filesystem::path> sources{};  // of functions of one's own
  std::filesystem::path icon{}, diagram{};       // pictures
  std::vector<Platform> platforms{};             // empty: that of this machine
  bool with_sources = false;     // all that it takes to compile the FMU goes into it
  bool with_mechanism = true;    // the mechanism file goes into the FMU, too
  bool with_scene = true;        // and what it looks like
  std::filesystem::path keep{};  // a folder that keeps all that is made on the way
  std::function<void(const std::string&)> on_stage{};    // "compiling", "linking" …
  std::function<void(const std::string&)> on_command{};  // what is run, as one would type it
};

/// The C++ that is written of a mechanism: the model, and its name.
std::vector<std::filesystem::path> generated_files(const Plan& plan,
                                                   const std::filesystem::path& folder);

/// Returns the files that the sources consist of: themselves and what they include, but for the headers of the system.
/// Throws WrongFile where the mechanism or a source is to blame, WrongUsage where one of those files would be written
/// over, else std::runtime_error: what failed, what the compiler said, and what to do.
std::vector<std::filesystem::path> export_fmus(const LoadedMechanism& mechanism, const Kit& kit,
                                               const ExportOptions& options);

/// The folder inside an FMU that holds the mechanism file, as mechanism.xml, and the files that it reads.
constexpr const char* mechanism_folder = "extra/org.mechfmu.mechanism";

/// The file inside an FMU that holds what it looks like.
constexpr const char* scene_file = "extra/org.mechfmu.scene/scene.json";

/// Copies the mechanism file and what it reads there. Throws WrongFile where the names do not allow it.
void copy_mechanism(const MechanismText& text, const std::filesystem::path& folder);

/// An FMU from anywhere, in a folder that does not exist yet. Throws WrongFile.
void unpack(const std::filesystem::path& file, const std::filesystem::path& folder);

/// A mechanism file, or the one inside an FMU. Throws WrongFile where there is none.
class UnpackedMechanism {
 public:
  explicit UnpackedMechanism(const std::filesystem::path& file);
  const std::filesystem::path& file() const { return file_; }

 private:
  std::optional<TemporaryFolder> folder_;
  std::filesystem::path file_;
};

}  // namespace mechfmu
