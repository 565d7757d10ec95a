// Bodies that are symmetric about an axis and spin about it: wheels, gyroscopes, shafts.
//
// Their rotation is that of a frame F which never turns about the axis, its third one, and an angle
// θ; P are principal axes:
//
//   R = F·R_z(θ)·Pᵀ         y = (r, q_F, θ): centre of mass, unit quaternion of F, angle
//   z = (ṙ, W): W in the axes of F, W₃ the spin
//   y ⊕ (δ, φ) = (r + δ, q_F ∘ exp((φ₁, φ₂, 0)/2), θ + φ₃)
//   m r̈ = force,   J Ẇ = Fᵀτ − (W₁, W₂, 0) × JW,   J = diag(J₁, J₁, J₃)
//
// None of this depends on θ: however fast the body spins, a step follows the axle. Points fixed to
// the body off its axis use R.

#include "mechanics/bodies/in_space.h"
#include "mechanics/bodies/kinds.h"
#include "mechanics/bodies/rotation.h"
#include "mechanics/placement.h"
#include "mechanics/rotors.h"

namespace mechfmu::mechanics {

namespace {

/// (W₁, W₂, 0) × JW.
Vec3 gyroscopic_torque(const Vec3& J, const double* W) {
  return {W[1] * J[2] * W[2], -W[0] * J[2] * W[2], 0};
}

class Rotors final : public BodiesInSpace {
 public:
  Freedom freedom() const override {
    return {.translations = 3, .rotations = 3, .turning = 2, .positions = 8};
  }
  int axis(const BodyGeometry& body, int k) const override {
    if (k < 3) return k;
    Index along = 0;
    body.principal.col(2).cwiseAbs().maxCoeff(&along);
    return 3 + (static_cast<int>(along) + k - 2) % 3;
  }

  void check(const BodyGeometry& body, const std::string& name, Doubts& doubts) const override {
    if (!realizable(body.J)) {
      doubts.add("body", name, impossible_inertia);
      return;
    }
    if (!is_symmetric(body.J, body.principal.col(2)))
      doubts.add("body", name,
                 "its inertia is not symmetric about the axis it spins about; with spins=\"false\" "
                 "it may have any inertia");
  }
  void pose_at_start(const Vec3& angles, BodyGeometry& body) const override {
    body.R0 = rotation_matrix(angles);
    const Mat3 J = body.principal.transpose() * body.J * body.principal;
    const double across = (J(0, 0) + J(1, 1)) / 2;
    body.moments = {across, across, J(2, 2)};
  }
  void start(const Geometry& g, std::vector<double>& y, std::vector<double>& z) const override {
    for (const Member& m : bodies_) {
      const BodyGeometry& body = g.bodies[m.body];
      const Mat3 F = body.R0 * body.principal;
      const Vec3 W = F.transpose() * body.w0;
      for (int i = 0; i < 3; ++i) {
        y[ix(m.y + i)] = body.r0[i];
        z[ix(m.z + i)] = body.v0[i];
        z[ix(m.z + 3 + i)] = W[i];
      }
      put(Eigen::Quaterniond(F), &y[ix(m.y + 3)]);
      y[ix(m.y + 7)] = 0;
    }
  }

  void place(const Geometry& g, In y, Instant& now) const override {
    for (const Member& m : bodies_) {
      const double* q = y.data() + m.y;
      BodyMotion& b = now.bodies[m.body];
      Mat3& F = now.axes[m.body];
      b.r = {q[0], q[1], q[2]};
      F = matrix_of(q + 3);
      const double c = std::cos(q[7]);
      const double s = std::sin(q[7]);
      Mat3 turned = F;
      turned.col(0) = c * F.col(0) + s * F.col(1);
      turned.col(1) = c * F.col(1) - s * F.col(0);
      b.R.noalias() = turned * g.bodies[m.body].principal.transpose();
    }
  }
  void move(In z, Instant& now) const override {
    for (const Member& m : bodies_) {
      const double* q = z.data() + m.z;
      BodyMotion& b = now.bodies[m.body];
      b.v = {q[0], q[1], q[2]};
      b.w.noalias() = now.axes[m.body] * Vec3(q[3], q[4], q[5]);
    }
  }
  void collect(const Geometry& g, const Instant& now, bool gyroscopic, Out f) const override {
    for (const Member& m : bodies_) {
      const Load& load = now.loads[m.body];
      Vec3 tau = now.axes[m.body].transpose() * load.moment;
      if (gyroscopic) tau -= gyroscopic_torque(g.bodies[m.body].moments, now.p->z.data() + m.z + 3);
      double* q = &f[m.z];
      for (int i = 0; i < 3; ++i) {
        q[i] = load.force[i];
        q[3 + i] = tau[i];
      }
    }
  }
  void axes(Instant&) const override {}  // place() sets them
  void accelerate(In a, Instant& now) const override {
    for (const Member& m : bodies_) {
      const double* q = a.data() + m.z;
      const double* W = now.p->z.data() + m.z + 3;
      // F turns with (W₁, W₂, 0).
      const Vec3 rate(q[3] + W[1] * W[2], q[4] - W[0] * W[2], q[5]);
      now.accelerations[m.body] << Vec3(q[0], q[1], q[2]), now.axes[m.body] * rate;
    }
  }
  void derivatives(const Geometry& g, const Instant& now, const std::vector<BodyPlace>& places,
                   BlockWriter& out) const override {
    for (const Member& m : bodies_) {
      const Index node = places[m.body].node;
      if (!out.go(node, node, layer::value | layer::velocity)) continue;
      const BodyGeometry& body = g.bodies[m.body];
      const Vec3& J = body.moments;
      const double* W = now.p->z.data() + m.z + 3;
      for (int r = 0; r < 3; ++r) {
        out.value(r, r) += body.mass;
        out.value(3 + r, 3 + r) += J[r];
      }
      out.velocity(3, 4) += J[2] * W[2];
      out.velocity(3, 5) += J[2] * W[1];
      out.velocity(4, 3) -= J[2] * W[2];
      out.velocity(4, 5) -= J[2] * W[0];
    }
  }

  void displace(In y0, In delta, Out y1) const override {
    for (const Member& m : bodies_) {
      const double* q0 = y0.data() + m.y;
      const double* d = delta.data() + m.z;
      double* q1 = &y1[m.y];
      for (int i = 0; i < 3; ++i) q1[i] = q0[i] + d[i];
      turn(q0 + 3, {d[3], d[4], 0}, q1 + 3);
      q1[7] = q0[7] + d[5];
    }
  }
  void multiply_mass(const Geometry& g, In, In v, Out Mv) const override {
    for (const Member& m : bodies_) {
      const BodyGeometry& body = g.bodies[m.body];
      const Vec3& J = body.moments;
      const double* q = v.data() + m.z;
      double* p = &Mv[m.z];
      for (int i = 0; i < 3; ++i) {
        p[i] = body.mass * q[i];
        p[3 + i] = J[i] * q[3 + i];
      }
    }
  }
};

}  // namespace

std::unique_ptr<BodyPool> make_rotors() { return std::make_unique<Rotors>(); }

}  // namespace mechfmu::mechanics
