// Derivatives of the equations of motion as blocks between bodies, joints and states.
//
// Of a row, poses of duals give B and B_y (mechanics/rows.h); from these
//
//   C = B      C_y = zᵀB_y      (Bᵀλ)_y = λ B_y
//   force F(φ, φ̇, x, μ) along B:   f_y = F B_y + Bᵀ(F_φ φ_y + F_φ̇ (φ_y z)_y),   f_z = Bᵀ F_φ̇ φ_y,   f_x, f_μ alike
//   relation g(φ, t):   G = Σ g_k φ_k,y     (Gᵀλ)_y = λ Σ (g_k φ_k,yy + Σ g_kl φ_k,yᵀ φ_l,y)
//
// Rotations are varied in body axes, R ← R exp(φ), so that columns belong to z; the products with Rᵀ that turn moments into
// body axes are part of what is differentiated. The coincidence of two points, the commonest constraint, is done by hand:
//
//   C = [1, −R p^],   (Cᵀλ)_φ = p^ (Rᵀλ)^,   (C z)_φ = −R (Ω × p)^

#include "mechanics/derived.h"
#include "mechanics/system.h"

namespace mechfmu::mechanics {

namespace {

Mat3 hat(const Vec3& v) {
  Mat3 m;
  m << 0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0;
  return m;
}

}  // namespace

namespace {

/// −K += amount·B_y.
void add_curvature(BlockWriter& out, const std::vector<BodyFacts>& facts, const Derived& d,
                   double amount) {
  for (int s = 0; s < 2; ++s)
    for (int o = 0; o < 2; ++o)
      if (out.go(facts[ix(d.body[s])].node, facts[ix(d.body[o])].node, layer::position))
        for (int r = 0; r < d.size[s]; ++r)
          for (int c = 0; c < d.size[o]; ++c)
            out.position(r, c) += amount * d.B_y[d.first[s] + r][d.first[o] + c];
}

/// One row of a constraint node: C = B, C_y = zᵀB_y, and (Bᵀμ)_y on the bodies; weighted.
void add_row(BlockWriter& out, const std::vector<BodyFacts>& facts, const Derived& d, Index node,
             Index row, double weight, double mu) {
  for (int s = 0; s < 2; ++s) {
    const Index body = facts[ix(d.body[s])].node;
    const double* B = d.B + d.first[s];
    const double* rate_y = d.rate_y + d.first[s];
    if (out.go(node, body, layer::value | layer::rows))
      for (int k = 0; k < d.size[s]; ++k) {
        out.value(row, k) += weight * B[k];
        out.rows(row, k) += weight * rate_y[k];
      }
    if (out.go(body, node, layer::value))
      for (int k = 0; k < d.size[s]; ++k) out.value(k, row) += weight * B[k];
  }
  add_curvature(out, facts, d, weight * mu);
}

enum class To { rows, position, velocity };
constexpr unsigned layers[] = {layer::rows, layer::position, layer::velocity};

/// Row `row` of a node += amount·vector over the bodies of d.
void add_to_row(BlockWriter& out, const std::vector<BodyFacts>& facts, const Derived& d,
                const double* vector, Index node, Index row, double amount, To to) {
  for (int s = 0; s < 2; ++s)
    if (out.go(node, facts[ix(d.body[s])].node, layers[static_cast<int>(to)]))
      for (int k = 0; k < d.size[s]; ++k) {
        double& place = to == To::rows       ? out.rows(row, k)
                        : to == To::position ? out.position(row, k)
                                             : out.velocity(row, k);
        place += amount * vector[d.first[s] + k];
      }
}

/// Block between the bodies of d and those of e += amount·B_d ⊗ vector_e.
void add_outer(BlockWriter& out, const std::vector<BodyFacts>& facts, const Derived& d,
               const Derived& e, const double* vector, double amount, bool position) {
  for (int s = 0; s < 2; ++s)
    for (int o = 0; o < 2; ++o)
      if (out.go(facts[ix(d.body[s])].node, facts[ix(e.body[o])].node,
                 position ? layer::position : layer::velocity))
        for (int r = 0; r < d.size[s]; ++r)
          for (int c = 0; c < e.size[o]; ++c)
            (position ? out.position(r, c) : out.velocity(r, c)) +=
                amount * d.B[d.first[s] + r] * vector[e.first[o] + c];
}

}  // namespace

BlockPattern MechanismSystem::make_pattern() {
  BlockPattern pattern;
  const Sizes& s = sizes_;
  for (std::size_t b = 1; b < bodies_.size(); ++b)
    bodies_[b].node = pattern.add_node(NodeKind::motion, bodies_[b].z, bodies_[b].n);
  for (JointFacts& joint : joints_)
    joint.node = pattern.add_node(NodeKind::holonomic, s.n + joint.first, joint.rows);
  for (RollingFacts& rolling : rollings_) {
    if (rolling.height >= 0)
      rolling.node_g = pattern.add_node(NodeKind::holonomic, s.n + rolling.first_g, 1);
    rolling.node_k = pattern.add_node(NodeKind::nonholonomic, s.n + rolling.first_k, rolling.slips);
  }
  relation_node_.clear();
  for (std::size_t c = 0; c < d_.constraints.size(); ++c)
    relation_node_.push_back(pattern.add_node(
        d_.constraints[c].nonholonomic ? NodeKind::nonholonomic : NodeKind::holonomic,
        s.n + relation_mu_[c], 1));
  state_node_.clear();
  for (Index x = 0; x < s.x; ++x)
    state_node_.push_back(pattern.add_node(NodeKind::state, s.n + s.mu() + x, 1));

  // A first pass notes which blocks there are.
  block_ids_.clear();
  BlockWriter noting(pattern, block_ids_);
  Point p;
  p.resize(s);
  const Start begin = start();
  for (Index i = 0; i < s.y; ++i) p.y[i] = begin.y[ix(i)];
  fill(p, noting);
  return pattern;
}

void MechanismSystem::fill(const Point& p, BlockWriter& out) {
  place_now(p.y);
  move(p.z, now_);
  // Measures with all their derivatives
  std::vector<Derived>& measures = derived_;
  for (const std::size_t m : active_measures_) {
    evaluate_single(measures_[m], p.y, now_, measure_now_[m]);
    measure_now_[m].rate = speed(measures_[m], measure_now_[m], now_);
    measures[m].at_point(measures_[m], bodies_, now_, p.z);
  }

  for (std::size_t b = 1; b < bodies_.size(); ++b) {
    const BodyFacts& body = bodies_[b];
    if (!out.go(body.node, body.node, layer::value | layer::velocity)) continue;
    const int translations = body.type == BodyType::spatial || body.type == BodyType::point ? 3 : 2;
    for (int k = 0; k < translations; ++k) out.value(k, k) += body.mass;
    if (body.type == BodyType::planar) out.value(2, 2) += body.J(2, 2);
    if (body.type == BodyType::spatial) {
      const Vec3 omega(p.z[body.z + 3], p.z[body.z + 4], p.z[body.z + 5]);
      const Mat3 gyroscopic = hat(omega) * body.J - hat(body.J * omega);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
          out.value(3 + r, 3 + c) += body.J(r, c);
          out.velocity(3 + r, 3 + c) += gyroscopic(r, c);
        }
    }
  }

