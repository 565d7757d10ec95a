// Meshes of triangles from files: STL, binary or as text, OBJ and glTF.

#pragma once

#include <string>
#include <string_view>

#include "scene/scene.h"

namespace mechfmu::scene {

/// `file` is for messages, and its ending determines the format. Throws std::invalid_argument.
Mesh read_mesh(std::string_view content, const std::string& file);

}  // namespace mechfmu::scene
