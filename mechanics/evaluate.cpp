// Values of the equations of motion: where everything is, the forces, the constraints.
//
// Every force is a wrench on bodies in world axes; they are summed there and turned into body axes once:
//   f = (F, Rᵀτ − Ω × JΩ)
// A joint that holds two points together contributes −λ at both; a single row −λ B; a law along a measure +value·B.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mechanics/system.h"

namespace mechfmu::mechanics {

namespace {

constexpr double turn = 2 * std::numbers::pi;

/// The value congruent to `angle` that is nearest to `near`.
double unwrapped(double angle, double near) {
  return angle + turn * std::round((near - angle) / turn);
}

Mat3 rotation_about_z(double theta) {
  const double c = std::cos(theta);
  const double s = std::sin(theta);
  Mat3 R;
  R << c, -s, 0, s, c, 0, 0, 0, 1;
  return R;
}

Mat3 rotation_of(const double* q) {
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
}

/// q ∘ exp(φ/2), normalized.
void turn_quaternion(const double* q, const Vec3& phi, double* q1) {
  const double angle = phi.norm();
  // sin(|φ|/2)/|φ|, by its series where that is exact
  const double s = angle < 1e-4 ? 0.5 - angle * angle / 48 : std::sin(angle / 2) / angle;
  const Eigen::Quaterniond step(std::cos(angle / 2), s * phi[0], s * phi[1], s * phi[2]);
  const Eigen::Quaterniond next = (Eigen::Quaterniond(q[0], q[1], q[2], q[3]) * step).normalized();
  q1[0] = next.w();
  q1[1] = next.x();
  q1[2] = next.y();
  q1[3] = next.z();
}

}  // namespace

void MechanismSystem::place(In y, std::vector<BodyMotion>& bodies) const {
  for (std::size_t b = 1; b < bodies_.size(); ++b) {
    const BodyFacts& body = bodies_[b];
    BodyMotion& now = bodies[b];
    const double* q = y.data() + body.y;
    switch (body.type) {
      case BodyType::spatial:
        now.r = {q[0], q[1], q[2]};
        now.R = rotation_of(q + 3);
        break;
      case BodyType::planar: {
        now.r[0] = q[0];
        now.r[1] = q[1];
        now.r[2] = body.r0[2];
        const double c = std::cos(q[2]);
        const double s = std::sin(q[2]);
        now.R(0, 0) = now.R(1, 1) = c;
        now.R(1, 0) = s;
        now.R(0, 1) = -s;
        break;
      }
      case BodyType::point: now.r = {q[0], q[1], q[2]}; break;
      case BodyType::planar_point: now.r = {q[0], q[1], body.r0[2]}; break;
    }
  }
}

void MechanismSystem::place_now(In y) {
  if (placed_ && (placed_y_.array() == y.array()).all()) return;
  place(y, now_);
  placed_y_ = y;
  placed_ = true;
}

void MechanismSystem::move(In z, std::vector<BodyMotion>& bodies) const {
  for (std::size_t b = 1; b < bodies_.size(); ++b) {
    const BodyFacts& body = bodies_[b];
    BodyMotion& now = bodies[b];
    const double* q = z.data() + body.z;
    now.v[0] = q[0];
    now.v[1] = q[1];
    switch (body.type) {
      case BodyType::spatial:
        now.v[2] = q[2];
        now.w.noalias() = now.R * Vec3(q[3], q[4], q[5]);
        break;
      case BodyType::planar: now.w[2] = q[2]; break;
      case BodyType::point: now.v[2] = q[2]; break;
      case BodyType::planar_point: break;
    }
  }
}

void MechanismSystem::evaluate_single(const Row& row, In y, const std::vector<BodyMotion>& bodies,
                                      RowMotion& now) const {
  const BodyMotion& i = bodies[ix(row.i)];
  const BodyMotion& j = bodies[ix(row.j)];
  evaluate_row<double>(row, pose(i), pose(j), now.phi, now.on_i, now.on_j);
  if (row.turns < 0) return;
  // The formula knows the angle up to whole turns; y knows the turns.
  const double counted = y[row.turns];
  if (row.kind == RowKind::angle) {
    now.phi = unwrapped(now.phi, counted);
  } else {
    Vec3 moment;
    const double angle = angle_of<double>(row, pose(i), pose(j), moment);
    now.phi -= row.radius * (unwrapped(angle, counted) - angle);
  }
}

double MechanismSystem::speed(const Row& row, const RowMotion& now,
                              const std::vector<BodyMotion>& bodies) {
  const BodyMotion& i = bodies[ix(row.i)];
  const BodyMotion& j = bodies[ix(row.j)];
  return now.on_i.force.dot(i.v) + now.on_i.moment.dot(i.w) + now.on_j.force.dot(j.v) +
         now.on_j.moment.dot(j.w);
}

void MechanismSystem::push(const Row& row, const RowMotion& now, double amount) {
  BodyMotion& i = now_[ix(row.i)];
  BodyMotion& j = now_[ix(row.j)];
  i.force += amount * now.on_i.force;
  i.moment += amount * now.on_i.moment;
  j.force += amount * now.on_j.force;
  j.moment += amount * now.on_j.moment;
}

Index MechanismSystem::multiplier_index(const Argument& a) const {
  return joints_[ix(a.joint)].first + a.index;
}

double MechanismSystem::argument(const Argument& a, const Point& p) const {
  switch (a.kind) {
    case Argument::Kind::value: return measure_now_[ix(a.index)].phi;
    case Argument::Kind::rate: return measure_now_[ix(a.index)].rate;
    case Argument::Kind::state: return p.x[a.index];
    case Argument::Kind::multiplier: return p.mu[multiplier_index(a)];
  }
  return 0;
}

Scope<double> MechanismSystem::scope(const Law& law, const std::vector<double>& constants,
                                     const Point& p, double* arguments) const {
  for (std::size_t k = 0; k < law.arguments.size(); ++k)
    arguments[k] = argument(law.arguments[k], p);
  return {p.t, arguments, settings(), constants.data()};
}

void MechanismSystem::apply_forces(const Point& p) {
  double arguments[LawValue::capacity];
  for (std::size_t b = 1; b < bodies_.size(); ++b) {
    now_[b].force = bodies_[b].mass * gravity_;
    now_[b].moment.setZero();
  }
  for (const std::size_t m : active_measures_) {
    evaluate_single(measures_[m], p.y, now_, measure_now_[m]);
    measure_now_[m].rate = speed(measures_[m], measure_now_[m], now_);
  }
  for (std::size_t f = 0; f < d_.forces.size(); ++f) {
    const ForceData& data = d_.forces[f];
    const std::size_t along = ix(data.along.index);
    force_now_[f] = data.value.value(scope(data.value, force_constants_[f], p, arguments));
    push(measures_[along], measure_now_[along], force_now_[f]);
  }
  for (std::size_t k = 0; k < d_.pairs.size(); ++k) {
    const PairData& data = d_.pairs[k];
    BodyMotion& a = now_[ix(data.a.index)];
    BodyMotion& b = now_[ix(data.b.index)];
    Wrench<double> on_a{Vec3::Zero(), Vec3::Zero()};
    Wrench<double> on_b{Vec3::Zero(), Vec3::Zero()};
    data.function.value(Moving<double>{a.r, a.R, a.v, a.w}, Moving<double>{b.r, b.R, b.v, b.w},
                        {p.t, pair_geometry_[k].data(), pair_constants_[k].data(), settings()},
                        on_a, on_b);
    a.force += on_a.force;
    a.moment += on_a.moment;
    b.force += on_b.force;
    b.moment += on_b.moment;
  }
}

/// Adds −Cᵀμ, with the rows as they were evaluated last.
void MechanismSystem::apply_reactions(In mu) {
  for (const JointFacts& joint : joints_) {
    if (joint.point_rows == 0) continue;
    BodyMotion& i = now_[ix(joint.i)];
    BodyMotion& j = now_[ix(joint.j)];
    const double* lambda = mu.data() + joint.first;
    if (joint.point_rows == 2) {
      const double x = lambda[0];
      const double y = lambda[1];
      const double jx = j.R(0, 0) * joint.p_j[0] + j.R(0, 1) * joint.p_j[1];
      const double jy = j.R(1, 0) * joint.p_j[0] + j.R(1, 1) * joint.p_j[1];
      const double ix = i.R(0, 0) * joint.p_i[0] + i.R(0, 1) * joint.p_i[1];
      const double iy = i.R(1, 0) * joint.p_i[0] + i.R(1, 1) * joint.p_i[1];
      j.force[0] -= x;
      j.force[1] -= y;
      j.moment[2] -= jx * y - jy * x;
      i.force[0] += x;
      i.force[1] += y;
      i.moment[2] += ix * y - iy * x;
    } else {
      const Vec3 F(lambda[0], lambda[1], lambda[2]);
      j.force -= F;
      j.moment -= (j.R * joint.p_j).cross(F);
      i.force += F;
      i.moment += (i.R * joint.p_i).cross(F);
    }
  }
  for (std::size_t r = 0; r < singles_.size(); ++r)
    push(singles_[r], single_now_[r], -mu[single_mu_[r]]);
  for (std::size_t c = 0; c < d_.constraints.size(); ++c) {
    const double amount = mu[relation_mu_[c]];
    const Law& law = d_.constraints[c].relation;
    const Argument::Kind acting =
        d_.constraints[c].nonholonomic ? Argument::Kind::rate : Argument::Kind::value;
    for (std::size_t k = 0; k < law.arguments.size(); ++k)
      if (law.arguments[k].kind == acting) {
        const std::size_t m = ix(law.arguments[k].index);
        push(measures_[m], measure_now_[m], -amount * relation_now_[c].gradient[k]);
      }
  }
}

void MechanismSystem::collect(Out f, bool gyroscopic) const {
  for (std::size_t b = 1; b < bodies_.size(); ++b) {
    const BodyFacts& body = bodies_[b];
    const BodyMotion& now = now_[b];
    double* q = &f[body.z];
    q[0] = now.force[0];
    q[1] = now.force[1];
    switch (body.type) {
      case BodyType::spatial: {
        q[2] = now.force[2];
        Vec3 tau = now.R.transpose() * now.moment;
        if (gyroscopic) {
          const Vec3 omega = now.R.transpose() * now.w;
          tau -= omega.cross(body.J * omega);
        }
        q[3] = tau[0];
        q[4] = tau[1];
        q[5] = tau[2];
        break;
      }
      case BodyType::planar: q[2] = now.moment[2]; break;
      case BodyType::point: q[2] = now.force[2]; break;
      case BodyType::planar_point: break;
    }
  }
}

void MechanismSystem::evaluate_relation(std::size_t c, const Point& p) {
  double arguments[LawValue::capacity];
  const Law& law = d_.constraints[c].relation;
  law.derive_twice(scope(law, relation_constants_[c], p, arguments), relation_now_[c]);
}

void MechanismSystem::values(Values& values) {
  const Point& p = point();
  place_now(p.y);
  move(p.z, now_);
  apply_forces(p);

  // g, g_t + G z, k
  for (const JointFacts& joint : joints_) {
    if (joint.point_rows == 0) continue;
    const BodyMotion& i = now_[ix(joint.i)];
    const BodyMotion& j = now_[ix(joint.j)];
    double* g = &values.position[joint.first];
    double* gt = &values.velocity[joint.first];
    if (joint.point_rows == 2) {
      const double jx = j.R(0, 0) * joint.p_j[0] + j.R(0, 1) * joint.p_j[1];
      const double jy = j.R(1, 0) * joint.p_j[0] + j.R(1, 1) * joint.p_j[1];
      const double ix = i.R(0, 0) * joint.p_i[0] + i.R(0, 1) * joint.p_i[1];
      const double iy = i.R(1, 0) * joint.p_i[0] + i.R(1, 1) * joint.p_i[1];
      g[0] = j.r[0] + jx - i.r[0] - ix;
      g[1] = j.r[1] + jy - i.r[1] - iy;
      gt[0] = j.v[0] - j.w[2] * jy - i.v[0] + i.w[2] * iy;
      gt[1] = j.v[1] + j.w[2] * jx - i.v[1] - i.w[2] * ix;
    } else {
      const Vec3 s_j = j.R * joint.p_j;
      const Vec3 s_i = i.R * joint.p_i;
      const Vec3 gap = j.r + s_j - i.r - s_i;
      const Vec3 rate = j.v + j.w.cross(s_j) - i.v - i.w.cross(s_i);
      for (int r = 0; r < 3; ++r) {
        g[r] = gap[r];
        gt[r] = rate[r];
      }
    }
  }
  for (std::size_t r = 0; r < singles_.size(); ++r) {
    evaluate_single(singles_[r], p.y, now_, single_now_[r]);
    const Index mu = single_mu_[r];
    if (mu < sizes_.m) values.position[mu] = single_now_[r].phi;
    values.velocity[mu] = speed(singles_[r], single_now_[r], now_);
  }
  for (std::size_t c = 0; c < d_.constraints.size(); ++c) {
    evaluate_relation(c, p);
    const RelationValue& relation = relation_now_[c];
    const Law& law = d_.constraints[c].relation;
    const Index mu = relation_mu_[c];
    if (d_.constraints[c].nonholonomic) {
      values.velocity[mu] = relation.value;
    } else {
      values.position[mu] = relation.value;
      double rate = relation.gradient[law.arguments.size()];
      for (std::size_t k = 0; k < law.arguments.size(); ++k)
        rate += relation.gradient[k] * measure_now_[ix(law.arguments[k].index)].rate;
      values.velocity[mu] = rate;
    }
  }
  apply_reactions(p.mu);
  collect(values.f, true);
  double arguments[LawValue::capacity];
  for (std::size_t x = 0; x < d_.states.size(); ++x) {
    const Law& law = d_.states[x].rate;
    const Index i = static_cast<Index>(x);
    values.d[i] = p.xdot[i] - law.value(scope(law, state_constants_[x], p, arguments));
  }
  if (track_energy_) {
    const Powers power = powers(p);
    const Index first = static_cast<Index>(d_.states.size());
    values.d[first] = p.xdot[first] - power.dissipated;
    values.d[first + 1] = p.xdot[first + 1] - power.supplied;
  }
}

MechanismSystem::Powers MechanismSystem::powers(const Point& p) const {
  Powers sum;
  double arguments[LawValue::capacity];
  for (std::size_t f = 0; f < d_.forces.size(); ++f) {
    const ForceData& data = d_.forces[f];
    const double rate = measure_now_[ix(data.along.index)].rate;
    double held = 0;  // force at the same place without motion
    if (data.energy) {
      const Scope<double> s = scope(data.value, force_constants_[f], p, arguments);
      for (std::size_t k = 0; k < data.value.arguments.size(); ++k)
        if (data.value.arguments[k].kind == Argument::Kind::rate) arguments[k] = 0;
      held = data.value.value(s);
    }
    if (data.energy || data.passive)
      sum.dissipated -= (force_now_[f] - held) * rate;
    else
      sum.supplied += force_now_[f] * rate;
  }
  for (std::size_t k = 0; k < d_.pairs.size(); ++k) {
    const PairData& data = d_.pairs[k];
    const BodyMotion& a = now_[ix(data.a.index)];
    const BodyMotion& b = now_[ix(data.b.index)];
    const PairContext context{p.t, pair_geometry_[k].data(), pair_constants_[k].data(), settings()};
    const Moving<double> ma{a.r, a.R, a.v, a.w};
    const Moving<double> mb{b.r, b.R, b.v, b.w};
    const auto power = [&](const Moving<double>& qa, const Moving<double>& qb) {
      Wrench<double> on_a{Vec3::Zero(), Vec3::Zero()};
      Wrench<double> on_b{Vec3::Zero(), Vec3::Zero()};
      data.function.value(qa, qb, context, on_a, on_b);
      return on_a.force.dot(a.v) + on_a.moment.dot(a.w) + on_b.force.dot(b.v) +
             on_b.moment.dot(b.w);
    };
    double held = 0;
    if (data.function.energy)
      held = power({a.r, a.R, Vec3::Zero(), Vec3::Zero()}, {b.r, b.R, Vec3::Zero(), Vec3::Zero()});
    sum.dissipated -= power(ma, mb) - held;
  }
  // Constraints that depend on time do work: −λ G z = λ g_t.
  for (std::size_t c = 0; c < d_.constraints.size(); ++c) {
    const Law& law = d_.constraints[c].relation;
    const auto last = law.arguments.size();
    const double mu = p.mu[relation_mu_[c]];
    const RelationValue& relation = relation_now_[c];
    double along = 0;
    for (std::size_t k = 0; k < last; ++k)
      if (law.arguments[k].kind == Argument::Kind::rate || !d_.constraints[c].nonholonomic)
        along += relation.gradient[k] * measure_now_[ix(law.arguments[k].index)].rate;
    sum.supplied -= mu * along;
  }
  return sum;
}

void MechanismSystem::tilde(In z_tilde, In mu_tilde, Out f_difference, Out k_tilde) {
  const Point& p = point();
  for (std::size_t b = 1; b < bodies_.size(); ++b) {
    now_[b].force.setZero();
    now_[b].moment.setZero();
  }
  mu_difference_ = mu_tilde - p.mu;
  apply_reactions(mu_difference_);
  if (!loaded_forces_.empty()) {
    double arguments[LawValue::capacity];
    for (const std::size_t f : loaded_forces_) {
      const Law& law = d_.forces[f].value;
      const Scope<double> s = scope(law, force_constants_[f], p, arguments);
      for (std::size_t k = 0; k < law.arguments.size(); ++k)
        if (law.arguments[k].kind == Argument::Kind::multiplier)
          arguments[k] = mu_tilde[multiplier_index(law.arguments[k])];
      const std::size_t along = ix(d_.forces[f].along.index);
      push(measures_[along], measure_now_[along], law.value(s) - force_now_[f]);
    }
  }
  collect(f_difference, false);

  if (sizes_.k == 0) return;
  // k with the velocities z̃: positions, and so directions, stay.
  scratch_ = now_;
  move(z_tilde, scratch_);
  for (std::size_t r = 0; r < singles_.size(); ++r)
    if (single_mu_[r] >= sizes_.m)
      k_tilde[single_mu_[r] - sizes_.m] = speed(singles_[r], single_now_[r], scratch_);
  double arguments[LawValue::capacity];
  for (std::size_t c = 0; c < d_.constraints.size(); ++c) {
    if (!d_.constraints[c].nonholonomic) continue;
    const Law& law = d_.constraints[c].relation;
    const Scope<double> s = scope(law, relation_constants_[c], p, arguments);
    for (std::size_t k = 0; k < law.arguments.size(); ++k) {
      if (law.arguments[k].kind != Argument::Kind::rate) continue;
      const std::size_t m = ix(law.arguments[k].index);
      arguments[k] = speed(measures_[m], measure_now_[m], scratch_);
    }
    k_tilde[relation_mu_[c] - sizes_.m] = law.value(s);
  }
}

double MechanismSystem::rate_without_acceleration(const Row& row,
                                                  const std::vector<BodyMotion>& bodies) {
  using D = Dual<double, 1>;
  const auto along = [](const BodyMotion& b) {
    Pose<D> pose;
    for (int r = 0; r < 3; ++r) {
      pose.r[r].v = b.r[r];
      pose.r[r].d[0] = b.v[r];
    }
    for (int c = 0; c < 3; ++c) {
      const Vec3 rate = b.w.cross(Vec3(b.R.col(c)));
      for (int r = 0; r < 3; ++r) {
        pose.R(r, c).v = b.R(r, c);
        pose.R(r, c).d[0] = rate[r];
      }
    }
    return pose;
  };
  const BodyMotion& i = bodies[ix(row.i)];
  const BodyMotion& j = bodies[ix(row.j)];
  D phi;
  Wrench<D> on_i;
  Wrench<D> on_j;
  evaluate_row<D>(row, along(i), along(j), phi, on_i, on_j);
  double sum = 0;
  for (int r = 0; r < 3; ++r)
    sum += on_i.force[r].d[0] * i.v[r] + on_i.moment[r].d[0] * i.w[r] +
           on_j.force[r].d[0] * j.v[r] + on_j.moment[r].d[0] * j.w[r];
  return sum;
}

void MechanismSystem::constraint_acceleration(In a, Out c) {
  const double t = point().t;
  const Vector& y = point().y;
  const Vector& z = point().z;
  place_now(y);
  move(z, now_);
  accelerate(a);
  for (const JointFacts& joint : joints_) {
    if (joint.point_rows == 0) continue;
    const BodyMotion& i = now_[ix(joint.i)];
    const BodyMotion& j = now_[ix(joint.j)];
    const Vec<double, 6>& a_i = acceleration_[ix(joint.i)];
    const Vec<double, 6>& a_j = acceleration_[ix(joint.j)];
    if (joint.point_rows == 2) {
      // a + α × s − ω² s in the plane
      const double jx = j.R(0, 0) * joint.p_j[0] + j.R(0, 1) * joint.p_j[1];
      const double jy = j.R(1, 0) * joint.p_j[0] + j.R(1, 1) * joint.p_j[1];
      const double ix = i.R(0, 0) * joint.p_i[0] + i.R(0, 1) * joint.p_i[1];
      const double iy = i.R(1, 0) * joint.p_i[0] + i.R(1, 1) * joint.p_i[1];
      const double ww_j = j.w[2] * j.w[2];
      const double ww_i = i.w[2] * i.w[2];
      c[joint.first] = a_j[0] - a_j[5] * jy - ww_j * jx - a_i[0] + a_i[5] * iy + ww_i * ix;
      c[joint.first + 1] = a_j[1] + a_j[5] * jx - ww_j * jy - a_i[1] - a_i[5] * ix + ww_i * iy;
      continue;
    }
    const Vec3 s_j = j.R * joint.p_j;
    const Vec3 s_i = i.R * joint.p_i;
    const Vec3 rate = a_j.head<3>() + Vec3(a_j.tail<3>()).cross(s_j) + j.w.cross(j.w.cross(s_j)) -
                      a_i.head<3>() - Vec3(a_i.tail<3>()).cross(s_i) - i.w.cross(i.w.cross(s_i));
    for (int r = 0; r < 3; ++r) c[joint.first + r] = rate[r];
  }
  const auto row_acceleration = [&](const Row& row, const RowMotion& now) {
    const Vec<double, 6>& i = acceleration_[ix(row.i)];
    const Vec<double, 6>& j = acceleration_[ix(row.j)];
    return now.on_i.force.dot(i.head<3>()) + now.on_i.moment.dot(i.tail<3>()) +
           now.on_j.force.dot(j.head<3>()) + now.on_j.moment.dot(j.tail<3>()) +
           rate_without_acceleration(row, now_);
  };
  for (std::size_t r = 0; r < singles_.size(); ++r) {
    evaluate_single(singles_[r], y, now_, single_now_[r]);
    c[single_mu_[r]] = row_acceleration(singles_[r], single_now_[r]);
  }
  if (d_.constraints.empty()) return;
  for (const std::size_t m : active_measures_) {
    evaluate_single(measures_[m], y, now_, measure_now_[m]);
    measure_now_[m].rate = speed(measures_[m], measure_now_[m], now_);
  }
  static const Point nowhere;
  double arguments[LawValue::capacity];
  for (std::size_t n = 0; n < d_.constraints.size(); ++n) {
    const Law& law = d_.constraints[n].relation;
    Scope<double> s = scope(law, relation_constants_[n], nowhere, arguments);
    s.t = t;
    RelationValue& relation = relation_now_[n];
    law.derive_twice(s, relation);
    const auto last = law.arguments.size();
    double sum = 0;
    if (d_.constraints[n].nonholonomic) {
      sum = relation.gradient[last];
      for (std::size_t k = 0; k < last; ++k) {
        const std::size_t m = ix(law.arguments[k].index);
        sum += relation.gradient[k] * (law.arguments[k].kind == Argument::Kind::value
                                           ? measure_now_[m].rate
                                           : row_acceleration(measures_[m], measure_now_[m]));
      }
    } else {
      sum = relation.hessian[last][last];
      for (std::size_t k = 0; k < last; ++k) {
        const std::size_t m = ix(law.arguments[k].index);
        sum += relation.gradient[k] * row_acceleration(measures_[m], measure_now_[m]) +
               2 * relation.hessian[k][last] * measure_now_[m].rate;
        for (std::size_t l = 0; l < last; ++l)
          sum += relation.hessian[k][l] * measure_now_[m].rate *
                 measure_now_[ix(law.arguments[l].index)].rate;
      }
    }
    c[relation_mu_[n]] = sum;
  }
}

void MechanismSystem::accelerate(In a) {
  for (std::size_t b = 1; b < bodies_.size(); ++b) {
    const BodyFacts& body = bodies_[b];
    Vec<double, 6>& now = acceleration_[b];
    const double* q = a.data() + body.z;
    now[0] = q[0];
    now[1] = q[1];
    switch (body.type) {
      case BodyType::spatial:
        now[2] = q[2];
        now.tail<3>().noalias() = now_[b].R * Vec3(q[3], q[4], q[5]);
        break;
      case BodyType::planar: now[5] = q[2]; break;
      case BodyType::point: now[2] = q[2]; break;
      case BodyType::planar_point: break;
    }
  }
}

void MechanismSystem::displace(In y0, In delta, Out y1) const {
  for (std::size_t b = 1; b < bodies_.size(); ++b) {
    const BodyFacts& body = bodies_[b];
    const double* q0 = y0.data() + body.y;
    const double* d = delta.data() + body.z;
    double* q1 = &y1[body.y];
    const int plain = body.type == BodyType::spatial ? 3 : body.n;
    for (int i = 0; i < plain; ++i) q1[i] = q0[i] + d[i];
    if (body.type == BodyType::spatial) turn_quaternion(q0 + 3, {d[3], d[4], d[5]}, q1 + 3);
  }
  if (turning_.empty()) return;
  // Turns: the angle of the new pose that is nearest to the old one plus what the displacement turns.
  const auto pose_at = [&](int index, const double* y) -> Pose<double> {
    const BodyFacts& body = bodies_[ix(index)];
    const double* q = y + body.y;
    if (index == 0) return {Vec3::Zero(), Mat3::Identity()};
    if (body.type == BodyType::spatial) return {Vec3::Zero(), rotation_of(q + 3)};
    return {Vec3::Zero(),
            body.type == BodyType::planar ? rotation_about_z(q[2]) : Mat3(Mat3::Identity())};
  };
  const auto rotation_by = [&](int index, const Mat3& R) -> Vec3 {
    const BodyFacts& body = bodies_[ix(index)];
    if (index == 0) return Vec3::Zero();
    const double* d = delta.data() + body.z;
    if (body.type == BodyType::spatial) return R * Vec3(d[3], d[4], d[5]);
    return body.type == BodyType::planar ? Vec3(0, 0, d[2]) : Vec3(Vec3::Zero());
  };
  for (const Row* row : turning_) {
    const Pose<double> i0 = pose_at(row->i, y0.data());
    const Pose<double> j0 = pose_at(row->j, y0.data());
    Vec3 moment;
    angle_of<double>(*row, i0, j0, moment);
    const double turned = moment.dot(rotation_by(row->j, j0.R) - rotation_by(row->i, i0.R));
    Vec3 unused;
    double angle =
        angle_of<double>(*row, pose_at(row->i, y1.data()), pose_at(row->j, y1.data()), unused);
    if (row->kind == RowKind::angle) angle -= row->offset;
    y1[row->turns] = unwrapped(angle, y0[row->turns] + turned);
  }
}

// Positions are compared with the size of a body, wherever the origin is; angles with a radian.
void MechanismSystem::scales(Out y_scale, Out x_scale) const {
  System::scales(y_scale, x_scale);
  for (std::size_t b = 1; b < bodies_.size(); ++b) {
    const bool plane =
        bodies_[b].type == BodyType::planar || bodies_[b].type == BodyType::planar_point;
    y_scale.segment(bodies_[b].z, plane ? 2 : 3).setConstant(length_);
  }
}

void MechanismSystem::grow_scales(In, Out) const {}

double MechanismSystem::resolution(In y, In) const {
  double far = length_;
  for (std::size_t b = 1; b < bodies_.size(); ++b) {
    const double* q = y.data() + bodies_[b].y;
    far = std::max({far, std::abs(q[0]), std::abs(q[1])});
    if (bodies_[b].type == BodyType::spatial || bodies_[b].type == BodyType::point)
      far = std::max(far, std::abs(q[2]));
  }
  return far / length_;
}

void MechanismSystem::mass(double, In, Out) const {}

void MechanismSystem::multiply_mass(In, In v, Out Mv) const {
  for (std::size_t b = 1; b < bodies_.size(); ++b) {
    const BodyFacts& body = bodies_[b];
    const double* q = v.data() + body.z;
    double* p = &Mv[body.z];
    p[0] = body.mass * q[0];
    p[1] = body.mass * q[1];
    switch (body.type) {
      case BodyType::spatial: {
        p[2] = body.mass * q[2];
        const Vec3 L = body.J * Vec3(q[3], q[4], q[5]);
        p[3] = L[0];
        p[4] = L[1];
        p[5] = L[2];
        break;
      }
      case BodyType::planar: p[2] = body.J(2, 2) * q[2]; break;
      case BodyType::point: p[2] = body.mass * q[2]; break;
      case BodyType::planar_point: break;
    }
  }
}

}  // namespace mechfmu::mechanics
