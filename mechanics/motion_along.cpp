#include "mechanics/motion_along.h"

#include "mechanics/elements/common.h"
#include "mechanics/elements/pairs.h"
#include "mechanics/program.h"

namespace mechfmu::mechanics {

namespace {

Vec<Along, 3> with(const Vec3& value, const Vec3& slope) {
  return {along(value[0], slope[0]), along(value[1], slope[1]), along(value[2], slope[2])};
}

/// Σ e_k n_k over the first `count` axes.
Vec3 combined(const Mat3& axes, const double* numbers, int count) {
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < count; ++k) sum += axes.col(k) * numbers[k];
  return sum;
}

}  // namespace

MotionAlong::MotionAlong(MechanismSystem& system, const Change& change)
    : Readings(system), change_(change), moves_settings_(change.t != 0 || !change.u.isZero(0)) {
  system_.require(Instant::Stage::rows);
  for (const BodyPool* pool : system_.bodies_) pool->axes(system_.now_);
}

// --- bodies ---

Moving<Along> MotionAlong::body(Index index) const {
  const Moving<double> now = system_.motion_->body(index);
  const BodyPlace& place = system_.layout_.bodies[ix(index)];
  const Freedom& freedom = place.freedom;
  const Mat3& axes = system_.now_.axes[ix(index)];
  Vec3 dr = Vec3::Zero();
  Vec3 dv = Vec3::Zero();
  for (int k = 0; k < freedom.translations; ++k) {
    dr[k] = change_.y[place.z + k];
    dv[k] = change_.z[place.z + k];
  }
  const double* dy = change_.y.data() + place.z + freedom.translations;
  const double* dz = change_.z.data() + place.z + freedom.translations;
  const Vec3 turn = combined(axes, dy, freedom.rotations);
  const Vec3 frame = combined(axes, dy, freedom.turning);
  Moving<Along> made;
  made.r = with(now.r, dr);
  made.v = with(now.v, dv);
  for (int c = 0; c < 3; ++c) {
    const Vec3 column = now.R.col(c);
    made.R.col(c) = with(column, turn.cross(column));
  }
  made.w = with(now.w, frame.cross(now.w) + combined(axes, dz, freedom.rotations));
  return made;
}

Vec<Along, 6> MotionAlong::accelerations(Index index) const {
  const Vec<double, 6> now = system_.motion_->accelerations(index);
  const BodyPlace& place = system_.layout_.bodies[ix(index)];
  const Freedom& freedom = place.freedom;
  const Mat3& axes = system_.now_.axes[ix(index)];
  Vec3 dv = Vec3::Zero();
  for (int k = 0; k < freedom.translations; ++k) dv[k] = change_.a[place.z + k];
  const Index first = place.z + freedom.translations;
  const double* dz = change_.z.data() + first;
  const Vec3 frame = combined(axes, change_.y.data() + first, freedom.turning);
  const Vec3 omega = system_.motion_->body(index).w;
  const Vec3 omega_frame = combined(axes, system_.point().z.data() + first, freedom.turning);
  const Vec3 rate = now.tail<3>();
  const Vec3 change = frame.cross(rate) +
                      combined(axes, change_.a.data() + first, freedom.rotations) +
                      combined(axes, dz, freedom.turning).cross(omega) +
                      omega_frame.cross(combined(axes, dz, freedom.rotations));
  Vec<Along, 6> made;
  made << with(now.head<3>(), dv), with(rate, change);
  return made;
}

Vec<Along, 3> MotionAlong::point_acceleration(Index index, const Vec3& p) const {
  return acceleration_at(index, turned<Along>(body(index).R, p));
}

// --- rows and laws ---

RowMotionOf<Along> MotionAlong::look(const Row& row, int turn) const {
  const Moving<Along> i = body(row.i);
  const Moving<Along> j = body(row.j);
  RowMotionOf<Along> made;
  evaluate_row<Along>(row, {i.r, i.R}, {j.r, j.R}, made.phi, made.on_i, made.on_j);
  made.rate = speed(made, i, j);
  add_turns(row, turn, system_.now_, made.rate.v, made.phi.v);
  return made;
}

