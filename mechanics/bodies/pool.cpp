// Functions common to most kinds of bodies, and the list of kinds.

#include "mechanics/bodies/pool.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "mechanics/bodies/kinds.h"
#include "mechanics/motion.h"
#include "mechanics/words.h"

namespace mechfmu::mechanics {

namespace {

/// Whether a description gives a velocity along x, y, z or about the body's x, y, z. A velocity of
/// zero counts as not given.
bool gives_velocity(const BodyData& data, const BodyGeometry& body, int axis) {
  const Triple& velocity = axis < 3 ? data.velocity : data.angular_velocity;
  if (!velocity.constant()) return true;
  const Vec3 v = axis < 3 ? Vec3(velocity({})) : Vec3(body.R0.transpose() * body.w0);
  return std::abs(v[axis % 3]) > 1e-12 * v.norm();
}

template <class T>
void rigid_total(const BodyGeometry& body, const Moving<T>& at, BodyTotals<T>& sum) {
  const Vec<T, 3> omega = at.R.transpose() * at.w;
  sum.spin = times<T>(body.J, omega);
  sum.kinetic += (dot<T>(at.v, at.v) * body.mass + dot<T>(omega, sum.spin)) / 2.0;
}

}  // namespace

void BodyPool::number(const Mechanism&, std::size_t body, Layout& layout) {
  BodyPlace& place = layout.bodies[body];
  place.freedom = freedom();
  place.y = layout.sizes.y;
  place.z = layout.sizes.n;
  layout.sizes.y += place.freedom.positions;
  layout.sizes.n += place.freedom.n();
  bodies_.push_back({body, place.y, place.z});
}

std::size_t BodyPool::find(std::size_t body) const {
  const auto found = std::lower_bound(bodies_.begin(), bodies_.end(), body,
                                      [](const Member& m, std::size_t b) { return m.body < b; });
  return static_cast<std::size_t>(found - bodies_.begin());
}

void BodyPool::add_nodes(BodyPlace& place, BlockPattern& pattern) const {
  place.node = pattern.add_node(NodeKind::motion, place.z, place.freedom.n());
}

void BodyPool::name(const Mechanism& m, const Layout& layout, const Geometry& g, std::size_t body,
                    Variables& v) const {
  const char* const axes[] = {
      "x", "y", "z", "rotation about x", "rotation about y", "rotation about z"};
  const BodyPlace& place = layout.bodies[body];
  const BodyData& data = m.bodies[body];
  for (int i = 0; i < place.freedom.n(); ++i) {
    const int along = axis(g.bodies[body], i);
    Coordinate& c = v.coordinate(place.z + i, data.name + "." + axes[along]);
    c.in(along < 3 ? "m" : "rad").scale(along < 3 ? g.length : 1);
    c.hold_position = data.hold_position[ix(along)];
    c.hold_velocity = data.hold_velocity[ix(along)];
    c.given_velocity = gives_velocity(data, g.bodies[body], along);
  }
}

void BodyPool::refresh(const Mechanism& m, const Layout&, std::size_t body, InputValues u,
                       Geometry& g, Doubts& doubts) const {
  const BodyData& data = m.bodies[body];
  BodyGeometry& made = g.bodies[body];
  const auto doubt = [&](const char* what) { doubts.add("body", data.name, what); };
  // A wrong shape is reported instead of the mass and inertia that follow from it.
  bool sound = true;
  if (data.solid)
    for (const Requirement& requirement : data.solid->requirements)
      if (!requirement.met(u)) {
        doubts.add("body", data.name, requirement.otherwise);
        sound = false;
      }
  made.mass = data.mass(u);
  made.J = data.inertia(u);
  if (sound) {
    if (!std::isfinite(made.mass))
      doubt("its mass is not finite");
    else if (!(made.mass >= 0))
      doubt("its mass must not be negative");
    if (!made.J.allFinite())
      doubt("its inertia is not finite");
    else
      check(made, data.name, doubts);
  }
  made.centre = data.centre(u);
  const Vec3 angles = data.rotation(u);
  made.theta0 = angles[2];
  made.w0 = data.angular_velocity(u);
  pose_at_start(angles, made);
  made.r0 = data.at(u) + made.R0 * made.centre;
  made.v0 = data.velocity(u) + made.w0.cross(Vec3(made.R0 * made.centre));
  if (!(made.r0.allFinite() && made.R0.allFinite()))
    doubt("its initial position is not finite");
  else if (!(made.v0.allFinite() && made.w0.allFinite()))
    doubt("its initial velocity is not finite");
}

void BodyPool::scales(const Geometry& g, Out y_scale) const {
  for (const Member& m : bodies_)
    y_scale.segment(m.z, freedom().translations).setConstant(g.length);
}

void BodyPool::total(const Geometry& g, std::size_t body, const Moving<double>& at,
                     const Readings<double>&, BodyTotals<double>& sum) const {
  rigid_total(g.bodies[body], at, sum);
}
void BodyPool::total(const Geometry& g, std::size_t body, const Moving<Along>& at,
                     const Readings<Along>&, BodyTotals<Along>& sum) const {
  rigid_total(g.bodies[body], at, sum);
}

std::vector<std::unique_ptr<BodyPool>> make_body_pools() {
  std::vector<std::unique_ptr<BodyPool>> pools;
  for (std::size_t type = 0; type < words<BodyType>().size(); ++type)
    pools.push_back(make_bodies(static_cast<BodyType>(type)));
  pools.push_back(make_rotors());
  return pools;
}

// A switch: the compiler reports a type without a pool.
std::unique_ptr<BodyPool> make_bodies(BodyType type) {
  switch (type) {
    case BodyType::spatial: return make_spatial_bodies();
    case BodyType::planar: return make_planar_bodies();
    case BodyType::point: return make_points();
    case BodyType::planar_point: return make_planar_points();
    case BodyType::flexible: return make_flexible_bodies();
    case BodyType::node: return make_nodes();
  }
  throw std::logic_error("a type of body without a pool");
}

}  // namespace mechfmu::mechanics
