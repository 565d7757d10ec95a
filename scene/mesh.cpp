#include "scene/mesh.h"

#include <filesystem>
#include <stdexcept>

#include "language/file/mesh_file.h"

namespace mechfmu::scene {

Mesh read_mesh(std::string_view content, const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  const MeshOrProblem read =
      mechfmu::read_mesh(content, ending.empty() ? ending : ending.substr(1));
  if (!read.problem.empty())
    throw std::invalid_argument(file + " is not a mesh that can be read: " + read.problem);
  Mesh made;
  made.file = file;
  made.triangles = read.mesh.triangles;
  made.points.reserve(read.mesh.vertices.size());
  for (const Eigen::Vector3d& v : read.mesh.vertices)
    made.points.push_back(
        {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())});
  return made;
}

}  // namespace mechfmu::scene
