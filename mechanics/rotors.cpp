#include "mechanics/rotors.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "mechanics/placement.h"

namespace mechfmu::mechanics {

namespace {

constexpr double same = 1e-9;  // largest relative difference of two equal moments or directions

bool parallel(const Vec3& a, const Vec3& b) {
  return a.cross(b).norm() <= same * a.norm() * b.norm() && a.norm() * b.norm() > 0;
}

/// The axis of symmetry of J, if there is exactly one.
std::optional<Vec3> own_axis(const Mat3& J) {
  const Eigen::SelfAdjointEigenSolver<Mat3> principal(J);
  for (int k = 0; k < 3; ++k) {
    Vec3 axis = principal.eigenvectors().col(k);
    // Most axes are body axes: round the eigenvectors to them.
    for (int i = 0; i < 3; ++i)
      if (std::abs(axis[i]) > 1 - same) axis = Vec3::Unit(i);
    const double other = principal.eigenvalues()[(k + 1) % 3];
    const bool distinct = std::abs(principal.eigenvalues()[k] - other) > same * J.norm();
    if (distinct && is_symmetric(J, axis)) return axis;
  }
  return std::nullopt;
}

/// Axes, in body axes, about which an element turns the body.
std::vector<Vec3> turning_axes(const Mechanism& m, Body body, InputValues u) {
  const auto axes_of = [&](Body b) {
    return b.index == 0 ? Mat3(Mat3::Identity())
                        : rotation_matrix(m.bodies[ix(b.index)].rotation(u));
  };
  const Mat3 R = axes_of(body);
  std::vector<Vec3> found;
  for (const JointData& joint : m.joints) {
    const bool turns = joint.type == JointType::revolute || joint.type == JointType::cylindrical ||
                       joint.type == JointType::screw;
    if (!turns || (joint.a.index != body.index && joint.b.index != body.index)) continue;
    const Vec3 axis = joint.axis(u);
    found.emplace_back(R.transpose() * (joint.local ? Vec3(axes_of(joint.a) * axis) : axis));
  }
  for (const RollingData& rolling : m.rollings)
    if (rolling.type == RollingType::wheel && rolling.b.index == body.index)
      found.emplace_back(R.transpose() * rolling.axle(u));
  const Vec3 spin = R.transpose() * m.bodies[ix(body.index)].angular_velocity(u);
  // A spin that also tilts counts if it is mainly about this axis.
  if (const std::optional<Vec3> own = own_axis(m.bodies[ix(body.index)].inertia(u));
      own && std::abs(spin.dot(*own)) > spin.cross(*own).norm())
    found.push_back(*own);
  return found;
}

/// Other values of all parameters, near the present ones.
std::vector<double> other_parameters(const Mechanism& m, std::vector<double> u, double by) {
  for (std::size_t i = 0; i < u.size(); ++i)
    if (m.settings[i].variable.kind() == Variable::Kind::parameter)
      u[i] += by * (1 + 0.1 * static_cast<double>(i % 7)) * (u[i] == 0 ? 1 : u[i]);
  return u;
}

}  // namespace

bool is_symmetric(const Mat3& J, const Vec3& axis) {
  const double along = axis.dot(J * axis);
  const double across = (J.trace() - along) / 2;
  const Mat3 made = across * Mat3::Identity() + (along - across) * axis * axis.transpose();
  return (J - made).norm() <= same * J.norm();
}

Mat3 principal_axes(const Vec3& axis) {
  Index along = 0;
  axis.cwiseAbs().maxCoeff(&along);
  const Vec3 next = Vec3::Unit((along + 1) % 3);
  Mat3 P;
  P.col(2) = axis.normalized();
  P.col(0) = (next - P.col(2) * P.col(2).dot(next)).normalized();
  P.col(1) = P.col(2).cross(P.col(0));
  return P;
}

std::optional<Vec3> spin_axis(const Mechanism& m, Body body, const std::vector<double>& u,
                              Doubts& doubts) {
  const BodyData& data = m.bodies[ix(body.index)];
  if (data.spins == Spins::no) return std::nullopt;
  const Mat3 J = data.inertia({u.data()});
  if (!J.allFinite() || !(J.norm() > 0)) return std::nullopt;
  std::vector<Vec3> axes = turning_axes(m, body, {u.data()});
  if (const std::optional<Vec3> own = own_axis(J); own && data.spins == Spins::yes)
    axes.push_back(*own);
  for (Vec3 axis : axes) {
    if (!axis.allFinite() || !(axis.norm() > 0)) continue;
    axis.normalize();
    for (int i = 0; i < 3; ++i)
      if (parallel(axis, Vec3::Unit(i))) axis = Vec3::Unit(i);
    if (!is_symmetric(J, axis)) continue;
    const auto stays = [&](double by) {
      const std::vector<double> other = other_parameters(m, u, by);
      const std::vector<Vec3> turning = turning_axes(m, body, {other.data()});
      return is_symmetric(data.inertia({other.data()}), axis) &&
             std::any_of(turning.begin(), turning.end(),
                         [&](const Vec3& there) { return parallel(axis, there); });
    };
    if (data.spins == Spins::yes || (stays(0.1) && stays(0.03))) return axis;
  }
  if (data.spins == Spins::yes)
    doubts.add("body", data.name,
               "it shall spin, but no two of its principal moments of inertia are equal; leave out "
               "spins, or say spins=\"false\"");
  return std::nullopt;
}

}  // namespace mechfmu::mechanics
