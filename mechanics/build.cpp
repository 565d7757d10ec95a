// From the description to rows: which unknowns there are, and the geometry in body axes.
//
//   joint types     rows
//   spherical       P_j − P_i = 0, along the world's axes                                    3
//   universal       + alignment of axis (in a) and axis2 (in b)                              4
//   revolute        spherical + n_a·u_b = n_a·v_b = 0                                        5
//   fixed           revolute + u_a·v_b = 0                                                   6
//   cylindrical     displacements along u_a, v_a; n_a·u_b = n_a·v_b = 0                      4
//   prismatic       cylindrical + u_a·v_b = 0;   screw: cylindrical + screw                  5
//   planar          displacement along n_a; n_a·u_b = n_a·v_b = 0                            3
//   point_in_plane  displacement along n_a: 1;   point_on_line: along u_a, v_a               2
//   distance 1;     constant_orientation: n_a·u_b = n_a·v_b = u_a·v_b = 0                    3
//
// u, v, n is a right-handed frame with n the joint's axis, fixed in both bodies at the start. Between planar bodies a
// revolute joint is P_j − P_i = 0 in x and y, a prismatic one a displacement and an angle, and so on.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "mechanics/motion.h"
#include "mechanics/placement.h"
#include "mechanics/system.h"

namespace mechfmu::mechanics {

namespace {

[[noreturn]] void refuse(const std::string& who, const std::string& what) {
  throw std::invalid_argument(who + ": " + what);
}

int freedoms(BodyType type) {
  switch (type) {
    case BodyType::spatial: return 6;
    case BodyType::planar:
    case BodyType::point: return 3;
    case BodyType::planar_point: return 2;
  }
  return 0;
}
int position_numbers(BodyType type) { return type == BodyType::spatial ? 7 : freedoms(type); }

bool turns(BodyType type) { return type == BodyType::spatial || type == BodyType::planar; }
bool in_plane(BodyType type) { return type == BodyType::planar || type == BodyType::planar_point; }

/// Any unit vector across n.
Vec3 across(const Vec3& n) {
  const Vec3 least = std::abs(n[0]) <= std::abs(n[1]) && std::abs(n[0]) <= std::abs(n[2])
                         ? Vec3::UnitX()
                     : std::abs(n[1]) <= std::abs(n[2]) ? Vec3::UnitY()
                                                        : Vec3::UnitZ();
  return (least - n * n.dot(least)).normalized();
}

const char* word(JointType type) {
  switch (type) {
    case JointType::fixed: return "fixed";
    case JointType::revolute: return "revolute";
    case JointType::prismatic: return "prismatic";
    case JointType::cylindrical: return "cylindrical";
    case JointType::spherical: return "spherical";
    case JointType::universal: return "universal";
    case JointType::planar: return "planar";
    case JointType::point_in_plane: return "point_in_plane";
    case JointType::point_on_line: return "point_on_line";
    case JointType::distance: return "distance";
    case JointType::constant_orientation: return "constant_orientation";
    case JointType::screw: return "screw";
  }
  return "?";
}

struct Plan {
  int point_rows = 0;
  std::vector<RowKind> rows;
  std::vector<const char*> names;  // of all rows, for messages
};

/// The rows of a joint. `plane`: both sides move in the plane.
Plan plan(JointType type, bool plane) {
  using K = RowKind;
  const K D = K::displacement;
  const K A = K::alignment;
  if (plane) switch (type) {
      case JointType::revolute:
      case JointType::spherical: return {2, {}, {"x", "y"}};
      case JointType::fixed: return {2, {K::angle}, {"x", "y", "rotation"}};
      case JointType::prismatic: return {0, {D, K::angle}, {"across", "rotation"}};
      case JointType::point_in_plane:
      case JointType::point_on_line: return {0, {D}, {"across"}};
      case JointType::distance: return {0, {K::distance}, {"length"}};
      case JointType::constant_orientation: return {0, {K::angle}, {"rotation"}};
      default: return {};
    }
  switch (type) {
    case JointType::spherical: return {3, {}, {"x", "y", "z"}};
    case JointType::universal: return {3, {A}, {"x", "y", "z", "angle between the axes"}};
    case JointType::revolute: return {3, {A, A}, {"x", "y", "z", "tilt about v", "tilt about u"}};
    case JointType::fixed:
      return {
          3, {A, A, A}, {"x", "y", "z", "tilt about v", "tilt about u", "rotation about the axis"}};
    case JointType::cylindrical:
      return {0, {D, D, A, A}, {"along u", "along v", "tilt about v", "tilt about u"}};
    case JointType::prismatic:
      return {0,
              {D, D, A, A, A},
              {"along u", "along v", "tilt about v", "tilt about u", "rotation about the axis"}};
    case JointType::screw:
      return {0,
              {D, D, A, A, K::screw},
              {"along u", "along v", "tilt about v", "tilt about u", "thread"}};
    case JointType::planar:
      return {0, {D, A, A}, {"along the normal", "tilt about v", "tilt about u"}};
    case JointType::point_in_plane: return {0, {D}, {"along the normal"}};
    case JointType::point_on_line: return {0, {D, D}, {"along u", "along v"}};
    case JointType::distance: return {0, {K::distance}, {"length"}};
    case JointType::constant_orientation:
      return {0, {A, A, A}, {"tilt about v", "tilt about u", "rotation about the axis"}};
  }
  return {};
}

/// Whether ∫ r rᵀ dm = ½ tr(J) − J is positive semidefinite, as it is of every body.
bool realizable(const Mat3& J) {
  const Mat3 S = J.trace() / 2 * Mat3::Identity() - J;
  const double slack = 1e-9 * J.cwiseAbs().maxCoeff();
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    if (!(S(i, i) >= -slack) ||
        !(S(i, i) * S(j, j) - S(i, j) * S(i, j) >= -slack * slack - slack * (S(i, i) + S(j, j))))
      return false;
  }
  return S.determinant() >= -slack * (slack + S.trace()) * (slack + S.trace());
}

/// Outputs of every mechanism, after its own.
struct EnergyOutput {
  const char* name;
  const char* about;
  bool tracked;
  double (*read)(const Motion&);
};
constexpr EnergyOutput energy_outputs[] = {
    {"energy.kinetic", "kinetic energy of all bodies", false,
     [](const Motion& q) { return q.kinetic_energy(); }},
    {"energy.potential", "energy of weight, springs and contacts", false,
     [](const Motion& q) { return q.potential_energy(); }},
    {"energy.total", "kinetic and potential energy", false,
     [](const Motion& q) { return q.kinetic_energy() + q.potential_energy(); }},
    {"energy.dissipated", "taken away by dampers, friction and contacts since the start", true,
     [](const Motion& q) { return q.dissipated_energy(); }},
    {"energy.work", "brought in by forces, drives and inputs since the start", true,
     [](const Motion& q) { return q.work(); }},
};

}  // namespace

