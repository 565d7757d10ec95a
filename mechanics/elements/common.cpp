#include "mechanics/elements/common.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "mechanics/motion_along.h"

namespace mechfmu::mechanics {

// --- rows ---

namespace {

/// An angle and its rate.
struct Turn {
  double angle = 0, rate = 0;
};

/// The whole turns, as an angle, to be added to an angle of the formula. The result is nearest to
/// the angle of the last accepted step turned at the mean of the rates then and now.
double whole_turns(int turn, const Instant& now, const Turn& formula) {
  const Vector& memory = now.p->memory;
  const double near = memory[turn] + (now.p->t - memory[0]) * (memory[turn + 1] + formula.rate) / 2;
  constexpr double whole = 2 * std::numbers::pi;
  return whole * std::round((near - formula.angle) / whole);
}

Turn formula_of(const Row& row, const Instant& now) {
  const BodyMotion& i = now.bodies[ix(row.i)];
  const BodyMotion& j = now.bodies[ix(row.j)];
  Vec3 moment;
  const double angle = angle_of<double>(row, pose(i), pose(j), moment);
  return {angle, moment.dot(j.w - i.w)};
}

}  // namespace

void remember_turn(const Row& row, int turn, const Instant& now, Out memory) {
  if (turn < 0) return;
  const Turn formula = formula_of(row, now);
  memory[turn] = formula.angle + whole_turns(turn, now, formula);
  memory[turn + 1] = formula.rate;
}

void add_turns(const Row& row, int turn, const Instant& now, double rate, double& phi) {
  if (turn < 0) return;
  if (row.kind == RowKind::angle)
    phi += whole_turns(turn, now, {phi + row.offset, rate});
  else  // φ of a screw is not the angle
    phi -= row.radius * whole_turns(turn, now, formula_of(row, now));
}

void look_at(const Row& row, int turn, const Instant& now, RowMotion& made) {
  const BodyMotion& i = now.bodies[ix(row.i)];
  const BodyMotion& j = now.bodies[ix(row.j)];
  evaluate_row<double>(row, pose(i), pose(j), made.phi, made.on_i, made.on_j);
  made.rate = speed(made, i, j);
  add_turns(row, turn, now, made.rate, made.phi);
}

double acceleration_of(const Row& row, const RowMotion& at, const Instant& now) {
  return acceleration_of<double>(row, now.bodies[ix(row.i)], now.bodies[ix(row.j)], at.on_i,
                                 at.on_j, now.accelerations[ix(row.i)],
                                 now.accelerations[ix(row.j)]);
}

// --- laws and numbers ---

Scope<double> scope(const std::vector<Place>& arguments, const std::vector<double>& constants,
                    const Instant& now, double* room) {
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const Place& a = arguments[k];
    switch (a.kind) {
      case Argument::Kind::value: room[k] = now.measures[ix(a.index)].phi; break;
      case Argument::Kind::rate: room[k] = now.measures[ix(a.index)].rate; break;
      case Argument::Kind::state: room[k] = now.p->x[a.index]; break;
      case Argument::Kind::multiplier: room[k] = now.p->mu[a.index]; break;
    }
  }
  return {now.p->t, room, now.u, constants.data()};
}

void resolve(const std::vector<Number>& numbers, InputValues u, std::vector<double>& values) {
  values.resize(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) values[i] = numbers[i](u);
}

Vec3 local_point(const Geometry& g, Index body, const Triple& where, bool local, InputValues u) {
  const BodyGeometry& b = g.bodies[ix(body)];
  const Vec3 p = where(u);
  return local ? Vec3(p - b.centre) : b.local(p);
}

