// Spatial mechanisms: a rolling wheel, a heavy top and closed loops, with orders, invariants and
// saved states.

#include <numbers>

#include "models/heavy_top/heavy_top.h"
#include "models/rolling_disk/rolling_disk.h"
#include "models/rolling_wheel/rolling_wheel.h"
#include "models/slider_crank_bodies/slider_crank_bodies.h"
#include "models/spatial_four_bar/spatial_four_bar.h"
#include "tests/mechanics/mechanism_runs.h"
#include "tests/solver/state_bytes.h"

namespace mechfmu::tests {
namespace {

using namespace mechanics;
using models::Space;

// --- Rolling wheel ---

TEST(RollingWheel, RunsInASteadyCircle) {
  // ω follows from (m r² + I2) Ω ω cos θ + (m r² + I2 − I1) Ω² sin θ cos θ + m g r sin θ = 0; the
  // radius is r |ω/Ω|.
  const double turn = 1.5;
  const double spin = -1.71810630662463;
  const double radius = 1.14540420442;
  MechanismRun run(models::rolling_wheel(), converged(0.8));
  const double energy = run.read("energy.total");
  double drift = 0;
  for (int i = 1; i <= 8; ++i) {  // two turns
    const double t = i * 0.25 * 2 * std::numbers::pi / turn;
    run.steps(7500, t);
    EXPECT_NEAR(run.read("lean"), 0.3, 1e-6);
    EXPECT_NEAR(run.read("heading.rate"), turn, 1e-5);
    EXPECT_NEAR(run.read("spin.rate"), spin, 1e-5);
    EXPECT_NEAR(run.read("energy.total"), energy, 1e-8);
    // The circle is to the left, where the wheel leans.
    EXPECT_NEAR(std::hypot(run.read("contact.x"), run.read("contact.y") - radius), radius, 1e-5);
    const auto [position, velocity] = run.residuals();
    drift = std::max({drift, position, velocity});
  }
  EXPECT_LT(drift, 1e-13);
  EXPECT_NEAR(run.read("contact.x"), 0, 1e-5);
  EXPECT_NEAR(run.read("contact.y"), 0, 1e-5);
  // The centre of mass also moves on a circle: the contact carries weight and centripetal force.
  EXPECT_NEAR(run.read("contact.force.z"), 2 * 9.81, 1e-4);
  EXPECT_NEAR(run.read("contact.force.y"), 2 * turn * turn * (radius - std::sin(0.3)), 1e-4);
}

TEST(RollingWheel, RollsAsTheModelWithThePhysicalSign) {
  const double lean = 0.2, lean_rate = 0.4, turn = 0.8, spin = -4;
  const std::vector<std::string> outputs = {"contact.x", "contact.y",       "lean",
                                            "heading",   "lean.rate",       "heading.rate",
                                            "spin.rate", "contact.force.x", "contact.force.y"};
  const auto wheel = [&](int n) {
    MechanismRun run(models::rolling_wheel(), converged(0.7),
                     {{"lean_start", lean},
                      {"lean_rate_start", lean_rate},
                      {"turn_start", turn},
                      {"spin_start", spin}});
    run.steps(n, 1.5);
    return run.read(outputs);
  };
  const auto disk = [&](int n) {
    models::RollingDisk model;
    model.m = 2, model.r = 1, model.I1 = 0.5, model.I2 = 1, model.g0 = 9.81, model.sigma = 1;
    ModelSystem<models::RollingDisk> system(model);
    Solver solver(system, converged(0.7));
    State s;
    EXPECT_TRUE(
        solver.initialize(s, 0, {.y = {0, 0, lean, 0, 0}, .z = {-spin, 0, lean_rate, turn, spin}})
            .ok());
    for (int i = 0; i < n; ++i) EXPECT_TRUE(solver.step(s, 1.5 / n).ok());
    const Point& p = s.point;
    return vector({p.y[0], p.y[1], p.y[2], p.y[3], p.z[2], p.z[3], p.z[4], -p.mu[0], -p.mu[1]});
  };
  const Vector rolled = extrapolated(wheel(1000), wheel(2000));
  const Vector expected = extrapolated(disk(1000), disk(2000));
  for (Index i = 0; i < rolled.size(); ++i)
    EXPECT_NEAR(rolled[i], expected[i], 1e-6) << outputs[static_cast<std::size_t>(i)];
}

// --- Heavy top ---

/// Rotation, angular velocity and joint force at t = 1 by Runge-Kutta 4 on Euler's equations about
/// the fixed point:
///   (J + m(X·X − X Xᵀ)) Ω̇ + Ω × (…)Ω = m X × Rᵀg,   q̇ = q ∘ Ω/2,   λ = m (v̇ − g)
struct TopReference {
  const double m = 15;
  const Vec3 X{0, 1, 0}, gravity{0, 0, -9.81};
  const Vec3 J = Vec3(.234375, .46875, .234375) + m * Vec3(1, 0, 1);
  Eigen::Quaterniond q = Eigen::Quaterniond::Identity();
  Vec3 omega{.3, 15, -4.61538};