  Derived d;
  for (const JointFacts& joint : joints_) {
    if (joint.point_rows > 0) {
      add_coincidence(out, joint, joint.j, joint.p_j, 1, p);
      add_coincidence(out, joint, joint.i, joint.p_i, -1, p);
    }
    for (int r = joint.first_row; r < joint.end_row; ++r) {
      d.at_point(singles_[ix(r)], bodies_, now_, p.z);
      const Index mu = single_mu_[ix(r)];
      add_row(out, bodies_, d, joint.node, mu - joint.first, 1, p.mu[mu]);
    }
  }
  for (const RollingFacts& rolling : rollings_) {
    if (rolling.height >= 0) {
      d.at_point(singles_[ix(rolling.height)], bodies_, now_, p.z);
      add_row(out, bodies_, d, rolling.node_g, 0, 1, p.mu[rolling.first_g]);
    }
    for (int r = 0; r < rolling.slips; ++r) {
      d.at_point(singles_[ix(rolling.slip + r)], bodies_, now_, p.z);
      add_row(out, bodies_, d, rolling.node_k, r, 1, p.mu[rolling.first_k + r]);
    }
  }

  for (std::size_t n = 0; n < d_.constraints.size(); ++n) {
    evaluate_relation(n, p);
    const RelationValue& relation = relation_now_[n];
    const Law& law = d_.constraints[n].relation;
    const auto last = law.arguments.size();
    const Index node = relation_node_[n];
    const double mu = p.mu[relation_mu_[n]];
    const bool holonomic = !d_.constraints[n].nonholonomic;
    for (std::size_t k = 0; k < last; ++k) {
      const Derived& e = measures[ix(law.arguments[k].index)];
      const bool is_value = law.arguments[k].kind == Argument::Kind::value;
      if (holonomic || !is_value) add_row(out, bodies_, e, node, 0, relation.gradient[k], mu);
      if (holonomic) {
        double change = relation.hessian[k][last];
        for (std::size_t l = 0; l < last; ++l)
          change += relation.hessian[k][l] * measures[ix(law.arguments[l].index)].rate;
        add_to_row(out, bodies_, e, e.B, node, 0, change, To::rows);
      } else if (is_value) {
        add_to_row(out, bodies_, e, e.B, node, 0, relation.gradient[k], To::rows);
      }
      if (!holonomic && is_value) continue;
      for (std::size_t l = 0; l < last; ++l) {
        const Derived& o = measures[ix(law.arguments[l].index)];
        const bool o_value = law.arguments[l].kind == Argument::Kind::value;
        const double amount = mu * relation.hessian[k][l];
        add_outer(out, bodies_, e, o, o_value ? o.B : o.rate_y, amount, true);
        if (!o_value) add_outer(out, bodies_, e, o, o.B, amount, false);
      }
    }
  }

