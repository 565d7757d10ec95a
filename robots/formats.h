// The formats that robots come in. Each reader is given the tree of the main file and a way to the other files.

#pragma once

#include <functional>
#include <optional>
#include <string>

#include "language/file/mesh_file.h"
#include "model_desc/xml_tree.h"
#include "robots/robot.h"

namespace mechfmu::robots {

/// What a reader needs beside the tree: other files, which are in the root folder or below it.
struct Source {
  std::filesystem::path file;
  std::filesystem::path root;  // absolute; the folder of the file, unless the options have another
  Diagnostics& diagnostics;
  ReadOptions options;
  XmlKind kind{};

  /// The tree of another file, by its path as it is written; an error at the place where it fails.
  std::optional<XmlNode> tree(const std::string& path, const Place& named_at) const;
  /// Triangles of a mesh; an error at the place where it cannot be read.
  std::optional<Mesh> mesh(const std::string& path, const Place& named_at,
                           const std::string& element) const;
  /// The path, from the root, of a file that is named in the robot's: from the folder of that, and package:// and model:// in
  /// the root, with and without the package's name. Nothing where there is none, or where it leads out of the root.
  std::optional<std::string> find(const std::string& written) const;
};

Robot read_urdf(const XmlNode& root, const Source& source);
Robot read_mjcf(const XmlNode& root, const Source& source);
Robot read_sdf(const XmlNode& root, const Source& source);

}  // namespace mechfmu::robots
