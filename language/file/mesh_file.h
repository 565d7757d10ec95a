// Surfaces of triangles from STL (binary and text), OBJ and glTF files, and the mass of the
// enclosed solid. Over the tetrahedra from a point to each triangle (a, b, c), with s = a + b + c:
//
//   V = Σ v,   V c = Σ v s/4,   ∫ x xᵀ dV = Σ v/20 (a aᵀ + b bᵀ + c cᵀ + s sᵀ),   v = a · (b × c)/6
//
// These are exact for a polyhedron.

#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mechfmu {

struct Mesh {
  std::vector<Eigen::Vector3d> vertices;  // each once
  std::vector<std::array<std::uint32_t, 3>> triangles;

  void scale(const Eigen::Vector3d& factors);
  /// The longest side of a box around it, along x, y and z.
  double size() const;
};

/// A mesh larger than this, in metres, is most likely in millimetres.
inline constexpr double unlikely_size = 50;

/// A mesh or the problem with it.
struct MeshOrProblem {
  Mesh mesh{};
  std::string problem{};
};

/// Whether a path has the ending of a readable mesh.
bool is_mesh(std::string_view path);

/// `ending` is that of the file's name, in any case: stl, obj, glb or gltf.
MeshOrProblem read_mesh(std::string_view content, std::string_view ending);

/// A binary STL file.
std::string stl(const Mesh& mesh);

/// Mass properties of the solid of density 1 inside a mesh.
struct MeshSolid {
  double volume = 0;  // negative if the triangles face inwards; 0 if it is only roundoff
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // about the centre
  std::size_t open_edges = 0;  // edges without a second triangle of matching orientation
};
MeshSolid solid_inside(const Mesh& mesh);

}  // namespace mechfmu
