#include "scene/build.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace mechfmu::scene {

using mechanics::Listed;
using mechanics::Listing;

namespace {

/// An element without a shape, which is only visible by its effect.
template <class Row>
void draw(Builder&, const Row&) {}

std::size_t place(int body) { return static_cast<std::size_t>(body); }

}  // namespace

Builder::Builder(const Listing& listing_, const std::vector<double>& settings, const Names& names_)
    : listing(listing_), names(names_), value(listing_, settings) {
  mechanics::MechanismSystem system(mechanics::from_listing(listing));
  system.set_inputs(Eigen::Map<const Vector>(settings.data(), static_cast<Index>(settings.size())));
  scene.name = listing.name;
  scene.about = listing.about;
  scene.gravity = value(listing.gravity);
  const auto look_up = [](const auto& map, const std::string& name) {
    const auto found = map.find(name);
    return found == map.end() ? typename std::decay_t<decltype(map)>::mapped_type() : found->second;
  };
  for (std::size_t i = 0; i <= listing.bodies.size(); ++i) {
    const mechanics::BodyGeometry& g = system.geometry().bodies[i];
    Body body;
    body.name = i == 0 ? "ground" : listing.bodies[i - 1].name;
    body.about = look_up(names.about, body.name);
    body.pose = look_up(names.poses, body.name);
    body.modes = look_up(names.modes, body.name);
    if (i > 0) {
      body.mass = g.mass;
      body.centre = g.centre;
      const Eigen::SelfAdjointEigenSolver<Mat3> principal(g.J);
      body.moments = principal.eigenvalues();
      body.principal = principal.eigenvectors();
      if (body.principal.determinant() < 0) body.principal.col(0) *= -1;
      body.axes = g.R0;
      body.position = g.r0 - g.R0 * g.centre;
    }
    scene.bodies.push_back(std::move(body));
  }
  attachments.resize(scene.bodies.size());
  drawn_by_others.resize(scene.bodies.size());
  has_look.resize(scene.bodies.size());
  colors.resize(scene.bodies.size());
}

Vec3 Builder::point(int body, const Vec3& at, bool local) const {
  const Body& b = scene.bodies[place(body)];
  return local ? at : Vec3(b.axes.transpose() * (at - b.position));
}
Vec3 Builder::direction(int body, const Vec3& d, bool local) const {
  return local ? d : Vec3(scene.bodies[place(body)].axes.transpose() * d);
}
Vec3 Builder::world(const Anchor& a) const {
  const Body& b = scene.bodies[place(a.body)];
  return b.position + b.axes * a.at;
}
Vec3 Builder::world_direction(int body, const Vec3& d) const {
  return scene.bodies[place(body)].axes * d;
}
Anchor Builder::anchor(const Listed::Spot& spot) const {
  const int body = static_cast<int>(spot.body.index);
  return {body, point(body, value(spot.at), spot.local)};
}
Vec3 Builder::up() const {
  return scene.gravity.norm() > 0 ? Vec3(-scene.gravity.normalized()) : Vec3(0, 0, 1);
}

double Builder::unit(int a, int b) const {
  double least = u;
  for (const int body : {a, b}) {
    if (body == 0) continue;
    double extent = 0;
    for (const Attachment& one : attachments[place(body)])
      for (const Attachment& other : attachments[place(body)])
        extent = std::max(extent, (one.at - other.at).norm());
    if (extent > 0) least = std::min(least, 0.15 * extent);
  }
  return std::max(least, 0.25 * u);
}

Element& Builder::add(std::string kind, std::string type, const std::string& name,
                      std::vector<int> bodies) {
  const auto about = names.about.find(name);
  scene.elements.push_back({std::move(kind), std::move(type), name,
                            about == names.about.end() ? std::string() : about->second,
                            std::move(bodies)});
  return scene.elements.back();
}

std::vector<std::string> Builder::force_of(const std::string& name) const {
  const auto found = names.forces.find(name);
  return found == names.forces.end() ? std::vector<std::string>() : found->second;
}

