// Triangles of a glTF 2.0 file (Khronos, "glTF 2.0 Specification"): its JSON, and buffers that are
// in the file.
//
//   .glb     12 bytes "glTF", version, length; chunks: length, "JSON" or "BIN\0", content
//   .gltf    the JSON alone; buffers as data: addresses, base64
//
//   scene → nodes, each with a matrix or with translation, rotation and scale → meshes → primitives
//         → accessors → bufferViews → buffers
//
// Coordinates are those of the scene, whose y is up. Materials and animations are left out.

#pragma once

#include <string_view>

#include "language/file/mesh_file.h"

namespace mechfmu {

MeshOrProblem read_gltf(std::string_view content);

}  // namespace mechfmu
