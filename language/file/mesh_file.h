// Surfaces of triangles from STL (binary and text), OBJ and glTF files, and the mass of what they enclose. Over the tetrahedra from a
// point to each triangle (a, b, c), with s = a + b + c:
//
//   V = Σ v,   V c = Σ v s/4,   ∫ x xᵀ dV = Σ v/20 (a aᵀ + b bᵀ + c cᵀ + s sᵀ),   v = a · (b × c)/6
//
// which is exact for a polyhedron.

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

/// What is larger than so many metres has most likely been written in millimetres.
inline constexpr double unlikely_size = 50;

/// A mesh, or why there is none.
struct MeshOrProblem {
  Mesh mesh{};
  std::string problem{};
};

/// Whether a path ends as those of meshes that are read.
bool is_mesh(std::string_view path);

/// `ending` is that of the file's name, in any case: stl, obj, glb or gltf.
MeshOrProblem read_mesh(std::string_view content, std::string_view ending);

/// A binary STL file.
std::string stl(const Mesh& mesh);

/// Of a solid of density 1 inside a mesh.
struct MeshSolid {
  double volume = 0;  // negative where the triangles face inwards; 0 where it is roundoff
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // about the centre
  std::size_t open_edges = 0;  // edges that no second triangle meets the right way round
};
MeshSolid solid_inside(const Mesh& mesh);

}  // namespace mechfmu
