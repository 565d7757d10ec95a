// Properties that every element of a mechanism must have: derivatives that agree with its values,
// action = reaction, a balance of power, no preference for a place or a direction in space.

#include <gtest/gtest.h>

#include <array>
#include <numbers>

#include "tests/mechanics/derivatives.h"
#include "tests/mechanics/elements.h"
#include "tests/mechanics/probe.h"

namespace mechfmu::tests {

namespace {

using namespace mechanics;

constexpr double tolerance = 1e-6;
constexpr unsigned points = 3;

class Conformance : public ::testing::TestWithParam<Family> {
 protected:
  /// Calls check(element, system, point) for all elements at several points.
  template <class F>
  void everywhere(const F& check) const {
    for (const Element& element : GetParam().elements) {
      MechanismSystem system(element.mechanism);
      for (unsigned seed = 1; seed <= points; ++seed) {
        SCOPED_TRACE(element.name + ", point " + std::to_string(seed));
        check(element, system, random_point(system, seed, element.spread));
        if (HasFailure()) break;
      }
    }
  }
};

std::string name_of(const ::testing::TestParamInfo<Family>& info) { return info.param.name; }

Mat3 inertia(const BodyData& body) {
  const InputValues none;
  const Inertia& I = body.inertia;
  Mat3 J;
  J << I.xx(none), I.xy(none), I.xz(none), I.xy(none), I.yy(none), I.yz(none), I.xz(none),
      I.yz(none), I.zz(none);
  return J;
}

/// Axes of the rotations of a body: body axes, or those of the frame that does not spin.
Mat3 axes_of(const MechanismSystem& system, std::size_t body, const Point& p) {
  const double* q = p.y.data() + system.layout().bodies[body].y + 3;
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
}

/// Force and moment about the origin on every body in world axes, from the vector f of the
/// equations of motion.
std::vector<Reaction> loads(MechanismSystem& system, const Point& p, In f) {
  const Mechanism& m = system.description();
  const Motion& motion = system.motion(p);
  std::vector<Reaction> all(m.bodies.size());
  for (std::size_t b = 1; b < all.size(); ++b) {
    const Body body{static_cast<Index>(b)};
    const BodyPlace& place = system.layout().bodies[b];
    const Freedom& freedom = place.freedom;
    Vec3 moment = Vec3::Zero();
    for (int k = 0; k < freedom.translations; ++k) all[b].force[k] = f[place.z + k];
    if (freedom.rotations == 1) moment[2] = f[place.z + 2];
    if (freedom.rotations == 3) {
      const Vec3 omega = p.z.segment<3>(place.z + 3);
      Vec3 turning = omega;  // of the axes
      if (freedom.spins()) turning[2] = 0;
      const Mat3 axes = axes_of(system, b, p);
      const Mat3 R = motion.rotation(body);
      const Mat3 J = axes.transpose() * R * inertia(m.bodies[b]) * R.transpose() * axes;
      moment = axes * (f.segment<3>(place.z + 3) + turning.cross(J * omega));
    }
    const Vec3 r = motion.position({body, m.bodies[b].centre, true});
    all[b].torque = moment + r.cross(all[b].force);
  }
  return all;
}

/// Turns all bodies by Q about the origin (in the plane by the angle), then moves them by d;
/// velocities turn with them.
void move_rigidly(const MechanismSystem& system, const Mat3& Q, const Vec3& d, double angle,
                  Vector& y, Vector& z) {
  for (std::size_t b = 1; b < system.layout().bodies.size(); ++b) {
    const BodyPlace& place = system.layout().bodies[b];
    const int translations = place.freedom.translations;
    Vec3 r = Vec3::Zero();
    Vec3 v = Vec3::Zero();
    r.head(translations) = y.segment(place.y, translations);
    v.head(translations) = z.segment(place.z, translations);
    y.segment(place.y, translations) = (Q * r + d).head(translations);
    z.segment(place.z, translations) = (Q * v).head(translations);
    if (place.freedom.rotations == 1) y[place.y + 2] += angle;
    if (place.freedom.rotations == 3) {
      double* to = y.data() + place.y + 3;
      const Eigen::Quaterniond q =
          Eigen::Quaterniond(Q) * Eigen::Quaterniond(to[0], to[1], to[2], to[3]);
      to[0] = q.w();
      for (int k = 0; k < 3; ++k) to[1 + k] = q.vec()[k];
    }
  }
}

bool has_value(const MeasureData& m) {
  return m.type != MeasureType::force && m.type != MeasureType::torque;
}

}  // namespace

TEST_P(Conformance, DerivativesAreThoseOfTheValues) {
  everywhere([](const Element&, MechanismSystem& system, const Point& p) {
    expect_derivatives_of_values(system, p, tolerance);
  });
}

TEST_P(Conformance, TildeFunctionsAreTheFunctionsThemselves) {
  everywhere([](const Element&, MechanismSystem& system, const Point& p) {
    const Sizes& n = system.sizes();
    const Point other = random_point(system, 77, 0.1);
    Point q = p;
    q.mu = other.mu;
    const Vector f_there = values_at(system, q).f;
    q = p;
    q.z = other.z;
    const Vector k_there = values_at(system, q).velocity.tail(n.k);

    const Values here = values_at(system, p);
    Vector f_difference(n.n);
    Vector k_tilde(n.k);
    system.at(p);
    system.tilde(other.z, other.mu, f_difference, k_tilde);
    EXPECT_LT(distance(f_difference, f_there - here.f), 1e-12);
    EXPECT_LT(distance(k_tilde, k_there), 1e-12);
  });
}

TEST_P(Conformance, VelocityRowsAreTheRatesOfPositionRowsAndAccelerationsTheirs) {
  everywhere([](const Element&, MechanismSystem& system, const Point& p) {
    expect_rates_of_constraints(system, p, tolerance);
  });
}

TEST_P(Conformance, RatesAndAccelerationsOfMeasuresAreThoseOfTheirValues) {
  everywhere([](const Element& element, MechanismSystem& system, const Point& p) {
    for (std::size_t k = 0; k < element.mechanism.measures.size(); ++k) {
      SCOPED_TRACE(element.mechanism.measures[k].name);
      const Measure m{static_cast<Index>(k)};
      const auto at = [&](double s) -> const Motion& { return system.motion(along(system, p, s)); };
      const double rate = at(0).rate(m);
      if (has_value(element.mechanism.measures[k])) {
        EXPECT_NEAR(rate, slope_of_number([&](double s) { return at(s).value(m); }), tolerance);
      }
      const double acceleration = at(0).acceleration(m);
      EXPECT_NEAR(acceleration, slope_of_number([&](double s) { return at(s).rate(m); }),
                  tolerance * 10);
    }
  });
}

TEST_P(Conformance, ForcesActAlongTheGradientOfTheirMeasure) {
  everywhere([](const Element& element, MechanismSystem&, const Point&) {
    for (std::size_t k = 0; k < element.mechanism.measures.size(); ++k) {
      if (!has_value(element.mechanism.measures[k])) continue;
      SCOPED_TRACE(element.mechanism.measures[k].name);
      const Measure m{static_cast<Index>(k)};
      // Only the bodies and a unit force along the measure.
      Mechanism bare("bare");
      bare.modals = element.mechanism.modals;
      bare.bodies = element.mechanism.bodies;
      bare.measures = element.mechanism.measures;
      MechanismSystem without(bare);
      bare.force({.name = "unit", .along = m, .value = 1.0});
      MechanismSystem unit(bare);
      Point q = random_point(unit, 5, element.spread);
      q.z.setZero();
      const Vector B =
          values_at(unit, q).f - values_at(without, q).f;  // without the f of the bodies alone
      const Matrix gradient = derivative(
          [&](const Vector& delta) {
            Point moved = q;
            unit.displace(q.y, delta, moved.y);
            return Vector(Vec<double, 1>(unit.motion(moved).value(m)));
          },
          unit.sizes().n);
      EXPECT_LT(distance(B, gradient.transpose()), tolerance);
    }
  });
}

TEST_P(Conformance, ActionIsReaction) {
  everywhere([](const Element& element, MechanismSystem& system, const Point& random) {
    if (!element.internal) return;
    Point p = random;
    if (element.coincides) p.y = start_point(system).y;
    // If parts are placed apart, the forces do not meet.
    const Values values = values_at(system, p);
    const bool fits = !element.coincides || values.position.cwiseAbs().maxCoeff() < 1e-12;
    Vec3 force = Vec3::Zero();
    Vec3 moment = Vec3::Zero();
    for (const Reaction& load : loads(system, p, values.f)) {
      force += load.force;
      moment += load.torque;
    }
    EXPECT_LT(force.norm(), 1e-12);
    if (fits && element.moments) {
      if (element.mechanism.bodies[1].type == BodyType::planar) moment.head<2>().setZero();
      EXPECT_LT(moment.norm(), 1e-12);
    }
  });
}

TEST_P(Conformance, ReactionsAreWhatJointsDoToBodyB) {
  everywhere([](const Element& element, MechanismSystem& system, const Point& p) {
    for (std::size_t j = 0; j < element.mechanism.joints.size(); ++j) {
      const JointData& data = element.mechanism.joints[j];
      if (data.b.index == 0) continue;
      const Freedom& freedom =
          system.layout().bodies[static_cast<std::size_t>(data.b.index)].freedom;
      // Only the multipliers of this joint
      Point with = p;
      with.mu.setZero();
      const Vector without_f = values_at(system, with).f;
      const std::string rows = data.name + ": ";
      for (Index r = 0; r < p.mu.size(); ++r)
        if (system.constraint_name(r).starts_with(rows)) with.mu[r] = p.mu[r];
      Vector f = values_at(system, with).f - without_f;
      if (!element.mechanism.forces.empty()) return;  // friction may depend on multipliers
      Point still = with;                             // no gyroscopic moments in the difference
      still.z.setZero();
      const Reaction got = loads(system, still, f)[static_cast<std::size_t>(data.b.index)];
      const Motion& motion = system.motion(with);
      const Reaction reaction = motion.reaction(Joint{static_cast<Index>(j)});
      Vec3 where = motion.position({data.b, data.at, false});
      if (data.apart) where = motion.position({data.b, data.at_b, data.local});
      Vec3 force = reaction.force;
      Vec3 torque = reaction.torque + where.cross(reaction.force);
      for (int k = 0; k < freedom.translations; ++k) EXPECT_NEAR(got.force[k], force[k], 1e-12);
      for (int k = 3 - freedom.rotations; k < 3; ++k) EXPECT_NEAR(got.torque[k], torque[k], 1e-12);
    }
  });
}

TEST_P(Conformance, PowerOfForcesIsStoredDissipatedOrSupplied) {
  everywhere([](const Element&, MechanismSystem& system, const Point& p) {
    const Values values = values_at(system, p);
    // Joints and rolling contacts: −λᵀG z, which is −λ times the residual of the velocities and
    // vanishes with it.
    double ideal = 0;
    for (Index r = 0; r < p.mu.size(); ++r)
      if (system.constraint_name(r).find(": ") != std::string::npos)
        ideal -= p.mu[r] * values.velocity[r];
    const Motion& motion = system.motion(p);
    const double dissipated = motion.dissipated_power();
    const double supplied = motion.supplied_power();
    const double stored = slope_of_number(
        [&](double s) { return system.motion(along(system, p, s)).potential_energy(); });
    // A mass matrix that changes contributes: d(½zᵀMz)/dt = zᵀMa + ½zᵀM'z
    const double power = values.f.dot(p.z) + slope_of_number([&](double s) {
                           return p.z.dot(times_mass(system, along(system, p, s), p.z)) / 2;
                         });
    EXPECT_NEAR(power, ideal - stored - dissipated + supplied,
                tolerance * std::max(1.0, std::abs(stored)));
  });
}

TEST_P(Conformance, RigidMotionOfTheWholeMechanismChangesNothingInside) {
  everywhere([](const Element& element, MechanismSystem& system, const Point& random) {
    if (!element.internal || !element.moments) return;  // the axes of point masses do not turn
    const Mechanism& m = element.mechanism;
    const BodyType type = m.bodies[1].type;
    const bool plane = type == BodyType::planar || type == BodyType::planar_point;
    const double angle = 0.83;
    const Vec3 axis = plane ? Vec3::UnitZ() : Vec3(Vec3(0.4, -0.7, 0.3).normalized());
    const Mat3 Q = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
    const Vec3 d = plane ? Vec3(0.7, 1.3, 0) : Vec3(0.7, 1.3, -2.1);
    Point p = random;
    p.mu.setZero();  // some multipliers refer to world axes
    Point q = p;
    move_rigidly(system, Q, d, angle, q.y, q.z);

    std::vector<double> before;
    std::vector<double> after;
    const auto read = [&](const Motion& motion, std::vector<double>& all) {
      for (std::size_t k = 0; k < m.measures.size(); ++k) {
        const Measure measure{static_cast<Index>(k)};
        all.push_back(has_value(m.measures[k]) ? motion.value(measure) : 0);
        all.push_back(motion.rate(measure));
      }
      all.push_back(motion.potential_energy());
      all.push_back(motion.kinetic_energy());
      all.push_back(motion.dissipated_power());
    };
    read(system.motion(p), before);
    const std::vector<Reaction> loads_before = loads(system, p, values_at(system, p).f);
    read(system.motion(q), after);
    const std::vector<Reaction> loads_after = loads(system, q, values_at(system, q).f);
    for (std::size_t k = 0; k < before.size(); ++k) EXPECT_NEAR(before[k], after[k], 1e-11) << k;
    for (std::size_t b = 1; b < loads_before.size(); ++b) {
      EXPECT_LT((Q * loads_before[b].force - loads_after[b].force).norm(), 1e-11);
      Vec3 moved = Q * loads_before[b].torque + d.cross(loads_after[b].force);
      Vec3 found = loads_after[b].torque;
      if (plane) moved.head<2>().setZero(), found.head<2>().setZero();
      EXPECT_LT((moved - found).norm(), 1e-11);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Elements, Conformance, ::testing::ValuesIn(families()), name_of);

namespace {

/// Moves on by delta within a second, as the solver does.
void step(const System& system, Point& p, const Vector& delta) {
  const Vector y0 = p.y;
  system.displace(y0, delta, p.y);
  p.z = delta;
  p.t += 1;
}

/// Turns b relative to a about the joint axis by steps of up to 2.5 rad, while a itself tumbles;
/// computes the expected reading.
struct Spinner {
  MechanismSystem system;
  Point p;
  double angle = 0;
  std::mt19937 numbers{3};

  explicit Spinner(const Mechanism& m) : system(m), p(start_point(system)) {}

  static Mat3 rotation(const Vector& y, Index first) {
    return Eigen::Quaterniond(y[first], y[first + 1], y[first + 2], y[first + 3])
        .toRotationMatrix();
  }
  static Vec3 turning(const Mat3& R) {
    const Eigen::AngleAxisd turn(R);
    return turn.angle() * turn.axis();
  }
  void spatial(double by, const Vec3& axis_in_a) {
    const Mat3 A = rotation(p.y, 3);
    const Mat3 B = rotation(p.y, 10);
    const Vec3 tumble = random_vector(numbers, 3, 0.2);
    const Mat3 A1 = A * Eigen::AngleAxisd(tumble.norm(), tumble.normalized()).toRotationMatrix();
    const Mat3 B1 = A1 * Eigen::AngleAxisd(by, axis_in_a).toRotationMatrix() * A.transpose() * B;
    Vector delta = Vector::Zero(12);
    delta.segment<3>(3) = tumble;
    delta.segment<3>(9) = turning(B.transpose() * B1);
    step(system, p, delta);
    angle += by;
  }
};

}  // namespace

TEST(Angles, CountTurnsForwardsAndBack) {
  for (const JointType type :
       {JointType::revolute, JointType::cylindrical, JointType::screw, JointType::planar}) {
    Mechanism m("spinner");
    const Body a = m.body({.name = "a", .inertia = {1, 2, 3}, .rotation = {0.3, 0.4, 0.5}});
    const Body b =
        m.body({.name = "b", .inertia = {1, 2, 3}, .at = {1, 0, 0}, .rotation = {-0.2, 0.1, 0.9}});
    const Joint joint = m.joint(
        {.name = "joint", .type = type, .a = a, .b = b, .axis = {0.2, 0.3, 0.9}, .pitch = 0.5});
    const Measure angle = m.angle(joint);
    Spinner spin(m);
    const Vec3 axis = spin.rotation(spin.p.y, 3).transpose() * Vec3(0.2, 0.3, 0.9).normalized();
    for (const double direction : {1.0, -1.0, -1.0, 1.0}) {
      double turned = 0;
      for (int step = 0; turned < 10 * std::numbers::pi; ++step) {
        const double by = std::array{0.3, 2.5, 1.7, 2.2}[static_cast<std::size_t>(step % 4)];
        spin.spatial(direction * by, axis);
        turned += by;
        ASSERT_NEAR(spin.system.motion(spin.p).value(angle), spin.angle, 1e-9);
        spin.system.remember(spin.p.memory);
      }
    }
  }
}

TEST(Angles, OfPlanarBodiesCountTurnsFromTheirOffset) {
  Mechanism m("spinner");
  const Body a = m.body(
      {.name = "a", .type = BodyType::planar, .inertia = {.zz = 1}, .rotation = {0, 0, 0.4}});
  const Body b = m.body(
      {.name = "b", .type = BodyType::planar, .inertia = {.zz = 1}, .rotation = {0, 0, 2.9}});
  const Measure angle = m.measure(
      {.name = "angle", .type = MeasureType::angle, .a = {a, {}}, .b = {b, {}}, .offset = 5});
  MechanismSystem system(m);
  Point p = start_point(system);
  double expected = 5;
  EXPECT_NEAR(system.motion(p).value(angle), expected, 1e-12);
  for (int step = 0; step < 60; ++step) {
    const double by = 9.9 * std::sin(0.1 * step);  // more than one turn per step
    Vector delta = Vector::Zero(6);
    delta[2] = -0.4 * by;
    delta[5] = 0.6 * by;
    tests::step(system, p, delta);
    expected += by;
    ASSERT_NEAR(system.motion(p).value(angle), expected, 1e-9);
    system.remember(p.memory);
  }
}

TEST(Angles, AThreadHoldsOverManyTurns) {
  Mechanism m("bolt");
  const Body nut = m.body({.name = "nut", .inertia = {1, 1, 1}, .rotation = {0.3, 0.4, 0.5}});
  const Body bolt = m.body({.name = "bolt", .inertia = {1, 1, 1}});
  m.joint({.name = "thread", .type = JointType::screw, .a = nut, .b = bolt, .pitch = 0.02});
  MechanismSystem system(m);
  Point p = start_point(system);
  for (int step = 0; step < 20; ++step) {
    Vector delta = Vector::Zero(12);
    delta[8] = 4.5 / (2 * std::numbers::pi) * 0.02;  // right-handed: it advances along its axis
    delta[11] = 4.5;
    tests::step(system, p, delta);
    ASSERT_LT(values_at(system, p).position.cwiseAbs().maxCoeff(), 1e-12);
    system.remember(p.memory);
  }
}

}  // namespace mechfmu::tests
