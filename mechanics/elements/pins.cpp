// Two points held together in the plane: the hinge of planar mechanisms, and the most common joint.
//
//   g = r_j + s_j − r_i − s_i,   s = R p,   s^⊥ = (−s_y, s_x)
//   g' = v + ω s^⊥,   g'' = a + ω̇ s^⊥ − ω² s
//   C = [1 s^⊥],   (C z)_θ = −ω s,   (Cᵀλ)_θ = −s·λ

#include "mechanics/elements/common.h"

namespace mechfmu::mechanics {

namespace {

class Pins final : public ElementPool {
 public:
  bool works(const Mechanism&, const Layout& layout) const override { return !layout.pins.empty(); }
  void make_room(const Mechanism&, const Layout& layout, Geometry&, Instant& now) const override {
    now.pins.resize(layout.pins.size());
  }
  void move(const Parts& q) const override {
    for (std::size_t k = 0; k < q.layout.pins.size(); ++k) {
      const PinPlace& pin = q.layout.pins[k];
      const PlanarMotion& i = q.now.plane[ix(pin.i)];
      const PlanarMotion& j = q.now.plane[ix(pin.j)];
      const PointPair& p = q.g.points[ix(pin.joint)];
      q.now.pins[k] = {.ix = i.c * p.p_i[0] - i.s * p.p_i[1],
                       .iy = i.s * p.p_i[0] + i.c * p.p_i[1],
                       .jx = j.c * p.p_j[0] - j.s * p.p_j[1],
                       .jy = j.s * p.p_j[0] + j.c * p.p_j[1]};
    }
  }

  void values(const Parts& q, Values& values) const override {
    const double* mu = q.now.p->mu.data();
    for (std::size_t k = 0; k < q.layout.pins.size(); ++k) {
      const PinPlace& pin = q.layout.pins[k];
      const PlanarMotion& i = q.now.plane[ix(pin.i)];
      const PlanarMotion& j = q.now.plane[ix(pin.j)];
      const PlanarArms s = q.now.pins[k];
      double* g = values.position.data() + pin.first;
      double* gt = values.velocity.data() + pin.first;
      g[0] = j.x + s.jx - i.x - s.ix;
      g[1] = j.y + s.jy - i.y - s.iy;
      rate(i, j, s, gt);
      push(q.now, pin, s, mu + pin.first);
    }
  }
  void react(const Parts& q, In mu) const override {
    for (std::size_t k = 0; k < q.layout.pins.size(); ++k) {
      const PinPlace& pin = q.layout.pins[k];
      push(q.now, pin, q.now.pins[k], mu.data() + pin.first);
    }
  }
  void multiply(const Parts& q, In, Out Cv) const override {
    for (std::size_t k = 0; k < q.layout.pins.size(); ++k) {
      const PinPlace& pin = q.layout.pins[k];
      rate(q.now.plane[ix(pin.i)], q.now.plane[ix(pin.j)], q.now.pins[k], &Cv[pin.first]);
    }
  }
  void accelerate(const Parts& q, Out c) const override {
    for (std::size_t k = 0; k < q.layout.pins.size(); ++k) {
      const PinPlace& pin = q.layout.pins[k];
      const JointPlace& joint = q.layout.joints[ix(pin.joint)];
      const PlanarArms& s = q.now.pins[k];
      const Vec<double, 6>& a_i = q.now.accelerations[ix(joint.i)];
      const Vec<double, 6>& a_j = q.now.accelerations[ix(joint.j)];
      const double w_i = q.now.plane[ix(pin.i)].w;
      const double w_j = q.now.plane[ix(pin.j)].w;
      double* to = &c[pin.first];
      to[0] = a_j[0] - a_j[5] * s.jy - w_j * w_j * s.jx - a_i[0] + a_i[5] * s.iy + w_i * w_i * s.ix;
      to[1] = a_j[1] + a_j[5] * s.jx - w_j * w_j * s.jy - a_i[1] - a_i[5] * s.ix + w_i * w_i * s.iy;
    }
  }

  void derivatives(const Parts& q, BlockWriter& out) const override {
    for (std::size_t k = 0; k < q.layout.pins.size(); ++k) {
      const PinPlace& pin = q.layout.pins[k];
      const JointPlace& joint = q.layout.joints[ix(pin.joint)];
      const PlanarArms& s = q.now.pins[k];
      const double* lambda = q.now.p->mu.data() + pin.first;
      add_side(q, joint, joint.j, q.now.plane[ix(pin.j)].w, s.jx, s.jy, 1, lambda, out);
      add_side(q, joint, joint.i, q.now.plane[ix(pin.i)].w, s.ix, s.iy, -1, lambda, out);
    }
  }

  bool vary(const Parts& q, const MotionAlong& along, Out c, Out) const override {
    for (const PinPlace& pin : q.layout.pins) vary_coincidence(q, along, pin.joint, c);
    return true;
  }

 private:
  /// Speed of the point of j relative to that of i.
  static void rate(const PlanarMotion& i, const PlanarMotion& j, const PlanarArms& s, double* to) {
    to[0] = j.vx - j.w * s.jy - i.vx + i.w * s.iy;
    to[1] = j.vy + j.w * s.jx - i.vy - i.w * s.ix;
  }
  static void push(Instant& now, const PinPlace& pin, const PlanarArms& s, const double* lambda) {
    PlanarLoad& i = now.loads_in_plane[ix(pin.i)];
    PlanarLoad& j = now.loads_in_plane[ix(pin.j)];
    const double x = lambda[0];
    const double y = lambda[1];
    j.fx -= x;
    j.fy -= y;
    j.m -= s.jx * y - s.jy * x;
    i.fx += x;
    i.fy += y;
    i.m += s.ix * y - s.iy * x;
  }

  static void add_side(const Parts& q, const JointPlace& joint, int body, double w, double sx,
                       double sy, double sign, const double* lambda, BlockWriter& out) {
    const BodyPlace& place = q.layout.bodies[ix(body)];
    const bool turns = place.freedom.turns();
    if (out.go(joint.node, place.node, turns ? layer::value | layer::rows : layer::value)) {
      out.value(0, 0) += sign;
      out.value(1, 1) += sign;
      if (turns) {
        out.value(0, 2) -= sign * sy;
        out.value(1, 2) += sign * sx;
        out.rows(0, 2) -= sign * w * sx;
        out.rows(1, 2) -= sign * w * sy;
      }
    }
    if (out.go(place.node, joint.node, layer::value)) {
      out.value(0, 0) += sign;
      out.value(1, 1) += sign;
      if (turns) {
        out.value(2, 0) -= sign * sy;
        out.value(2, 1) += sign * sx;
      }
    }
    if (turns && out.go(place.node, place.node, layer::position))
      out.position(2, 2) -= sign * (sx * lambda[0] + sy * lambda[1]);
  }
};

}  // namespace

std::unique_ptr<ElementPool> make_pins() { return std::make_unique<Pins>(); }

}  // namespace mechfmu::mechanics