void Builder::plane(Element& element, int body, const Vec3& at, const Vec3& normal,
                    const Vec3& near, double wide) {
  if (body > 0 && (has_solid(body) || has_look[place(body)])) return;  // these show it
  const Vec3 n = normal.normalized();
  const double offset = n.dot(at);
  for (const Plane& known : planes_)
    if (known.body == body && (known.normal - n).norm() < 1e-6 &&
        std::abs(known.offset - offset) < 1e-6 * scene.size)
      return;
  planes_.push_back({body, n, offset});
  const Vec3 middle = near - (n.dot(near) - offset) * n;
  if (body == 0)
    wide = 3 * scene.size;
  else if (!(wide > 0))
    wide = scene.size;
  element.parts.push_back(
      fixed(ShapeKind::plane, {wide, wide}, Role::contact, body, middle, axes_along(n)));
}

int Builder::mesh(Mesh made) {
  for (std::size_t i = 0; i < scene.meshes.size(); ++i) {
    const Mesh& known = scene.meshes[i];
    if (known.file == made.file && known.points == made.points && known.triangles == made.triangles)
      return static_cast<int>(i);
  }
  scene.meshes.push_back(std::move(made));
  return static_cast<int>(scene.meshes.size()) - 1;
}

void Builder::surface(std::size_t element, const Part& part) {
  for (Surface& known : surfaces_) {
    Part& other = known.part;
    if (other.body != part.body || other.shape != part.shape || other.mesh != part.mesh ||
        (other.at - part.at).norm() > 1e-6 * scene.size || !other.axes.isApprox(part.axes) ||
        std::abs(other.size[0] - part.size[0]) > 1e-6 * scene.size)
      continue;
    for (std::size_t i = 1; i < part.size.size(); ++i)
      other.size[i] = std::max(other.size[i], part.size[i]);
    return;
  }
  surfaces_.push_back({element, part});
}

void Builder::place_surfaces() {
  for (Surface& surface : surfaces_) {
    Part& part = surface.part;
    if (part.body == 0) {
      scene.elements[surface.element].parts.push_back(part);
      continue;
    }
    if (has_solid(part.body) || has_look[place(part.body)]) continue;
    auto& own = drawn_by_others[place(part.body)];
    part.role = Role::body;
    own.push_back(part);
    if (part.shape != ShapeKind::cylinder || !part.at.isZero(1e-3 * scene.size)) continue;
    // so that its rotation is visible
    Part mark = part;
    mark.role = Role::ground;
    mark.size = {0.15 * part.size[0], 1.04 * part.size[1]};
    mark.at += 0.65 * part.size[0] * part.axes.col(0);
    own.push_back(mark);
  }
}

void Builder::sleeve() { sleeves_.push_back(scene.elements.size() - 1); }

void Builder::place_sleeves() {
  for (const std::size_t index : sleeves_) {
    Element& e = scene.elements[index];
    Part& ring = e.parts.back();
    const Vec3 axis = ring.axes.col(2);
    // The longest round part of the outer body along the axis of the joint
    const Part* tube = nullptr;
    for (const Element& other : scene.elements) {
      if (other.kind != "body" || other.bodies[0] != ring.body) continue;
      for (const Part& part : other.parts) {
        if (part.shape != ShapeKind::cylinder && part.shape != ShapeKind::capsule) continue;
        const Vec3 off = part.at - ring.at;
        if (std::abs(part.axes.col(2).dot(axis)) > 0.99 && off.cross(axis).norm() < 0.5 * u &&
            (tube == nullptr || part.size[1] > tube->size[1]))
          tube = &part;
      }
    }
    const int inner = e.bodies[0] == ring.body ? e.bodies[1] : e.bodies[0];
    const Vec3 centre = point(ring.body, world({inner, scene.bodies[place(inner)].centre}), false);
    if (tube == nullptr) {  // around the sliding body, at any position of the joint in the file
      const Vec3 off = centre - ring.at;
      if (off.cross(axis).norm() > 3 * u) ring.at += off - off.dot(axis) * axis;
      continue;
    }
    const double r = tube->size[0], side = (centre - tube->at).dot(axis) < 0 ? -1 : 1;
    ring.at = tube->at + side * (tube->size[1] / 2 - r) * axis;
    ring.size = {2.4 * r, 2.4 * r, 2 * r};
  }
}

