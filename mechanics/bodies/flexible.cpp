// Bodies that move, turn and deform. The deformation is a sum of modes in mean axes, in which it
// has no linear or angular momentum.
//
//   y = (r, quaternion, q): centre of mass, mean axes, modes    z = (ṙ, Ω, q̇): Ω in mean axes
//   T = m ṙ²/2 + Ω·J(q)Ω/2 + Ω·G(q)q̇ + q̇·q̇/2
//   J = J₀ + Σ q_k J1_k + ½ΣΣ q_k q_l J2_kl,   G_l = Σ q_k g_kl
//
//   m r̈               = F
//   J Ω̇ + G q̈         = Rᵀτ − Ω × L − Σ q̇_k J_k Ω,   L = JΩ + Gq̇
//   q̈_l + G_l·Ω̇       = Q_l + ½Ω·J_lΩ + 2Ω·Σ g_lk q̇_k − ω_l² q_l − 2ζ_lω_l q̇_l
//   J_k = ∂J/∂q_k = J1_k + Σ q_l J2_kl
//
// Geometric stiffness of rotation is part of J2: a bent body shortens. Weight acts on r alone.
// Forces act on nodes, which are separate bodies (elements/welds.cpp). Source: docs/flexible.md.

#include "mechanics/bodies/flexible.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "mechanics/bodies/kinds.h"
#include "mechanics/bodies/rotation.h"
#include "mechanics/bodies/spatial.h"
#include "mechanics/layout.h"
#include "mechanics/motion.h"

namespace mechfmu::mechanics {

namespace {

Mat3 matrix_of_six(const double* a) {
  return symmetric<double>(a[0], a[1], a[2], a[3], a[4], a[5]);
}
/// Entries of column k.
Vec3 times_column(const Matrix& six, Index k, const Vec3& w) {
  return matrix_of_six(six.data() + 6 * k) * w;
}

/// The numbers of a body as matrices, and room for its motion.
void lay_out(const ModalBody& numbers, FlexibleGeometry& g, FlexibleMotion& now) {
  const Index m = numbers.modes;
  const Index n = numbers.second;
  g.numbers = &numbers;
  g.stiffness.resize(m);
  g.damping.resize(m);
  g.scale.resize(m);
  g.J1.resize(6, m);
  const auto put_six = [](const Mat3& J, const auto& to) {
    to(0, J(0, 0)), to(1, J(1, 1)), to(2, J(2, 2)), to(3, J(0, 1)), to(4, J(0, 2)), to(5, J(1, 2));
  };
  for (Index k = 0; k < m; ++k) {
    g.stiffness[k] = numbers.omega(ix(k)) * numbers.omega(ix(k));
    g.scale[k] = 1 / numbers.amplitude(ix(k));
    put_six(numbers.J1(ix(k)), [&](Index c, double x) { g.J1(c, k) = x; });
  }
  for (Matrix& J : g.J2) J.resize(n, n);
  for (Matrix& G : g.g) G.resize(n, n);
  for (Index k = 0; k < n; ++k)
    for (Index l = 0; l < n; ++l) {
      put_six(numbers.J2(ix(k), ix(l)), [&](Index c, double x) { g.J2[ix(c)](k, l) = x; });
      const Vec3 coriolis = numbers.g(ix(k), ix(l));
      for (Index c = 0; c < 3; ++c) g.g[ix(c)](k, l) = coriolis[c];
    }
  now.G.setZero(3, n);
  now.J_q = g.J1;
  now.load.setZero(m);
  now.row.setZero(n);
}

class FlexibleBodies final : public SpatialBodies {
 public:
  bool deforms() const override { return true; }
  bool may_spin() const override { return false; }
  void complete(const Mechanism& m, BodyData& body) const override {
    const ModalBody& numbers = numbers_of(m, body);
    const Mat3 J = numbers.inertia();
    body.mass = numbers.mass();
    body.inertia = {J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2)};
    body.centre = numbers.centre();
  }

