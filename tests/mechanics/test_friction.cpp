// LuGre's friction against results by hand: holding, bending of the bristles, sliding, stick-slip.

#include <gtest/gtest.h>

#include <cmath>

#include "mechanics/mechanism.h"
#include "tests/mechanics/mechanism_runs.h"

namespace mechfmu::tests {

namespace {

using namespace mechanics;

constexpr double g0 = 9.81;
constexpr double mu = 0.5;
constexpr double d = 1e-4;

/// A block on a slope, pressed on it by its weight.
Mechanism on_slope(double angle) {
  Mechanism m("slope");
  m.gravity = {0, 0, -g0};
  m.length_scale = 0.1;
  const Body block = m.body({.name = "block", .mass = 2, .inertia = {0.1, 0.1, 0.1}});
  const Joint rail = m.joint({.name = "rail",
                              .type = JointType::prismatic,
                              .a = ground,
                              .b = block,
                              .axis = {std::cos(angle), 0, -std::sin(angle)}});
  m.friction({.name = "rub",
              .along = m.displacement(rail),
              .coulomb = mu,
              .law = FrictionLaw::lugre,
              .presliding = d,
              .load = rail});
  return m;
}

double way(const MechanismRun& run) { return run.state.point.y.head<3>().norm(); }

/// A block on a belt: a spring pulls it along; its friction law by the classical Runge–Kutta method
/// with tiny steps.
struct StickSlip {
  double m = 1, k = 20, speed = 0.05, C = 1, S = 1.5, v_s = 0.02, tau = 5e-3, viscous = 0.4;
  double x = 0, v = 0, zeta = 0, t = 0;

  struct Rate {
    double x, v, zeta;
  };
  Rate rate(double time, double at, double w, double bend) const {
    const double slow = std::exp(-(w / v_s) * (w / v_s));
    const double bending = (w - std::abs(w) * bend * C / (C + (S - C) * slow)) / d;
    const double F = C * (bend + tau * bending * slow) + viscous * w;
    return {w, (k * (speed * time - at) - F) / m, bending};
  }
  void until(double end, int steps) {
    const double h = (end - t) / steps;
    for (int i = 0; i < steps; ++i, t += h) {
      const Rate a = rate(t, x, v, zeta);
      const Rate b = rate(t + h / 2, x + h / 2 * a.x, v + h / 2 * a.v, zeta + h / 2 * a.zeta);
      const Rate c = rate(t + h / 2, x + h / 2 * b.x, v + h / 2 * b.v, zeta + h / 2 * b.zeta);
      const Rate e = rate(t + h, x + h * c.x, v + h * c.v, zeta + h * c.zeta);
      x += h / 6 * (a.x + 2 * b.x + 2 * c.x + e.x);
      v += h / 6 * (a.v + 2 * b.v + 2 * c.v + e.v);
      zeta += h / 6 * (a.zeta + 2 * b.zeta + 2 * c.zeta + e.zeta);
    }
  }
};

}  // namespace

TEST(LuGre, HoldsABlockOnAGentleSlopeAfterBendingByItsShare) {
  for (const double share : {0.2, 0.9}) {
    MechanismRun run(on_slope(std::atan(mu * share)), adaptive(1e-8));
    run.advance(2);
    const double bent = way(run);
    // The released block overshoots, which slides the bristles a little; at rest the force is that
    // of the slope.
    EXPECT_NEAR(run.state.point.x[0], share, 1e-6) << share;
    EXPECT_GT(bent, share * d * 0.999);
    run.advance(20);
    EXPECT_NEAR(way(run), bent, 1e-9) << share;  // no creep
  }
}

TEST(LuGre, PreslidingIsAsLargeAsTheForceOverTheStiffnessOfTheBristles) {
  // pulled by a force that grows slowly: σ_0 = C/d
  Mechanism m("pull");
  m.length_scale = 1e-3;
  const Body block = m.body({.name = "block", .type = BodyType::point, .mass = 1});
  const Measure x = m.measure({.name = "x",
                               .type = MeasureType::displacement,
                               .a = {ground, {}},
                               .b = {block, {}},
                               .axis = {1, 0, 0}});
  const double C = 2;
  m.friction({.name = "rub",
              .along = x,
              .coulomb = C,
              .breakaway = 1e6,  // bristles that never slide: F = σ_0 x
              .stribeck = 1e6,
              .law = FrictionLaw::lugre,
              .presliding = d,
              .bristle_damping = 0.01});
  m.force(
      {.name = "pull", .along = x, .value = law<0>({}, [](const auto& s) { return 0.1 * s.t; })});
  MechanismRun run(m, adaptive(1e-8));
  for (const double t : {2.0, 5.0}) {
    run.advance(t);
    const double velocity = 0.1 * d / C;
    // the damping of the bristles takes σ_1 v of the force
    EXPECT_NEAR(run.state.point.y[0], (0.1 * t - 0.01 * C / d * velocity) * d / C, 1e-10) << t;
  }
}

TEST(LuGre, ABlockOnASteepSlopeSlidesWithTheRightAcceleration) {
  const double angle = std::atan(0.8);
  MechanismRun run(on_slope(angle), adaptive(1e-8));
  run.advance(0.5);
  EXPECT_NEAR(run.motion().acceleration(Spot{Body{1}, {}, true}).norm(),
              g0 * (std::sin(angle) - mu * std::cos(angle)), 1e-6);
  EXPECT_NEAR(run.state.point.x[0], 1, 1e-6);
}

TEST(LuGre, SticksAndSlipsAsATinyRungeKuttaDoes) {
  StickSlip by_hand;
  Mechanism m("belt");
  m.length_scale = 0.1;
  const Body block = m.body({.name = "block", .type = BodyType::point, .mass = by_hand.m});
  const Measure x = m.measure({.name = "x",
                               .type = MeasureType::displacement,
                               .a = {ground, {}},
                               .b = {block, {}},
                               .axis = {1, 0, 0}});
  m.friction({.name = "rub",
              .along = x,
              .coulomb = by_hand.C,
              .breakaway = by_hand.S,
              .viscous = by_hand.viscous,
              .stribeck = by_hand.v_s,
              .law = FrictionLaw::lugre,
              .presliding = d,
              .bristle_damping = by_hand.tau});
  m.force({.name = "pull", .along = x, .value = law<1>({Mechanism::value(x)}, [=](const auto& s) {
                                         return by_hand.k * (by_hand.speed * s.t - s[0]);
                                       })});
  MechanismRun run(m, adaptive(1e-9));
  double slowest = 1;
  double fastest = 0;
  for (int i = 1; i <= 40; ++i) {
    by_hand.until(0.1 * i, 4000);
    run.advance(0.1 * i);
    EXPECT_NEAR(run.state.point.y[0], by_hand.x, 1e-5) << i;
    EXPECT_NEAR(run.state.point.z[0], by_hand.v, 1e-3) << i;
    if (i > 10) {
      slowest = std::min(slowest, by_hand.v);
      fastest = std::max(fastest, by_hand.v);
    }
  }
  EXPECT_LT(slowest, 0.01 * by_hand.speed);  // it does stick
  EXPECT_GT(fastest, 2 * by_hand.speed);
}

}  // namespace mechfmu::tests