void Builder::attach(int body, const Attachment& attachment) {
  attachments[place(body)].push_back(attachment);
}

void Builder::find_attachments() {
  using Kind = Attachment::Kind;
  using mechanics::JointType;
  for (const auto& row : listing.joints) {
    const int a = static_cast<int>(row.a.index), b = static_cast<int>(row.b.index);
    const Vec3 at = value(row.at), axis = value(row.axis);
    const Vec3 at_b = row.apart ? value(row.at_b) : at;
    const bool slides = row.type == JointType::prismatic || row.type == JointType::cylindrical ||
                        row.type == JointType::screw || row.type == JointType::point_on_line ||
                        row.type == JointType::planar || row.type == JointType::point_in_plane;
    const Kind kind = slides                            ? Kind::sliding
                      : row.type == JointType::revolute ? Kind::turning
                                                        : Kind::point;
    if (row.type == JointType::constant_orientation) continue;
    const Vec3 p_a = point(a, at, row.local);
    const Vec3 d_a = direction(a, axis, row.local);
    const Vec3 d_world = world_direction(a, d_a);
    const Vec3 p_b = row.apart ? point(b, at_b, row.local) : point(b, world({a, p_a}), false);
    attach(a, {p_a, d_a, kind, true, b});
    attach(b, {p_b, direction(b, d_world, false), kind, false, a});
  }
  for (const auto& entry : listing.measures)
    if (const auto* row = std::get_if<mechanics::MeasureRow<Listed>>(&entry);
        row != nullptr && row->type == mechanics::MeasureType::distance)
      for (const Listed::Spot* spot : {&row->a, &row->b}) {
        const Anchor at = anchor(*spot);
        attach(at.body, {at.at});
      }
  for (const auto& row : listing.rollings)
    attach(static_cast<int>(row.b.index),
           {point(static_cast<int>(row.b.index), value(row.centre), false)});
}

void Builder::choose_unit() {
  // The box around all bodies and their attachments, as placed.
  Eigen::AlignedBox3d around;
  std::vector<double> extents;
  const auto largest = [&](const std::vector<Listed::Shape>& solid) {
    double most = 0;
    for (const Listed::Shape& shape : solid)
      if (shape.type == mechanics::ShapeType::mesh)  // the diagonal of a box of its inertia
        most = std::max(most, value(shape.size.at(0)) *
                                  std::sqrt(6 * (value(shape.size.at(5)) + value(shape.size.at(6)) +
                                                 value(shape.size.at(7)))));
      else
        for (const Listed::Number& n : shape.size) most = std::max(most, value(n));
    return most;
  };
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    Eigen::AlignedBox3d own;
    for (const Attachment& attachment : attachments[b])
      own.extend(world({static_cast<int>(b), attachment.at}));
    if (b > 0) own.extend(world({static_cast<int>(b), scene.bodies[b].centre}));
    double extent = own.isEmpty() ? 0 : own.diagonal().norm();
    if (b > 0) {
      const double solid = largest(listing.bodies[b - 1].solid);
      extent = std::max(extent, solid);
      const Vec3 half = Vec3::Constant(solid / 2);
      const Vec3 centre = world({static_cast<int>(b), scene.bodies[b].centre});
      own.extend(Vec3(centre + half));
      own.extend(Vec3(centre - half));
      if (extent > 0) extents.push_back(extent);
    }
    if (!own.isEmpty()) around.extend(own);
  }
  scene.size = around.isEmpty() ? 0 : around.diagonal().norm();
  if (!(scene.size > 0)) {
    // A single body at its joint, or a point: as large as steel of its mass would be.
    for (const Body& body : scene.bodies)
      scene.size = std::max(scene.size, 4 * std::cbrt(body.mass / 7850));
    if (!(scene.size > 0)) scene.size = 1;
  }
  u = 0.02 * scene.size;
  if (!extents.empty()) {
    const auto middle = extents.begin() + static_cast<std::ptrdiff_t>(extents.size() / 2);
    std::nth_element(extents.begin(), middle, extents.end());
    u = std::min(u, 0.12 * *middle);
  }
}