Vec3 local_direction(const Geometry& g, Index body, const Triple& direction, bool local,
                     InputValues u, Doubts& doubts, const char* kind, const std::string& name,
                     const char* what) {
  const Vec3 n = direction(u);
  const double length = n.norm();
  if (doubts.on && (!(length > 1e-12) || !std::isfinite(length)))
    doubts.add(kind, name,
               std::string("'") + what +
                   (std::isfinite(length) ? "' has length zero" : "' is not finite") +
                   "; give a direction such as 0 0 1");
  return local ? Vec3(n / length) : Vec3(g.bodies[ix(body)].R0.transpose() * n / length);
}

Vec3 across(const Vec3& n) {
  const Vec3 least = std::abs(n[0]) <= std::abs(n[1]) && std::abs(n[0]) <= std::abs(n[2])
                         ? Vec3::UnitX()
                     : std::abs(n[1]) <= std::abs(n[2]) ? Vec3::UnitY()
                                                        : Vec3::UnitZ();
  return (least - n * n.dot(least)).normalized();
}

// --- numbering ---

namespace {
[[noreturn]] void refuse(const char* kind, const std::string& name, const std::string& what) {
  throw std::invalid_argument(std::string(kind) + " '" + name + "': " + what);
}
}  // namespace

void require_two_bodies(const Mechanism& m, const char* kind, const std::string& name, Body a,
                        Body b) {
  for (const Body body : {a, b})
    if (body.index < 0 || ix(body.index) >= m.bodies.size())
      refuse(kind, name, "it refers to a body that does not exist");
  if (a.index == b.index)
    refuse(kind, name,
           "both sides are body '" + m.bodies[ix(a.index)].name + "'; it must join two bodies");
}

std::vector<Place> places_of(const Mechanism& m, const Layout& layout, const char* kind,
                             const std::string& name, const Law& law) {
  if (!law.value || !law.derive)
    refuse(kind, name, "it has no law; give one with law<K>(…) or a number");
  if (law.arguments.size() > LawValue::capacity)
    refuse(kind, name, "its law has more than 12 arguments");
  std::vector<Place> places;
  for (const Argument& a : law.arguments) {
    const bool known = a.kind == Argument::Kind::state
                           ? a.index >= 0 && ix(a.index) < m.states.size()
                       : a.kind == Argument::Kind::multiplier
                           ? a.joint >= 0 && ix(a.joint) < layout.joints.size() && a.index >= 0 &&
                                 a.index < layout.joints[ix(a.joint)].rows
                           : a.index >= 0 && ix(a.index) < m.measures.size();
    if (!known)
      refuse(kind, name, "its law refers to a measure, state or reaction that does not exist");
    if (a.kind == Argument::Kind::value && (m.measures[ix(a.index)].type == MeasureType::force ||
                                            m.measures[ix(a.index)].type == MeasureType::torque))
      refuse(kind, name,
             "its law uses the value of '" + m.measures[ix(a.index)].name +
                 "', which is a direction and has only a rate");
    Place place{a.kind, a.index, -1, 0};
    if (a.kind == Argument::Kind::multiplier) {
      place.local = static_cast<int>(a.index);
      place.index = layout.joints[ix(a.joint)].first + a.index;
      place.node = a.joint;  // until there are nodes
    }
    places.push_back(place);
  }
  return places;
}

void add_nodes_of(const Layout& layout, std::vector<Place>& places) {
  for (Place& place : places) {
    if (place.kind == Argument::Kind::state) place.node = layout.state_node[ix(place.index)];
    if (place.kind == Argument::Kind::multiplier) place.node = layout.joints[ix(place.node)].node;
  }
}

// --- derivatives ---

void vary_coincidence(const Parts& parts, const MotionAlong& q, int joint, Out c) {
  const JointPlace& place = parts.layout.joints[ix(joint)];
  const PointPair& p = parts.g.points[ix(joint)];
  const Vec<Along, 3> apart =
      q.point_acceleration(place.j, p.p_j) - q.point_acceleration(place.i, p.p_i);
  for (int r = 0; r < place.point_rows; ++r) c[place.first + r] = apart[r].d[0];
}

