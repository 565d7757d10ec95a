#include "mechanics/motion.h"

#include "mechanics/placement.h"

namespace mechfmu::mechanics {

Motion::Motion(MechanismSystem& system) : system_(system) {
  p_.resize(system.sizes());
  values_.resize(system.sizes());
}

void Motion::set(const Point& p) {
  const bool same = known_ && p_.t == p.t && p_.y == p.y && p_.z == p.z && p_.a == p.a &&
                    p_.mu == p.mu && p_.x == p.x && p_.xdot == p.xdot && inputs_ == system_.u_;
  if (same) return;
  p_ = p;
  inputs_ = system_.u_;
  known_ = true;
  system_.at(p_);
  system_.values(values_);
  system_.accelerate(p_.a);
  bodies_ = system_.now_;
  accelerations_ = system_.acceleration_;
  singles_ = system_.single_now_;
  forces_ = system_.force_now_;
  powers_ = system_.powers(p_);
  measures_.resize(system_.measures_.size());
  for (std::size_t m = 0; m < measures_.size(); ++m) {
    system_.evaluate_single(system_.measures_[m], p_.y, bodies_, measures_[m]);
    measures_[m].rate = MechanismSystem::speed(system_.measures_[m], measures_[m], bodies_);
  }
}

const Motion& MechanismSystem::motion(const Point& p) {
  motion_->set(p);
  return *motion_;
}

Motion::At Motion::at(const Spot& P) const {
  const std::size_t b = ix(P.body.index);
  const Vec3 local = system_.local_point(P.body.index, P.at, P.local);
  return {bodies_[b].R * local, bodies_[b], accelerations_[b]};
}

Vec3 Motion::position(const Spot& P) const {
  const At q = at(P);
  return q.body.r + q.s;
}
Vec3 Motion::velocity(const Spot& P) const {
  const At q = at(P);
  return q.body.v + q.body.w.cross(q.s);
}
Vec3 Motion::acceleration(const Spot& P) const {
  const At q = at(P);
  return q.acceleration.head<3>() + Vec3(q.acceleration.tail<3>()).cross(q.s) +
         q.body.w.cross(q.body.w.cross(q.s));
}
Vec3 Motion::position(const Spot& P, const Spot& Q) const { return position(P) - position(Q); }
Vec3 Motion::velocity(const Spot& P, const Spot& Q) const {
  const Vec3& w = bodies_[ix(Q.body.index)].w;
  return velocity(P) - velocity(Q) - w.cross(position(P, Q));
}
Vec3 Motion::acceleration(const Spot& P, const Spot& Q) const {
  const Vec3& w = bodies_[ix(Q.body.index)].w;
  const Vec3 alpha = accelerations_[ix(Q.body.index)].tail<3>();
  const Vec3 d = position(P, Q);
  return acceleration(P) - acceleration(Q) - alpha.cross(d) - w.cross(w.cross(d)) -
         2 * w.cross(velocity(P, Q));
}
Vec3 Motion::in_axes(const Vec3& v, Body axes) const {
  return bodies_[ix(axes.index)].R.transpose() * v;
}

Mat3 Motion::rotation(Body b, Body relative_to) const {
  return bodies_[ix(relative_to.index)].R.transpose() * bodies_[ix(b.index)].R;
}
Vec<double, 4> Motion::quaternion(Body b, Body relative_to) const {
  const Eigen::Quaterniond q(rotation(b, relative_to));
  const double sign = q.w() < 0 ? -1 : 1;
  return sign * Vec<double, 4>(q.w(), q.x(), q.y(), q.z());
}
Vec3 Motion::cardan(Body b, Body relative_to) const {
  return cardan_angles(rotation(b, relative_to));
}
Vec3 Motion::angular_velocity(Body b, Body relative_to) const {
  return bodies_[ix(b.index)].w - bodies_[ix(relative_to.index)].w;
}
Vec3 Motion::angular_acceleration(Body b, Body relative_to) const {
  const Vec3 w = bodies_[ix(relative_to.index)].w;
  return accelerations_[ix(b.index)].tail<3>() - accelerations_[ix(relative_to.index)].tail<3>() -
         w.cross(angular_velocity(b, relative_to));
}

double Motion::value(Measure m) const { return measures_[ix(m.index)].phi; }
double Motion::rate(Measure m) const { return measures_[ix(m.index)].rate; }
double Motion::acceleration(Measure m) const {
  const Row& row = system_.measures_[ix(m.index)];
  const RowMotion& now = measures_[ix(m.index)];
  const Vec<double, 6>& i = accelerations_[ix(row.i)];
  const Vec<double, 6>& j = accelerations_[ix(row.j)];
  return now.on_i.force.dot(i.head<3>()) + now.on_i.moment.dot(i.tail<3>()) +
         now.on_j.force.dot(j.head<3>()) + now.on_j.moment.dot(j.tail<3>()) +
         MechanismSystem::rate_without_acceleration(row, bodies_);
}
double Motion::force(Force f) const { return forces_[ix(f.index)]; }

Reaction Motion::pair(Pair k) const {
  const PairData& data = system_.d_.pairs[ix(k.index)];
  const BodyMotion& a = bodies_[ix(data.a.index)];
  const BodyMotion& b = bodies_[ix(data.b.index)];
  Wrench<double> on_a{Vec3::Zero(), Vec3::Zero()};
  Wrench<double> on_b{Vec3::Zero(), Vec3::Zero()};
  data.function.value({a.r, a.R, a.v, a.w}, {b.r, b.R, b.v, b.w},
                      {p_.t, system_.pair_geometry_[ix(k.index)].data(),
                       system_.pair_constants_[ix(k.index)].data(), system_.settings()},
                      on_a, on_b);
  return {on_b.force, on_b.moment};
}

Reaction Motion::reaction(Joint handle) const {
  const JointFacts& joint = system_.joints_[ix(handle.index)];
  const BodyMotion& body = bodies_[ix(joint.j)];
  const Vec3 s = body.R * joint.p_j;
  Reaction sum;
  for (int r = 0; r < joint.point_rows; ++r) sum.force[r] -= p_.mu[joint.first + r];
  for (int r = joint.first_row; r < joint.end_row; ++r) {
    const double lambda = p_.mu[system_.single_mu_[ix(r)]];
    const Wrench<double>& on_j = singles_[ix(r)].on_j;
    sum.force -= lambda * on_j.force;
    sum.torque -= lambda * (on_j.moment - s.cross(on_j.force));
  }
  return sum;
}

Reaction Motion::reaction(Rolling handle) const {
  const RollingFacts& rolling = system_.rollings_[ix(handle.index)];
  Reaction sum;
  if (rolling.height >= 0)
    sum.force -= p_.mu[rolling.first_g] * singles_[ix(rolling.height)].on_j.force;
  for (int r = 0; r < rolling.slips; ++r)
    sum.force -= p_.mu[rolling.first_k + r] * singles_[ix(rolling.slip + r)].on_j.force;
  return sum;
}

double Motion::multiplier(Constraint c) const { return p_.mu[system_.relation_mu_[ix(c.index)]]; }

double Motion::kinetic_energy() const {
  double sum = 0;
  for (std::size_t b = 1; b < bodies_.size(); ++b) {
    const BodyFacts& facts = system_.bodies_[b];
    const Vec3 omega = bodies_[b].R.transpose() * bodies_[b].w;
    sum += (facts.mass * bodies_[b].v.squaredNorm() + omega.dot(facts.J * omega)) / 2;
  }
  return sum;
}

double Motion::potential_energy() const {
  double sum = 0;
  for (std::size_t b = 1; b < bodies_.size(); ++b)
    sum -= system_.bodies_[b].mass * system_.gravity_.dot(bodies_[b].r);
  double arguments[LawValue::capacity];
  for (std::size_t f = 0; f < system_.d_.forces.size(); ++f) {
    const ForceData& data = system_.d_.forces[f];
    if (!data.energy) continue;
    for (std::size_t k = 0; k < data.value.arguments.size(); ++k) {
      const Argument& a = data.value.arguments[k];
      arguments[k] = a.kind == Argument::Kind::value  ? measures_[ix(a.index)].phi
                     : a.kind == Argument::Kind::rate ? measures_[ix(a.index)].rate
                                                      : system_.argument(a, p_);
    }
    sum += data.energy({p_.t, arguments, system_.settings(), system_.force_constants_[f].data()});
  }
  for (std::size_t k = 0; k < system_.d_.pairs.size(); ++k) {
    const PairData& data = system_.d_.pairs[k];
    if (!data.function.energy) continue;
    const BodyMotion& a = bodies_[ix(data.a.index)];
    const BodyMotion& b = bodies_[ix(data.b.index)];
    sum += data.function.energy({a.r, a.R, a.v, a.w}, {b.r, b.R, b.v, b.w},
                                {p_.t, system_.pair_geometry_[k].data(),
                                 system_.pair_constants_[k].data(), system_.settings()});
  }
  return sum;
}

double Motion::dissipated_power() const { return powers_.dissipated; }
double Motion::supplied_power() const { return powers_.supplied; }
double Motion::dissipated_energy() const {
  return system_.track_energy_ ? p_.x[p_.x.size() - 2] : 0;
}
double Motion::work() const { return system_.track_energy_ ? p_.x[p_.x.size() - 1] : 0; }

double Motion::mass() const {
  double sum = 0;
  for (const BodyFacts& body : system_.bodies_) sum += body.mass;
  return sum;
}
Vec3 Motion::centre_of_mass() const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t b = 1; b < bodies_.size(); ++b) sum += system_.bodies_[b].mass * bodies_[b].r;
  return sum / mass();
}
Vec3 Motion::momentum() const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t b = 1; b < bodies_.size(); ++b) sum += system_.bodies_[b].mass * bodies_[b].v;
  return sum;
}
Vec3 Motion::angular_momentum(const Vec3& about) const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t b = 1; b < bodies_.size(); ++b) {
    const BodyFacts& facts = system_.bodies_[b];
    const BodyMotion& now = bodies_[b];
    sum +=
        facts.mass * (now.r - about).cross(now.v) + now.R * (facts.J * (now.R.transpose() * now.w));
  }
  return sum;
}

}  // namespace mechfmu::mechanics
