// Bodies and point masses that move in the plane: y = (x, y, θ) or (x, y), z = y'; m ẍ = F, J θ̈ =
// τ.
//
// Joints in the plane work on PlanarMotion and PlanarLoad, ten numbers per body. Bodies that other
// elements refer to also have their pose and velocity in world axes.

#include <algorithm>
#include <cmath>

#include "mechanics/bodies/kinds.h"
#include "mechanics/layout.h"
#include "mechanics/placement.h"

namespace mechfmu::mechanics {

namespace {

template <bool Turns>
class PlanarBodies final : public BodyPool {
 public:
  Freedom freedom() const override {
    return {.translations = 2,
            .rotations = Turns ? 1 : 0,
            .turning = Turns ? 1 : 0,
            .positions = Turns ? 3 : 2};
  }
  int axis(const BodyGeometry&, int k) const override { return k == 2 ? 5 : k; }

  void number(const Mechanism& m, std::size_t body, Layout& layout) override {
    BodyPool::number(m, body, layout);
    BodyPlace& place = layout.bodies[body];
    place.plane = static_cast<int>(layout.planar++);
    plane_.push_back(place.plane);
    is_shown_.push_back(false);
    if (runs_.empty() || !runs_.back().continued_by(place))
      runs_.push_back({place.y, place.z, place.plane, 0});
    ++runs_.back().count;
  }
  void show(std::size_t body) override {
    const std::size_t i = find(body);
    if (!is_shown_[i]) shown_.push_back(i);
    is_shown_[i] = true;
  }

  void make_room(const Mechanism&, const Layout& layout, Geometry& g, Instant& now) const override {
    g.plane.resize(layout.planar);
    now.plane.resize(layout.planar);
    now.loads_in_plane.resize(layout.planar);
  }

  void refresh(const Mechanism& m, const Layout& layout, std::size_t body, InputValues u,
               Geometry& g, Doubts& doubts) const override {
    BodyPool::refresh(m, layout, body, u, g, doubts);
    g.plane[ix(layout.bodies[body].plane)] = {g.bodies[body].mass, g.bodies[body].J(2, 2)};
  }
  void check(const BodyGeometry& body, const std::string& name, Doubts& doubts) const override {
    if (Turns && !(body.J(2, 2) >= 0))
      doubts.add("body", name, "its moment of inertia must not be negative");
  }
  void pose_at_start(const Vec3& angles, BodyGeometry& body) const override {
    body.R0 = Turns ? rotation_matrix({0, 0, angles[2]}) : Mat3(Mat3::Identity());
    body.w0.head<2>().setZero();
    if (!Turns) body.w0.setZero();
  }
  void start(const Geometry& g, std::vector<double>& y, std::vector<double>& z) const override {
    for (const Member& m : bodies_) {
      const BodyGeometry& body = g.bodies[m.body];
      const double position[] = {body.r0[0], body.r0[1], body.theta0};
      const double velocity[] = {body.v0[0], body.v0[1], body.w0[2]};
      for (std::size_t i = 0; i < size; ++i) {
        y[ix(m.y) + i] = position[i];
        z[ix(m.z) + i] = velocity[i];
      }
    }
  }

  void arrive(const Geometry& g, In y, In z, Instant& now) const override {
    for_each([&](Index q, Index v, std::size_t b) {
      place(y.data() + q, now.plane[b]);
      move(z.data() + v, now.plane[b]);
      now.loads_in_plane[b] = weight(g, b);
    });
    for (const std::size_t i : shown_) {
      show_pose(g, i, now);
      show_velocity(i, now);
      now.loads[bodies_[i].body] = {};
    }
  }
  void place(const Geometry& g, In y, Instant& now) const override {
    for_each([&](Index q, Index, std::size_t b) { place(y.data() + q, now.plane[b]); });
    for (const std::size_t i : shown_) show_pose(g, i, now);
  }
  void move(In z, Instant& now) const override {
    for_each([&](Index, Index v, std::size_t b) { move(z.data() + v, now.plane[b]); });
    for (const std::size_t i : shown_) show_velocity(i, now);
  }
  void look(const Geometry& g, std::size_t body, Instant& now) const override {
    const std::size_t i = find(body);
    if (is_shown_[i]) return;
    show_pose(g, i, now);
    show_velocity(i, now);
  }
  void begin_loads(const Geometry& g, bool weighs, Instant& now) const override {
    for_each([&](Index, Index, std::size_t b) {
      now.loads_in_plane[b] = weighs ? weight(g, b) : PlanarLoad{};
    });
    for (const std::size_t i : shown_) now.loads[bodies_[i].body] = {};
  }
  void collect(const Geometry&, const Instant& now, bool, Out f) const override {
    for_each([&](Index, Index v, std::size_t b) {
      const PlanarLoad& load = now.loads_in_plane[b];
      double* q = &f[v];
      q[0] = load.fx;
      q[1] = load.fy;
      if constexpr (Turns) q[2] = load.m;
    });
    for (const std::size_t i : shown_) {
      const Load& load = now.loads[bodies_[i].body];
      double* q = &f[bodies_[i].z];
      q[0] += load.force[0];
      q[1] += load.force[1];
      if constexpr (Turns) q[2] += load.moment[2];
    }
  }
  void axes(Instant& now) const override {
    for (const Member& m : bodies_) now.axes[m.body].col(0) = Vec3::UnitZ();
  }
  void accelerate(In a, Instant& now) const override {
    for (const Member& m : bodies_) {
      const double* q = a.data() + m.z;
      now.accelerations[m.body] << q[0], q[1], 0, 0, 0, (Turns ? q[2] : 0);
    }
  }
  void derivatives(const Geometry& g, const Instant&, const std::vector<BodyPlace>& places,
                   BlockWriter& out) const override {
    for (const Member& m : bodies_) {
      const Index node = places[m.body].node;
      if (!out.go(node, node, layer::value)) continue;
      for (int r = 0; r < 2; ++r) out.value(r, r) += g.bodies[m.body].mass;
      if constexpr (Turns) out.value(2, 2) += g.bodies[m.body].J(2, 2);
    }
  }

