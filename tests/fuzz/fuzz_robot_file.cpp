// Any bytes as the file of a robot: URDF, MJCF or SDF, according to its root. Nothing may crash,
// hang or leak; faults of a file are reported, and the result of an import is a valid mechanism
// file.
//
// The part before the first zero byte is the robot; the part after it is a file to include and
// meshes.

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "fuzz_xml.h"
#include "language/file/reader.h"
#include "language/meaning/plan.h"
#include "robots/robot.h"
#include "robots/write.h"

namespace {

using namespace mechfmu;
namespace fs = std::filesystem;

/// A folder that is removed when the process ends.
struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "fuzz_robot_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path = name;
  }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
};

void write(const fs::path& path, std::string_view content) {
  std::ofstream(path, std::ios::binary)
      .write(content.data(), static_cast<std::streamsize>(content.size()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::size_t zero = all.find('\0');
  const fs::path file = folder.path / "robot.xml";
  write(file, all.substr(0, zero));
  for (const char* part : {"part.xml", "part.stl", "part.obj"})
    write(folder.path / part, zero == std::string_view::npos ? "" : all.substr(zero + 1));

  for (const bool other : {false, true}) {
    Diagnostics diagnostics;
    std::optional<robots::Robot> robot = robots::read_robot(
        file, {.free_base = other, .loops_by_points = other, .motors = !other}, diagnostics);
    (void)diagnostics.text();
    if (robot.has_value() == diagnostics.has_errors()) std::abort();
    if (!robot || robot->links.empty()) continue;
    const auto place = [](std::vector<robots::Geom>& geoms) {
      for (robots::Geom& geom : geoms)
        if (!geom.file.empty())
          geom.file = "part.stl";  // paths are relative to the folder, as those of the tool
    };
    for (robots::Link& link : robot->links) place(link.geoms);
    place(robot->ground);
    const std::string text =
        robots::mechanism_file(*robot, "robot.xml", {.looks = !other, .groups = !other});
    if (other) continue;  // without shapes to draw there are no files to read
    Diagnostics complaints;
    const MechanismText mechanism =
        read_mechanism_text(text, "m.xml", complaints, {{"part.stl", ""}});
    if (complaints.has_errors()) {
      write("/dev/stderr", text + complaints.text());
      std::abort();
    }
    (void)make_plan(mechanism, complaints);
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  return fuzz::mutate_xml(
      data, size, most, seed,
      {"0",     "-1",       "1e308",    "1e-308",   "0 0 0",       "1 0 0", "nan",
       "world", "mesh",     "part.xml", "part.stl", "../part.xml", "free",  "ball",
       "fixed", "floating", "a",        "b",        "j",           "true",  "0 0 0 0 0 0"});
}
