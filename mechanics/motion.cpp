#include "mechanics/motion.h"

#include "mechanics/bodies/rotation_vector.h"
#include "mechanics/elements/common.h"
#include "mechanics/elements/pairs.h"
#include "mechanics/placement.h"

namespace mechfmu::mechanics {

// --- values that are known, or are computed now ---

Moving<double> Motion::body(Index index) const {
  system_.require(Instant::Stage::bodies);
  if (index > 0) system_.pool_of(ix(index)).look(system_.g_, ix(index), system_.now_);
  return moving(system_.now_.bodies[ix(index)]);
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

RowMotion Motion::measure(Measure m) const {
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

RowMotion Motion::row(int index) const {
  system_.require(Instant::Stage::rows);
  return system_.now_.rows[ix(index)];
}

const Instant& Motion::with_forces() const {
  if (system_.layout_.forces_follow_reactions) solved();
  if (!system_.loaded_) system_.load_forces();
  return system_.now_;
}

double Motion::state_rate(StateVariable x) const { return solved().xdot[x.index]; }
double Motion::reaction_number(Index i) const { return solved().mu[i]; }
double Motion::mode_number(Index body, Index mode) const {
  return system_.point().y[system_.layout_.bodies[ix(body)].q() + mode];
}
double Motion::mode_acceleration_number(Index body, Index mode) const {
  return solved().a[system_.layout_.bodies[ix(body)].q_rate() + mode];
}
double Motion::mode_rate_number(Index body, Index mode) const {
  return system_.point().z[system_.layout_.bodies[ix(body)].q_rate() + mode];
}

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
  wrenches(system_.parts(), ix(k.index), body(data.a.index), body(data.b.index), on_a, on_b);
  return {on_b.force, on_b.moment};
}

double Motion::elastic_energy() const {
  with_forces();
  double sum = 0;
  for (const ElementPool* element : system_.working_)
    sum += element->potential_energy(system_.parts());
  return sum;
}
double Motion::dissipated_power() const {
  solved();  // the reactions of drives do work
  with_forces();
  return system_.powers().dissipated;
}
double Motion::supplied_power() const {
  solved();
  with_forces();
  return system_.powers().supplied;
}

// --- points and frames ---

template <class T>
Vec<T, 3> Readings<T>::arm(const Spot& P) const {
  return turned<T>(body(P.body.index).R,
                   local_point(system_.g_, P.body.index, P.at, P.local, system_.inputs()));
}
template <class T>
Vec<T, 3> Readings<T>::position(const Spot& P) const {
  return body(P.body.index).r + arm(P);
}
template <class T>
Vec<T, 3> Readings<T>::velocity(const Spot& P) const {
  const Moving<T> b = body(P.body.index);
  return b.v + cross<T>(b.w, arm(P));
}
template <class T>
Vec<T, 3> Readings<T>::acceleration_at(Index index, const V& s) const {
  const Vec<T, 6> a = accelerations(index);
  const V w = body(index).w;
  return a.template head<3>() + cross<T>(a.template tail<3>(), s) + cross<T>(w, cross<T>(w, s));
}
template <class T>
Vec<T, 3> Readings<T>::acceleration(const Spot& P) const {
  return acceleration_at(P.body.index, arm(P));
}
template <class T>
Vec<T, 3> Readings<T>::position(const Spot& P, const Spot& Q) const {
  return position(P) - position(Q);
}
template <class T>
Vec<T, 3> Readings<T>::velocity(const Spot& P, const Spot& Q) const {
  return velocity(P) - velocity(Q) - cross<T>(body(Q.body.index).w, position(P, Q));
}
template <class T>
Vec<T, 3> Readings<T>::acceleration(const Spot& P, const Spot& Q) const {
  const V alpha = accelerations(Q.body.index).template tail<3>();
  const V w = body(Q.body.index).w;
  const V d = position(P, Q);
  return acceleration(P) - acceleration(Q) - cross<T>(alpha, d) - cross<T>(w, cross<T>(w, d)) -
         cross<T>(w, velocity(P, Q)) * T(2.0);
}
template <class T>
Vec<T, 3> Readings<T>::in_axes(const V& v, Body axes) const {
  return body(axes.index).R.transpose() * v;
}

template <class T>
Mat<T, 3> Readings<T>::rotation(Body b, Body relative_to) const {
  return body(relative_to.index).R.transpose() * body(b.index).R;
}
template <class T>
Vec<T, 4> Readings<T>::quaternion(Body b, Body relative_to) const {
  const Mat<T, 3> R = rotation(b, relative_to);
  const Mat3 at = R.unaryExpr([](const T& x) { return mechfmu::value(x); });
  const Eigen::Quaterniond q(at);
  const double sign = q.w() < 0 ? -1 : 1;
  const Vec<T, 4> here = (sign * Vec<double, 4>(q.w(), q.x(), q.y(), q.z())).template cast<T>();
  if constexpr (std::is_same_v<T, double>) {
    return here;
  } else {
    // q + ½ (0, θ) ∘ q, where R = at + θ × at
    const Mat<T, 3> turn = R * at.transpose();
    const V theta = {turn(2, 1), turn(0, 2), turn(1, 0)};
    const V v = here.template tail<3>();
    Vec<T, 4> made;
    made[0] = here[0] - dot<T>(theta, v) * 0.5;
    made.template tail<3>() = v + (theta * here[0] + cross<T>(theta, v)) * T(0.5);
    return made;
  }
}
template <class T>
Vec<T, 3> Readings<T>::cardan(Body b, Body relative_to) const {
  return cardan_angles_of<T>(rotation(b, relative_to));
}
template <class T>
Vec<T, 3> Readings<T>::angular_velocity(Body b, Body relative_to) const {
  return body(b.index).w - body(relative_to.index).w;
}
template <class T>
Vec<T, 3> Readings<T>::angular_acceleration(Body b, Body relative_to) const {
  const V of_b = accelerations(b.index).template tail<3>();
  const V of_other = accelerations(relative_to.index).template tail<3>();
  return of_b - of_other - cross<T>(body(relative_to.index).w, angular_velocity(b, relative_to));
}

// --- reactions ---

template <class T>
ReactionOf<T> Readings<T>::reaction(Joint handle) const {
  const JointPlace& joint = system_.layout_.joints[ix(handle.index)];
  const V s = turned<T>(body(joint.j).R, system_.g_.points[ix(handle.index)].p_j);
  ReactionOf<T> sum;
  for (int r = 0; r < joint.point_rows; ++r) sum.force[r] -= reaction_number(joint.first + r);
  for (int r = joint.first_row; r < joint.end_row; ++r) {
    const T lambda = reaction_number(system_.layout_.rows[ix(r)].mu);
    const RowMotionOf<T> at = row(r);
    const Wrench<T>& on_b = system_.g_.rows[ix(r)].j == joint.j ? at.on_j : at.on_i;
    sum.force -= on_b.force * lambda;
    sum.torque -= (on_b.moment - cross<T>(s, on_b.force)) * lambda;
  }
  return sum;
}

template <class T>
ReactionOf<T> Readings<T>::reaction(Rolling handle) const {
  const RollingPlace& rolling = system_.layout_.rollings[ix(handle.index)];
  ReactionOf<T> sum;
  const auto add = [&](int index, Index multiplier) {
    sum.force -= row(index).on_j.force * reaction_number(multiplier);
  };
  if (rolling.height >= 0) add(rolling.height, rolling.first_g);
  for (int r = 0; r < rolling.slips; ++r) add(rolling.slip + r, rolling.first_k + r);
  return sum;
}

template <class T>
T Readings<T>::multiplier(Constraint c) const {
  return reaction_number(system_.layout_.relation_mu[ix(c.index)]);
}

// --- flexible bodies ---

template <class T>
T Readings<T>::strain_energy(Body b) const {
  const BodyPlace& place = system_.layout_.bodies[ix(b.index)];
  T sum(0.0);
  for (Index k = 0; k < place.modes; ++k) {
    const T q = mode(b, k);
    sum += q * q * (system_.g_.flexibles[ix(place.flexible)].stiffness[k] / 2);
  }
  return sum;
}
template <class T>
T Readings<T>::stress(Body b, Index row) const {
  const BodyPlace& place = system_.layout_.bodies[ix(b.index)];
  const ModalBody& numbers = *system_.g_.flexibles[ix(place.flexible)].numbers;
  T sum(0.0);
  for (Index k = 0; k < place.modes; ++k) sum += mode(b, k) * numbers.stress(ix(row), ix(k));
  return sum;
}
template <class T>
ReactionOf<T> Readings<T>::interface_load(Body node) const {
  ReactionOf<T> load;
  for (std::size_t k = 0; k < system_.layout_.welds.size(); ++k) {
    const WeldPlace& weld = system_.layout_.welds[k];
    if (weld.body != node.index) continue;
    const Moving<T> whole = body(weld.flexible);
    const Moving<T> at = body(weld.body);
    V F;
    V tau;
    for (int r = 0; r < 3; ++r) {
      F[r] = reaction_number(weld.first + r);
      tau[r] = reaction_number(weld.first + 3 + r);
    }
    const V chi = rotation_vector(Mat<T, 3>(whole.R.transpose() * at.R));
    load.force = whole.R * F;
    load.torque = at.R * RotationRate<T>(chi).left(tau);
  }
  return load;
}
// --- the whole mechanism ---

template <class T>
T Readings<T>::kinetic_energy() const {
  BodyTotals<T> sum;
  for (std::size_t b = 1; b < system_.g_.bodies.size(); ++b)
    system_.pool_of(b).total(system_.g_, b, body(static_cast<Index>(b)), *this, sum);
  return sum.kinetic;
}

template <class T>
T Readings<T>::potential_energy() const {
  T sum = elastic_energy();
  for (std::size_t b = 1; b < system_.g_.bodies.size(); ++b) {
    sum += system_.pool_of(b).stored(system_.g_, b, *this);
    const V r = body(static_cast<Index>(b)).r;
    for (int k = 0; k < 3; ++k) sum -= r[k] * (system_.g_.bodies[b].mass * system_.g_.gravity[k]);
  }
  return sum;
}

template <class T>
T Readings<T>::dissipated_energy() const {
  return system_.d_.track_energy ? state(StateVariable{system_.sizes().x - 2}) : T(0.0);
}
template <class T>
T Readings<T>::work() const {
  return system_.d_.track_energy ? state(StateVariable{system_.sizes().x - 1}) : T(0.0);
}
template <class T>
T Readings<T>::energy_imbalance() const {
  if (!system_.d_.track_energy) return T(0.0);
  const double start = system_.point().memory[system_.layout_.energy + 1];
  return kinetic_energy() + potential_energy() + dissipated_energy() - work() - start;
}

template <class T>
double Readings<T>::mass() const {
  double sum = 0;
  for (const BodyGeometry& body : system_.g_.bodies) sum += body.mass;
  return sum;
}
template <class T>
Vec<T, 3> Readings<T>::centre_of_mass() const {
  V sum = V::Zero();
  for (std::size_t b = 1; b < system_.g_.bodies.size(); ++b)
    sum += body(static_cast<Index>(b)).r * T(system_.g_.bodies[b].mass);
  return sum / T(mass());
}
template <class T>
Vec<T, 3> Readings<T>::momentum() const {
  V sum = V::Zero();
  for (std::size_t b = 1; b < system_.g_.bodies.size(); ++b)
    sum += body(static_cast<Index>(b)).v * T(system_.g_.bodies[b].mass);
  return sum;
}
template <class T>
Vec<T, 3> Readings<T>::angular_momentum(const Vec3& about) const {
  V sum = V::Zero();
  BodyTotals<T> totals;
  for (std::size_t b = 1; b < system_.g_.bodies.size(); ++b) {
    const Moving<T> now = body(static_cast<Index>(b));
    system_.pool_of(b).total(system_.g_, b, now, *this, totals);
    const V away = now.r - about.template cast<T>();
    sum += cross<T>(away, now.v) * T(system_.g_.bodies[b].mass);
    sum += now.R * totals.spin;
  }
  return sum;
}

template class Readings<double>;
template class Readings<Along>;

}  // namespace mechfmu::mechanics
