// Bodies that move, turn and deform: a sum of modes in mean axes, those that take no momentum from the deformation.
//
//   y = (r, quaternion, q): centre of mass, mean axes, modes          z = (ṙ, Ω, q̇): Ω in mean axes
//   T = m ṙ²/2 + Ω·J(q)Ω/2 + Ω·G(q)q̇ + q̇·q̇/2,     J = J₀ + Σ q_k J1_k + ½ΣΣ q_k q_l J2_kl,     G_l = Σ q_k g_kl
//
//   m r̈               = F
//   J Ω̇ + G q̈         = Rᵀτ − Ω × L − Σ q̇_k J_k Ω,            L = JΩ + Gq̇,  J_k = ∂J/∂q_k = J1_k + Σ q_l J2_kl
//   q̈_l + G_l·Ω̇       = Q_l + ½Ω·J_lΩ + 2Ω·Σ g_lk q̇_k − ω_l² q_l − 2ζ_lω_l q̇_l
//
// Geometric stiffness of rotation is part of J2: the body that bends draws in. Weight acts on r alone. Forces act on nodes, which are
// bodies of their own (elements/welds.cpp). Source: docs/flexible.md.

#include "mechanics/bodies/flexible.h"

#include <cmath>

#include "mechanics/bodies/in_space.h"
#include "mechanics/bodies/kinds.h"
#include "mechanics/bodies/rotation.h"
#include "mechanics/placement.h"

namespace mechfmu::mechanics {

namespace {

Mat3 matrix_of_six(const double* a) {
  return symmetric<double>(a[0], a[1], a[2], a[3], a[4], a[5]);
}
/// Of column k.
Vec3 times_column(const Matrix& six, Index k, const Vec3& w) {
  return matrix_of_six(six.data() + 6 * k) * w;
}

class FlexibleBodies final : public BodiesInSpace {
 public:
  Freedom freedom() const override {
    return {.translations = 3, .rotations = 3, .turning = 3, .positions = 7};
  }
  int axis(const BodyGeometry&, int k) const override { return k; }
  void add(std::size_t body, BodyPlace& place) override {
    BodyPool::add(body, place);
    places_.push_back(place);
  }

  void check(const BodyGeometry& body, const std::string& name, Doubts& doubts) const override {
    if (!realizable(body.J)) doubts.add("body", name, impossible_inertia);
  }
  void pose_at_start(const Vec3& angles, BodyGeometry& body) const override {
    body.R0 = rotation_matrix(angles);
  }
  void start(const Geometry& g, std::vector<double>& y, std::vector<double>& z) const override {
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

  void place(const Geometry& g, In y, Instant& now) const override {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Member& m = bodies_[i];
      const double* p = y.data() + m.y;
      BodyMotion& b = now.bodies[m.body];
      b.r = {p[0], p[1], p[2]};
      b.R = matrix_of(p + 3);
      deform(g, places_[i], m.body, y, now.flexibles[number(i)]);
    }
  }
  void move(In z, Instant& now) const override {
    for (const Member& m : bodies_) {
      const double* q = z.data() + m.z;
      BodyMotion& b = now.bodies[m.body];
      b.v = {q[0], q[1], q[2]};
      b.w.noalias() = b.R * Vec3(q[3], q[4], q[5]);
    }
  }
  void begin_loads(const Geometry& g, bool weight, Instant& now) const override {
    BodiesInSpace::begin_loads(g, weight, now);
    for (std::size_t i = 0; i < bodies_.size(); ++i) now.flexibles[number(i)].load.setZero();
  }
  void collect(const Geometry& g, const Instant& now, bool gyroscopic, Out f) const override {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Member& m = bodies_[i];
      const BodyMotion& b = now.bodies[m.body];
      const Load& load = now.loads[m.body];
      const FlexibleMotion& flexible = now.flexibles[number(i)];
      Vec3 tau = b.R.transpose() * load.moment;
      auto modes = f.segment(places_[i].q_rate(), places_[i].modes);
      modes = flexible.load;
      if (gyroscopic) own_forces(g.flexibles[number(i)], flexible, places_[i], *now.p, tau, modes);
      double* q = &f[m.z];
      for (int k = 0; k < 3; ++k) {
        q[k] = load.force[k];
        q[3 + k] = tau[k];
      }
    }
  }
  void axes(Instant& now) const override {
    for (const Member& m : bodies_) now.axes[m.body] = now.bodies[m.body].R;
  }
  void accelerate(In a, Instant& now) const override {
    for (const Member& m : bodies_) {
      const double* q = a.data() + m.z;
      now.accelerations[m.body] << Vec3(q[0], q[1], q[2]),
          now.bodies[m.body].R * Vec3(q[3], q[4], q[5]);
    }
    for (const BodyPlace& place : places_)
      now.mode_accelerations.segment(place.q_rate(), place.modes) =
          a.segment(place.q_rate(), place.modes);
  }
  void derivatives(const Geometry& g, const Instant& now, const std::vector<BodyPlace>& places,
                   BlockWriter& out) const override {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const BodyPlace& place = places[bodies_[i].body];
      const FlexibleMotion& flexible = now.flexibles[number(i)];
      rigid_part(g.bodies[bodies_[i].body].mass, flexible, place, *now.p, out);
      modes_and_rotation(g.flexibles[number(i)], flexible, place, *now.p, out);
      modes_and_modes(g.flexibles[number(i)], flexible, place, *now.p, out);
    }
  }