  void displace(In y0, In delta, Out y1) const override {
    for (const Run& run : runs_) {
      const auto count = static_cast<Index>(size) * run.count;
      y1.segment(run.y, count) = y0.segment(run.y, count) + delta.segment(run.z, count);
    }
  }
  void multiply_mass(const Geometry& g, In, In v, Out Mv) const override {
    for_each([&](Index, Index at, std::size_t b) {
      const PlanarMass& body = g.plane[b];
      const double* q = v.data() + at;
      double* p = &Mv[at];
      p[0] = body.mass * q[0];
      p[1] = body.mass * q[1];
      if constexpr (Turns) p[2] = body.J * q[2];
    });
  }
  double farthest(In y) const override {
    double far = 0;
    for_each([&](Index q, Index, std::size_t) {
      far = std::max({far, std::abs(y[q]), std::abs(y[q + 1])});
    });
    return far;
  }

 private:
  static constexpr std::size_t size = Turns ? 3 : 2;

  /// Bodies whose numbers follow one another.
  struct Run {
    Index y, z;
    int plane, count;
    bool continued_by(const BodyPlace& place) const {
      const auto numbers = static_cast<Index>(size) * count;
      return place.y == y + numbers && place.z == z + numbers && place.plane == plane + count;
    }
  };
  /// body(first position, first velocity, number in the plane)
  template <class Body>
  void for_each(const Body& body) const {
    for (const Run& run : runs_)
      for (int i = 0; i < run.count; ++i) {
        const auto numbers = static_cast<Index>(size) * i;
        body(run.y + numbers, run.z + numbers, ix(run.plane + i));
      }
  }

  static void place(const double* q, PlanarMotion& b) {
    b.x = q[0];
    b.y = q[1];
    if constexpr (Turns) {
      const double theta = q[2];
      const double c = std::cos(theta);  // one call for both
      const double s = std::sin(theta);
      b.c = c;
      b.s = s;
    }
  }
  static void move(const double* q, PlanarMotion& b) {
    b.vx = q[0];
    b.vy = q[1];
    if constexpr (Turns) b.w = q[2];
  }
  static PlanarLoad weight(const Geometry& g, std::size_t b) {
    const double mass = g.plane[b].mass;
    return {mass * g.gravity[0], mass * g.gravity[1], 0};
  }

  void show_pose(const Geometry& g, std::size_t i, Instant& now) const {
    const PlanarMotion& b = now.plane[ix(plane_[i])];
    BodyMotion& world = now.bodies[bodies_[i].body];
    world.r = {b.x, b.y, g.bodies[bodies_[i].body].r0[2]};
    if constexpr (Turns) {
      world.R(0, 0) = world.R(1, 1) = b.c;
      world.R(1, 0) = b.s;
      world.R(0, 1) = -b.s;
    }
  }
  void show_velocity(std::size_t i, Instant& now) const {
    const PlanarMotion& b = now.plane[ix(plane_[i])];
    BodyMotion& world = now.bodies[bodies_[i].body];
    world.v = {b.vx, b.vy, 0};
    if constexpr (Turns) world.w = {0, 0, b.w};
  }

  std::vector<Run> runs_;           // all of them
  std::vector<int> plane_;          // their numbers in Instant::plane
  std::vector<std::size_t> shown_;  // bodies known in world axes, as positions in bodies_
  std::vector<bool> is_shown_;
};

}  // namespace

std::unique_ptr<BodyPool> make_planar_bodies() { return std::make_unique<PlanarBodies<true>>(); }
std::unique_ptr<BodyPool> make_planar_points() { return std::make_unique<PlanarBodies<false>>(); }

}  // namespace mechfmu::mechanics
