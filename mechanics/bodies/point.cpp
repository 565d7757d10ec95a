// Point masses in space: y = r, z = ṙ, m r̈ = F.

#include "mechanics/bodies/in_space.h"
#include "mechanics/bodies/kinds.h"

namespace mechfmu::mechanics {

namespace {

class Points final : public BodiesInSpace {
 public:
  Freedom freedom() const override { return {.translations = 3, .positions = 3}; }
  int axis(const BodyGeometry&, int k) const override { return k; }

  void pose_at_start(const Vec3&, BodyGeometry& body) const override {
    body.R0.setIdentity();
    body.w0.setZero();
  }
  void start(const Geometry& g, std::vector<double>& y, std::vector<double>& z) const override {
    for (const Member& m : bodies_)
      for (int i = 0; i < 3; ++i) {
        y[ix(m.y + i)] = g.bodies[m.body].r0[i];
        z[ix(m.z + i)] = g.bodies[m.body].v0[i];
      }
  }

  void place(const Geometry&, In y, Instant& now) const override {
    for (const Member& m : bodies_) now.bodies[m.body].r = y.segment<3>(m.y);
  }
  void move(In z, Instant& now) const override {
    for (const Member& m : bodies_) now.bodies[m.body].v = z.segment<3>(m.z);
  }
  void collect(const Geometry&, const Instant& now, bool, Out f) const override {
    for (const Member& m : bodies_) f.segment<3>(m.z) = now.loads[m.body].force;
  }
  void axes(Instant&) const override {}
  void accelerate(In a, Instant& now) const override {
    for (const Member& m : bodies_)
      now.accelerations[m.body] << a.segment<3>(m.z), Vec3(Vec3::Zero());
  }
  void derivatives(const Geometry& g, const Instant&, const std::vector<BodyPlace>& places,
                   BlockWriter& out) const override {
    for (const Member& m : bodies_) {
      const Index node = places[m.body].node;
      if (out.go(node, node, layer::value))
        for (int r = 0; r < 3; ++r) out.value(r, r) += g.bodies[m.body].mass;
    }
  }

  void displace(In y0, In delta, Out y1) const override {
    for (const Member& m : bodies_) y1.segment<3>(m.y) = y0.segment<3>(m.y) + delta.segment<3>(m.z);
  }
  void multiply_mass(const Geometry& g, In, In v, Out Mv) const override {
    for (const Member& m : bodies_) Mv.segment<3>(m.z) = g.bodies[m.body].mass * v.segment<3>(m.z);
  }
};

}  // namespace

std::unique_ptr<BodyPool> make_points() { return std::make_unique<Points>(); }

}  // namespace mechfmu::mechanics