InvalidMechanism::InvalidMechanism(const std::vector<std::string>& problems)
    : std::invalid_argument([&] {
        std::string text;
        for (const std::string& problem : problems) text += (text.empty() ? "" : "; ") + problem;
        return text;
      }()),
      problems_(std::make_shared<const std::vector<std::string>>(problems)) {}

MechanismSystem::MechanismSystem(Mechanism description) : d_(std::move(description)) {
  for (const Mechanism::Setting& s : d_.settings) u_.push_back(s.start);
  checking_ = true;
  number_unknowns();
  check();
  declare_variables();
  const auto bodies = d_.bodies.size();
  now_.resize(bodies);
  scratch_.resize(bodies);
  single_now_.resize(singles_.size());
  measure_now_.resize(measures_.size());
  force_now_.resize(d_.forces.size());
  relation_now_.resize(d_.constraints.size());
  derived_.resize(measures_.size());
  acceleration_.assign(bodies, Vec<double, 6>::Zero());
  mu_difference_ = Vector::Zero(sizes_.mu());
  placed_y_ = Vector::Zero(sizes_.y);
  motion_ = std::make_unique<Motion>(*this);
  pattern_ = make_pattern();
}

MechanismSystem::~MechanismSystem() = default;

void MechanismSystem::check() {
  checking_ = true;
  refresh();
  checking_ = false;
  if (doubts_.empty()) return;
  const std::vector<std::string> all = std::exchange(doubts_, {});
  throw InvalidMechanism(all);
}

/// Complains about numbers that make no sense, when asked to: while a master sets one parameter after the other they may
/// not fit together yet.
void MechanismSystem::doubt(const std::string& who, const std::string& what) {
  if (!checking_) return;
  const std::string message = who + ": " + what;
  if (std::find(doubts_.begin(), doubts_.end(), message) == doubts_.end())
    doubts_.push_back(message);
}