  void number(const Mechanism& m, std::size_t body, Layout& layout) override {
    const ModalBody& numbers = numbers_of(m, m.bodies[body]);
    SpatialBodies::number(m, body, layout);
    BodyPlace& place = layout.bodies[body];
    place.modes = numbers.modes;
    place.second = numbers.second;
    place.flexible = static_cast<int>(layout.flexibles++);
    place.mass = layout.sizes.mass;
    layout.sizes.mass += 6 + 3 * place.second;
    layout.sizes.y += place.modes;
    layout.sizes.n += place.modes;
    places_.push_back(place);
  }
  void add_nodes(BodyPlace& place, BlockPattern& pattern) const override {
    SpatialBodies::add_nodes(place, pattern);
    for (int k = 0; k < place.modes; k += modes_of_a_node) {
      const Index node = pattern.add_node(NodeKind::motion, place.q_rate() + k,
                                          std::min(modes_of_a_node, place.modes - k));
      if (k == 0) place.mode_node = node;
    }
  }
  void make_room(const Mechanism& m, const Layout& layout, Geometry& g,
                 Instant& now) const override {
    g.flexibles.resize(layout.flexibles);
    now.flexibles.resize(layout.flexibles);
    now.mode_accelerations = Vector::Zero(layout.sizes.n);
    for (std::size_t i = 0; i < bodies_.size(); ++i)
      lay_out(numbers_of(m, m.bodies[bodies_[i].body]), g.flexibles[flexible_of(i)],
              now.flexibles[flexible_of(i)]);
  }
  void name(const Mechanism& m, const Layout& layout, const Geometry& g, std::size_t body,
            Variables& v) const override {
    SpatialBodies::name(m, layout, g, body, v);
    const BodyPlace& place = layout.bodies[body];
    for (Index k = 0; k < place.modes; ++k)
      v.coordinate(place.q_rate() + k, m.bodies[body].name + ".q(" + std::to_string(k + 1) + ")")
          .scale(g.length * g.flexibles[ix(place.flexible)].scale[k]);
  }

  void refresh(const Mechanism& m, const Layout& layout, std::size_t body, InputValues u,
               Geometry& g, Doubts& doubts) const override {
    SpatialBodies::refresh(m, layout, body, u, g, doubts);
    const BodyData& data = m.bodies[body];
    FlexibleGeometry& flexible = g.flexibles[ix(layout.bodies[body].flexible)];
    const ModalBody& numbers = *flexible.numbers;
    const double ratio = data.damping ? (*data.damping)(u) : 0;
    if (!(ratio >= 0 && std::isfinite(ratio)))
      doubts.add("body", data.name, "its damping must not be negative");
    for (Index k = 0; k < numbers.modes; ++k)
      flexible.damping[k] = 2 * (data.damping ? ratio : numbers.zeta(ix(k))) * numbers.omega(ix(k));
  }
  /// Modes are scaled by the displacement of nodes that they cause.
  void scales(const Geometry& g, Out y_scale) const override {
    SpatialBodies::scales(g, y_scale);
    for (const BodyPlace& place : places_)
      y_scale.segment(place.q_rate(), place.modes) =
          g.length * g.flexibles[ix(place.flexible)].scale;
  }

