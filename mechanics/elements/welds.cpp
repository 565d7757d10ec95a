// Nodes of flexible bodies: each is a body without mass, held to where the flexible body and its
// modes put it.
//
//   0 = Rᵀ(P − r) − p − Φq          place: P of the node, r and R of the body's mean axes
//   0 = log(RᵀN) − Ψq               axes: N of the node; log: the rotation vector
//
// In mean axes both are linear in q, with constant coefficients: all nonlinear terms are between
// two rigid bodies. With d = Rᵀ(P − r), χ = log(RᵀN), multipliers F (force) and τ, and ν the
// angular velocity of the node in its own axes:
//
//   d' = Rᵀ(v_P − v_r) − Ω × d
//   d'' = Rᵀ(a_P − a_r) − Ω' × d − 2Ω × d' − Ω × (Ω × d)
//   χ' = Jᵣ⁻¹ν − Jₗ⁻¹Ω                                        (bodies/rotation_vector.h)
//   χ'' = Jᵣ⁻¹ν' − Jₗ⁻¹Ω' + (Jᵣ⁻¹ν − Jₗ⁻¹Ω)_χ χ'
//   Cᵀμ = (RF, Jₗ⁻¹τ) on the node, (−RF, −d × F − Jᵣ⁻¹τ) on the body, −ΦᵀF − Ψᵀτ on the modes

#include "mechanics/elements/welds.h"

#include "mechanics/bodies/rotation_vector.h"
#include "mechanics/elements/common.h"
#include "mechanics/elements/pairs.h"
#include "mechanics/motion_along.h"
#include "model/format.h"

namespace mechfmu::mechanics {

namespace {

/// d'' and χ'' but for the modes.
template <class T>
void relative_acceleration(const Moving<T>& body, const Moving<T>& node, const Vec<T, 6>& a_body,
                           const Vec<T, 6>& a_node, Vec<T, 3>& d2, Vec<T, 3>& chi2) {
  using V = Vec<T, 3>;
  const Mat<T, 3> to_body = body.R.transpose();
  const Mat<T, 3> to_node = node.R.transpose();
  const V omega = to_body * body.w;
  const V omega_rate = to_body * a_body.template tail<3>();
  const V nu = to_node * node.w;
  const V nu_rate = to_node * a_node.template tail<3>();
  const V d = to_body * (node.r - body.r);
  const V d_rate = to_body * (node.v - body.v) - cross<T>(omega, d);
  d2 = to_body * (a_node.template head<3>() - a_body.template head<3>()) - cross<T>(omega_rate, d) -
       cross<T>(omega, d_rate) * T(2.0) - cross<T>(omega, cross<T>(omega, d));
  const V chi = rotation_vector(Mat<T, 3>(to_body * node.R));
  const RotationRate<T> J(chi);
  const V chi_rate = J.right(nu) - J.left(omega);
  chi2 = J.right(nu_rate) - J.left(omega_rate) + J.right_change(nu, chi_rate) -
         J.left_change(omega, chi_rate);
}

class Welds final : public ElementPool {
 public:
  void number(const Mechanism&, Layout& layout, Doubts&) const override {
    for (WeldPlace& weld : layout.welds) {
      weld.first = layout.sizes.m;
      layout.sizes.m += 6;
    }
  }
  void look(const Layout& layout, const Mechanism&, std::vector<bool>& bodies) const override {
    for (const WeldPlace& weld : layout.welds)
      bodies[ix(weld.body)] = bodies[ix(weld.flexible)] = true;
  }
  bool works(const Mechanism&, const Layout& layout) const override {
    return !layout.welds.empty();
  }
  void make_room(const Mechanism&, const Layout& layout, Geometry& g, Instant& now) const override {
    g.welds.resize(layout.welds.size());
    now.welds.resize(layout.welds.size());
  }
  void add_nodes(const Mechanism&, Layout& layout, BlockPattern& pattern) const override {
    for (WeldPlace& weld : layout.welds)
      weld.node = pattern.add_node(NodeKind::holonomic, layout.sizes.n + weld.first, 6);
  }
  void name(const Mechanism& m, const Layout& layout, Variables& v) const override {
    const char* const rows[] = {
        "x", "y", "z", "rotation about x", "rotation about y", "rotation about z"};
    for (const WeldPlace& weld : layout.welds)
      for (int r = 0; r < 6; ++r)
        v.constraint(weld.first + r, m.bodies[ix(weld.body)].name + ": " + rows[r]);
  }
  void violations(const Mechanism& m, const Layout& layout, const Geometry& geometry, In g,
                  std::vector<Violation>& all) const override {
    for (const WeldPlace& weld : layout.welds) {
      const double way = g.segment<3>(weld.first).norm();
      const double angle = g.segment<3>(weld.first + 3).norm();
      all.push_back({way / geometry.length + angle,
                     "node '" + m.bodies[ix(weld.body)].name + "' is away from its body",
                     format(way, 3) + " m and " + format(angle, 3) + " rad"});
    }
  }

