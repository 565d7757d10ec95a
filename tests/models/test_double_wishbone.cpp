// Double wishbone suspension against its geometry, solved independently, and against virtual work.

#include <numbers>

#include "tests/models/model_files.h"

namespace mechfmu::tests {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Hard points in metres, as in the README.
const Vector3d wheel(0, 0.780, 0.310), lower_front(0.170, 0.350, 0.200),
    lower_rear(-0.170, 0.350, 0.200);
const Vector3d lower_ball(0.005, 0.730, 0.185), upper_front(0.110, 0.440, 0.465);
const Vector3d upper_rear(-0.130, 0.440, 0.460), upper_ball(-0.015, 0.690, 0.480);
const Vector3d track_inner(-0.130, 0.370, 0.233), track_outer(-0.130, 0.720, 0.230);
const Vector3d spring_foot(0, 0.560, 0.200), spring_top(0, 0.480, 0.620);

/// A point turned about the line from p to q.
Vector3d turned(const Vector3d& point, const Vector3d& p, const Vector3d& q, double angle) {
  return p + Eigen::AngleAxisd(angle, (q - p).normalized()) * (point - p);
}

/// The root of f near x, by secants.
template <class F>
double root(const F& f, double x) {
  double before = x - 1e-4, f_before = f(before);
  for (int i = 0; i < 50; ++i) {
    const double now = f(x);
    if (std::abs(now) < 1e-15 || now == f_before) break;
    const double next = x - now * (x - before) / (now - f_before);
    before = x, f_before = now, x = next;
  }
  return x;
}

/// The frame spanned by three points.
Matrix3d frame(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  Matrix3d F;
  F.col(0) = (b - a).normalized();
  F.col(2) = F.col(0).cross(c - a).normalized();
  F.col(1) = F.col(2).cross(F.col(0));
  return F;
}

/// Poses of the parts relative to the chassis, for an angle of the lower arm and a position of the
/// rack.
struct Suspension {
  Vector3d lower_centre, upper_centre, hub, axle;
  double coil;

  Suspension(double lower, double rack) {
    const Vector3d L = turned(lower_ball, lower_front, lower_rear, lower);
    const double kingpin = (upper_ball - lower_ball).norm();
    const auto U_at = [](double angle) {
      return turned(upper_ball, upper_front, upper_rear, angle);
    };
    const double upper = root([&](double x) { return (U_at(x) - L).norm() - kingpin; }, lower);
    const Vector3d U = U_at(upper);
    // the upright turns about the kingpin until the track rod has its length
    const Matrix3d from = frame(lower_ball, upper_ball, track_outer);
    const Vector3d along = (U - L).normalized();
    const Matrix3d level = frame(L, U, L + (track_outer - lower_ball));
    const auto R_at = [&](double steer) -> Matrix3d {
      return Eigen::AngleAxisd(steer, along).toRotationMatrix() * level * from.transpose();
    };
    const Vector3d inner = track_inner + Vector3d(0, rack, 0);
    const double rod = (track_outer - track_inner).norm();
    const double steer = root(
        [&](double x) { return (L + R_at(x) * (track_outer - lower_ball) - inner).norm() - rod; },
        0);
    const Matrix3d R = R_at(steer);
    hub = L + R * (wheel - lower_ball);
    axle = R.col(1);
    lower_centre =
        turned((lower_front + lower_rear + lower_ball) / 3, lower_front, lower_rear, lower);
    upper_centre =
        turned((upper_front + upper_rear + upper_ball) / 3, upper_front, upper_rear, upper);
    coil = (turned(spring_foot, lower_front, lower_rear, lower) - spring_top).norm();
  }
  double travel() const { return hub[2] - wheel[2]; }
};

/// The suspension that has this travel.
Suspension at_travel(double travel, double rack) {
  return Suspension(root([&](double x) { return Suspension(x, rack).travel() - travel; }, 0), rack);
}

constexpr double degree = std::numbers::pi / 180;

TEST(DoubleWishbone, MovesOnTheCurvesOfItsGeometry) {
  MechanismRun run(from_file("double_wishbone"), adaptive(1e-8), {{"road", 0.06}, {"steer", 0.03}});
  double most_travel = 0;
  for (int i = 1; i <= 40; ++i) {
    run.advance(0.025 * i);
    const double travel = run.read("wheel.travel");
    const Suspension s = at_travel(travel, run.read("rack.displacement"));
    EXPECT_NEAR(run.read("camber") * degree,
                std::atan2(-s.axle[2], std::hypot(s.axle[0], s.axle[1])), 1e-9);
    EXPECT_NEAR(run.read("toe") * degree, std::atan2(s.axle[0], s.axle[1]), 1e-9);
    EXPECT_NEAR(run.read("coil.length"), s.coil, 1e-9);
    most_travel = std::max(most_travel, travel);
  }
  EXPECT_GT(most_travel, 0.04);
  EXPECT_GT(run.read("toe"), 5);
}

/// At rest, with another mass than the default: the virtual work of all forces is zero when the
/// wheel moves up.
TEST(DoubleWishbone, RestsWhereVirtualWorkIsZero) {
  MechanismRun run(from_file("double_wishbone"), adaptive(1e-7),
                   {{"sprung_mass", 520}, {"road", 0.02}, {"spring_damping", 1e4}});
  run.advance(15);
  const double g = 9.81, travel = run.read("wheel.travel"), rack = run.read("rack.displacement");
  EXPECT_GT(travel, 0.005);
  EXPECT_NEAR(run.read("tyre.load"), (520 + 6 + 3 + 35 + 3) * g, 1e-2);
  const double e = 1e-4;
  const Suspension up = at_travel(travel + e, rack), down = at_travel(travel - e, rack);
  const double work = (run.read("tyre.load") - 35 * g) * 2 * e -
                      6 * g * (up.lower_centre - down.lower_centre)[2] -
                      3 * g * (up.upper_centre - down.upper_centre)[2];
  EXPECT_NEAR(run.read("coil.force"), work / (up.coil - down.coil), 0.1);
  EXPECT_NEAR(run.read("coil.force"), 7e4 * (run.read("coil.length") - 0.5350178), 1e-2);
}

/// k (dl/dq)² − F d²l/dq² and the contribution of the weights of the arms, against two static
/// loads.
TEST(DoubleWishbone, HasTheWheelRateOfItsGeometry) {
  const auto rest = [](double mass) {
    MechanismRun run(from_file("double_wishbone"), adaptive(1e-7),
                     {{"sprung_mass", mass}, {"spring_damping", 1e4}});
    run.advance(15);
    return run.read(std::vector<std::string>{"wheel.travel", "tyre.load"});
  };
  const Vector a = rest(390), b = rest(410);
  const double measured = (b[1] - a[1]) / (b[0] - a[0]);
  // the load that the geometry needs, by virtual work with the coil alone; rack held by the gear
  const auto load = [](double q) {
    const double e = 1e-4, rack = 0.000124;
    const Suspension up = at_travel(q + e, rack), down = at_travel(q - e, rack),
                     s = at_travel(q, rack);
    const double F = 7e4 * (s.coil - 0.5350178);
    return F * (up.coil - down.coil) / (2 * e);
  };
  const double rate = (load(1e-3) - load(-1e-3)) / 2e-3;
  EXPECT_NEAR(measured, rate, 0.01 * rate);
}

}  // namespace
}  // namespace mechfmu::tests
