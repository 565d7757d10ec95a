// Elements `look`: shapes without mass, meshes of files, axes, texts, colors.

#include <algorithm>
#include <stdexcept>

#include "mechanics/placement.h"
#include "scene/build.h"
#include "scene/mesh.h"

namespace mechfmu::scene {

using mechanics::Listed;
using Look = mechanics::Listing::Look;

namespace {

ShapeKind kind_of(const std::string& shape) {
  for (const ShapeKind kind :
       {ShapeKind::box, ShapeKind::sphere, ShapeKind::cylinder, ShapeKind::ellipsoid,
        ShapeKind::cone, ShapeKind::capsule, ShapeKind::torus, ShapeKind::plane, ShapeKind::frame,
        ShapeKind::text, ShapeKind::mesh})
    if (shape == word(kind)) return kind;
  throw std::logic_error("no such shape: " + shape);
}

/// The number of the mesh of a file; each file is read once.
int mesh_of(Builder& builder, const std::string& file) {
  auto& all = builder.scene.meshes;
  const auto known =
      std::find_if(all.begin(), all.end(), [&](const Mesh& m) { return m.file == file; });
  if (known != all.end()) return static_cast<int>(known - all.begin());
  const auto content = builder.names.files.find(file);
  if (content == builder.names.files.end()) throw std::invalid_argument(file + " was not read");
  all.push_back(read_mesh(content->second, file));
  return static_cast<int>(all.size()) - 1;
}

}  // namespace

void draw(Builder& builder, const Look& row) {
  const int body = static_cast<int>(row.body.index);
  if (row.shape.empty()) {
    if (!row.color.empty()) builder.colors[static_cast<std::size_t>(body)] = row.color;
    return;
  }
  const Body& b = builder.scene.bodies[static_cast<std::size_t>(body)];
  std::vector<double> size;
  for (const Listed::Number& n : row.size) size.push_back(builder.value(n));
  const Mat3 turned = mechanics::rotation_matrix(builder.value(row.rotation));
  const Vec3 axis = builder.value(row.axis);
  Mat3 axes = turned * (axis.isApprox(Vec3(0, 0, 1)) ? Mat3(Mat3::Identity()) : axes_along(axis));
  if (!row.local) axes = b.axes.transpose() * axes;
  Part part = fixed(kind_of(row.shape), std::move(size), Role::look, body,
                    builder.point(body, builder.value(row.at), row.local), axes);
  part.color = row.color;
  part.opacity = std::clamp(builder.value(row.opacity), 0.0, 1.0);
  part.text = row.text;
  if (part.shape == ShapeKind::mesh) part.mesh = mesh_of(builder, row.file);
  const bool sits_on_ground = body == 0;
  Element& e = builder.add(sits_on_ground ? "look" : "body", "", b.name, {body});
  e.parts.push_back(std::move(part));
  if (e.parts.back().shape != ShapeKind::text && e.parts.back().shape != ShapeKind::frame)
    builder.has_look[static_cast<std::size_t>(body)] = true;
}

}  // namespace mechfmu::scene