  void place(const Geometry& g, In y, Instant& now) const override {
    SpatialBodies::place(g, y, now);
    for (std::size_t i = 0; i < bodies_.size(); ++i)
      deform(g, places_[i], bodies_[i].body, y, now.flexibles[flexible_of(i)]);
  }
  void begin_loads(const Geometry& g, bool weight, Instant& now) const override {
    BodiesInSpace::begin_loads(g, weight, now);
    for (std::size_t i = 0; i < bodies_.size(); ++i) now.flexibles[flexible_of(i)].load.setZero();
  }
  void collect(const Geometry& g, const Instant& now, bool gyroscopic, Out f) const override {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Member& m = bodies_[i];
      const BodyMotion& b = now.bodies[m.body];
      const Load& load = now.loads[m.body];
      const FlexibleMotion& flexible = now.flexibles[flexible_of(i)];
      Vec3 tau = b.R.transpose() * load.moment;
      auto modes = f.segment(places_[i].q_rate(), places_[i].modes);
      modes = flexible.load;
      if (gyroscopic)
        own_forces(g.flexibles[flexible_of(i)], flexible, places_[i], *now.p, tau, modes);
      double* q = &f[m.z];
      for (int k = 0; k < 3; ++k) {
        q[k] = load.force[k];
        q[3 + k] = tau[k];
      }
    }
  }
  void accelerate(In a, Instant& now) const override {
    SpatialBodies::accelerate(a, now);
    for (const BodyPlace& place : places_)
      now.mode_accelerations.segment(place.q_rate(), place.modes) =
          a.segment(place.q_rate(), place.modes);
  }
  void derivatives(const Geometry& g, const Instant& now, const std::vector<BodyPlace>& places,
                   BlockWriter& out) const override {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const BodyPlace& place = places[bodies_[i].body];
      const FlexibleMotion& flexible = now.flexibles[flexible_of(i)];
      rigid_part(g.bodies[bodies_[i].body].mass, flexible, place, *now.p, out);
      modes_and_rotation(g.flexibles[flexible_of(i)], flexible, place, now, out);
      modes_and_modes(g.flexibles[flexible_of(i)], place, now, out);
    }
  }

  void displace(In y0, In delta, Out y1) const override {
    SpatialBodies::displace(y0, delta, y1);
    for (const BodyPlace& place : places_)
      y1.segment(place.q(), place.modes) =
          y0.segment(place.q(), place.modes) + delta.segment(place.q_rate(), place.modes);
  }
  void mass(const Geometry& g, In y, Out numbers) const override {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const BodyPlace& place = places_[i];
      const FlexibleGeometry& flexible = g.flexibles[flexible_of(i)];
      const double* q = y.data() + place.q();
      double* to = &numbers[place.mass];
      const Mat3& J = g.bodies[bodies_[i].body].J;
      double six[6] = {J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2)};
      for (Index k = 0; k < place.modes; ++k)
        for (int c = 0; c < 6; ++c) six[c] += q[k] * flexible.J1(c, k);
      for (Index l = 0; l < place.second; ++l) {
        double G[3] = {0, 0, 0};
        for (Index k = 0; k < place.second; ++k) {
          for (std::size_t c = 0; c < 6; ++c) six[c] += 0.5 * q[k] * q[l] * flexible.J2[c](k, l);
          for (std::size_t c = 0; c < 3; ++c) G[c] += q[k] * flexible.g[c](k, l);
        }
        for (int c = 0; c < 3; ++c) to[6 + 3 * l + c] = G[c];
      }
      for (int c = 0; c < 6; ++c) to[c] = six[c];
    }
  }
  void multiply_mass(const Geometry& g, In numbers, In v, Out Mv) const override {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const BodyPlace& place = places_[i];
      const double* q = v.data() + place.z;
      const double* from = numbers.data() + place.mass;
      double* p = &Mv[place.z];
      const Vec3 w(q[3], q[4], q[5]);
      Vec3 L = matrix_of_six(from) * w;
      for (Index k = 0; k < place.modes; ++k) p[6 + k] = q[6 + k];
      for (Index k = 0; k < place.second; ++k) {
        const Vec3 G(from[6 + 3 * k], from[7 + 3 * k], from[8 + 3 * k]);
        L += G * q[6 + k];
        p[6 + k] += G.dot(w);
      }
      for (int k = 0; k < 3; ++k) {
        p[k] = g.bodies[bodies_[i].body].mass * q[k];
        p[3 + k] = L[k];
      }
    }
  }

  void add_power(const Geometry& g, const Instant& now, Powers& sum) const override {
    for (std::size_t i = 0; i < bodies_.size(); ++i)
      sum.dissipated += g.flexibles[flexible_of(i)].damping.dot(
          now.p->z.segment(places_[i].q_rate(), places_[i].modes).cwiseAbs2());
  }
  void total(const Geometry& g, std::size_t body, const Moving<double>& at,
             const Readings<double>& now, BodyTotals<double>& sum) const override {
    total_of(g, body, at, now, sum);
  }
  void total(const Geometry& g, std::size_t body, const Moving<Along>& at,
             const Readings<Along>& now, BodyTotals<Along>& sum) const override {
    total_of(g, body, at, now, sum);
  }
  double stored(const Geometry&, std::size_t body, const Readings<double>& now) const override {
    return now.strain_energy(Body{static_cast<Index>(body)});
  }
  Along stored(const Geometry&, std::size_t body, const Readings<Along>& now) const override {
    return now.strain_energy(Body{static_cast<Index>(body)});
  }

 private:
  static const ModalBody& numbers_of(const Mechanism& m, const BodyData& body) {
    const std::size_t k = ix(body.modal.index);
    if (k >= m.modals.size())
      throw std::invalid_argument(
          "body '" + body.name +
          "' is flexible, but its modal is not one of the mechanism's; make it with "
          "Mechanism::modal()");
    return *m.modals[k];
  }

  template <class T>
  void total_of(const Geometry& g, std::size_t body, const Moving<T>& at, const Readings<T>& now,
                BodyTotals<T>& sum) const {
    const FlexibleGeometry& flexible = g.flexibles[flexible_of(find(body))];
    const Body handle{static_cast<Index>(body)};
    const BodyGeometry& rigid = g.bodies[body];
    Mat<T, 3> J;
    Vec<T, 3> momentum;
    deformed<T>(
        flexible, [&](Index k) { return now.mode(handle, k); },
        [&](Index k) { return now.mode_rate(handle, k); }, J, momentum);
    J += rigid.J.template cast<T>();
    const Vec<T, 3> omega = at.R.transpose() * at.w;
    const Vec<T, 3> rotation = J * omega;
    sum.spin = rotation + momentum;
    sum.kinetic +=
        (dot<T>(at.v, at.v) * rigid.mass + dot<T>(omega, rotation)) / 2.0 + dot<T>(omega, momentum);
    for (Index k = 0; k < flexible.numbers->modes; ++k) {
      const T rate = now.mode_rate(handle, k);
      sum.kinetic += rate * rate / 2.0;
    }
  }
  std::size_t flexible_of(std::size_t i) const {
    return static_cast<std::size_t>(places_[i].flexible);
  }

  /// J, ∂J/∂q and G.
  static void deform(const Geometry& g, const BodyPlace& place, std::size_t body, In y,
                     FlexibleMotion& now) {
    const FlexibleGeometry& flexible = g.flexibles[static_cast<std::size_t>(place.flexible)];
    const auto q = y.segment(place.q(), place.modes);
    const Index n = place.second;
    now.J = g.bodies[body].J;
    if (place.modes == 0) return;
    now.J_q = flexible.J1;
    Vec<double, 6> six;
    six.noalias() = flexible.J1 * q;
    for (std::size_t c = 0; c < 6 && n > 0; ++c) {
      const auto i = static_cast<Index>(c);
      now.row.head(n).noalias() = flexible.J2[c] * q.head(n);
      now.J_q.row(i).head(n) += now.row.head(n).transpose();
      six[i] += 0.5 * q.head(n).dot(now.row.head(n));
    }
    for (std::size_t c = 0; c < 3 && n > 0; ++c)
      now.G.row(static_cast<Index>(c)).noalias() = q.head(n).transpose() * flexible.g[c];
    now.J += matrix_of_six(six.data());
  }

  /// Gyroscopic torques, centrifugal and Coriolis forces, stiffness and damping.
  template <class Modes>
  static void own_forces(const FlexibleGeometry& g, const FlexibleMotion& now,
                         const BodyPlace& place, const Point& p, Vec3& tau, Modes& modes) {
    const double* z = p.z.data() + place.z;
    const Vec3 omega(z[3], z[4], z[5]);
    const auto q = p.y.segment(place.q(), place.modes);
    const auto rate = p.z.segment(place.q_rate(), place.modes);
    const Index n = place.second;
    Vec3 L = now.J * omega;
    if (n > 0) L += now.G * rate.head(n);
    tau -= omega.cross(L);
    if (place.modes == 0) return;
    Vec<double, 6> J_rate;
    J_rate.noalias() = now.J_q * rate;
    tau -= matrix_of_six(J_rate.data()) * omega;
    const Vec<double, 6> squares = quadratic(omega);
    modes.noalias() += 0.5 * (now.J_q.transpose() * squares);
    modes -= g.stiffness.cwiseProduct(q) + g.damping.cwiseProduct(rate);
    for (std::size_t c = 0; c < 3 && n > 0; ++c)
      modes.head(n).noalias() += 2 * omega[static_cast<Index>(c)] * (g.g[c] * rate.head(n));
  }
  /// Ω·JΩ = quadratic(Ω)·(xx yy zz xy xz yz).
  static Vec<double, 6> quadratic(const Vec3& w) {
    return (Vec<double, 6>() << w[0] * w[0], w[1] * w[1], w[2] * w[2], 2 * w[0] * w[1],
            2 * w[0] * w[2], 2 * w[1] * w[2])
        .finished();
  }

  static void rigid_part(double mass, const FlexibleMotion& now, const BodyPlace& place,
                         const Point& p, BlockWriter& out) {
    if (!out.go(place.node, place.node, layer::value | layer::velocity)) return;
    const double* z = p.z.data() + place.z;
    const Vec3 omega(z[3], z[4], z[5]);
    Vec3 L = now.J * omega;
    Mat3 J_rate = Mat3::Zero();
    if (place.second > 0) L += now.G * p.z.segment(place.q_rate(), place.second);
    if (place.modes > 0) {
      Vec<double, 6> six;
      six.noalias() = now.J_q * p.z.segment(place.q_rate(), place.modes);
      J_rate = matrix_of_six(six.data());
    }
    const Mat3 gyroscopic = hat(omega) * now.J - hat(L) + J_rate;
    for (int r = 0; r < 3; ++r) {
      out.value(r, r) += mass;
      for (int c = 0; c < 3; ++c) {
        out.value(3 + r, 3 + c) += now.J(r, c);
        out.velocity(3 + r, 3 + c) += gyroscopic(r, c);
      }
    }
  }

  /// Blocks between the rotation and nodes of modes.
  static void modes_and_rotation(const FlexibleGeometry& g, const FlexibleMotion& flexible,
                                 const BodyPlace& place, const Instant& now, BlockWriter& out) {
    if (g.J1.isZero(0) && place.second == 0) return;
    const Point& p = *now.p;
    const Vec3 omega = p.z.segment<3>(place.z + 3);
    const Vec3 omega_rate = p.a.segment<3>(place.z + 3);
    const Index n = place.second;
    const auto rate = p.z.segment(place.q_rate(), n);
    const auto acceleration = p.a.segment(place.q_rate(), n);
    const auto coriolis = [&](Index k, const auto& v) {  // Σ_l g_kl v_l
      return Vec3(g.g[0].row(k).dot(v), g.g[1].row(k).dot(v), g.g[2].row(k).dot(v));
    };
    for (Index first = 0; first < place.modes; first += modes_of_a_node) {
      const Index node = place.mode_node + first / modes_of_a_node;
      const Index end = std::min<Index>(place.modes, first + modes_of_a_node);
      if (out.go(place.node, node, layer::value | layer::velocity | layer::position))
        for (Index k = first; k < end; ++k) {
          const Vec3 turned = times_column(flexible.J_q, k, omega);
          Vec3 velocity = turned;
          Vec3 position =
              omega.cross(turned) + now.kappa * times_column(flexible.J_q, k, omega_rate);
          if (k < n) {
            velocity += omega.cross(Vec3(flexible.G.col(k)));
            position += omega.cross(coriolis(k, rate)) + now.kappa * coriolis(k, acceleration);
            double six[6];
            for (std::size_t c = 0; c < 6; ++c) six[c] = g.J2[c].col(k).dot(rate);
            position += matrix_of_six(six) * omega;
          }
          for (int r = 0; r < 3; ++r) {
            if (k < n) out.value(3 + r, k - first) += flexible.G(r, k);
            out.velocity(3 + r, k - first) += velocity[r];
            out.position(3 + r, k - first) += position[r];
          }
        }
      if (out.go(node, place.node, layer::value | layer::velocity))
        for (Index k = first; k < end; ++k) {
          Vec3 velocity = -times_column(flexible.J_q, k, omega);
          if (k < n) velocity -= 2 * coriolis(k, rate);
          for (int c = 0; c < 3; ++c) {
            if (k < n) out.value(k - first, 3 + c) += flexible.G(c, k);
            out.velocity(k - first, 3 + c) += velocity[c];
          }
        }
    }
  }

  static void modes_and_modes(const FlexibleGeometry& g, const BodyPlace& place, const Instant& now,
                              BlockWriter& out) {
    const Point& p = *now.p;
    const Vec3 omega = p.z.segment<3>(place.z + 3);
    const Vec3 omega_rate = p.a.segment<3>(place.z + 3);
    const Vec<double, 6> squares = quadratic(omega);
    const Index n = place.second;
    for (Index row = 0; row < place.modes; row += modes_of_a_node)
      for (Index column = 0; column < place.modes; column += modes_of_a_node) {
        const bool diagonal = row == column;
        if (!diagonal && (row >= n || column >= n)) continue;
        const unsigned layers = layer::velocity | layer::position | (diagonal ? layer::value : 0);
        if (!out.go(place.mode_node + row / modes_of_a_node,
                    place.mode_node + column / modes_of_a_node, layers))
          continue;
        for (Index k = column; k < std::min<Index>(n, column + modes_of_a_node); ++k)
          for (Index l = row; l < std::min<Index>(n, row + modes_of_a_node); ++l) {
            double position = 0;
            double velocity = 0;
            for (std::size_t c = 0; c < 6; ++c)
              position -= 0.5 * squares[static_cast<Index>(c)] * g.J2[c](l, k);
            for (std::size_t c = 0; c < 3; ++c) {
              velocity -= 2 * omega[static_cast<Index>(c)] * g.g[c](l, k);
              position += now.kappa * omega_rate[static_cast<Index>(c)] * g.g[c](k, l);
            }
            out.velocity(l - row, k - column) += velocity;
            out.position(l - row, k - column) += position;
          }
        if (!diagonal) continue;
        for (Index k = row; k < std::min<Index>(place.modes, row + modes_of_a_node); ++k) {
          out.value(k - row, k - row) += 1;
          out.velocity(k - row, k - row) += g.damping[k];
          out.position(k - row, k - row) += g.stiffness[k];
        }
      }
  }

  std::vector<BodyPlace> places_;  // of the members, without nodes
};

}  // namespace

std::unique_ptr<BodyPool> make_flexible_bodies() { return std::make_unique<FlexibleBodies>(); }

}  // namespace mechfmu::mechanics