RowMotionOf<Along> MotionAlong::measure(Measure m) const {
  return look(system_.g_.measures[ix(m.index)], system_.layout_.measures[ix(m.index)].turn);
}
RowMotionOf<Along> MotionAlong::row(int index) const {
  return look(system_.g_.rows[ix(index)], system_.layout_.rows[ix(index)].turn);
}

Along MotionAlong::row_acceleration(const Row& row) const {
  const Moving<Along> i = body(row.i);
  const Moving<Along> j = body(row.j);
  Along phi;
  Wrench<Along> on_i;
  Wrench<Along> on_j;
  evaluate_row<Along>(row, {i.r, i.R}, {j.r, j.R}, phi, on_i, on_j);
  return acceleration_of<Along>(row, i, j, on_i, on_j, accelerations(row.i), accelerations(row.j));
}
Along MotionAlong::acceleration(Measure m) const {
  return row_acceleration(system_.g_.measures[ix(m.index)]);
}

ScopeAlong MotionAlong::scope(const std::vector<Place>& arguments,
                              const std::vector<double>& constants, Along* room, bool still) const {
  double values[LawValue::capacity];
  const Scope<double> here = mechanics::scope(arguments, constants, system_.now_, values);
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const Place& a = arguments[k];
    room[k] = Along(values[k]);
    if (still) continue;
    switch (a.kind) {
      case Argument::Kind::value: room[k] = measure(Measure{a.index}).phi; break;
      case Argument::Kind::rate: room[k] = measure(Measure{a.index}).rate; break;
      case Argument::Kind::state: room[k].d[0] = change_.x[a.index]; break;
      case Argument::Kind::multiplier: room[k].d[0] = change_.mu[a.index]; break;
    }
  }
  return {along(here.t, change_.t), room, here.settings, change_.u.data(), constants.data()};
}

Along MotionAlong::calculate(const Calculation& calculation, const Along* arguments) const {
  return calculation.along({along(system_.point().t, change_.t), arguments, system_.inputs(),
                            change_.u.data(), nullptr});
}

Along MotionAlong::state(StateVariable x) const {
  return along(system_.point().x[x.index], change_.x[x.index]);
}
Along MotionAlong::state_rate(StateVariable x) const {
  return along(system_.point().xdot[x.index], change_.xdot[x.index]);
}
Along MotionAlong::mode_number(Index body, Index mode) const {
  const BodyPlace& place = system_.layout_.bodies[ix(body)];
  return along(system_.point().y[place.q() + mode], change_.y[place.q_rate() + mode]);
}
Along MotionAlong::mode_rate_number(Index body, Index mode) const {
  const BodyPlace& place = system_.layout_.bodies[ix(body)];
  return along(system_.point().z[place.q_rate() + mode], change_.z[place.q_rate() + mode]);
}
Along MotionAlong::mode_acceleration_number(Index body, Index mode) const {
  const Index i = system_.layout_.bodies[ix(body)].q_rate() + mode;
  return along(system_.point().a[i], change_.a[i]);
}
Along MotionAlong::reaction_number(Index i) const {
  return along(system_.point().mu[i], change_.mu[i]);
}

// --- forces ---

Along MotionAlong::force(Force f) const {
  const Law& law = system_.d_.forces[ix(f.index)].value;
  if (!law.along) return unknown();
  Along room[LawValue::capacity];
  return law.along(
      scope(system_.layout_.force_arguments[ix(f.index)], system_.g_.forces[ix(f.index)], room));
}

ReactionOf<Along> MotionAlong::pair(Pair k) const {
  const PairData& data = system_.d_.pairs[ix(k.index)];
  if (moves_settings_ && data.function.reads_settings) return unknown(), ReactionOf<Along>();
  Wrench<Along> on_a{Vec<Along, 3>::Zero(), Vec<Along, 3>::Zero()};
  Wrench<Along> on_b = on_a;
  data.function.along(body(data.a.index), body(data.b.index),
                      context_of(system_.parts(), ix(k.index)), on_a, on_b);
  return {on_b.force, on_b.moment};
}

Along MotionAlong::elastic_energy() const {
  Along sum;
  for (const ElementPool* element : system_.working_)
    if (!element->vary_energy(system_.parts(), *this, sum)) return unknown();
  return sum;
}

}  // namespace mechfmu::mechanics
