// Bodies that move and turn in space.
//
//   y = (r, q): centre of mass and unit quaternion          z = (ṙ, Ω): Ω in body axes
//   m r̈ = F,   J Ω̇ = Rᵀτ − Ω × JΩ,      y ⊕ (δ, φ) = (r + δ, q ∘ exp(φ/2))

#include "mechanics/bodies/spatial.h"

#include "mechanics/bodies/kinds.h"
#include "mechanics/bodies/rotation.h"
#include "mechanics/placement.h"

namespace mechfmu::mechanics {

void SpatialBodies::check(const BodyGeometry& body, const std::string& name, Doubts& doubts) const {
  if (!realizable(body.J)) doubts.add("body", name, impossible_inertia);
}
void SpatialBodies::pose_at_start(const Vec3& angles, BodyGeometry& body) const {
  body.R0 = rotation_matrix(angles);
}
void SpatialBodies::start(const Geometry& g, std::vector<double>& y, std::vector<double>& z) const {
  for (const Member& m : bodies_) {
    const BodyGeometry& body = g.bodies[m.body];
    const Vec3 omega = body.R0.transpose() * body.w0;
    for (int i = 0; i < 3; ++i) {
      y[ix(m.y + i)] = body.r0[i];
      z[ix(m.z + i)] = body.v0[i];
      z[ix(m.z + 3 + i)] = omega[i];
    }
    put(Eigen::Quaterniond(body.R0), &y[ix(m.y + 3)]);
  }
}

void SpatialBodies::place(const Geometry&, In y, Instant& now) const {
  for (const Member& m : bodies_) {
    const double* q = y.data() + m.y;
    BodyMotion& b = now.bodies[m.body];
    b.r = {q[0], q[1], q[2]};
    b.R = matrix_of(q + 3);
  }
}
void SpatialBodies::move(In z, Instant& now) const {
  for (const Member& m : bodies_) {
    const double* q = z.data() + m.z;
    BodyMotion& b = now.bodies[m.body];
    b.v = {q[0], q[1], q[2]};
    b.w.noalias() = b.R * Vec3(q[3], q[4], q[5]);
  }
}
void SpatialBodies::collect(const Geometry& g, const Instant& now, bool gyroscopic, Out f) const {
  for (const Member& m : bodies_) {
    const BodyMotion& b = now.bodies[m.body];
    const Load& load = now.loads[m.body];
    Vec3 tau = b.R.transpose() * load.moment;
    if (gyroscopic) {
      const double* z = now.p->z.data() + m.z + 3;
      const Vec3 omega(z[0], z[1], z[2]);
      tau -= omega.cross(Vec3(g.bodies[m.body].J * omega));
    }
    double* q = &f[m.z];
    for (int i = 0; i < 3; ++i) {
      q[i] = load.force[i];
      q[3 + i] = tau[i];
    }
  }
}
void SpatialBodies::axes(Instant& now) const {
  for (const Member& m : bodies_) now.axes[m.body] = now.bodies[m.body].R;
}
void SpatialBodies::accelerate(In a, Instant& now) const {
  for (const Member& m : bodies_) {
    const double* q = a.data() + m.z;
    now.accelerations[m.body] << Vec3(q[0], q[1], q[2]),
        now.bodies[m.body].R * Vec3(q[3], q[4], q[5]);
  }
}
void SpatialBodies::derivatives(const Geometry& g, const Instant& now,
                                const std::vector<BodyPlace>& places, BlockWriter& out) const {
  for (const Member& m : bodies_) {
    const Index node = places[m.body].node;
    if (!out.go(node, node, layer::value | layer::velocity)) continue;
    const BodyGeometry& body = g.bodies[m.body];
    const double* z = now.p->z.data() + m.z + 3;
    const Vec3 omega(z[0], z[1], z[2]);
    const Mat3 gyroscopic = hat(omega) * body.J - hat(body.J * omega);
    for (int r = 0; r < 3; ++r) {
      out.value(r, r) += body.mass;
      for (int c = 0; c < 3; ++c) {
        out.value(3 + r, 3 + c) += body.J(r, c);
        out.velocity(3 + r, 3 + c) += gyroscopic(r, c);
      }
    }
  }
}

void SpatialBodies::displace(In y0, In delta, Out y1) const {
  for (const Member& m : bodies_) {
    const double* q0 = y0.data() + m.y;
    const double* d = delta.data() + m.z;
    double* q1 = &y1[m.y];
    for (int i = 0; i < 3; ++i) q1[i] = q0[i] + d[i];
    turn(q0 + 3, {d[3], d[4], d[5]}, q1 + 3);
  }
}
void SpatialBodies::multiply_mass(const Geometry& g, In, In v, Out Mv) const {
  for (const Member& m : bodies_) {
    const BodyGeometry& body = g.bodies[m.body];
    const double* q = v.data() + m.z;
    double* p = &Mv[m.z];
    const Vec3 L = body.J * Vec3(q[3], q[4], q[5]);
    for (int i = 0; i < 3; ++i) {
      p[i] = body.mass * q[i];
      p[3 + i] = L[i];
    }
  }
}

std::unique_ptr<BodyPool> make_spatial_bodies() { return std::make_unique<SpatialBodies>(); }

}  // namespace mechfmu::mechanics