  void refresh(const Mechanism& m, const Layout& layout, InputValues, Geometry& g,
               Doubts&) const override {
    for (std::size_t k = 0; k < layout.welds.size(); ++k) {
      const WeldPlace& weld = layout.welds[k];
      const ModalBody& numbers = *m.modals[ix(m.bodies[ix(weld.flexible)].modal.index)];
      WeldGeometry& made = g.welds[k];
      if (made.phi.cols() == numbers.modes && numbers.modes > 0) continue;  // they never change
      made.p = numbers.place(ix(weld.number)) - numbers.centre();
      made.phi.resize(3, numbers.modes);
      made.psi.resize(3, numbers.modes);
      for (Index mode = 0; mode < numbers.modes; ++mode) {
        made.phi.col(mode) = numbers.phi(ix(weld.number), ix(mode));
        made.psi.col(mode) = numbers.psi(ix(weld.number), ix(mode));
      }
    }
  }
  double reach(const Layout&, const Geometry& g) const override {
    double largest = 0;
    for (const WeldGeometry& weld : g.welds) largest = std::max(largest, weld.p.norm());
    return largest;
  }

  void move(const Parts& q) const override {
    for (std::size_t k = 0; k < q.layout.welds.size(); ++k) {
      const WeldPlace& weld = q.layout.welds[k];
      const BodyMotion& body = q.now.bodies[ix(weld.flexible)];
      const BodyMotion& node = q.now.bodies[ix(weld.body)];
      WeldMotion& made = q.now.welds[k];
      made.d = body.R.transpose() * (node.r - body.r);
      made.chi = rotation_vector(Mat3(body.R.transpose() * node.R));
      rates(body, node, made);
    }
  }
  void values(const Parts& q, Values& values) const override {
    for (std::size_t k = 0; k < q.layout.welds.size(); ++k) {
      const WeldPlace& weld = q.layout.welds[k];
      const BodyPlace& body = q.layout.bodies[ix(weld.flexible)];
      const WeldGeometry& g = q.g.welds[k];
      const WeldMotion& now = q.now.welds[k];
      const auto modes = q.now.p->y.segment(body.q(), body.modes);
      const auto rates = q.now.p->z.segment(body.q_rate(), body.modes);
      values.position.segment<3>(weld.first) = now.d - g.p;
      values.position.segment<3>(weld.first + 3) = now.chi;
      values.velocity.segment<3>(weld.first) = now.d_rate;
      values.velocity.segment<3>(weld.first + 3) = now.chi_rate;
      subtract(g, modes, values.position, weld.first);
      subtract(g, rates, values.velocity, weld.first);
    }
    react(q, q.now.p->mu);
  }
  void react(const Parts& q, In mu) const override {
    for (std::size_t k = 0; k < q.layout.welds.size(); ++k) {
      const WeldPlace& weld = q.layout.welds[k];
      const BodyPlace& body = q.layout.bodies[ix(weld.flexible)];
      const WeldGeometry& g = q.g.welds[k];
      const InterfaceLoad load = interface_load(q, k, mu);
      Load& node = q.now.loads[ix(weld.body)];
      Load& whole = q.now.loads[ix(weld.flexible)];
      node.force -= load.force;
      node.moment -= load.torque;
      whole.force += load.force;
      whole.moment += load.moment;
      if (body.modes == 0) continue;
      Vector& modes = q.now.flexibles[ix(body.flexible)].load;
      modes.noalias() += g.phi.transpose() * Vec3(mu.segment<3>(weld.first));
      modes.noalias() += g.psi.transpose() * Vec3(mu.segment<3>(weld.first + 3));
    }
  }
  void multiply(const Parts& q, In v, Out Cv) const override {
    for (std::size_t k = 0; k < q.layout.welds.size(); ++k) {
      const WeldPlace& weld = q.layout.welds[k];
      const BodyPlace& body = q.layout.bodies[ix(weld.flexible)];
      WeldMotion along = q.now.welds[k];
      rates(q.now.bodies[ix(weld.flexible)], q.now.bodies[ix(weld.body)], along);
      Cv.segment<3>(weld.first) = along.d_rate;
      Cv.segment<3>(weld.first + 3) = along.chi_rate;
      subtract(q.g.welds[k], v.segment(body.q_rate(), body.modes), Cv, weld.first);
    }
  }
  void accelerate(const Parts& q, Out c) const override {
    for (std::size_t k = 0; k < q.layout.welds.size(); ++k) {
      const WeldPlace& weld = q.layout.welds[k];
      const BodyPlace& body = q.layout.bodies[ix(weld.flexible)];
      Vec3 d2;
      Vec3 chi2;
      relative_acceleration<double>(
          moving(q.now.bodies[ix(weld.flexible)]), moving(q.now.bodies[ix(weld.body)]),
          q.now.accelerations[ix(weld.flexible)], q.now.accelerations[ix(weld.body)], d2, chi2);
      c.segment<3>(weld.first) = d2;
      c.segment<3>(weld.first + 3) = chi2;
      subtract(q.g.welds[k], q.now.mode_accelerations.segment(body.q_rate(), body.modes), c,
               weld.first);
    }
  }
  bool vary(const Parts& q, const MotionAlong& along, Out c, Out) const override {
    for (std::size_t k = 0; k < q.layout.welds.size(); ++k) {
      const WeldPlace& weld = q.layout.welds[k];
      const BodyPlace& body = q.layout.bodies[ix(weld.flexible)];
      Vec<Along, 3> d2;
      Vec<Along, 3> chi2;
      relative_acceleration<Along>(along.moving_body(weld.flexible), along.moving_body(weld.body),
                                   along.body_accelerations(weld.flexible),
                                   along.body_accelerations(weld.body), d2, chi2);
      for (int r = 0; r < 3; ++r) {
        c[weld.first + r] = d2[r].d[0];
        c[weld.first + 3 + r] = chi2[r].d[0];
      }
      subtract(q.g.welds[k], along.change().a.segment(body.q_rate(), body.modes), c, weld.first);
    }
    return true;
  }

