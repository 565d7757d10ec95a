// The formats of robots. Each reader gets the tree of the main file and access to the other files.

#pragma once

#include <functional>
#include <optional>
#include <string>

#include "language/file/mesh_file.h"
#include "model_desc/xml_tree.h"
#include "robots/robot.h"

namespace mechfmu::robots {

/// The other files of a robot, which are in the root folder or below it.
struct Source {
  std::filesystem::path file;
  std::filesystem::path root;  // absolute; the folder of the file, unless the options have another
  Diagnostics& diagnostics;
  ReadOptions options;
  XmlKind kind{};

  /// The tree of another file, by its path as written; an error at the place of its name if it
  /// fails.
  std::optional<XmlNode> tree(const std::string& path, const Place& named_at) const;
  /// Triangles of a mesh; an error at the place of its name if it cannot be read.
  std::optional<Mesh> mesh(const std::string& path, const Place& named_at,
                           const std::string& element) const;
  /// The path, from the root, of a file that the robot's file names: relative to its folder, or
  /// with package:// and model:// in the root, with and without the package's name. Nullopt if it
  /// does not exist or is outside the root.
  std::optional<std::string> find(const std::string& written) const;
};

Robot read_urdf(const XmlNode& root, const Source& source);
Robot read_mjcf(const XmlNode& root, const Source& source);
Robot read_sdf(const XmlNode& root, const Source& source);

}  // namespace mechfmu::robots
