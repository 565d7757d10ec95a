// Bodies: the solids of the file, otherwise shapes that mass, inertia and joints suggest.
//
//   wheels and balls that roll or touch                 the size that they have there
//   a point mass                                        a ball of steel
//   points of joints                                    bars between them; to a solid elsewhere
//   one joint away from the centre of mass              a bar through it, as long as a uniform one
//                                                       of that inertia: L² = 12 J/m
//   a joint in the centre of mass, with spin about it   a disc, R² = 2 J/m
//   none of these                                       the ellipsoid of that inertia,
//                                                       a² = 5/2 (J₂ + J₃ − J₁)/m

#include <algorithm>
#include <cmath>

#include "mechanics/bodies/pool.h"
#include "mechanics/placement.h"
#include "scene/build.h"

namespace mechfmu::scene {

using mechanics::Listed;

namespace {

Part solid_part(const Builder& builder, int body, const Listed::Shape& shape) {
  const auto size = [&](std::size_t i) { return builder.value(shape.size.at(i)); };
  const Vec3 at = builder.value(shape.at);
  const Mat3 turned = mechanics::rotation_matrix(builder.value(shape.rotation));
  const auto along = [&] { return Mat3(turned * axes_along(builder.value(shape.axis))); };
  switch (shape.type) {
    case mechanics::ShapeType::box:
      return fixed(ShapeKind::box, {size(0), size(1), size(2)}, Role::body, body, at, turned);
    case mechanics::ShapeType::cylinder:
      return fixed(ShapeKind::cylinder, {size(0), size(1)}, Role::body, body, at, along());
    case mechanics::ShapeType::sphere:
      return fixed(ShapeKind::sphere, {size(0)}, Role::body, body, at, turned);
    case mechanics::ShapeType::mesh:
    case mechanics::ShapeType::rod: break;
  }
  return fixed(ShapeKind::cylinder, {std::min(0.5 * builder.u, 0.05 * size(0)), size(0)},
               Role::body, body, at, along());
}

/// Places of joints, each once; those of sliding joints show where it slides, not where it ends.
std::vector<Attachment> corners_of(const Builder& builder, int body) {
  std::vector<Attachment> found;
  for (const Attachment& a : builder.attachments[static_cast<std::size_t>(body)])
    if (a.kind != Attachment::Kind::sliding &&
        std::none_of(found.begin(), found.end(), [&](const Attachment& other) {
          return (other.at - a.at).norm() < 1e-3 * builder.scene.size;
        }))
      found.push_back(a);
  return found;
}

const Attachment* sliding_of(const Builder& builder, int body) {
  for (const Attachment& a : builder.attachments[static_cast<std::size_t>(body)])
    if (a.kind == Attachment::Kind::sliding) return &a;
  return nullptr;
}

/// For a body that slides in another one: the distance of the ends of the two at t = 0.
double telescope(const Builder& builder, int body, const Vec3& corner, const Attachment& sliding) {
  double most = 0;
  if (sliding.other != 0)
    for (const Attachment& end : corners_of(builder, sliding.other))
      most = std::max(
          most, (builder.world({sliding.other, end.at}) - builder.world({body, corner})).norm());
  return most;
}

double ball_radius(const Builder& builder, double mass) {
  return std::clamp(std::cbrt(3 * mass / (4 * M_PI * 7850)), 1.2 * builder.u, 4 * builder.u);
}

/// The shape of a body of which only mass and moments are known.
Part ellipsoid(const Builder& builder, int body) {
  const Body& b = builder.scene.bodies[static_cast<std::size_t>(body)];
  std::vector<double> half;
  const double sum = b.moments.sum();
  for (int k = 0; k < 3; ++k) {
    const double square = 2.5 * (sum - 2 * b.moments[k]) / b.mass;
    half.push_back(
        std::clamp(std::sqrt(std::max(square, 0.0)), 1.2 * builder.u, 0.35 * builder.scene.size));
  }
  return fixed(ShapeKind::ellipsoid, half, Role::body, body, b.centre, b.principal);
}

void automatic(Builder& builder, int body, std::vector<Part>& parts) {
  const Body& b = builder.scene.bodies[static_cast<std::size_t>(body)];
  const auto& row = builder.listing.bodies[static_cast<std::size_t>(body) - 1];
  const auto kind = mechanics::make_bodies(row.type);
  if (!kind->freedom().turns()) {
    parts.push_back(
        fixed(ShapeKind::sphere, {ball_radius(builder, b.mass)}, Role::body, body, b.centre));
    return;
  }
  if (kind->deforms()) return draw_flexible(builder, body, parts);
  if (!(b.mass > 0)) {  // a node of a flexible body, or a part between two joints
    parts.push_back(fixed(ShapeKind::sphere, {0.6 * builder.u}, Role::body, body, b.centre));
    return;
  }
  const std::vector<Attachment> corners = corners_of(builder, body);
  const Attachment* sliding = sliding_of(builder, body);
  // Of two parts that slide in each other, the outer one is thicker.
  const double radius = builder.u * (sliding == nullptr ? 0.8 : sliding->outer ? 1.1 : 0.6);
  if (corners.empty()) {
    if (sliding != nullptr && (sliding->at - b.centre).norm() < 3 * builder.u) {
      parts.push_back(fixed(ShapeKind::box, {3 * builder.u, 3 * builder.u, 5 * builder.u},
                            Role::body, body, b.centre, axes_along(sliding->axis)));
      return;
    }
    parts.push_back(ellipsoid(builder, body));
    return;
  }
  const double mean = std::sqrt(12 * b.moments[2] / b.mass);  // of a uniform bar
  if (corners.size() == 1) {
    const Vec3 out = b.centre - corners[0].at;
    if (out.norm() > 0.02 * builder.scene.size) {
      const bool is_ball = mean / 2 < 0.35 * out.norm();
      Vec3 end =
          b.centre +
          (is_ball ? Vec3::Zero() : Vec3(std::min(mean / 2, 1.2 * out.norm()) * out.normalized()));
      // A tube ends before the part that comes out of it.
      if (sliding != nullptr && !is_ball)
        if (const double apart = telescope(builder, body, corners[0].at, *sliding); apart > 0)
          end = corners[0].at +
                std::min((end - corners[0].at).norm(), (sliding->outer ? 0.65 : 0.9) * apart) *
                    out.normalized();
      parts.push_back(bar(body, corners[0].at, end, radius));
      if (is_ball)
        parts.push_back(fixed(ShapeKind::sphere,
                              {std::max(std::sqrt(2.5 * b.moments[2] / b.mass), 2 * builder.u)},
                              Role::body, body, b.centre));
      return;
    }
    if (sliding != nullptr) {
      parts.push_back(fixed(ShapeKind::box, {3.6 * builder.u, 3.6 * builder.u, 5 * builder.u},
                            Role::body, body, b.centre, axes_along(sliding->axis)));
      return;
    }
    if (corners[0].kind == Attachment::Kind::turning) {
      const double disc =
          std::clamp(std::sqrt(2 * b.moments[2] / b.mass), 2 * builder.u, 0.4 * builder.scene.size);
      const Mat3 axes = axes_along(corners[0].axis);
      parts.push_back(
          fixed(ShapeKind::cylinder, {disc, 1.2 * builder.u}, Role::body, body, b.centre, axes));
      // so that its rotation is visible
      parts.push_back(fixed(ShapeKind::cylinder, {0.18 * disc, 1.5 * builder.u}, Role::ground, body,
                            b.centre + 0.6 * disc * axes.col(0), axes));
      return;
    }
    parts.push_back(ellipsoid(builder, body));
    return;
  }
  if (corners.size() == 2) {
    parts.push_back(bar(body, corners[0].at, corners[1].at, radius));
  } else if (corners.size() == 3) {
    for (std::size_t i = 0; i < 3; ++i)
      parts.push_back(bar(body, corners[i].at, corners[(i + 1) % 3].at, radius));
  } else {
    Vec3 middle = Vec3::Zero();
    for (const Attachment& corner : corners)
      middle += corner.at / static_cast<double>(corners.size());
    for (const Attachment& corner : corners) parts.push_back(bar(body, corner.at, middle, radius));
  }
  // Another bar holds a mass far from the bars.
  double nearest = builder.scene.size;
  for (const Part& part : parts) {
    const Vec3 along = part.axes.col(2) * part.size[1] / 2;
    const Vec3 from = part.at - along;
    const double t =
        part.size[1] > 0
            ? std::clamp((b.centre - from).dot(2 * along) / (4 * along.squaredNorm()), 0.0, 1.0)
            : 0;
    nearest = std::min(nearest, (b.centre - from - 2 * t * along).norm());
  }
  if (nearest > 0.08 * builder.scene.size) {
    Vec3 middle = Vec3::Zero();
    for (const Attachment& corner : corners)
      middle += corner.at / static_cast<double>(corners.size());
    parts.push_back(bar(body, middle, b.centre, radius));
    parts.push_back(
        fixed(ShapeKind::sphere, {ball_radius(builder, b.mass)}, Role::body, body, b.centre));
  }
}

/// The distance of a point from a box around a solid.
double distance(const Part& solid, const Vec3& point) {
  const double x = solid.size[0];
  const Vec3 half = solid.shape == ShapeKind::box
                        ? Vec3(x, solid.size[1], solid.size[2]) / 2
                        : Vec3(x, x, solid.shape == ShapeKind::sphere ? x : solid.size[1] / 2);
  const Vec3 p = solid.axes.transpose() * (point - solid.at);
  return (p.cwiseAbs() - half).cwiseMax(0).norm();
}

/// Adds bars from solids to joints that are away from all solids.
void hold(const Builder& builder, int body, std::vector<Part>& parts) {
  const std::vector<Part> solids = parts;
  for (const Attachment& corner : corners_of(builder, body)) {
    const auto nearest =
        std::min_element(solids.begin(), solids.end(), [&](const Part& one, const Part& other) {
          return distance(one, corner.at) < distance(other, corner.at);
        });
    if (nearest != solids.end() && distance(*nearest, corner.at) > 1.5 * builder.u)
      parts.push_back(bar(body, nearest->at, corner.at, 0.4 * builder.u));
  }
}

}  // namespace

void draw_body(Builder& builder, int body) {
  const Body& b = builder.scene.bodies[static_cast<std::size_t>(body)];
  const auto& row = builder.listing.bodies[static_cast<std::size_t>(body) - 1];
  Element& e = builder.add("body", "", b.name, {body});
  for (const Listed::Shape& shape : row.solid)
    if (shape.type != mechanics::ShapeType::mesh)  // which has a look
      e.parts.push_back(solid_part(builder, body, shape));
  if (!builder.has_look[static_cast<std::size_t>(body)]) hold(builder, body, e.parts);
  if (row.solid.empty() && !builder.has_look[static_cast<std::size_t>(body)]) {
    e.parts = builder.drawn_by_others[static_cast<std::size_t>(body)];
    if (e.parts.empty()) automatic(builder, body, e.parts);
  }
  const std::string& given = builder.colors[static_cast<std::size_t>(body)];
  for (Part& part : e.parts)
    if (part.role == Role::body && part.color.empty())
      part.color = given.empty() ? body_color(body) : given;
  // A look with this shape also has the color of the body.
  for (Element& other : builder.scene.elements)
    if (other.kind == "body" && other.bodies[0] == body)
      for (Part& part : other.parts)
        if (part.role == Role::look && part.color.empty())
          part.color = given.empty() ? body_color(body) : given;
}

}  // namespace mechfmu::scene
