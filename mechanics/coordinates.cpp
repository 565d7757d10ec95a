#include "mechanics/coordinates.h"

#include <Eigen/Geometry>
#include <Eigen/QR>
#include <utility>

#include "mechanics/bodies/rotation.h"
#include "mechanics/motion_along.h"

namespace mechfmu::mechanics {

namespace {

Spot reference_point(Body body) { return {body, {}, true}; }

/// A body with the parts of its motion that it has: translations along x, y (z), rotations about
/// (x, y) z.
struct Frame {
  Body body;
  int translations, first_rotation, modes;
  Vec3 r0, omega0;
  Mat3 R0;
};

Frame frame_of(const BodyPlace& place, Body body, const Motion& now) {
  const Freedom& freedom = place.freedom;
  return {.body = body,
          .translations = freedom.translations,
          .first_rotation = 3 - freedom.rotations,
          .modes = place.modes,
          .r0 = now.position(reference_point(body)),
          .omega0 = now.angular_velocity(body),
          .R0 = now.rotation(body)};
}

/// The rotation vector of R. With derivatives, it is correct only at R = 1.
template <class T>
Vec<T, 3> rotation_vector(const Mat<T, 3>& R) {
  if constexpr (std::is_same_v<T, double>) {
    const Eigen::AngleAxisd turn(R);
    return turn.angle() * turn.axis();
  } else {
    return {(R(2, 1) - R(1, 2)) * 0.5, (R(0, 2) - R(2, 0)) * 0.5, (R(1, 0) - R(0, 1)) * 0.5};
  }
}

}  // namespace

std::vector<Measure> measure_joints(Mechanism& mechanism) {
  std::vector<Measure> measures;
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    const Joint joint{static_cast<Index>(j)};
    switch (mechanism.joints[j].type) {
      case JointType::revolute:
      case JointType::planar: measures.push_back(mechanism.angle(joint)); break;
      case JointType::prismatic: measures.push_back(mechanism.displacement(joint)); break;
      case JointType::cylindrical:
      case JointType::screw:
        measures.push_back(mechanism.angle(joint));
        measures.push_back(mechanism.displacement(joint));
        break;
      default: break;
    }
  }
  return measures;
}

Vec3 steady_turning(MechanismSystem& system, const Point& p) {
  const Mechanism& m = system.description();
  const Motion& now = system.motion(p);
  Vector u(system.sizes().u);
  system.get_inputs(u);
  const Vec3 gravity = m.gravity({u.data()});
  const Matrix axes = gravity.norm() > 0 ? Matrix(gravity.normalized()) : Matrix(Mat3::Identity());
  if (m.bodies.size() < 2) return Vec3::Zero();
  // −[v] Ω = a and −[ω] Ω = α, for all bodies
  const auto bodies = static_cast<Index>(m.bodies.size()) - 1;
  Matrix left(6 * bodies, axes.cols());
  Vector right(6 * bodies);
  for (Index b = 0; b < bodies; ++b) {
    const Body body{b + 1};
    // Velocities of centres of mass: reference points may all lie on the axis.
    const Spot point{body, Triple(system.geometry().bodies[ix(body.index)].centre), true};
    left.middleRows(6 * b, 3) = -hat(now.velocity(point)) * axes;
    left.middleRows(6 * b + 3, 3) = -hat(now.angular_velocity(body)) * axes;
    right.segment<3>(6 * b) = now.acceleration(point);
    right.segment<3>(6 * b + 3) = now.angular_acceleration(body);
  }
  const Vector found = left.completeOrthogonalDecomposition().solve(right);
  const bool steady = (left * found - right).norm() < 1e-3 * right.norm();
  return steady ? Vec3(axes * found) : Vec3(Vec3::Zero());
}

