// Two points held together in space: spherical joints, and part of revolute, universal and fixed
// ones.
//
//   g = r_j + s_j − r_i − s_i,   s = R p,     g' = v + ω × s,     g'' = a + ω̇ × s + ω × (ω × s)
//
// With rotations about the axes e_k of a body's frame, of which the first ones turn the frame (δe_r
// = e_c × e_r):
//
//   C = [1, e_k × s],     (C z)_c = ω × (e_c × s) + (e_c × ω) × s
//   (Cᵀλ)_rc = (e_r·s)(e_c·λ) − δ_rc s·λ + [(e_r·λ)(e_c·s) − (e_c·λ)(e_r·s)]
//
// Turning axes give the terms in brackets, and the last term of (C z)_c.

#include "mechanics/elements/common.h"

namespace mechfmu::mechanics {

namespace {

class Coincidences final : public ElementPool {
 public:
  bool works(const Mechanism&, const Layout& layout) const override {
    return !layout.coincidences.empty();
  }
  void make_room(const Mechanism&, const Layout& layout, Geometry&, Instant& now) const override {
    now.arms.resize(layout.coincidences.size());
  }
  void look(const Layout& layout, const Mechanism&, std::vector<bool>& bodies) const override {
    for (const int k : layout.coincidences) {
      bodies[ix(layout.joints[ix(k)].i)] = true;
      bodies[ix(layout.joints[ix(k)].j)] = true;
    }
  }

  void move(const Parts& q) const override {
    for (std::size_t k = 0; k < q.layout.coincidences.size(); ++k) {
      const JointPlace& joint = place(q, k);
      const PointPair& p = q.g.points[ix(q.layout.coincidences[k])];
      q.now.arms[k].s_i.noalias() = q.now.bodies[ix(joint.i)].R * p.p_i;
      q.now.arms[k].s_j.noalias() = q.now.bodies[ix(joint.j)].R * p.p_j;
    }
  }
  void values(const Parts& q, Values& values) const override {
    for (std::size_t k = 0; k < q.layout.coincidences.size(); ++k) {
      const JointPlace& joint = place(q, k);
      const BodyMotion& i = q.now.bodies[ix(joint.i)];
      const BodyMotion& j = q.now.bodies[ix(joint.j)];
      const LeverArms& s = q.now.arms[k];
      values.position.segment<3>(joint.first) = j.r + s.s_j - i.r - s.s_i;
      values.velocity.segment<3>(joint.first) = rate(i, j, s);
    }
    react(q, q.now.p->mu);
  }
  void react(const Parts& q, In mu) const override {
    for (std::size_t k = 0; k < q.layout.coincidences.size(); ++k) {
      const JointPlace& joint = place(q, k);
      const LeverArms& s = q.now.arms[k];
      const Vec3 F = mu.segment<3>(joint.first);
      Load& i = q.now.loads[ix(joint.i)];
      Load& j = q.now.loads[ix(joint.j)];
      j.force -= F;
      j.moment -= s.s_j.cross(F);
      i.force += F;
      i.moment += s.s_i.cross(F);
    }
  }
  void multiply(const Parts& q, In, Out Cv) const override {
    for (std::size_t k = 0; k < q.layout.coincidences.size(); ++k) {
      const JointPlace& joint = place(q, k);
      Cv.segment<3>(joint.first) =
          rate(q.now.bodies[ix(joint.i)], q.now.bodies[ix(joint.j)], q.now.arms[k]);
    }
  }
  void accelerate(const Parts& q, Out c) const override {
    for (std::size_t k = 0; k < q.layout.coincidences.size(); ++k) {
      const JointPlace& joint = place(q, k);
      const LeverArms& s = q.now.arms[k];
      c.segment<3>(joint.first) = of_point(q, joint.j, s.s_j) - of_point(q, joint.i, s.s_i);
    }
  }
  void derivatives(const Parts& q, BlockWriter& out) const override {
    for (std::size_t k = 0; k < q.layout.coincidences.size(); ++k) {
      const JointPlace& joint = place(q, k);
      add_side(q, joint, joint.j, q.now.arms[k].s_j, 1, out);
      add_side(q, joint, joint.i, q.now.arms[k].s_i, -1, out);
    }
  }

  bool vary(const Parts& q, const MotionAlong& along, Out c, Out) const override {
    for (const int joint : q.layout.coincidences) vary_coincidence(q, along, joint, c);
    return true;
  }

 private:
  /// Speed of the point of j relative to that of i.
  static Vec3 rate(const BodyMotion& i, const BodyMotion& j, const LeverArms& s) {
    return j.v + j.w.cross(s.s_j) - i.v - i.w.cross(s.s_i);
  }
  static const JointPlace& place(const Parts& q, std::size_t k) {
    return q.layout.joints[ix(q.layout.coincidences[k])];
  }
  static Vec3 of_point(const Parts& q, int body, const Vec3& s) {
    const Vec<double, 6>& a = q.now.accelerations[ix(body)];
    const Vec3& w = q.now.bodies[ix(body)].w;
    return a.head<3>() + Vec3(a.tail<3>()).cross(s) + w.cross(w.cross(s));
  }

  static void add_side(const Parts& q, const JointPlace& joint, int body, const Vec3& s,
                       double sign, BlockWriter& out) {
    const BodyPlace& place = q.layout.bodies[ix(body)];
    const Freedom& freedom = place.freedom;
    const int first = freedom.translations;
    const Mat3& axes = q.now.axes[ix(body)];
    const Vec3& w = q.now.bodies[ix(body)].w;
    if (place.ground()) return;
    Mat3 C;
    for (int c = 0; c < freedom.rotations; ++c) C.col(c) = Vec3(axes.col(c)).cross(s);
    if (out.go(joint.node, place.node,
               freedom.turns() ? layer::value | layer::rows : layer::value)) {
      for (int k = 0; k < first; ++k) out.value(k, k) += sign;
      for (int c = 0; c < freedom.rotations; ++c) {
        Vec3 C_y = w.cross(Vec3(C.col(c)));
        if (c < freedom.turning) C_y += Vec3(axes.col(c)).cross(w).cross(s);
        for (int r = 0; r < 3; ++r) {
          out.value(r, first + c) += sign * C(r, c);
          out.rows(r, first + c) += sign * C_y[r];
        }
      }
    }
    if (out.go(place.node, joint.node, layer::value)) {
      for (int k = 0; k < first; ++k) out.value(k, k) += sign;
      for (int c = 0; c < freedom.rotations; ++c)
        for (int r = 0; r < 3; ++r) out.value(first + c, r) += sign * C(r, c);
    }
    if (freedom.turns() && out.go(place.node, place.node, layer::position)) {
      const Vec3 lambda = q.now.p->mu.segment<3>(joint.first);
      const Vec3 on_s = axes.transpose() * s;
      const Vec3 on_lambda = axes.transpose() * lambda;
      const double product = s.dot(lambda);
      for (int c = 0; c < freedom.rotations; ++c)
        for (int r = 0; r < freedom.rotations; ++r) {
          double change = on_s[r] * on_lambda[c] - (r == c ? product : 0);
          if (c < freedom.turning) change += on_lambda[r] * on_s[c] - on_lambda[c] * on_s[r];
          out.position(first + r, first + c) += sign * change;
        }
    }
  }
};

}  // namespace

std::unique_ptr<ElementPool> make_coincidences() { return std::make_unique<Coincidences>(); }

}  // namespace mechfmu::mechanics