  double arguments[LawValue::capacity];
  LawValue value;
  for (std::size_t f = 0; f < d_.forces.size(); ++f) {
    const Law& law = d_.forces[f].value;
    law.derive(scope(law, force_constants_[f], p, arguments), value);
    const Derived& e = measures[ix(d_.forces[f].along.index)];
    add_curvature(out, bodies_, e, -value.value);
    for (std::size_t k = 0; k < law.arguments.size(); ++k) {
      const Argument& a = law.arguments[k];
      const double slope = -value.gradient[k];
      if (a.kind == Argument::Kind::value || a.kind == Argument::Kind::rate) {
        const Derived& o = measures[ix(a.index)];
        const bool is_value = a.kind == Argument::Kind::value;
        add_outer(out, bodies_, e, o, is_value ? o.B : o.rate_y, slope, true);
        if (!is_value) add_outer(out, bodies_, e, o, o.B, slope, false);
        continue;
      }
      const bool state = a.kind == Argument::Kind::state;
      const Index node = state ? state_node_[ix(a.index)] : joints_[ix(a.joint)].node;
      for (int s = 0; s < 2; ++s)
        if (out.go(bodies_[ix(e.body[s])].node, node, state ? layer::velocity : layer::value))
          for (int r = 0; r < e.size[s]; ++r)
            (state ? out.velocity(r, 0) : out.value(r, a.index)) += slope * e.B[e.first[s] + r];
    }
  }

  for (std::size_t k = 0; k < d_.pairs.size(); ++k) add_pair(out, k, p);