Part fixed(ShapeKind shape, std::vector<double> size, Role role, int body, const Vec3& at,
           const Mat3& axes) {
  Part made;
  made.shape = shape;
  made.size = std::move(size);
  made.role = role;
  made.body = body;
  made.at = at;
  made.axes = axes;
  return made;
}

Part stretched(ShapeKind shape, std::vector<double> size, Role role, const Anchor& a,
               const Anchor& b) {
  Part made;
  made.shape = shape;
  made.size = std::move(size);
  made.role = role;
  made.between = {a, b};
  return made;
}

Part bar(int body, const Vec3& from, const Vec3& to, double radius, Role role) {
  const Vec3 along = to - from;
  return fixed(ShapeKind::capsule, {radius, along.norm()}, role, body, (from + to) / 2,
               along.norm() > 0 ? axes_along(along) : Mat3::Identity());
}

const char* body_color(int body) {
  static constexpr const char* colors[] = {"#5b8fd6", "#e0a04a", "#6fb78a", "#c9756b",
                                           "#9a84c9", "#5cb3bd", "#c98bb1", "#a3a95c"};
  return colors[static_cast<std::size_t>(std::max(body - 1, 0)) % std::size(colors)];
}

Span span_of(const Builder& builder, mechanics::Measure measure) {
  Span made;
  if (measure.index < 0) return made;
  const Listing::MeasureEntry& entry =
      builder.listing.measures[static_cast<std::size_t>(measure.index)];
  if (const auto* row = std::get_if<mechanics::MeasureRow<Listed>>(&entry)) {
    using mechanics::MeasureType;
    made.a = builder.anchor(row->a);
    made.b = builder.anchor(row->b);
    if (row->b_like_a) made.b.at = builder.point(made.b.body, builder.world(made.a), false);
    made.turning = row->type == MeasureType::angle || row->type == MeasureType::torque;
    if (row->type != MeasureType::distance)
      made.axis = builder.direction(made.a.body, builder.value(row->axis), row->local);
    made.found = row->type != MeasureType::alignment;
    return made;
  }
  const auto& coordinate = std::get<Listing::Coordinate>(entry);
  const auto& joint = builder.listing.joints[static_cast<std::size_t>(coordinate.joint.index)];
  const int a = static_cast<int>(joint.a.index), b = static_cast<int>(joint.b.index);
  made.a = {a, builder.point(a, builder.value(joint.at), joint.local)};
  made.b = {b, joint.apart ? builder.point(b, builder.value(joint.at_b), joint.local)
                           : builder.point(b, builder.world(made.a), false)};
  made.turning = coordinate.angle;
  made.of_joint = true;
  if (joint.type != mechanics::JointType::distance)
    made.axis = builder.direction(a, builder.value(joint.axis), joint.local);
  made.found = true;
  return made;
}

Scene make_scene(const Listing& listing, const std::vector<double>& settings, const Names& names) {
  Builder builder(listing, settings, names);
  builder.find_attachments();
  builder.choose_unit();
  for (const auto& row : listing.looks) draw(builder, row);
  for (const auto& row : listing.joints) draw(builder, row);
  for (const auto& row : listing.rollings) draw(builder, row);
  for (const Listing::Action& action : listing.actions)
    std::visit([&](const auto& row) { draw(builder, row); }, action);
  builder.place_surfaces();
  for (std::size_t b = 1; b < builder.scene.bodies.size(); ++b)
    draw_body(builder, static_cast<int>(b));
  builder.place_sleeves();
  return std::move(builder.scene);
}

}  // namespace mechfmu::scene