void MechanismSystem::number_unknowns() {
  Sizes& s = sizes_;
  bodies_.resize(d_.bodies.size());
  for (std::size_t b = 1; b < bodies_.size(); ++b) {
    BodyFacts& body = bodies_[b];
    body.type = d_.bodies[b].type;
    body.n = freedoms(body.type);
    body.y = s.y;
    body.z = s.n;
    s.y += position_numbers(body.type);
    s.n += body.n;
  }
  const auto check_bodies = [&](const std::string& who, Body a, Body b) {
    for (const Body body : {a, b})
      if (body.index < 0 || ix(body.index) >= bodies_.size())
        refuse(who, "it refers to a body that does not exist");
    if (a.index == b.index)
      refuse(who,
             "both sides are body '" + d_.bodies[ix(a.index)].name + "'; it must join two bodies");
  };

  // Holonomic rows: joints, rolling contacts, constraints
  for (const JointData& data : d_.joints) {
    const std::string who = "joint '" + data.name + "'";
    check_bodies(who, data.a, data.b);
    const BodyType ta = d_.bodies[ix(data.a.index)].type;
    const BodyType tb = d_.bodies[ix(data.b.index)].type;
    const bool plane = (data.a.index == 0 || in_plane(ta)) && (data.b.index == 0 || in_plane(tb));
    const Plan rows = plan(data.type, plane);
    if (rows.names.empty())
      doubt(who, std::string("a ") + word(data.type) +
                     " joint has no meaning between planar bodies; use revolute, prismatic, "
                     "fixed, point_on_line, "
                     "distance or constant_orientation");
    for (const auto& [body, type] : {std::pair{data.a, ta}, std::pair{data.b, tb}}) {
      const bool needs_axes = std::any_of(rows.rows.begin(), rows.rows.end(), [](RowKind k) {
        return k == RowKind::alignment || k == RowKind::angle || k == RowKind::screw;
      });
      if (body.index != 0 && !turns(type) && needs_axes)
        doubt(
            who,
            "body '" + d_.bodies[ix(body.index)].name + "' is a point mass and cannot turn, so a " +
                word(data.type) +
                " joint has no meaning; use spherical, point_on_line, point_in_plane or distance");
    }
    JointFacts joint;
    joint.i = static_cast<int>(data.a.index);
    joint.j = static_cast<int>(data.b.index);
    joint.first = s.m;
    joint.rows = static_cast<int>(rows.names.size());
    joint.point_rows = rows.point_rows;
    joint.first_row = static_cast<int>(singles_.size());
    for (std::size_t r = 0; r < rows.rows.size(); ++r) {
      Row row;
      row.kind = rows.rows[r];
      row.i = joint.i;
      row.j = joint.j;
      singles_.push_back(row);
      single_mu_.push_back(s.m + rows.point_rows + static_cast<Index>(r));
    }
    joint.end_row = static_cast<int>(singles_.size());
    s.m += joint.rows;
    joints_.push_back(joint);
  }
  for (const RollingData& data : d_.rollings) {
    const std::string who = "rolling '" + data.name + "'";
    check_bodies(who, data.a, data.b);
    const BodyType ta = d_.bodies[ix(data.a.index)].type;
    const BodyType tb = d_.bodies[ix(data.b.index)].type;
    const bool plane = (data.a.index == 0 || in_plane(ta)) && in_plane(tb);
    if (data.type != RollingType::knife_edge && (data.b.index == 0 || !turns(tb)))
      doubt(who, "body '" + d_.bodies[ix(data.b.index)].name +
                     "' cannot turn, so it cannot roll; b is the wheel");
    RollingFacts rolling;
    if (data.contact && data.type != RollingType::knife_edge) {
      rolling.height = static_cast<int>(singles_.size());
      rolling.first_g = s.m++;
      singles_.emplace_back();
      single_mu_.push_back(rolling.first_g);
    }
    rolling.slip = static_cast<int>(singles_.size());
    rolling.slips = data.type == RollingType::knife_edge || plane ? 1 : 2;
    for (int r = 0; r < rolling.slips; ++r) {
      singles_.emplace_back();
      single_mu_.push_back(-1);
    }
    rollings_.push_back(rolling);
  }
  relation_mu_.assign(d_.constraints.size(), -1);
  for (std::size_t c = 0; c < d_.constraints.size(); ++c) {
    const std::string who = "constraint '" + d_.constraints[c].name + "'";
    if (!d_.constraints[c].relation.derive_twice)
      refuse(who,
             "its law has no second derivatives; make it with relation<K>(…) instead of law<K>(…)");
    for (const Argument& a : d_.constraints[c].relation.arguments) {
      if (a.kind == Argument::Kind::state || a.kind == Argument::Kind::multiplier)
        refuse(who, "a constraint may depend on measures and time, not on states or multipliers");
      if (a.kind == Argument::Kind::rate && !d_.constraints[c].nonholonomic)
        refuse(who, "it depends on a rate; mark it as nonholonomic");
    }
    if (!d_.constraints[c].nonholonomic) relation_mu_[c] = s.m++;
  }
  // Nonholonomic rows: rolling, constraints
  for (RollingFacts& rolling : rollings_) {
    rolling.first_k = s.m + s.k;
    for (int r = 0; r < rolling.slips; ++r) single_mu_[ix(rolling.slip + r)] = rolling.first_k + r;
    s.k += rolling.slips;
  }
  for (std::size_t c = 0; c < d_.constraints.size(); ++c)
    if (d_.constraints[c].nonholonomic) relation_mu_[c] = s.m + s.k++;

  track_energy_ = d_.track_energy;
  s.x = static_cast<Index>(d_.states.size()) + (track_energy_ ? 2 : 0);
  s.u = static_cast<Index>(u_.size());

  // Measures, and the angles whose turns are counted
  for (const MeasureData& data : d_.measures) {
    check_bodies("measure '" + data.name + "'", data.a.body, data.b.body);
    Row row;
    row.i = static_cast<int>(data.a.body.index);
    row.j = static_cast<int>(data.b.body.index);
    switch (data.type) {
      case MeasureType::distance: row.kind = RowKind::distance; break;
      case MeasureType::displacement: row.kind = RowKind::displacement; break;
      case MeasureType::angle: row.kind = RowKind::angle; break;
      case MeasureType::alignment: row.kind = RowKind::alignment; break;
      case MeasureType::force:
        row.kind = data.axes_of_b ? RowKind::force_j : RowKind::force_i;
        break;
      case MeasureType::torque:
        row.kind = data.axes_of_b ? RowKind::torque_j : RowKind::torque_i;
        break;
    }
    const bool rotation = data.type == MeasureType::angle || data.type == MeasureType::alignment ||
                          data.type == MeasureType::torque;
    for (const Body body : {data.a.body, data.b.body})
      if (rotation && body.index != 0 && !turns(d_.bodies[ix(body.index)].type))
        doubt("measure '" + data.name + "'",
              "body '" + d_.bodies[ix(body.index)].name +
                  "' is a point mass, which does not turn and takes up no torque; use bodies that "
                  "turn, or the ground");
    measures_.push_back(row);
  }
  for (std::vector<Row>* list : {&singles_, &measures_})
    for (Row& row : *list) {
      if (row.kind != RowKind::angle && row.kind != RowKind::screw) continue;
      row.turns = s.y++;
      turning_.push_back(&row);
    }

  // Laws: measures they name, reactions they depend on
  const auto check_law = [&](const std::string& who, const Law& law) {
    if (!law.value || !law.derive)
      refuse(who, "it has no law; give one with law<K>(…) or a number");
    if (law.arguments.size() > LawValue::capacity)
      refuse(who, "its law has more than 12 arguments");
    for (const Argument& a : law.arguments) {
      const bool known = a.kind == Argument::Kind::state
                             ? a.index >= 0 && ix(a.index) < d_.states.size()
                         : a.kind == Argument::Kind::multiplier
                             ? a.joint >= 0 && ix(a.joint) < joints_.size() && a.index >= 0 &&
                                   a.index < joints_[ix(a.joint)].rows
                             : a.index >= 0 && ix(a.index) < measures_.size();
      if (!known) refuse(who, "its law refers to a measure, state or reaction that does not exist");
      if (a.kind == Argument::Kind::value && (d_.measures[ix(a.index)].type == MeasureType::force ||
                                              d_.measures[ix(a.index)].type == MeasureType::torque))
        refuse(who, "its law uses the value of '" + d_.measures[ix(a.index)].name +
                        "', which is a direction and has only a rate");
    }
  };
  for (std::size_t f = 0; f < d_.forces.size(); ++f) {
    const ForceData& data = d_.forces[f];
    check_law("force '" + data.name + "'", data.value);
    if (data.along.index < 0 || ix(data.along.index) >= measures_.size())
      refuse("force '" + data.name + "'", "it acts along a measure that does not exist");
    if (std::any_of(data.value.arguments.begin(), data.value.arguments.end(),
                    [](const Argument& a) { return a.kind == Argument::Kind::multiplier; }))
      loaded_forces_.push_back(f);
  }
  for (const ConstraintData& data : d_.constraints)
    check_law("constraint '" + data.name + "'", data.relation);
  for (const StateData& data : d_.states) check_law("state '" + data.name + "'", data.rate);
  for (const PairData& data : d_.pairs) {
    check_bodies("force '" + data.name + "'", data.a, data.b);
    if (!data.function.value || !data.function.derive)
      refuse("force '" + data.name + "'", "it has no function; make one with wrench_function(…)");
  }

  std::vector<bool> active(measures_.size(), false);
  const auto use = [&](const Law& law) {
    for (const Argument& a : law.arguments)
      if (a.kind == Argument::Kind::value || a.kind == Argument::Kind::rate)
        active[ix(a.index)] = true;
  };
  for (const ForceData& data : d_.forces) {
    use(data.value);
    active[ix(data.along.index)] = true;
  }
  for (const ConstraintData& data : d_.constraints) use(data.relation);
  for (const StateData& data : d_.states) use(data.rate);
  for (std::size_t m = 0; m < active.size(); ++m)
    if (active[m]) active_measures_.push_back(m);
}