  Vec3 angular_acceleration(const Eigen::Quaterniond& at, const Vec3& w) const {
    const Vec3 moment = m * X.cross(at.conjugate() * gravity) - w.cross(J.cwiseProduct(w));
    return moment.cwiseQuotient(J);
  }
  TopReference() {
    using Numbers = Vec<double, 7>;
    const auto rate = [&](const Numbers& s) -> Numbers {
      const Eigen::Quaterniond at(s[0], s[1], s[2], s[3]);
      const Vec3 w = s.tail<3>();
      const Eigen::Quaterniond turning = at * Eigen::Quaterniond(0, w[0] / 2, w[1] / 2, w[2] / 2);
      Numbers d;
      d << turning.w(), turning.x(), turning.y(), turning.z(),
          angular_acceleration(at.normalized(), w);
      return d;
    };
    Numbers s;
    s << 1, 0, 0, 0, omega;
    const int n = 20000;
    const double h = 1.0 / n;
    for (int i = 0; i < n; ++i) {
      const Numbers k1 = rate(s);
      const Numbers k2 = rate(s + h / 2 * k1);
      const Numbers k3 = rate(s + h / 2 * k2);
      const Numbers k4 = rate(s + h * k3);
      s += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    q = Eigen::Quaterniond(s[0], s[1], s[2], s[3]).normalized();
    omega = s.tail<3>();
  }
  Mat3 R() const { return q.toRotationMatrix(); }
  Vec3 force() const {
    const Vec3 v_dot = angular_acceleration(q, omega).cross(X) + omega.cross(omega.cross(X));
    return m * (R() * v_dot - gravity);
  }
};

struct TopErrors {
  double R, omega, lambda;
};

TopErrors top_errors(double rho_inf, int n, bool rescale, Spins spins = Spins::no) {
  static const TopReference reference;
  Options o = converged(rho_inf);
  o.experiments.rescale_a = o.experiments.rescale_Ma = rescale;
  Mechanism m = models::heavy_top();
  m.bodies[1].spins = spins;
  MechanismRun run(m, o);
  run.alternate(n, 1.0 / n);
  const Body top{1};
  const Motion& q = run.system.motion(run.state.point);  // multipliers of the method, as published
  return {(q.rotation(top) - reference.R()).norm(),
          (q.in_axes(q.angular_velocity(top), top) - reference.omega).norm(),
          (q.reaction(Joint{0}).force - reference.force()).norm()};
}

TEST(HeavyTop, ReproducesTheErrorTable) {
  const struct {
    int n;
    double rho_inf, R, omega, lambda;
  } table[] = {
      {200, .7, 3.384e-04, 1.328e-03, 5.764e-02}, {400, .7, 8.447e-05, 3.323e-04, 1.438e-02},
      {800, .7, 2.110e-05, 8.313e-05, 3.591e-03}, {200, .2, 5.275e-04, 1.587e-03, 1.247e-01},
      {400, .2, 1.305e-04, 3.986e-04, 3.079e-02}, {800, .2, 3.245e-05, 9.989e-05, 7.650e-03}};
  for (const auto& row : table) {
    const TopErrors error = top_errors(row.rho_inf, row.n, true);
    EXPECT_TRUE(three_digits(error.R, row.R)) << row.n << " " << row.rho_inf;
    EXPECT_TRUE(three_digits(error.omega, row.omega)) << row.n << " " << row.rho_inf;
    EXPECT_TRUE(three_digits(error.lambda, row.lambda)) << row.n << " " << row.rho_inf;
  }
}

TEST(HeavyTop, WithoutRescalingIsFirstOrderAsInTheTable) {
  const TopErrors fine = top_errors(.7, 800, false);
  EXPECT_TRUE(three_digits(fine.R, 4.130e-04));
  EXPECT_TRUE(three_digits(fine.omega, 6.928e-04));
  EXPECT_TRUE(three_digits(fine.lambda, 1.024e-01));
}

TEST(HeavyTop, InAFrameThatDoesNotSpinIsSecondOrderWithAlternatingSteps) {
  for (const double rho_inf : {0.2, 0.7}) {
    const TopErrors coarse = top_errors(rho_inf, 200, true, Spins::automatic);
    const TopErrors fine = top_errors(rho_inf, 400, true, Spins::automatic);
    EXPECT_NEAR(order(coarse.R, fine.R), 2, 0.05);
    EXPECT_NEAR(order(coarse.omega, fine.omega), 2, 0.05);
    EXPECT_NEAR(order(coarse.lambda, fine.lambda), 2, 0.05);
  }
}

// --- Spatial four-bar ---

State four_bar_end(int n, double end) {
  MechanismRun run(models::spatial_four_bar(), converged(0.7));
  run.alternate(n, end / n);
  return run.state;
}

TEST(SpatialFourBar, IsSecondOrderInPoseVelocityAndMultipliersWithAlternatingSteps) {
  const double end = 0.2;
  const State c = four_bar_end(3200, end);
  const State f = four_bar_end(6400, end);
  const Vector y = extrapolated(c.point.y, f.point.y);
  const Vector z = extrapolated(c.point.z, f.point.z);
  const Vector mu = extrapolated(c.point.mu, f.point.mu);
  double before[3] = {};
  for (const int n : {200, 400, 800}) {
    const Point p = four_bar_end(n, end).point;
    const double error[3] = {(p.y - y).norm(), (p.z - z).norm(), (p.mu - mu).norm()};
    for (int i = 0; i < 3; ++i) {
      if (n > 200) {
        EXPECT_NEAR(order(before[i], error[i]), 2, 0.12) << n << " " << i;
      }
      before[i] = error[i];
    }
  }
}

TEST(SpatialFourBar, StaysOnItsConstraintsOverManySteps) {
  Options o = converged(0.8);
  o.experiments.slow_rate = 0.1;
  MechanismRun run(models::spatial_four_bar(), o);
  double position = 0;
  double velocity = 0;
  double norm = 0;
  for (int i = 0; i < 100000; ++i) {
    ASSERT_NO_FATAL_FAILURE(run.step(i % 2 == 0 ? 4e-4 : 6e-4));
    const auto [g, v] = run.residuals();
    position = std::max(position, g);
    velocity = std::max(velocity, v);
    for (int body = 0; body < 3; ++body)
      norm = std::max(norm, std::abs(run.state.point.y.segment<4>(7 * body + 3).norm() - 1));
  }
  EXPECT_LT(position, 1e-13);
  EXPECT_LT(velocity, 1e-12);
  EXPECT_LT(norm, 1e-14);
}

TEST(SpatialFourBar, ConservesItsEnergy) {
  MechanismRun run(models::spatial_four_bar(), adaptive(1e-9));
  const double energy = run.read("energy.total");
  double drift = 0;
  for (int i = 1; i <= 10; ++i) {
    run.advance(0.2 * i);
    drift = std::max(drift, std::abs(run.read("energy.total") - energy));
  }
  EXPECT_LT(drift, 1e-5);
}

TEST(SpatialFourBar, TorqueOnTheCrankDoesTheWork) {
  // With a constant torque, energy grows by torque times crank angle.
  MechanismRun run(models::spatial_four_bar(), adaptive(1e-9), {{"torque", 2}});
  const double energy = run.read("energy.total");
  run.advance(1);
  EXPECT_GT(run.read("phi"), 2 * std::numbers::pi);  // all the way round
  EXPECT_NEAR(run.read("energy.total") - energy, 2 * run.read("phi"), 1e-3);
}

/// A planar four-bar in the plane across the axis n, made of bodies of either kind: crank 0.2,
/// coupler 0.5, rocker 0.4, ground 0.5. Its redundancy is 3 if spatial.
Mechanism four_bar(Space space) {
  Mechanism m("four_bar");
  m.experiment.stop = 2;
  m.gravity = {0, -9.81, 0};
  const Vec3 A(0, 0, 0), B(0, 0.2, 0), D(0.5, 0, 0);
  // The upper one of the two closures: |C − B| = 0.5, |C − D| = 0.4
  const Vec3 d = D - B;
  const double along = (0.25 - 0.16 + d.squaredNorm()) / (2 * d.norm());
  const Vec3 e = d.normalized();
  const Vec3 C = B + along * e + std::sqrt(0.25 - along * along) * Vec3(-e[1], e[0], 0);
  const auto rod = [&](const char* name, const Vec3& p, const Vec3& q) {
    const double l = (q - p).norm();
    return m.body({.name = name,
                   .type = models::turning_body(space),
                   .mass = l,
                   .inertia = {.xx = 1e-3 * l, .yy = l * l * l / 12, .zz = l * l * l / 12},
                   .at = Vec3((p + q) / 2),
                   .rotation = {0, 0, std::atan2(q[1] - p[1], q[0] - p[0])}});
  };
  const Body crank = rod("crank", A, B);
  const Body coupler = rod("coupler", B, C);
  const Body rocker = rod("rocker", D, C);
  m.bodies[1].angular_velocity = {0, 0, 10};
  m.bodies[1].hold_velocity[5] = true;
  const Joint pin = m.joint({.name = "A", .a = ground, .b = crank, .at = A});
  m.joint({.name = "B", .a = crank, .b = coupler, .at = B});
  m.joint({.name = "C", .a = coupler, .b = rocker, .at = C});
  const Joint end = m.joint({.name = "D", .a = ground, .b = rocker, .at = D});
  models::output_measure(m, "crank", m.angle(pin), "rad", "");
  models::output_measure(m, "rocker", m.angle(end), "rad", "");
  models::output_reaction(m, end, Space::planar, "");
  return m;
}

TEST(FourBarOfSpatialRevolutes, MovesAsOfPlanarBodies) {
  MechanismRun planar(four_bar(Space::planar), converged(0.7));
  MechanismRun spatial(four_bar(Space::spatial), converged(0.7));
  EXPECT_EQ(planar.solver.warnings().size(), 0U);
  EXPECT_EQ(spatial.solver.warnings().size(), 3U);
  const double energy = planar.read("energy.total");
  const std::vector<std::string> outputs = {"crank",     "rocker",    "crank.rate",
                                            "D.force.x", "D.force.y", "energy.total"};
  for (const double t : {0.5, 1.0, 2.0}) {
    planar.steps(1000, t);
    spatial.steps(1000, t);
    EXPECT_LT((spatial.read(outputs) - planar.read(outputs)).norm(), 1e-7);
    EXPECT_NEAR(planar.read("energy.total"), energy, 1e-3);
  }
  EXPECT_GT(planar.read("crank"), 10);  // it has turned round more than once
}

// --- Saved states ---

void expect_restorable(const Mechanism& mechanism, double save, double end) {
  MechanismRun run(mechanism, adaptive(1e-6));
  run.advance(save);
  const State saved = run.state;
  run.advance(end);
  const State first = run.state;

  run.state = saved;
  run.advance(end);
  EXPECT_EQ(bytes(run.state), bytes(first)) << "on the same solver";

  MechanismRun other(mechanism, adaptive(1e-6));
  other.state = saved;
  other.advance(end);
  EXPECT_EQ(bytes(other.state), bytes(first)) << "on another solver";
  EXPECT_EQ(other.state.statistics, first.statistics);
}

TEST(SavedStates, OfARedundantSpatialMechanismContinueBitForBit) {
  expect_restorable(models::slider_crank_bodies({.space = Space::spatial}), 0.3, 0.6);
}

TEST(SavedStates, OfRotatingBodiesContinueBitForBit) {
  expect_restorable(models::spatial_four_bar(), 0.3, 0.6);
  expect_restorable(models::rolling_wheel(), 1, 2);
  expect_restorable(models::heavy_top(), 0.1, 0.2);
}

}  // namespace
}  // namespace mechfmu::tests