  for (std::size_t x = 0; x < state_node_.size(); ++x) {
    const Index node = state_node_[x];
    if (out.go(node, node, layer::value)) out.value(0, 0) += 1;
    if (x >= d_.states.size()) continue;  // energies follow the motion, nothing follows them
    const Law& law = d_.states[x].rate;
    law.derive(scope(law, state_constants_[x], p, arguments), value);
    for (std::size_t k = 0; k < law.arguments.size(); ++k) {
      const Argument& a = law.arguments[k];
      const double slope = -value.gradient[k];
      switch (a.kind) {
        case Argument::Kind::value: {
          const Derived& o = measures[ix(a.index)];
          add_to_row(out, bodies_, o, o.B, node, 0, slope, To::position);
          break;
        }
        case Argument::Kind::rate: {
          const Derived& o = measures[ix(a.index)];
          add_to_row(out, bodies_, o, o.rate_y, node, 0, slope, To::position);
          add_to_row(out, bodies_, o, o.B, node, 0, slope, To::velocity);
          break;
        }
        case Argument::Kind::state:
          if (out.go(node, state_node_[ix(a.index)], layer::velocity)) out.velocity(0, 0) += slope;
          break;
        case Argument::Kind::multiplier:
          if (out.go(node, joints_[ix(a.joint)].node, layer::value)) out.value(0, a.index) += slope;
          break;
      }
    }
  }
}

void MechanismSystem::add_coincidence(BlockWriter& out, const JointFacts& joint, int body,
                                      const Vec3& point, double sign, const Point& p) {
  const BodyFacts& facts = bodies_[ix(body)];
  const BodyMotion& now = now_[ix(body)];
  const Vec3 s = now.R * point;
  const int rows = joint.point_rows;
  const bool flat = facts.type == BodyType::planar || facts.type == BodyType::planar_point;
  const int translations = flat ? 2 : 3;
  const bool forward = out.go(joint.node, facts.node, layer::value | layer::rows);
  // C and C_y: [1, −R p^] and −R (Ω × p)^, in the plane the third column of −s^ and −ω s
  const Vec3 omega = now.R.transpose() * now.w;
  const Mat3 C_rotation = -now.R * hat(point);
  const Mat3 C_y_rotation = -now.R * hat(omega.cross(point));
  if (forward) {
    for (int k = 0; k < std::min(rows, translations); ++k) out.value(k, k) += sign;
    if (facts.type == BodyType::planar) {
      out.value(0, 2) -= sign * s[1];
      out.value(1, 2) += sign * s[0];
      for (int r = 0; r < 2; ++r) out.rows(r, 2) -= sign * now.w[2] * s[r];
    } else if (facts.type == BodyType::spatial) {
      for (int r = 0; r < rows; ++r)
        for (int c = 0; c < 3; ++c) {
          out.value(r, 3 + c) += sign * C_rotation(r, c);
          out.rows(r, 3 + c) += sign * C_y_rotation(r, c);
        }
    }
  }
  if (out.go(facts.node, joint.node, layer::value)) {
    for (int k = 0; k < std::min(rows, translations); ++k) out.value(k, k) += sign;
    if (facts.type == BodyType::planar) {
      out.value(2, 0) -= sign * s[1];
      out.value(2, 1) += sign * s[0];
    } else if (facts.type == BodyType::spatial) {
      for (int r = 0; r < rows; ++r)
        for (int c = 0; c < 3; ++c) out.value(3 + c, r) += sign * C_rotation(r, c);
    }
  }
  if (out.go(facts.node, facts.node, layer::position)) {
    Vec3 lambda = Vec3::Zero();
    for (int r = 0; r < rows; ++r) lambda[r] = p.mu[joint.first + r];
    if (facts.type == BodyType::planar) {
      out.position(2, 2) -= sign * s.dot(lambda);
      // A row along z does not turn with the body.
      if (rows == 3) out.position(2, 2) += sign * s[2] * lambda[2];
    } else if (facts.type == BodyType::spatial) {
      const Mat3 K = hat(point) * hat(now.R.transpose() * lambda);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) out.position(3 + r, 3 + c) += sign * K(r, c);
    }
  }
}