Vec3 MechanismSystem::local_point(Index body, const Triple& where, bool local) const {
  const BodyFacts& b = bodies_[ix(body)];
  const Vec3 p = where(settings());
  return local ? Vec3(p - b.centre) : Vec3(b.R0.transpose() * (p - b.r0));
}

Vec3 MechanismSystem::local_direction(Index body, const Triple& direction, bool local,
                                      const std::string& who, const char* what) {
  const Vec3 n = direction(settings());
  const double length = n.norm();
  if (!(length > 1e-12) || !std::isfinite(length))
    doubt(who, std::string("'") + what +
                   (std::isfinite(length) ? "' has length zero" : "' is not finite") +
                   "; give a direction such as 0 0 1");
  return local ? Vec3(n / length) : Vec3(bodies_[ix(body)].R0.transpose() * n / length);
}

void MechanismSystem::refresh() {
  const auto resolve = [&](const std::vector<Number>& numbers, std::vector<double>& values) {
    values.resize(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) values[i] = numbers[i](settings());
  };
  placed_ = false;
  gravity_ = d_.gravity(settings());
  for (std::size_t b = 1; b < bodies_.size(); ++b) refresh_body(b);
  for (std::size_t j = 0; j < joints_.size(); ++j) refresh_joint(j);
  for (std::size_t r = 0; r < rollings_.size(); ++r) refresh_rolling(r);
  for (std::size_t m = 0; m < measures_.size(); ++m) refresh_measure(m);
  force_constants_.resize(d_.forces.size());
  for (std::size_t f = 0; f < d_.forces.size(); ++f)
    resolve(d_.forces[f].value.constants, force_constants_[f]);
  relation_constants_.resize(d_.constraints.size());
  for (std::size_t c = 0; c < d_.constraints.size(); ++c)
    resolve(d_.constraints[c].relation.constants, relation_constants_[c]);
  state_constants_.resize(d_.states.size());
  for (std::size_t x = 0; x < d_.states.size(); ++x)
    resolve(d_.states[x].rate.constants, state_constants_[x]);
  pair_constants_.resize(d_.pairs.size());
  pair_geometry_.resize(d_.pairs.size());
  for (std::size_t p = 0; p < d_.pairs.size(); ++p) {
    const PairData& data = d_.pairs[p];
    resolve(data.constants, pair_constants_[p]);
    if (data.check)
      if (const std::string problem = data.check(pair_constants_[p]); !problem.empty())
        doubt("contact '" + data.name + "'", problem);
    pair_geometry_[p].resize(data.geometry.size());
    for (std::size_t g = 0; g < data.geometry.size(); ++g) {
      const PairData::Item& item = data.geometry[g];
      pair_geometry_[p][g] = item.direction
                                 ? local_direction(item.body.index, item.value, item.local,
                                                   "force '" + data.name + "'")
                                 : local_point(item.body.index, item.value, item.local);
    }
  }
  // The size of the largest body is what errors of positions are compared with.
  length_ = d_.length_scale(settings());
  if (length_ <= 0) {
    double largest = 0;
    double box = 0;
    for (const JointFacts& joint : joints_)
      for (const auto& [body, p] : {std::pair{joint.i, joint.p_i}, std::pair{joint.j, joint.p_j}})
        if (body != 0) largest = std::max(largest, p.norm());
    for (const BodyFacts& body : bodies_) box = std::max(box, body.r0.norm());
    length_ = largest > 0 ? largest : box > 0 ? box : 1;
  }
}

