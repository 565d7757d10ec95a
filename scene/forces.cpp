// What acts between bodies: springs as coils, ropes as lines, contact as surfaces, forces and torques as arrows.

#include <algorithm>
#include <cmath>

#include "mechanics/words.h"
#include "scene/build.h"

namespace mechfmu::scene {

using mechanics::Listed;

namespace {

/// An arrow along what a force acts along; positive numbers push its ends apart, or turn b about the axis.
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

/// Ends that are apart: of a sliding joint, whose points coincide at the start, one is moved back along the axis.
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

/// Of two points, with an upper bound: a rope.
void draw(Builder& builder, const mechanics::StopRow<Listed>& row) {
  const Span span = span_of(builder, row.along);
  if (!span.found || span.turning || !span.axis.isZero()) return;
  Element& e = builder.add("stop", "rope", row.name, {span.a.body, span.b.body});
  e.parts.push_back(stretched(ShapeKind::tube, {0.2 * builder.u}, Role::load, span.a, span.b));
  add_arrow(builder, e, span, false);
}

void draw(Builder& builder, const mechanics::ContactRow<Listed>& row) {
  const int a = static_cast<int>(row.a.index), b = static_cast<int>(row.b.index);
  Element& e = builder.add("contact", std::string(mechanics::word(row.shape)), row.name, {a, b});
  const Vec3 centre = builder.point(b, builder.value(row.centre), row.local);
  const double radius = builder.value(row.radius);
  if (!builder.has_solid(b)) {
    auto& own = builder.drawn_by_others[static_cast<std::size_t>(b)];
    own.push_back(
        fixed(ShapeKind::sphere, {radius > 0 ? radius : 0.6 * builder.u}, Role::body, b, centre));
    if (radius > 0)  // that one sees it turn
      own.push_back(fixed(ShapeKind::torus, {radius, 0.04 * radius}, Role::ground, b, centre));
  }
  const Vec3 at = builder.point(a, builder.value(row.at), row.local);
  const Vec3 axis = builder.direction(a, builder.value(row.axis), row.local);
  switch (row.shape) {
    case mechanics::ContactShape::plane:
      builder.plane(e, a, at, axis, builder.point(a, builder.world({b, centre}), false));
      break;
    case mechanics::ContactShape::sphere:
      e.parts.push_back(
          fixed(ShapeKind::sphere, {builder.value(row.radius_a)}, Role::contact, a, at));
      break;
    case mechanics::ContactShape::cylinder: {
      const double length = builder.value(row.length);
      e.parts.push_back(
          fixed(ShapeKind::cylinder,
                {builder.value(row.radius_a), length > 0 ? length : 2 * builder.scene.size},
                Role::contact, a, at, axes_along(axis)));
      break;
    }
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