void MechanismSystem::add_pair(BlockWriter& out, std::size_t k, const Point& p) {
  using D = WrenchFunction::Wide;
  const PairData& data = d_.pairs[k];
  const std::size_t bodies[2] = {ix(data.a.index), ix(data.b.index)};
  const int positions[2] = {0, bodies_[bodies[0]].n};
  const int velocities[2] = {positions[1] + bodies_[bodies[1]].n,
                             positions[1] + bodies_[bodies[1]].n + positions[1]};

  Moving<D> moving[2];
  Pose<D> poses[2];
  for (int s = 0; s < 2; ++s) {
    const BodyFacts& facts = bodies_[bodies[s]];
    const BodyMotion& now = now_[bodies[s]];
    poses[s] = seeded<D>(facts, now, positions[s]);
    Moving<D>& m = moving[s];
    m.r = poses[s].r;
    m.R = poses[s].R;
    Vec<D, 3> omega;  // body axes
    const Vec3 omega_now = now.R.transpose() * now.w;
    for (int r = 0; r < 3; ++r) {
      m.v[r] = D(now.v[r]);
      omega[r] = D(omega_now[r]);
    }
    if (facts.n > 0) {
      const bool flat = facts.type == BodyType::planar || facts.type == BodyType::planar_point;
      for (int r = 0; r < (flat ? 2 : 3); ++r) m.v[r].d[velocities[s] + r] = 1;
      if (facts.type == BodyType::planar) omega[2].d[velocities[s] + 2] = 1;
      if (facts.type == BodyType::spatial)
        for (int r = 0; r < 3; ++r) omega[r].d[velocities[s] + 3 + r] = 1;
    }
    for (int r = 0; r < 3; ++r)
      m.w[r] = m.R(r, 0) * omega[0] + m.R(r, 1) * omega[1] + m.R(r, 2) * omega[2];
  }
  Wrench<D> on[2];
  for (Wrench<D>& w : on)
    for (int r = 0; r < 3; ++r) w.force[r] = w.moment[r] = D(0.0);
  data.function.derive(moving[0], moving[1],
                       {p.t, pair_geometry_[k].data(), pair_constants_[k].data(), settings()},
                       on[0], on[1]);
  for (int s = 0; s < 2; ++s) {
    const BodyFacts& facts = bodies_[bodies[s]];
    D f[6];
    components<D>(facts, poses[s].R, on[s], f);
    for (int o = 0; o < 2; ++o)
      if (out.go(facts.node, bodies_[bodies[o]].node, layer::position | layer::velocity))
        for (int r = 0; r < facts.n; ++r)
          for (int c = 0; c < bodies_[bodies[o]].n; ++c) {
            out.position(r, c) -= f[r].d[positions[o] + c];
            out.velocity(r, c) -= f[r].d[velocities[o] + c];
          }
  }
}

void MechanismSystem::derivatives(double, BlockLayers& layers) {
  BlockWriter out(pattern_, block_ids_, layers);
  fill(point(), out);
  out.finish();
}

void MechanismSystem::derivatives(double kappa, DenseBlocks& b) {
  BlockLayers layers;
  layers.value = layers.velocity = layers.position = layers.rows =
      Vector::Zero(pattern_.value_count());
  derivatives(kappa, layers);
  const Sizes& s = sizes_;
  const Index constraints = s.n;
  const Index states = s.n + s.mu();
  const Matrix value = pattern_.dense(layers.value);
  const Matrix velocity = pattern_.dense(layers.velocity);
  const Matrix position = pattern_.dense(layers.position);
  const Matrix rows = pattern_.dense(layers.rows);
  b.M = value.topLeftCorner(s.n, s.n);
  b.K = -position.topLeftCorner(s.n, s.n);
  b.D = -velocity.topLeftCorner(s.n, s.n);
  b.F = -value.block(0, constraints, s.n, s.mu());
  b.X = -velocity.topRightCorner(s.n, s.x);
  b.C = value.block(constraints, 0, s.mu(), s.n);
  b.C_y = rows.block(constraints, 0, s.mu(), s.n);
  b.d_xdot = value.bottomRightCorner(s.x, s.x);
  b.d_x = velocity.bottomRightCorner(s.x, s.x);
  b.d_y = position.block(states, 0, s.x, s.n);
  b.d_z = velocity.block(states, 0, s.x, s.n);
  b.d_a = value.block(states, 0, s.x, s.n);
  b.d_mu = value.block(states, constraints, s.x, s.mu());
}

}  // namespace mechfmu::mechanics