void MechanismSystem::check_mass(const BodyFacts& body, const std::string& who) {
  if (!std::isfinite(body.mass))
    doubt(who, "its mass is not finite");
  else if (!(body.mass >= 0))
    doubt(who, "its mass must not be negative");
  if (!body.J.allFinite())
    doubt(who, "its inertia is not finite");
  else if (body.type == BodyType::spatial && !realizable(body.J))
    doubt(who,
          "no body can have this inertia: principal moments must not be negative, and none may "
          "exceed the sum of the other two");
  else if (body.type != BodyType::spatial && !(body.J(2, 2) >= 0))
    doubt(who, "its moment of inertia must not be negative");
}

void MechanismSystem::refresh_body(std::size_t index) {
  const BodyData& data = d_.bodies[index];
  BodyFacts& body = bodies_[index];
  const Settings s = settings();
  const std::string who = "body '" + data.name + "'";
  // What a wrong shape makes of mass and inertia is no news.
  bool sound = true;
  if (data.solid)
    for (const Requirement& requirement : data.solid->requirements)
      if (!requirement.met(s)) {
        doubt(who, requirement.otherwise);
        sound = false;
      }
  body.mass = data.mass(s);
  body.J = data.inertia(s);
  if (sound) check_mass(body, who);
  body.centre = data.centre(s);
  const Vec3 angles = data.rotation(s);
  body.theta0 = angles[2];
  body.R0 = body.type == BodyType::spatial  ? rotation_matrix(angles)
            : body.type == BodyType::planar ? rotation_matrix({0, 0, angles[2]})
                                            : Mat3(Mat3::Identity());
  body.r0 = data.at(s) + body.R0 * body.centre;
  body.w0 = data.angular_velocity(s);
  if (body.type == BodyType::planar) body.w0.head<2>().setZero();
  if (!turns(body.type)) body.w0.setZero();
  body.v0 = data.velocity(s) + body.w0.cross(body.R0 * body.centre);
  if (!(body.r0.allFinite() && body.R0.allFinite()))
    doubt(who, "its position at the start is not finite");
  else if (!(body.v0.allFinite() && body.w0.allFinite()))
    doubt(who, "its velocity at the start is not finite");
}

