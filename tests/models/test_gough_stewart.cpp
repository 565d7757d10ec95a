// Gough-Stewart platform against vector geometry: lengths of legs, static forces, accelerations.

#include <numbers>

#include "tests/models/model_files.h"

namespace mechfmu::tests {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

struct Geometry {
  Vector3d feet[6], heads[6];  // heads in the axes of the platform
  Geometry() {
    // angles of the feet: pairs at ±10° from 0°, 120°, 240°; of the heads at ±50°
    const double feet_deg[] = {10, 110, 130, 230, 250, 350};
    const double heads_deg[] = {50, 70, 170, 190, 290, 310};
    for (int i = 0; i < 6; ++i) {
      const double a = feet_deg[i] * std::numbers::pi / 180,
                   b = heads_deg[i] * std::numbers::pi / 180;
      feet[i] = Vector3d(std::cos(a), std::sin(a), 0);
      heads[i] = 0.6 * Vector3d(std::cos(b), std::sin(b), 0);
    }
  }
  Vector6 lengths(const Vector3d& p, const Matrix3d& R) const {
    Vector6 l;
    for (int i = 0; i < 6; ++i) l[i] = (p + R * heads[i] - feet[i]).norm();
    return l;
  }
  /// Potential energy of platform and legs, whose centres of mass are 0.4 m from their ends.
  double potential(const Vector3d& p, const Matrix3d& R) const {
    double V = 250 * p[2];
    for (int i = 0; i < 6; ++i) {
      const Vector3d head = p + R * heads[i];
      const Vector3d along = (head - feet[i]).normalized();
      V += 12 * (feet[i] + 0.4 * along)[2] + 5 * (head - 0.4 * along)[2];
    }
    return 9.81 * V;
  }
};

Matrix3d cardan(const Vector3d& angles) {
  return (Eigen::AngleAxisd(angles[0], Vector3d::UnitX()) *
          Eigen::AngleAxisd(angles[1], Vector3d::UnitY()) *
          Eigen::AngleAxisd(angles[2], Vector3d::UnitZ()))
      .toRotationMatrix();
}

std::string leg(int i, const char* quantity) { return "leg" + std::to_string(i + 1) + quantity; }

TEST(GoughStewart, LengthsOfLegsFollowFromThePoseOfThePlatform) {
  MechanismRun run(from_file("gough_stewart"), adaptive(1e-8),
                   {{"f1", 600}, {"f2", 500}, {"f4", 560}});
  for (int i = 0; i <= 10; ++i) {
    if (i > 0) run.advance(0.1 * i);
    const Vector3d p = run.read({"position.x", "position.y", "position.z"});
    const Vector3d angles = run.read({"rotation.x", "rotation.y", "rotation.z"});
    const Vector6 l = Geometry().lengths(p, cardan(angles));
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(run.read(leg(k, ".length")), l[k], 1e-9);
  }
  EXPECT_GT(std::abs(run.read("rotation.z")), 0.05);  // it did turn
}

TEST(GoughStewart, StartForcesCarryTheWeight) {
  // f = J⁻ᵀ ∂V/∂(p, R), derivatives by finite differences
  const Geometry geometry;
  const Vector3d p(0, 0, 1.2);
  const double e = 1e-6;
  Matrix6 J;
  Vector6 load;
  for (int k = 0; k < 6; ++k) {
    const auto moved = [&](double by, auto f) {
      const Vector3d direction = Vector3d::Unit(k % 3);
      return k < 3 ? f(Vector3d(p + by * direction), Matrix3d(Matrix3d::Identity()))
                   : f(p, Eigen::AngleAxisd(by, direction).toRotationMatrix());
    };
    const auto lengths = [&](const Vector3d& at, const Matrix3d& R) {
      return geometry.lengths(at, R);
    };
    const auto potential = [&](const Vector3d& at, const Matrix3d& R) {
      return geometry.potential(at, R);
    };
    J.col(k) = (moved(e, lengths) - moved(-e, lengths)) / (2 * e);
    load[k] = (moved(e, potential) - moved(-e, potential)) / (2 * e);
  }
  const Vector6 forces = J.transpose().lu().solve(load);
  MechanismRun run(from_file("gough_stewart"), adaptive(1e-6));
  for (int i = 0; i < 6; ++i) {
    const Vector& u = run.state.input.value;
    EXPECT_NEAR(u[run.system.variables().input_index("f" + std::to_string(i + 1))], forces[i],
                1e-6);
  }
  run.advance(1);
  EXPECT_LT((run.read({"position.x", "position.y", "position.z"}) - Vector(p)).norm(), 1e-9);
}

TEST(GoughStewart, LightLegsPushThePlatformAlongThem) {
  const double f[] = {700, 300, 420, 550, 610, 480};
  MechanismRun::Settings settings = {{"cylinder_mass", 1e-7}, {"rod_mass", 1e-7}};
  for (int i = 0; i < 6; ++i) settings.emplace_back("f" + std::to_string(i + 1), f[i]);
  MechanismRun run(from_file("gough_stewart"), adaptive(1e-6), settings);
  const Geometry geometry;
  Vector3d force(0, 0, -250 * 9.81), torque(0, 0, 0);
  for (int i = 0; i < 6; ++i) {
    const Vector3d along =
        (Vector3d(0, 0, 1.2) + geometry.heads[i] - geometry.feet[i]).normalized();
    force += f[i] * along;
    torque += geometry.heads[i].cross(f[i] * along);
  }
  const double across = 250 * (0.7 * 0.7 / 4 + 0.05 * 0.05 / 12), about = 250 * 0.7 * 0.7 / 2;
  const mechanics::Motion& q = run.motion();
  const mechanics::Body platform{1};
  EXPECT_LT((q.acceleration({platform, {0, 0, 0}, true}) - force / 250).norm(), 1e-5);
  EXPECT_LT(
      (q.angular_acceleration(platform) - torque.cwiseQuotient(Vector3d(across, across, about)))
          .norm(),
      1e-5);
}

}  // namespace
}  // namespace mechfmu::tests
