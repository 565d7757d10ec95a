// Two points held together in the plane: the hinge of planar mechanisms, and the commonest joint of all.
//
//   g = r_j + s_j − r_i − s_i,   s = R p,     g' = v + ω s^⊥,     g'' = a + ω̇ s^⊥ − ω² s,     s^⊥ = (−s_y, s_x)
//   C = [1 s^⊥],   (C z)_θ = −ω s,   (Cᵀλ)_θ = −s·λ

#include "mechanics/elements/common.h"

namespace mechfmu::mechanics {

namespace {

class Pins final : public ElementPool {
 public:
  bool works(const Mechanism&, const Layout& layout) const override { return !layout.pins.empty(); }
  void move(const Parts& q) const override {
    for (std::size_t k = 0; k < q.layout.pins.size(); ++k) {
      const Pin pin(q, k);
      const PointPair& p = q.g.points[ix(q.layout.pins[k])];
      PlanarArms& s = q.now.pins[k];
      s.ix = pin.i.c * p.p_i[0] - pin.i.s * p.p_i[1];
      s.iy = pin.i.s * p.p_i[0] + pin.i.c * p.p_i[1];
      s.jx = pin.j.c * p.p_j[0] - pin.j.s * p.p_j[1];
      s.jy = pin.j.s * p.p_j[0] + pin.j.c * p.p_j[1];
    }
  }

  void values(const Parts& q, Values& values) const override {
    for (std::size_t k = 0; k < q.layout.pins.size(); ++k) {
      const Pin pin(q, k);
      const PlanarArms& s = q.now.pins[k];
      double* g = &values.position[pin.joint.first];
      double* gt = &values.velocity[pin.joint.first];
      g[0] = pin.j.x + s.jx - pin.i.x - s.ix;
      g[1] = pin.j.y + s.jy - pin.i.y - s.iy;
      gt[0] = pin.j.vx - pin.j.w * s.jy - pin.i.vx + pin.i.w * s.iy;
      gt[1] = pin.j.vy + pin.j.w * s.jx - pin.i.vy - pin.i.w * s.ix;
      push(pin, s, q.now.p->mu.data() + pin.joint.first);
    }
  }
  void react(const Parts& q, In mu) const override {
    for (std::size_t k = 0; k < q.layout.pins.size(); ++k) {
      const Pin pin(q, k);
      push(pin, q.now.pins[k], mu.data() + pin.joint.first);
    }
  }
  void accelerate(const Parts& q, Out c) const override {
    for (std::size_t k = 0; k < q.layout.pins.size(); ++k) {
      const Pin pin(q, k);
      const PlanarArms& s = q.now.pins[k];
      const Vec<double, 6>& a_i = q.now.accelerations[ix(pin.joint.i)];
      const Vec<double, 6>& a_j = q.now.accelerations[ix(pin.joint.j)];
      const double ww_i = pin.i.w * pin.i.w;
      const double ww_j = pin.j.w * pin.j.w;
      double* to = &c[pin.joint.first];
      to[0] = a_j[0] - a_j[5] * s.jy - ww_j * s.jx - a_i[0] + a_i[5] * s.iy + ww_i * s.ix;
      to[1] = a_j[1] + a_j[5] * s.jx - ww_j * s.jy - a_i[1] - a_i[5] * s.ix + ww_i * s.iy;
    }
  }

  void derivatives(const Parts& q, BlockWriter& out) const override {
    for (std::size_t k = 0; k < q.layout.pins.size(); ++k) {
      const Pin pin(q, k);
      const PlanarArms& s = q.now.pins[k];
      const double* lambda = q.now.p->mu.data() + pin.joint.first;
      add_side(q, pin.joint, pin.joint.j, pin.j.w, s.jx, s.jy, 1, lambda, out);
      add_side(q, pin.joint, pin.joint.i, pin.i.w, s.ix, s.iy, -1, lambda, out);
    }
  }

 private:
  struct Pin {
    Pin(const Parts& q, std::size_t k)
        : joint(q.layout.joints[ix(q.layout.pins[k])]),
          i(q.now.plane[ix(q.layout.bodies[ix(joint.i)].plane)]),
          j(q.now.plane[ix(q.layout.bodies[ix(joint.j)].plane)]) {}
    const JointPlace& joint;
    PlanarMotion &i, &j;
  };

  static void push(const Pin& pin, const PlanarArms& s, const double* lambda) {
    const double x = lambda[0];
    const double y = lambda[1];
    pin.j.fx -= x;
    pin.j.fy -= y;
    pin.j.m -= s.jx * y - s.jy * x;
    pin.i.fx += x;
    pin.i.fy += y;
    pin.i.m += s.ix * y - s.iy * x;
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