  void displace(In y0, In delta, Out y1) const override {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Member& m = bodies_[i];
      const double* q0 = y0.data() + m.y;
      const double* d = delta.data() + m.z;
      double* q1 = &y1[m.y];
      for (int k = 0; k < 3; ++k) q1[k] = q0[k] + d[k];
      turn(q0 + 3, {d[3], d[4], d[5]}, q1 + 3);
      for (int k = 0; k < places_[i].modes; ++k) q1[7 + k] = q0[7 + k] + d[6 + k];
    }
  }
  void mass(const Geometry& g, In y, Out numbers) const override {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const BodyPlace& place = places_[i];
      const FlexibleGeometry& flexible = g.flexibles[number(i)];
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

 private:
  std::size_t number(std::size_t i) const { return static_cast<std::size_t>(places_[i].flexible); }

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
  static void modes_and_rotation(const FlexibleGeometry& g, const FlexibleMotion& now,
                                 const BodyPlace& place, const Point& p, BlockWriter& out) {
    if (g.J1.isZero(0) && place.second == 0) return;
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
          const Vec3 turned = times_column(now.J_q, k, omega);
          Vec3 velocity = turned;
          Vec3 position = omega.cross(turned) + now.kappa * times_column(now.J_q, k, omega_rate);
          if (k < n) {
            velocity += omega.cross(Vec3(now.G.col(k)));
            position += omega.cross(coriolis(k, rate)) + now.kappa * coriolis(k, acceleration);
            double six[6];
            for (std::size_t c = 0; c < 6; ++c) six[c] = g.J2[c].col(k).dot(rate);
            position += matrix_of_six(six) * omega;
          }
          for (int r = 0; r < 3; ++r) {
            if (k < n) out.value(3 + r, k - first) += now.G(r, k);
            out.velocity(3 + r, k - first) += velocity[r];
            out.position(3 + r, k - first) += position[r];
          }
        }
      if (out.go(node, place.node, layer::value | layer::velocity))
        for (Index k = first; k < end; ++k) {
          Vec3 velocity = -times_column(now.J_q, k, omega);
          if (k < n) velocity -= 2 * coriolis(k, rate);
          for (int c = 0; c < 3; ++c) {
            if (k < n) out.value(k - first, 3 + c) += now.G(c, k);
            out.velocity(k - first, 3 + c) += velocity[c];
          }
        }
    }
  }

  static void modes_and_modes(const FlexibleGeometry& g, const FlexibleMotion& now,
                              const BodyPlace& place, const Point& p, BlockWriter& out) {
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

std::unique_ptr<BodyPool> make_flexible_bodies() { return std::make_unique<FlexibleBodies>(); }

}  // namespace mechfmu::mechanics
