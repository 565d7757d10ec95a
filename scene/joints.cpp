// Joints and rolling wheels, with the symbols of mechanical engineering.
//
//   revolute ⊚ a pin along its axis       prismatic ▭ a sleeve on a rail        spherical ● a ball
//   cylindrical: a round sleeve           universal ✛ a cross of two pins       distance: a rod

#include <cmath>

#include "mechanics/words.h"
#include "scene/build.h"

namespace mechfmu::scene {

using mechanics::JointType;
using mechanics::Listed;

namespace {

/// The support of a joint of the ground: a plate behind a pin, a rail, or a foot under a ball.
void add_support(Builder& builder, Element& e, JointType type, const Vec3& at, const Vec3& axis,
                 double u) {
  switch (type) {
    case JointType::revolute:
    case JointType::fixed: {
      // Behind the pin in the initial view: from the front, the right and above
      const Vec3 eye = std::abs(builder.up().z()) > 0.9 ? Vec3(0.75, -1, 0.5) : Vec3(0.28, 0.22, 1);
      const Vec3 back = (axis.dot(eye) < 0 ? 1.5 : -1.5) * u * axis.normalized();
      e.parts.push_back(fixed(ShapeKind::box, {4 * u, 4 * u, 0.6 * u}, Role::ground, 0, at + back,
                              axes_along(axis, builder.up())));
      break;
    }
    case JointType::prismatic:
    case JointType::cylindrical:
    case JointType::screw:
    case JointType::point_on_line:
      e.parts.push_back(fixed(ShapeKind::cylinder, {0.3 * u, 0.9 * builder.scene.size},
                              Role::ground, 0, at, axes_along(axis)));
      break;
    case JointType::spherical:
    case JointType::universal:
    case JointType::distance: {
      const Vec3 up = builder.up();
      e.parts.push_back(fixed(ShapeKind::cone, {1.5 * u, 3 * u}, Role::ground, 0, at - 1.5 * u * up,
                              axes_along(up)));
      break;
    }
    case JointType::planar:
    case JointType::point_in_plane:
    case JointType::constant_orientation: break;
  }
}

}  // namespace

void draw(Builder& builder, const mechanics::JointRow<Listed>& row) {
  const int a = static_cast<int>(row.a.index), b = static_cast<int>(row.b.index);
  const Anchor on_a{a, builder.point(a, builder.value(row.at), row.local)};
  const Anchor on_b{b, row.apart ? builder.point(b, builder.value(row.at_b), row.local)
                                 : builder.point(b, builder.world(on_a), false)};
  const Vec3 axis_a = builder.direction(a, builder.value(row.axis), row.local);
  const Vec3 axis_b = builder.direction(b, builder.world_direction(a, axis_a), false);
  const double u = builder.unit(a, b);
  Element& e = builder.add("joint", std::string(mechanics::word(row.type)), row.name, {a, b});
  const auto on = [&](ShapeKind shape, std::vector<double> size, const Vec3& along) {
    e.parts.push_back(fixed(shape, std::move(size), Role::joint, b, on_b.at, axes_along(along)));
  };
  switch (row.type) {
    case JointType::revolute: on(ShapeKind::cylinder, {0.75 * u, 3 * u}, axis_b); break;
    case JointType::prismatic: {
      // The sleeve is fixed in a, and b slides in it; on the ground, b slides along a rail.
      const bool rail = a == 0;
      e.parts.push_back(fixed(ShapeKind::box, {2 * u, 2 * u, 2.4 * u}, Role::joint, rail ? b : a,
                              rail ? on_b.at : on_a.at, axes_along(rail ? axis_b : axis_a)));
      if (!rail && b != 0) builder.sleeve();
      break;
    }
    case JointType::cylindrical: on(ShapeKind::cylinder, {1.3 * u, 2.4 * u}, axis_b); break;
    case JointType::screw:
      on(ShapeKind::cylinder, {1.1 * u, 2.4 * u}, axis_b);
      on(ShapeKind::torus, {1.2 * u, 0.3 * u}, axis_b);
      break;
    case JointType::spherical: on(ShapeKind::sphere, {1.2 * u}, {0, 0, 1}); break;
    case JointType::universal: {
      e.parts.push_back(fixed(ShapeKind::cylinder, {0.5 * u, 3.4 * u}, Role::joint, a, on_a.at,
                              axes_along(axis_a)));
      on(ShapeKind::cylinder, {0.5 * u, 3.4 * u},
         builder.direction(b, builder.value(row.axis2), row.local));
      on(ShapeKind::sphere, {0.8 * u}, {0, 0, 1});
      break;
    }
    case JointType::fixed: on(ShapeKind::box, {1.8 * u, 1.8 * u, 1.8 * u}, {0, 0, 1}); break;
    case JointType::planar:
    case JointType::point_in_plane:
      e.parts.push_back(
          fixed(ShapeKind::plane, {12 * u, 12 * u}, Role::contact, a, on_a.at, axes_along(axis_a)));
      on(ShapeKind::sphere, {0.8 * u}, {0, 0, 1});
      break;
    case JointType::point_on_line:
      if (a != 0)
        e.parts.push_back(fixed(ShapeKind::cylinder, {0.3 * u, 12 * u}, Role::joint, a, on_a.at,
                                axes_along(axis_a)));
      on(ShapeKind::cylinder, {0.9 * u, 1.6 * u}, axis_b);
      break;
    case JointType::distance:
      e.parts.push_back(stretched(ShapeKind::tube, {0.35 * u}, Role::load, on_a, on_b));
      on(ShapeKind::sphere, {0.7 * u}, {0, 0, 1});
      e.parts.push_back(fixed(ShapeKind::sphere, {0.7 * u}, Role::joint, a, on_a.at));
      break;
    case JointType::constant_orientation: break;
  }
  if (a == 0) add_support(builder, e, row.type, on_a.at, axis_a, u);
  if (b == 0) add_support(builder, e, row.type, on_b.at, axis_b, u);
  if (const auto variables = builder.force_of(row.name); !variables.empty())
    e.arrows.push_back({.variables = variables, .at = on_b});
}

void add_wheel(std::vector<Part>& to, int body, const Vec3& centre, const Vec3& axle, double ring,
               double tyre) {
  const Mat3 axes = axes_along(axle);
  to.push_back(fixed(ShapeKind::torus, {ring, tyre}, Role::ground, body, centre, axes));
  to.push_back(
      fixed(ShapeKind::cylinder, {0.24 * ring, 0.4 * ring}, Role::body, body, centre, axes));
  for (int spoke = 0; spoke < 5; ++spoke) {
    const double angle = 2 * M_PI * spoke / 5;
    const Vec3 out = std::cos(angle) * axes.col(0) + std::sin(angle) * axes.col(1);
    to.push_back(bar(body, centre, centre + (ring - 0.5 * tyre) * out, 0.065 * ring));
  }
}

void draw(Builder& builder, const mechanics::RollingRow<Listed>& row) {
  const int a = static_cast<int>(row.a.index), b = static_cast<int>(row.b.index);
  const Vec3 centre_world = builder.value(row.centre);
  const Vec3 centre = builder.point(b, centre_world, false);
  const Vec3 axle = builder.direction(b, builder.value(row.axle), false).normalized();
  const double radius = builder.value(row.radius);
  const double tube = builder.value(row.tube);
  Element& e = builder.add("rolling", std::string(mechanics::word(row.type)), row.name, {a, b});
  if (!builder.has_solid(b)) {
    auto& own = builder.drawn_by_others[static_cast<std::size_t>(b)];
    if (row.type == mechanics::RollingType::sphere) {
      own.push_back(fixed(ShapeKind::sphere, {radius}, Role::body, b, centre));
      // so that its rotation is visible
      own.push_back(fixed(ShapeKind::torus, {radius, 0.04 * radius}, Role::ground, b, centre));
    } else if (row.type == mechanics::RollingType::wheel) {
      const double tyre = tube > 0 ? tube : 0.12 * radius;
      add_wheel(own, b, centre, axle, tube > 0 ? radius : radius - tyre, tyre);
    } else {
      own.push_back(fixed(ShapeKind::box, {0.2 * builder.u, 6 * builder.u, 2 * builder.u},
                          Role::body, b, centre,
                          axes_along(builder.direction(b, builder.up(), false), axle)));
    }
  }
  builder.plane(e, a, builder.point(a, builder.value(row.plane), false),
                builder.direction(a, builder.value(row.normal), false),
                builder.point(a, centre_world, false));
  if (const auto variables = builder.force_of(row.name); !variables.empty()) {
    Arrow arrow{.variables = variables, .at = {b, centre}};
    e.arrows.push_back(arrow);
  }
}

}  // namespace mechfmu::scene