CandidateCoordinates candidate_coordinates(MechanismSystem& system, std::vector<Measure> joints,
                                           const Point& p, const Vec3& turning) {
  const Mechanism& m = system.description();
  CandidateCoordinates made;
  for (const Measure measure : joints) {
    const MeasureData& data = m.measures[static_cast<std::size_t>(measure.index)];
    const std::string unit = data.type == MeasureType::angle ? "rad" : "m";
    made.q.push_back({data.name, unit});
    made.v.push_back({data.name + "_rate", unit + "/s"});
  }
  std::vector<Frame> frames;
  for (std::size_t b = 1; b < m.bodies.size(); ++b) {
    const BodyData& data = m.bodies[b];
    const Frame& frame = frames.emplace_back(
        frame_of(system.layout().bodies[b], Body{static_cast<Index>(b)}, system.motion(p)));
    const auto add = [&](int axis, const char* q, const char* v, const std::string& unit) {
      const std::string end = std::string(1, "xyz"[axis]);
      made.q.push_back({data.name + q + end, unit});
      made.v.push_back({data.name + v + end, unit + "/s"});
    };
    for (int k = 0; k < frame.translations; ++k) add(k, ".position.", ".velocity.", "m");
    for (int k = frame.first_rotation; k < 3; ++k) add(k, ".turn.", ".angular_velocity.", "rad");
    for (int k = 0; k < frame.modes; ++k) {
      const std::string number = "(" + std::to_string(k + 1) + ")";
      made.q.push_back({data.name + ".q" + number, "1"});
      made.v.push_back({data.name + ".q_rate" + number, "1/s"});
    }
  }
  // Works on a Motion or along a change of it: to(k, q, q', v, v') receives coordinate k.
  const auto visit = [joints = std::move(joints), frames = std::move(frames), turning](
                         const auto& now, const auto& to) {
    using T = std::decay_t<decltype(now.kinetic_energy())>;
    using V = Vec<T, 3>;
    Index i = 0;
    for (const Measure measure : joints) {
      const T rate = now.rate(measure);
      to(i++, now.value(measure), rate, rate, now.acceleration(measure));
    }
    for (const Frame& frame : frames) {
      const auto turned_with = [&](const Vec3& w, const V& v) { return cross<T>(w.cast<T>(), v); };
      const V r = now.position(reference_point(frame.body));
      const V v = now.velocity(reference_point(frame.body));
      const V dr = v - turned_with(turning, r - frame.r0.cast<T>());
      const V dv = now.acceleration(reference_point(frame.body)) - turned_with(turning, v);
      for (int k = 0; k < frame.translations; ++k) to(i++, r[k], dr[k], v[k], dv[k]);
      const V phi = rotation_vector<T>(now.rotation(frame.body) * frame.R0.transpose().cast<T>());
      const V omega = now.angular_velocity(frame.body);
      const V dphi = omega + turned_with(frame.omega0 - turning, phi);
      const V domega = now.angular_acceleration(frame.body) - turned_with(turning, omega);
      for (int k = frame.first_rotation; k < 3; ++k) to(i++, phi[k], dphi[k], omega[k], domega[k]);
      for (int k = 0; k < frame.modes; ++k) {
        const T rate = now.mode_rate(frame.body, k);
        to(i++, now.mode(frame.body, k), rate, rate, now.mode_acceleration(frame.body, k));
      }
    }
  };
  made.read = [&system, visit](const Point& at, CandidateCoordinates::Values& values) {
    visit(system.motion(at), [&](Index k, double q, double dq, double v, double dv) {
      values.q[k] = q;
      values.dq[k] = dq;
      values.v[k] = v;
      values.dv[k] = dv;
    });
  };
  made.vary = [&system, visit](const Point& at, const Change& change,
                               CandidateCoordinates::Values& slopes) {
    system.motion(at);
    const MotionAlong now(system, change);
    visit(now, [&](Index k, const Along& q, const Along& dq, const Along& v, const Along& dv) {
      slopes.q[k] = q.d[0];
      slopes.dq[k] = dq.d[0];
      slopes.v[k] = v.d[0];
      slopes.dv[k] = dv.d[0];
    });
    return now.known();
  };
  return made;
}

}  // namespace mechfmu::mechanics