void MechanismSystem::refresh_joint(std::size_t index) {
  const JointData& data = d_.joints[index];
  JointFacts& joint = joints_[index];
  const Settings s = settings();
  const std::string who = "joint '" + data.name + "'";
  const BodyFacts& a = bodies_[ix(joint.i)];
  const BodyFacts& b = bodies_[ix(joint.j)];
  joint.p_i = local_point(joint.i, data.at, data.local);
  const Vec3 world = a.r0 + a.R0 * joint.p_i;
  joint.p_j = data.apart ? local_point(joint.j, data.at_b, data.local)
                         : Vec3(b.R0.transpose() * (world - b.r0));

  const Vec3 n = a.R0 * local_direction(joint.i, data.axis, data.local, who);
  const bool plane = (joint.i == 0 || in_plane(a.type)) && (joint.j == 0 || in_plane(b.type));
  Vec3 u = across(n);
  if (plane) {
    const bool sliding = data.type == JointType::prismatic ||
                         data.type == JointType::point_on_line ||
                         data.type == JointType::point_in_plane;
    if (sliding && std::abs(n[2]) > 1e-9)
      doubt(who, "between planar bodies the axis must lie in the x-y plane");
    if (data.type == JointType::revolute && std::abs(n[2]) < 1 - 1e-9)
      doubt(who, "between planar bodies the axis must be 0 0 1");
    // The direction in which a prismatic joint or a line does not let move
    if (sliding) u = data.type == JointType::point_in_plane ? n : Vec3::UnitZ().cross(n);
  } else if (data.type == JointType::point_in_plane || data.type == JointType::planar) {
    u = n;
  }
  Vec3 v = n.cross(u);
  if (data.type == JointType::planar)
    v = across(n);  // rows: along n, then tilts about two axes across it
  const Vec3 tilt = data.type == JointType::planar ? v : u;
  const Vec3 tilt2 = n.cross(tilt);

  int alignments = 0;
  int displacements = 0;
  for (int r = joint.first_row; r < joint.end_row; ++r) {
    Row& row = singles_[ix(r)];
    row.p_i = joint.p_i;
    row.p_j = joint.p_j;
    row.offset = 0;
    switch (row.kind) {
      case RowKind::displacement:
        row.a_i = a.R0.transpose() * (displacements++ == 0 ? u : v);
        break;
      case RowKind::alignment:
        if (data.type == JointType::universal) {
          row.a_i = a.R0.transpose() * n;
          row.b_j = local_direction(joint.j, data.axis2, data.local, who, "axis2");
          row.offset = n.dot(b.R0 * row.b_j);
          if (std::abs(row.offset) > 0.99)
            doubt(who, "its two axes are parallel; they should be perpendicular");
        } else {
          row.a_i = a.R0.transpose() * (alignments == 2 ? tilt : n);
          row.b_j = b.R0.transpose() * (alignments == 0 ? tilt : tilt2);
          ++alignments;
        }
        break;
      case RowKind::angle:
        row.a_i = a.R0.transpose() * Vec3::UnitX();
        row.c_i = a.R0.transpose() * Vec3::UnitY();
        row.b_j = b.R0.transpose() * Vec3::UnitX();
        break;
      case RowKind::screw:
        row.a_i = a.R0.transpose() * tilt;
        row.c_i = a.R0.transpose() * tilt2;
        row.b_j = b.R0.transpose() * tilt;
        row.radius = data.pitch(s) / (2 * std::numbers::pi);
        break;
      case RowKind::distance: {
        const double placed = (b.r0 + b.R0 * joint.p_j - world).norm();
        const double length = data.length(s);
        row.offset = length < 0 ? placed : length;
        if (!(row.offset > 0))
          doubt(who,
                "its two points coincide; a distance joint needs a length above zero (else use "
                "spherical)");
        break;
      }
      default: break;
    }
  }
}