  void derivatives(const Parts& q, BlockWriter& out) const override {
    for (std::size_t k = 0; k < q.layout.welds.size(); ++k) {
      with_bodies(q, k, out);
      with_modes(q, k, out);
    }
  }

 private:
  /// Values that follow from the velocities of body and node.
  static void rates(const BodyMotion& body, const BodyMotion& node, WeldMotion& made) {
    made.omega = body.R.transpose() * body.w;
    made.nu = node.R.transpose() * node.w;
    made.d_rate = body.R.transpose() * (node.v - body.v) - made.omega.cross(made.d);
    const RotationRate<double> J(made.chi);
    made.chi_rate = J.right(made.nu) - J.left(made.omega);
  }

  template <class Modes, class To>
  static void subtract(const WeldGeometry& g, const Modes& modes, To& to, Index first) {
    if (modes.size() == 0) return;
    to.template segment<3>(first).noalias() -= g.phi * modes;
    to.template segment<3>(first + 3).noalias() -= g.psi * modes;
  }

  static void with_modes(const Parts& q, std::size_t k, BlockWriter& out) {
    const WeldPlace& weld = q.layout.welds[k];
    const BodyPlace& body = q.layout.bodies[ix(weld.flexible)];
    const WeldGeometry& g = q.g.welds[k];
    for (Index first = 0; first < body.modes; first += modes_of_a_node) {
      const Index node = body.mode_node + first / modes_of_a_node;
      const Index end = std::min<Index>(body.modes, first + modes_of_a_node);
      if (out.go(weld.node, node, layer::value))
        for (Index mode = first; mode < end; ++mode)
          for (int r = 0; r < 3; ++r) {
            out.value(r, mode - first) -= g.phi(r, mode);
            out.value(3 + r, mode - first) -= g.psi(r, mode);
          }
      if (out.go(node, weld.node, layer::value))
        for (Index mode = first; mode < end; ++mode)
          for (int r = 0; r < 3; ++r) {
            out.value(mode - first, r) -= g.phi(r, mode);
            out.value(mode - first, 3 + r) -= g.psi(r, mode);
          }
    }
  }