void add_curvature(const Parts& parts, const Derived& d, double amount, BlockWriter& out) {
  for (int s = 0; s < 2; ++s)
    for (int o = 0; o < 2; ++o)
      if (out.go(node_of(parts, d.body[s]), node_of(parts, d.body[o]), layer::position))
        for (int r = 0; r < d.size[s]; ++r)
          for (int c = 0; c < d.size[o]; ++c)
            out.position(r, c) += amount * d.B_y[d.first[s] + r][d.first[o] + c];
}

void ForcesOfTwo::begin(const Derived& d) {
  bodies_ = &d;
  rates_ = false;
  n_ = d.size[0] + d.size[1];
  for (int r = 0; r < n_; ++r) {
    std::fill_n(position_[r], n_, 0.0);
    std::fill_n(velocity_[r], n_, 0.0);
  }
}

void ForcesOfTwo::add(const Derived& d, double force, bool by_rates) {
  rates_ = rates_ || by_rates;
  for (int r = 0; r < n_; ++r)
    for (int c = 0; c < n_; ++c) position_[r][c] += force * d.B_y[r][c];
}

void ForcesOfTwo::add(const Derived& d, const Derived& e, double by_value, double by_rate) {
  for (int r = 0; r < n_; ++r) {
    if (d.B[r] == 0) continue;
    const double of_value = d.B[r] * by_value;
    const double of_rate = d.B[r] * by_rate;
    for (int c = 0; c < n_; ++c) position_[r][c] += of_value * e.B[c] + of_rate * e.rate_y[c];
    if (by_rate != 0)
      for (int c = 0; c < n_; ++c) velocity_[r][c] += of_rate * e.B[c];
  }
}

void ForcesOfTwo::write(const Parts& parts, BlockWriter& out) {
  if (empty()) return;
  const Derived& d = *bodies_;
  for (int s = 0; s < 2; ++s)
    for (int o = 0; o < 2; ++o)
      if (out.go(node_of(parts, d.body[s]), node_of(parts, d.body[o]),
                 rates_ ? layer::position | layer::velocity : layer::position)) {
        out.subtract_position(&position_[d.first[s]][d.first[o]], 12, d.size[s], d.size[o]);
        if (rates_)
          out.subtract_velocity(&velocity_[d.first[s]][d.first[o]], 12, d.size[s], d.size[o]);
      }
  bodies_ = nullptr;
}

void add_row(const Parts& parts, const Derived& d, Index node, Index row, double weight, double mu,
             BlockWriter& out) {
  for (int s = 0; s < 2; ++s) {
    const Index body = node_of(parts, d.body[s]);
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
  add_curvature(parts, d, weight * mu, out);
}

void add_to_row(const Parts& parts, const Derived& d, const double* vector, Index node, Index row,
                double amount, unsigned to, BlockWriter& out) {
  for (int s = 0; s < 2; ++s)
    if (out.go(node, node_of(parts, d.body[s]), to))
      for (int k = 0; k < d.size[s]; ++k) {
        double& place = to == layer::rows       ? out.rows(row, k)
                        : to == layer::position ? out.position(row, k)
                                                : out.velocity(row, k);
        place += amount * vector[d.first[s] + k];
      }
}

void add_outer(const Parts& parts, const Derived& d, const Derived& e, const double* vector,
               double amount, unsigned to, BlockWriter& out) {
  for (int s = 0; s < 2; ++s)
    for (int o = 0; o < 2; ++o)
      if (out.go(node_of(parts, d.body[s]), node_of(parts, e.body[o]), to))
        for (int r = 0; r < d.size[s]; ++r)
          for (int c = 0; c < e.size[o]; ++c)
            (to == layer::position ? out.position(r, c) : out.velocity(r, c)) +=
                amount * d.B[d.first[s] + r] * vector[e.first[o] + c];
}

}  // namespace mechfmu::mechanics