void MechanismSystem::refresh_rolling(std::size_t index) {
  const RollingData& data = d_.rollings[index];
  const RollingFacts& rolling = rollings_[index];
  const std::string who = "rolling '" + data.name + "'";
  const Settings s = settings();
  Row row;
  row.i = static_cast<int>(data.a.index);
  row.j = static_cast<int>(data.b.index);
  row.p_i = local_point(row.i, data.plane, false);
  row.p_j = local_point(row.j, data.centre, false);
  row.a_i = local_direction(row.i, data.normal, false, who, "normal");
  row.b_j = local_direction(row.j, data.axle, false, who, "axle");
  row.radius = data.radius(s);
  row.tube = data.tube(s);
  if (data.type != RollingType::knife_edge && !(row.radius > 0))
    doubt(who, "its radius must be above zero");
  if (!(row.tube >= 0)) doubt(who, "the radius of its tube must not be negative");
  Vec3 u = across(row.a_i);
  // In the plane a wheel and a sphere are discs that turn about z.
  if (data.type != RollingType::knife_edge && rolling.slips == 1) {
    if (std::abs(row.a_i[2]) > 1e-9)
      doubt(who, "between planar bodies the normal must lie in the x-y plane");
    row.b_j = Vec3::UnitZ();
    u = Vec3::UnitZ().cross(row.a_i);
  }
  if (rolling.height >= 0) {
    Row& height = singles_[ix(rolling.height)] = row;
    height.kind = data.type == RollingType::wheel ? RowKind::height : RowKind::displacement;
    if (data.type == RollingType::sphere) height.offset = row.radius;
  }
  for (int r = 0; r < rolling.slips; ++r) {
    Row& slip = singles_[ix(rolling.slip + r)] = row;
    switch (data.type) {
      case RollingType::knife_edge: slip.kind = RowKind::force_j; break;
      case RollingType::wheel:
        slip.kind = r == 0 ? RowKind::roll_forward : RowKind::roll_sideways;
        break;
      case RollingType::sphere:
        slip.kind = RowKind::roll_sphere;
        slip.c_i = r == 0 ? u : Vec3(row.a_i.cross(u));
        break;
    }
  }
}

void MechanismSystem::refresh_measure(std::size_t index) {
  const MeasureData& data = d_.measures[index];
  Row& row = measures_[index];
  const std::string who = "measure '" + data.name + "'";
  const BodyFacts& a = bodies_[ix(row.i)];
  const BodyFacts& b = bodies_[ix(row.j)];
  row.p_i = local_point(row.i, data.a.at, data.a.local);
  row.p_j = data.b_like_a ? Vec3(b.R0.transpose() * (a.r0 + a.R0 * row.p_i - b.r0))
                          : local_point(row.j, data.b.at, data.b.local);
  row.offset = 0;
  switch (data.type) {
    case MeasureType::distance:
      if (!((b.r0 + b.R0 * row.p_j - a.r0 - a.R0 * row.p_i).norm() > 0))
        doubt(who,
              "its two points coincide at the start, where a distance has no direction; use "
              "displacements");
      break;
    case MeasureType::displacement: {
      row.a_i = local_direction(row.i, data.axis, data.local, who);
      if (data.from_start)
        row.offset = (a.R0 * row.a_i).dot(b.r0 + b.R0 * row.p_j - a.r0 - a.R0 * row.p_i) -
                     data.offset(settings());
      break;
    }
    case MeasureType::angle: {
      const Vec3 n = a.R0 * local_direction(row.i, data.axis, data.local, who);
      const Vec3 u = across(n);
      row.a_i = a.R0.transpose() * u;
      row.c_i = a.R0.transpose() * n.cross(u);
      row.b_j = b.R0.transpose() * u;
      row.offset = -data.offset(settings());
      break;
    }
    case MeasureType::alignment:
      row.a_i = local_direction(row.i, data.axis, data.local, who);
      row.b_j = local_direction(row.j, data.axis2, data.local, who, "axis2");
      break;
    case MeasureType::force:
    case MeasureType::torque:
      (data.axes_of_b ? row.b_j : row.a_i) =
          local_direction(data.axes_of_b ? row.j : row.i, data.axis, data.local, who);
      break;
  }
}

Start MechanismSystem::start() const {
  Start start;
  start.y.assign(ix(sizes_.y), 0);
  start.z.assign(ix(sizes_.n), 0);
  for (std::size_t b = 1; b < bodies_.size(); ++b) {
    const BodyFacts& body = bodies_[b];
    double* y = &start.y[ix(body.y)];
    double* z = &start.z[ix(body.z)];
    const int translations = in_plane(body.type) ? 2 : 3;
    for (int i = 0; i < translations; ++i) {
      y[i] = body.r0[i];
      z[i] = body.v0[i];
    }
    if (body.type == BodyType::planar) {
      y[2] = body.theta0;
      z[2] = body.w0[2];
    } else if (body.type == BodyType::spatial) {
      const Eigen::Quaterniond q(body.R0);
      y[3] = q.w();
      y[4] = q.x();
      y[5] = q.y();
      y[6] = q.z();
      const Vec3 omega = body.R0.transpose() * body.w0;
      for (int i = 0; i < 3; ++i) z[3 + i] = omega[i];
    }
  }
  for (const Row* row : turning_)
    start.y[ix(row->turns)] = row->kind == RowKind::angle ? -row->offset : 0;
  for (const StateData& state : d_.states) start.x.push_back(state.start(settings()));
  start.x.resize(ix(sizes_.x), 0);
  return start;
}