  /// C, (C z)_y and (Cᵀμ)_y with respect to the velocities of the body (r, φ) and of the node (P,
  /// ν).
  static void with_bodies(const Parts& q, std::size_t k, BlockWriter& out) {
    const WeldPlace& weld = q.layout.welds[k];
    const WeldMotion& now = q.now.welds[k];
    const Mat3& R = q.now.bodies[ix(weld.flexible)].R;
    const Vec3 F = q.now.p->mu.segment<3>(weld.first);
    const Vec3 tau = q.now.p->mu.segment<3>(weld.first + 3);
    const RotationRate<double> J(now.chi);
    const auto matrix = [](const auto& product) {
      Mat3 made;
      for (int c = 0; c < 3; ++c) made.col(c) = product(Vec3(Vec3::Unit(c)));
      return made;
    };
    const Mat3 right = matrix([&](const Vec3& v) { return J.right(v); });
    const Mat3 left = right.transpose();
    const Mat3 Rt = R.transpose();
    // δd = Rᵀ(δP − δr) + d̂ φ,   δχ = Jᵣ⁻¹ν − Jₗ⁻¹φ
    const Mat3 rate_chi = matrix([&](const Vec3& v) {
      return Vec3(J.right_change(now.nu, v) - J.left_change(now.omega, v));
    });
    const Mat3 hat_omega = hat(now.omega);
    const Vec3 apart = now.d_rate + now.omega.cross(now.d);  // Rᵀ(v_P − v_r)
    Mat<double, 6> C = Mat<double, 6>::Zero();               // of the body
    Mat<double, 6> C_y = Mat<double, 6>::Zero();
    C.topLeftCorner<3, 3>() = -Rt;
    C.topRightCorner<3, 3>() = hat(now.d);
    C.bottomRightCorner<3, 3>() = -left;
    C_y.topLeftCorner<3, 3>() = hat_omega * Rt;
    C_y.topRightCorner<3, 3>() = hat(apart) - hat_omega * hat(now.d);
    C_y.bottomRightCorner<3, 3>() = -rate_chi * left;
    const Index body = q.layout.bodies[ix(weld.flexible)].node;
    write_side(weld.node, body, C, C_y, out);
    Mat<double, 6> D = Mat<double, 6>::Zero();  // of the node
    Mat<double, 6> D_y = Mat<double, 6>::Zero();
    D.topLeftCorner<3, 3>() = Rt;
    D.bottomRightCorner<3, 3>() = right;
    D_y.topLeftCorner<3, 3>() = -hat_omega * Rt;
    D_y.bottomRightCorner<3, 3>() = rate_chi * right;
    const Index node = q.layout.bodies[ix(weld.body)].node;
    write_side(weld.node, node, D, D_y, out);

    const Mat3 F_hat = hat(F);
    const Mat3 on_body = matrix([&](const Vec3& v) { return J.right_change(tau, v); });
    const Mat3 on_node = matrix([&](const Vec3& v) { return J.left_change(tau, v); });
    Mat<double, 6> K = Mat<double, 6>::Zero();
    K.topRightCorner<3, 3>() = R * F_hat;
    K.bottomLeftCorner<3, 3>() = -F_hat * Rt;
    K.bottomRightCorner<3, 3>() = F_hat * hat(now.d) + on_body * left;
    write_position(body, body, K, out);
    K.setZero();
    K.bottomLeftCorner<3, 3>() = F_hat * Rt;
    K.bottomRightCorner<3, 3>() = -on_body * right;
    write_position(body, node, K, out);
    K.setZero();
    K.topRightCorner<3, 3>() = -R * F_hat;
    K.bottomRightCorner<3, 3>() = -on_node * left;
    write_position(node, body, K, out);
    K.setZero();
    K.bottomRightCorner<3, 3>() = on_node * right;
    write_position(node, node, K, out);
  }
  static void write_side(Index weld, Index body, const Mat<double, 6>& C, const Mat<double, 6>& C_y,
                         BlockWriter& out) {
    if (out.go(weld, body, layer::value | layer::rows))
      for (int c = 0; c < 6; ++c)
        for (int r = 0; r < 6; ++r) {
          out.value(r, c) += C(r, c);
          out.rows(r, c) += C_y(r, c);
        }
    if (out.go(body, weld, layer::value))
      for (int c = 0; c < 6; ++c)
        for (int r = 0; r < 6; ++r) out.value(r, c) += C(c, r);
  }
  static void write_position(Index row, Index column, const Mat<double, 6>& K, BlockWriter& out) {
    if (out.go(row, column, layer::position))
      for (int c = 0; c < 6; ++c)
        for (int r = 0; r < 6; ++r) out.position(r, c) += K(r, c);
  }
};

}  // namespace

InterfaceLoad interface_load(const Parts& q, std::size_t weld, In mu) {
  const WeldPlace& place = q.layout.welds[weld];
  const WeldMotion& now = q.now.welds[weld];
  const Mat3& R = q.now.bodies[ix(place.flexible)].R;
  const Mat3& N = q.now.bodies[ix(place.body)].R;
  const Vec3 F = mu.segment<3>(place.first);
  const Vec3 tau = mu.segment<3>(place.first + 3);
  const RotationRate<double> J(now.chi);
  InterfaceLoad load;
  load.force = R * F;
  load.torque = N * J.left(tau);
  load.moment = R * (now.d.cross(F) + J.right(tau));
  return load;
}

std::unique_ptr<ElementPool> make_welds() { return std::make_unique<Welds>(); }

}  // namespace mechfmu::mechanics
