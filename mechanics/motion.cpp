#include "mechanics/motion.h"

#include "mechanics/elements/common.h"
#include "mechanics/elements/energies.h"
#include "mechanics/elements/pairs.h"
#include "mechanics/placement.h"

namespace mechfmu::mechanics {

// --- what is there, or is computed now ---

const BodyMotion& Motion::body(Index index) const {
  system_.require(Instant::Stage::bodies);
  if (index > 0) system_.pool_of(ix(index)).look(system_.g_, ix(index), system_.now_);
  return system_.now_.bodies[ix(index)];
}

const Point& Motion::solved() const { return system_.with_accelerations(); }

Vec<double, 6> Motion::accelerations(Index index) const {
  const Point& p = solved();
  if (!system_.accelerated_) {
    system_.require(Instant::Stage::bodies);
    for (const BodyPool* pool : system_.bodies_) pool->accelerate(p.a, system_.now_);
    system_.accelerated_ = true;
  }
  return system_.now_.accelerations[ix(index)];
}

const RowMotion& Motion::measure(Measure m) const {
  system_.require(Instant::Stage::rows);
  Instant& now = system_.now_;
  const std::size_t k = ix(m.index);
  if (now.measured[k] == 0) {
    const Row& row = system_.g_.measures[k];
    body(row.i);
    body(row.j);
    look_at(row, system_.layout_.measures[k].turn, now, now.measures[k]);
    now.measured[k] = 1;
  }
  return now.measures[k];
}

const Instant& Motion::with_forces() const {
  if (system_.layout_.forces_follow_reactions) solved();
  if (!system_.loaded_) system_.load_forces();
  return system_.now_;
}

Vec3 Motion::arm(const Spot& P) const {
  return body(P.body.index).R *
         local_point(system_.g_, P.body.index, P.at, P.local, system_.inputs());
}

// --- points and frames ---

double Motion::state_rate(StateVariable x) const { return solved().xdot[x.index]; }

Vec3 Motion::position(const Spot& P) const { return body(P.body.index).r + arm(P); }
Vec3 Motion::velocity(const Spot& P) const {
  const BodyMotion& b = body(P.body.index);
  return b.v + b.w.cross(arm(P));
}
Vec3 Motion::acceleration(const Spot& P) const {
  const Vec<double, 6> a = accelerations(P.body.index);
  const Vec3& w = body(P.body.index).w;
  const Vec3 s = arm(P);
  return a.head<3>() + Vec3(a.tail<3>()).cross(s) + w.cross(w.cross(s));
}
Vec3 Motion::position(const Spot& P, const Spot& Q) const { return position(P) - position(Q); }
Vec3 Motion::velocity(const Spot& P, const Spot& Q) const {
  const Vec3& w = body(Q.body.index).w;
  return velocity(P) - velocity(Q) - w.cross(position(P, Q));
}
Vec3 Motion::acceleration(const Spot& P, const Spot& Q) const {
  const Vec3 alpha = accelerations(Q.body.index).tail<3>();
  const Vec3& w = body(Q.body.index).w;
  const Vec3 d = position(P, Q);
  return acceleration(P) - acceleration(Q) - alpha.cross(d) - w.cross(w.cross(d)) -
         2 * w.cross(velocity(P, Q));
}
Vec3 Motion::in_axes(const Vec3& v, Body axes) const { return body(axes.index).R.transpose() * v; }

Mat3 Motion::rotation(Body b, Body relative_to) const {
  return body(relative_to.index).R.transpose() * body(b.index).R;
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
  return body(b.index).w - body(relative_to.index).w;
}
Vec3 Motion::angular_acceleration(Body b, Body relative_to) const {
  const Vec3 of_b = accelerations(b.index).tail<3>();
  const Vec3 of_other = accelerations(relative_to.index).tail<3>();
  return of_b - of_other - body(relative_to.index).w.cross(angular_velocity(b, relative_to));
}

// --- measures and forces ---

double Motion::value(Measure m) const { return measure(m).phi; }
double Motion::rate(Measure m) const { return measure(m).rate; }
double Motion::acceleration(Measure m) const {
  const Row& row = system_.g_.measures[ix(m.index)];
  accelerations(row.i);
  return acceleration_of(row, measure(m), system_.now_);
}
double Motion::force(Force f) const { return with_forces().forces[ix(f.index)]; }

Reaction Motion::pair(Pair k) const {
  system_.require(Instant::Stage::rows);
  const PairData& data = system_.d_.pairs[ix(k.index)];
  Wrench<double> on_a;
  Wrench<double> on_b;
  wrenches(system_.parts(), ix(k.index), moving(body(data.a.index)), moving(body(data.b.index)),
           on_a, on_b);
  return {on_b.force, on_b.moment};
}

Reaction Motion::reaction(Joint handle) const {
  const Vector& mu = solved().mu;
  system_.require(Instant::Stage::rows);
  const JointPlace& joint = system_.layout_.joints[ix(handle.index)];
  const Vec3 s = body(joint.j).R * system_.g_.points[ix(handle.index)].p_j;
  Reaction sum;
  for (int r = 0; r < joint.point_rows; ++r) sum.force[r] -= mu[joint.first + r];
  for (int r = joint.first_row; r < joint.end_row; ++r) {
    const double lambda = mu[system_.layout_.rows[ix(r)].mu];
    const RowMotion& row = system_.now_.rows[ix(r)];
    const Wrench<double>& on_b = system_.g_.rows[ix(r)].j == joint.j ? row.on_j : row.on_i;
    sum.force -= lambda * on_b.force;
    sum.torque -= lambda * (on_b.moment - s.cross(on_b.force));
  }
  return sum;
}

Reaction Motion::reaction(Rolling handle) const {
  const Vector& mu = solved().mu;
  system_.require(Instant::Stage::rows);
  const RollingPlace& rolling = system_.layout_.rollings[ix(handle.index)];
  Reaction sum;
  const auto add = [&](int row, Index multiplier) {
    sum.force -= mu[multiplier] * system_.now_.rows[ix(row)].on_j.force;
  };
  if (rolling.height >= 0) add(rolling.height, rolling.first_g);
  for (int r = 0; r < rolling.slips; ++r) add(rolling.slip + r, rolling.first_k + r);
  return sum;
}

double Motion::multiplier(Constraint c) const {
  return solved().mu[system_.layout_.relation_mu[ix(c.index)]];
}

// --- the whole mechanism ---

double Motion::kinetic_energy() const {
  double sum = 0;
  for (std::size_t b = 1; b < system_.g_.bodies.size(); ++b) {
    const BodyGeometry& facts = system_.g_.bodies[b];
    const BodyMotion& now = body(static_cast<Index>(b));
    const Vec3 omega = now.R.transpose() * now.w;
    sum += (facts.mass * now.v.squaredNorm() + omega.dot(facts.J * omega)) / 2;
  }
  return sum;
}

double Motion::potential_energy() const {
  with_forces();
  double sum = mechanics::potential_energy(system_.parts());
  for (std::size_t b = 1; b < system_.g_.bodies.size(); ++b)
    sum -= system_.g_.bodies[b].mass * system_.g_.gravity.dot(body(static_cast<Index>(b)).r);
  return sum;
}

double Motion::dissipated_power() const {
  solved();  // drives do work by their reactions
  with_forces();
  return powers(system_.parts()).dissipated;
}
double Motion::supplied_power() const {
  solved();
  with_forces();
  return powers(system_.parts()).supplied;
}
double Motion::dissipated_energy() const {
  const Vector& x = system_.point().x;
  return system_.d_.track_energy ? x[x.size() - 2] : 0;
}
double Motion::work() const {
  const Vector& x = system_.point().x;
  return system_.d_.track_energy ? x[x.size() - 1] : 0;
}

double Motion::energy_imbalance() const {
  if (!system_.d_.track_energy) return 0;
  const double start = system_.point().memory[system_.sizes().memory - 1];
  return kinetic_energy() + potential_energy() + dissipated_energy() - work() - start;
}

double Motion::mass() const {
  double sum = 0;
  for (const BodyGeometry& body : system_.g_.bodies) sum += body.mass;
  return sum;
}
Vec3 Motion::centre_of_mass() const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t b = 1; b < system_.g_.bodies.size(); ++b)
    sum += system_.g_.bodies[b].mass * body(static_cast<Index>(b)).r;
  return sum / mass();
}
Vec3 Motion::momentum() const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t b = 1; b < system_.g_.bodies.size(); ++b)
    sum += system_.g_.bodies[b].mass * body(static_cast<Index>(b)).v;
  return sum;
}
Vec3 Motion::angular_momentum(const Vec3& about) const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t b = 1; b < system_.g_.bodies.size(); ++b) {
    const BodyGeometry& facts = system_.g_.bodies[b];
    const BodyMotion& now = body(static_cast<Index>(b));
    sum +=
        facts.mass * (now.r - about).cross(now.v) + now.R * (facts.J * (now.R.transpose() * now.w));
  }
  return sum;
}

}  // namespace mechfmu::mechanics