void MechanismSystem::declare_variables() {
  variables_ = std::make_unique<Variables>(sizes_);
  Variables& v = *variables_;
  v.about(d_.about);
  v.experiment(d_.experiment);
  v.solver(d_.solver);
  v.start(start());
  v.hide_letters();
  for (std::size_t i = 0; i < u_.size(); ++i) v.declare(d_.settings[i].variable, u_[i]);
  for (const Mechanism::OutputData& output : d_.outputs)
    v.declare(output.variable,
              [this, read = output.read](const Point& p) { return read(motion(p)); });
  for (const EnergyOutput& energy : energy_outputs) {
    const bool own = std::any_of(
        d_.outputs.begin(), d_.outputs.end(),
        [&](const Mechanism::OutputData& output) { return output.variable.name() == energy.name; });
    if (own || (energy.tracked && !track_energy_)) continue;
    v.declare(Variable(Variable::Kind::output, energy.name).unit("J").about(energy.about),
              [this, read = energy.read](const Point& p) { return read(motion(p)); });
  }

  const char* const axes[] = {
      "x", "y", "z", "rotation about x", "rotation about y", "rotation about z"};
  for (std::size_t b = 1; b < bodies_.size(); ++b) {
    const BodyFacts& body = bodies_[b];
    for (int i = 0; i < body.n; ++i) {
      const int axis = body.type == BodyType::planar && i == 2 ? 5 : i;
      Coordinate& c = v.coordinate(body.z + i, d_.bodies[b].name + "." + axes[axis]);
      c.in(axis < 3 ? "m" : "rad").scale(axis < 3 ? length_ : 1);
      c.hold_position = d_.bodies[b].hold_position[ix(axis)];
      c.hold_velocity = d_.bodies[b].hold_velocity[ix(axis)];
    }
  }
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const BodyType ta = bodies_[ix(joints_[j].i)].type;
    const BodyType tb = bodies_[ix(joints_[j].j)].type;
    const bool plane = (joints_[j].i == 0 || in_plane(ta)) && (joints_[j].j == 0 || in_plane(tb));
    const Plan rows = plan(d_.joints[j].type, plane);
    for (std::size_t r = 0; r < rows.names.size(); ++r)
      v.constraint(joints_[j].first + static_cast<Index>(r),
                   d_.joints[j].name + ": " + rows.names[r]);
  }
  for (std::size_t r = 0; r < rollings_.size(); ++r) {
    const RollingFacts& rolling = rollings_[r];
    const std::string& name = d_.rollings[r].name;
    if (rolling.height >= 0) v.constraint(rolling.first_g, name + ": contact");
    const bool sphere = d_.rollings[r].type == RollingType::sphere;
    const bool edge = d_.rollings[r].type == RollingType::knife_edge;
    for (int k = 0; k < rolling.slips; ++k)
      v.constraint(rolling.first_k + k, name + (edge               ? ": slip across the blade"
                                                : sphere && k == 0 ? ": slip along u"
                                                : sphere           ? ": slip along v"
                                                : k == 0           ? ": slip forwards"
                                                                   : ": slip sideways"));
  }
  for (std::size_t c = 0; c < d_.constraints.size(); ++c)
    v.constraint(relation_mu_[c], d_.constraints[c].name);
  for (std::size_t x = 0; x < d_.states.size(); ++x)
    v.state(static_cast<Index>(x), d_.states[x].name, d_.states[x].nominal);
  if (track_energy_) {
    v.state(sizes_.x - 2, "energy.dissipated");
    v.state(sizes_.x - 1, "energy.work");
  }
}

void MechanismSystem::set_inputs(In u) {
  bool changed = false;
  for (std::size_t i = 0; i < u_.size(); ++i) {
    const double value = u[static_cast<Index>(i)];
    changed =
        changed || (value != u_[i] && d_.settings[i].variable.kind() == Variable::Kind::parameter);
    u_[i] = value;
  }
  if (changed) refresh();
}

void MechanismSystem::get_inputs(Out u) const {
  for (std::size_t i = 0; i < u_.size(); ++i) u[static_cast<Index>(i)] = u_[i];
}

}  // namespace mechfmu::mechanics
