// Forces between bodies: springs as coils, ropes as lines, contact as surfaces, forces and torques
// as arrows.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mechanics/words.h"
#include "scene/build.h"

namespace mechfmu::scene {

using mechanics::Listed;

namespace {

/// An arrow along the direction of a force; positive numbers push its ends apart, or turn b about
/// the axis.
void add_arrow(Builder& builder, Element& e, const Span& span, bool pulls) {
  const auto variables = builder.force_of(e.name);
  if (variables.empty()) return;
  Arrow arrow;
  arrow.torque = span.turning;
  arrow.variables = variables;
  arrow.at = span.b;
  arrow.reverse = pulls;
  if (span.axis.isZero())
    arrow.towards = span.a;
  else
    arrow.axis =
        builder.direction(span.b.body, builder.world_direction(span.a.body, span.axis), false)
            .normalized();
  e.arrows.push_back(arrow);
}

/// Separate ends: for a sliding joint, whose points coincide at t = 0, one is moved back along the
/// axis.
std::array<Anchor, 2> ends_of(const Builder& builder, const Span& span, double length) {
  std::array<Anchor, 2> ends = {span.a, span.b};
  if (!span.axis.isZero() &&
      (builder.world(span.a) - builder.world(span.b)).norm() < 1e-6 * builder.scene.size)
    ends[0].at -= length * span.axis.normalized();
  return ends;
}

}  // namespace

void draw(Builder& builder, const mechanics::SpringRow<Listed>& row) {
  const Span span = span_of(builder, row.along);
  Element& e =
      builder.add("spring", span.turning ? "torsion" : "", row.name, {span.a.body, span.b.body});
  if (!span.found) return;
  const double u = builder.u;
  // Nothing is visible between coinciding points, as in the rows of an elastic joint.
  const bool apart = (builder.world(span.a) - builder.world(span.b)).norm() > 0.5 * u;
  if (!span.of_joint && (span.turning || !apart)) return add_arrow(builder, e, span, true);
  if (span.turning) {
    e.parts.push_back(fixed(ShapeKind::torus, {1.6 * u, 0.3 * u}, Role::spring, span.a.body,
                            span.a.at, axes_along(span.axis)));
  } else {
    const auto ends = ends_of(builder, span, 8 * u);
    const double length = std::max((builder.world(ends[0]) - builder.world(ends[1])).norm(), 2 * u);
    const double radius = std::min(1.4 * u, 0.15 * length);
    const double turns = std::clamp(std::round(length / (1.1 * radius)), 4.0, 16.0);
    if (builder.value(row.stiffness) != 0 || builder.value(row.damping) == 0)
      e.parts.push_back(stretched(ShapeKind::coil, {radius, 0.16 * radius, turns}, Role::spring,
                                  ends[0], ends[1]));
    if (builder.value(row.damping) != 0)
      e.parts.push_back(stretched(ShapeKind::tube, {0.35 * radius}, Role::load, ends[0], ends[1]));
    for (const Anchor& end : ends)
      if (end.body == 0)
        e.parts.push_back(fixed(ShapeKind::sphere, {0.5 * radius}, Role::ground, 0, end.at));
  }
  add_arrow(builder, e, span, true);
}

void draw(Builder& builder, const mechanics::BushingRow<Listed>& row) {
  const int a = static_cast<int>(row.a.index), b = static_cast<int>(row.b.index);
  Element& e = builder.add("bushing", "", row.name, {a, b});
  const double u = builder.unit(a, b);
  const Vec3 at = builder.value(row.at), axis = builder.value(row.axis);
  e.parts.push_back(fixed(ShapeKind::cylinder, {1.2 * u, 2.4 * u}, Role::spring, a,
                          builder.point(a, at, false),
                          axes_along(builder.direction(a, axis, false))));
  if (const auto variables = builder.force_of(row.name); !variables.empty())
    e.arrows.push_back({.variables = variables,
                        .at = {b, builder.point(b, at, false)},
                        .axes = a,
                        .reverse = true});
}

/// With the thickness of its section, if that is round.
void draw(Builder& builder, const mechanics::BeamRow<Listed>& row) {
  const int a = static_cast<int>(row.a.index), b = static_cast<int>(row.b.index);
  Element& e = builder.add("beam", "", row.name, {a, b});
  const double radius = std::sqrt(std::max(builder.value(row.area), 0.0) / std::numbers::pi);
  e.parts.push_back(stretched(ShapeKind::tube, {radius > 0 ? radius : 0.2 * builder.u}, Role::body,
                              {a, builder.point(a, builder.value(row.from), false)},
                              {b, builder.point(b, builder.value(row.to), false)}));
}

/// Between two points, with an upper bound: a rope.
void draw(Builder& builder, const mechanics::StopRow<Listed>& row) {
  const Span span = span_of(builder, row.along);
  if (!span.found || span.turning || !span.axis.isZero()) return;
  Element& e = builder.add("stop", "rope", row.name, {span.a.body, span.b.body});
  e.parts.push_back(stretched(ShapeKind::tube, {0.2 * builder.u}, Role::load, span.a, span.b));
  add_arrow(builder, e, span, false);
}

namespace {

/// A body with a contact sphere: a wheel if it turns on a pin in the middle, otherwise a ball.
void draw_ball(Builder& builder, int body, const Vec3& centre, double radius) {
  auto& own = builder.drawn_by_others[static_cast<std::size_t>(body)];
  const bool is_drawn = std::any_of(own.begin(), own.end(), [&](const Part& part) {
    return (part.at - centre).norm() < 1e-6 * builder.scene.size;
  });
  if (builder.has_solid(body) || is_drawn) return;
  for (const Attachment& pin : builder.attachments[static_cast<std::size_t>(body)])
    if (pin.kind == Attachment::Kind::turning && (pin.at - centre).norm() < 0.1 * radius)
      return add_wheel(own, body, centre, pin.axis, 0.75 * radius, 0.25 * radius);
  own.push_back(fixed(ShapeKind::sphere, {radius}, Role::body, body, centre));
  // so that its rotation is visible
  own.push_back(fixed(ShapeKind::torus, {radius, 0.04 * radius}, Role::ground, body, centre));
}

using Vec2 = Vec<double, 2>;

/// Points of an arc from p to q, without p; the bulge is that of ContactRow::profile.
void add_arc(std::vector<Vec2>& points, const Vec2& p, const Vec2& q, double bulge) {
  if (std::abs(bulge) < 0.05) {  // 11 degrees
    points.push_back(q);
    return;
  }
  const Vec2 way = q - p;
  const Vec2 middle = (p + q) / 2 + bulge / 2 * Vec2(way.y(), -way.x());
  const double half = std::tan(std::atan(bulge) / 2);
  add_arc(points, p, middle, half);
  add_arc(points, middle, q, half);
}

/// The closed outline of a profile.
std::vector<Vec2> outline(const Builder& builder, const mechanics::ContactRow<Listed>& row) {
  std::vector<double> numbers;
  for (const Listed::Number& n : row.profile) numbers.push_back(builder.value(n));
  const int copies = numbers.empty() ? 0 : static_cast<int>(numbers[0]);
  struct Corner {
    Vec2 at;
    double bulge;
  };
  std::vector<Corner> corners;
  for (int k = 0; k < copies; ++k) {
    const double turn = 2 * std::numbers::pi * k / copies;
    for (std::size_t i = 1; i + 2 < numbers.size(); i += 3)
      corners.push_back({{std::cos(turn) * numbers[i] - std::sin(turn) * numbers[i + 1],
                          std::sin(turn) * numbers[i] + std::cos(turn) * numbers[i + 1]},
                         numbers[i + 2]});
  }
  std::vector<Vec2> points;
  for (std::size_t i = 0; i < corners.size(); ++i)
    add_arc(points, corners[i].at, corners[(i + 1) % corners.size()].at, corners[i].bulge);
  return points;
}

/// The sides of an outline extruded along z, without its ends.
Mesh extruded(const std::vector<Vec2>& points, double length) {
  Mesh mesh;
  const auto n = static_cast<std::uint32_t>(points.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    for (const double z : {-length / 2, length / 2})
      mesh.points.push_back({static_cast<float>(points[i].x()), static_cast<float>(points[i].y()),
                             static_cast<float>(z)});
    const std::uint32_t a = 2 * i, b = 2 * ((i + 1) % n);
    mesh.triangles.push_back({a, b, b + 1});
    mesh.triangles.push_back({a, b + 1, a + 1});
  }
  return mesh;
}

}  // namespace

void draw(Builder& builder, const mechanics::ContactRow<Listed>& row) {
  const int a = static_cast<int>(row.a.index), b = static_cast<int>(row.b.index);
  Element& e = builder.add("contact", std::string(mechanics::word(row.shape)), row.name, {a, b});
  const Vec3 centre = builder.point(b, builder.value(row.centre), row.local);
  const double radius = builder.value(row.radius);
  if (radius > 0) draw_ball(builder, b, centre, radius);
  const Vec3 at = builder.point(a, builder.value(row.at), row.local);
  const Vec3 axis = builder.direction(a, builder.value(row.axis), row.local);
  const Vec3 across = builder.direction(a, builder.value(row.axis2), row.local);
  const Vec3 on_a = builder.point(a, builder.world({b, centre}), false);
  const double radius_a = builder.value(row.radius_a), given = builder.value(row.length);
  // An infinite surface is drawn with the width of the bodies that touch it.
  const double needed = std::max(2 * (std::abs(axis.normalized().dot(on_a - at)) + radius),
                                 radius_a > 0 ? 0.5 * radius_a : 0.1 * builder.scene.size);
  const std::size_t element = builder.scene.elements.size() - 1;
  const auto add = [&](ShapeKind shape, std::vector<double> size, const Mat3& axes, int mesh = -1) {
    Part part = fixed(shape, std::move(size), Role::contact, a, at, axes);
    part.mesh = mesh;
    builder.surface(element, part);
  };
  switch (row.shape) {
    case mechanics::ContactShape::plane: builder.plane(e, a, at, axis, on_a, 2.2 * radius); break;
    case mechanics::ContactShape::sphere:
      add(ShapeKind::sphere, {radius_a}, Mat3::Identity());
      break;
    case mechanics::ContactShape::cylinder:
      add(ShapeKind::cylinder, {radius_a, given > 0 ? given : needed}, axes_along(axis));
      break;
    case mechanics::ContactShape::capsule:
      add(ShapeKind::capsule, {radius_a, given}, axes_along(axis));
      break;
    case mechanics::ContactShape::box: {
      const Vec3 size = builder.value(row.size);
      add(ShapeKind::box, {size.x(), size.y(), size.z()}, axes_along(axis, across));
      break;
    }
    case mechanics::ContactShape::profile:
      add(ShapeKind::mesh, {1}, axes_along(axis, across),
          builder.mesh(extruded(outline(builder, row), given > 0 ? given : needed)));
      break;
  }
  if (const auto variables = builder.force_of(row.name); !variables.empty())
    e.arrows.push_back({.variables = variables, .at = {b, centre}});
}

void draw(Builder& builder, const mechanics::ForceRow<Listed>& row) {
  const Span span = span_of(builder, row.along);
  if (!span.found) return;
  Element& e =
      builder.add(span.turning ? "torque" : "force", "", row.name, {span.a.body, span.b.body});
  add_arrow(builder, e, span, false);
}

void draw(Builder& builder, const mechanics::VectorForceRow<Listed>& row) {
  const Anchor at = builder.anchor(row.at);
  Element& e = builder.add(row.torque ? "torque" : "force", "", row.name,
                           {static_cast<int>(row.reaction.index), at.body});
  const auto variables = builder.force_of(row.name);
  if (variables.empty()) return;
  Arrow arrow;
  arrow.torque = row.torque;
  arrow.variables = variables;
  arrow.at = at;
  if (row.axes != mechanics::ForceAxes::world)
    arrow.axes =
        row.axes == mechanics::ForceAxes::body ? at.body : static_cast<int>(row.reaction.index);
  e.arrows.push_back(arrow);
}

}  // namespace mechfmu::scene
