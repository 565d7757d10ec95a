// Constraints that depend on each other: the rows that are needed change with the position, and no
// result may depend on the choice.

#include <algorithm>
#include <numbers>
#include <random>

#include "tests/mechanics/mechanism_runs.h"

namespace mechfmu::tests {
namespace {

using namespace mechanics;

/// A plate on `count` parallel rockers, all in one plane, of spatial bodies: three rows of every
/// further rocker are redundant. If two rockers and the line between their feet are in line, only
/// another rocker holds the plate.
struct Rockers {
  struct Rocker {
    double x, y, mass, J, share;  // foot; centre of mass at this share of its length
  };
  std::vector<Rocker> rockers;
  double dx = 0, dy = 0;  // of every rocker
  double plate = 1, plate_J = 0.1;
  double gx = 3, gy = -10;
  double scale = 1;                // of all lengths
  std::vector<std::size_t> order;  // of the joints

  static Rockers random(std::mt19937& dice, int count, double scale) {
    const auto between = [&](double a, double b) {
      return std::uniform_real_distribution(a, b)(dice);
    };
    Rockers r;
    r.scale = scale;
    r.dx = between(0.1, 0.3);
    r.dy = between(0.4, 0.7);
    r.plate = between(0.4, 4);
    for (int i = 0; i < count; ++i)
      r.rockers.push_back({0.5 * i + between(-0.1, 0.1), 0.15 * (i % 2) + between(-0.05, 0.05),
                           between(0.2, 5), between(0.05, 0.2), between(0.3, 0.7)});
    for (std::size_t i = 0; i < 2 * r.rockers.size(); ++i) r.order.push_back(i);
    std::shuffle(r.order.begin(), r.order.end(), dice);
    return r;
  }

  double J(double of_unit_size) const { return of_unit_size * scale * scale; }
  Triple at(double x, double y) const { return {scale * x, scale * y, 0}; }

  Mechanism mechanism() const {
    Mechanism m("rockers");
    m.gravity = {gx, gy, 0};
    const auto inertia = [](double J) { return Inertia{.xx = J, .yy = J, .zz = J}; };
    const Body c = m.body({.name = "c",
                           .mass = plate,
                           .inertia = inertia(J(plate_J)),
                           .at = at(rockers[0].x + dx + 0.4, rockers[0].y + dy)});
    std::vector<Body> bodies;
    for (const Rocker& r : rockers)
      bodies.push_back(m.body({.name = "r" + std::to_string(bodies.size()),
                               .mass = r.mass,
                               .inertia = inertia(J(r.J)),
                               .at = at(r.x + r.share * dx, r.y + r.share * dy)}));
    for (const std::size_t k : order) {
      const std::size_t i = k / 2;
      const Rocker& r = rockers[i];
      if (k % 2 == 0)
        m.joint({.name = "A" + std::to_string(i), .a = ground, .b = bodies[i], .at = at(r.x, r.y)});
      else
        m.joint({.name = "B" + std::to_string(i),
                 .a = bodies[i],
                 .b = c,
                 .at = at(r.x + dx, r.y + dy)});
    }
    return m;
  }

  /// Angle of all rockers: one degree of freedom, by Runge and Kutta's method.
  double angle(double end) const {
    double inertia = plate * (dx * dx + dy * dy);
    double lever = plate;  // Σ m · share
    for (const Rocker& r : rockers) {
      inertia += r.J + r.mass * r.share * r.share * (dx * dx + dy * dy);
      lever += r.mass * r.share;
    }
    const auto acceleration = [&](double phi) {
      const double x = dx * std::cos(phi) - dy * std::sin(phi);
      const double y = dx * std::sin(phi) + dy * std::cos(phi);
      return lever * (x * gy - y * gx) / (inertia * scale);
    };
    double phi = 0;
    double rate = 0;
    constexpr int n = 20'000;
    const double h = end / n;
    for (int i = 0; i < n; ++i) {
      const double a1 = acceleration(phi);
      const double a2 = acceleration(phi + h / 2 * rate);
      const double a3 = acceleration(phi + h / 2 * (rate + h / 2 * a1));
      const double a4 = acceleration(phi + h * (rate + h / 2 * a2));
      phi += h * rate + h * h / 6 * (a1 + a2 + a3);
      rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return phi;
  }
};

/// The residual of m a = m g + Σ reactions, relative to the largest force.
double unbalanced(const Rockers& r, MechanismRun& run) {
  const Motion& now = run.motion();
  const Vec3 g(r.gx, r.gy, 0);
  const auto count = r.rockers.size();
  std::vector<Vec3> left(count + 1);
  const auto mass = [&](std::size_t body) {
    return body == 0 ? r.plate : r.rockers[body - 1].mass;
  };
  double largest = 0;
  for (std::size_t body = 0; body <= count; ++body) {
    const Spot centre{{static_cast<Index>(body) + 1}, {}, true};
    left[body] = mass(body) * (now.acceleration(centre) - g);
    largest = std::max(largest, mass(body) * g.norm());
  }
  for (std::size_t j = 0; j < r.order.size(); ++j) {
    const std::size_t rocker = r.order[j] / 2 + 1;
    const Vec3 force = now.reaction(Joint{static_cast<Index>(j)}).force;
    largest = std::max(largest, force.norm());
    left[r.order[j] % 2 == 0 ? rocker : 0] -= force;
    if (r.order[j] % 2 == 1) left[rocker] += force;
  }
  double worst = 0;
  for (const Vec3& l : left) worst = std::max(worst, l.norm());
  return worst / largest;
}

/// Runs over a second (of unit size): the angle and, on the way, reactions that agree with the
/// accelerations.
void expect_right(const Rockers& r, double tolerance) {
  MechanismRun run(r.mechanism(), adaptive(tolerance));
  const double end = std::sqrt(r.scale);
  double largest = 0;
  for (int k = 1; k <= 20; ++k) {
    ASSERT_NO_FATAL_FAILURE(run.advance(end * k / 20));
    EXPECT_LT(unbalanced(r, run), 1e-3) << "at " << run.state.point.t;
    for (std::size_t j = 0; j < r.order.size(); ++j)
      largest = std::max(largest, run.motion().reaction(Joint{static_cast<Index>(j)}).force.norm());
  }
  const Mat3 R = run.motion().rotation({2});
  const double turned = std::atan2(R(1, 0), R(0, 0));
  EXPECT_NEAR(std::remainder(turned - r.angle(end), 2 * std::numbers::pi), 0, 1e-3);
  // Weights are about 100 N: no two rockers in line press against each other with thousands.
  EXPECT_LT(largest, 1000);
}

TEST(Redundant, RowsThatAreNeededChangeWithTheMotion) {
  std::mt19937 dice(1);
  for (int k = 0; k < 60; ++k) {
    SCOPED_TRACE(k);
    const Rockers r = Rockers::random(dice, 3 + k % 3, 1);
    ASSERT_NO_FATAL_FAILURE(expect_right(r, 1e-7));
  }
}

TEST(Redundant, DivergingDriversAreNotFollowed) {
  // Both rockers of a parallelogram are driven: by the same law at first, later by laws that
  // differ.
  for (const double part : {0.0, 0.1}) {
    Rockers r;
    r.dy = 0.5;
    r.rockers = {{0, 0, 1, 0.1, 0.5}, {1, 0, 1, 0.1, 0.5}};
    r.order = {0, 1, 2, 3};
    Mechanism m = r.mechanism();
    m.driver("one", m.angle(Joint{0}), [](const auto& s) { return 0.5 * s.t; });
    m.driver("two", m.angle(Joint{2}), [=](const auto& s) { return 0.5 * s.t + part * s.t * s.t; });
    MechanismRun run(m, adaptive(1e-6));
    const Result result = run.solver.advance(run.state, 1);
    EXPECT_EQ(result.ok(), part == 0) << result.message;
    if (result.ok()) continue;
    EXPECT_EQ(result.failure, Failure::contradiction);
    EXPECT_NE(result.message.find("constraint 'two' contradicts others"), std::string::npos)
        << result.message;
    EXPECT_LT(run.residuals().first, 2e-5);
  }
}

TEST(Redundant, SizeDoesNotMatter) {
  std::mt19937 dice(2);
  for (const double scale : {1e-3, 30.0, 100.0})
    for (int k = 0; k < 10; ++k) {
      SCOPED_TRACE("scale " + std::to_string(scale) + ", " + std::to_string(k));
      const Rockers r = Rockers::random(dice, 3, scale);
      ASSERT_NO_FATAL_FAILURE(expect_right(r, 1e-7));
    }
}

}  // namespace
}  // namespace mechfmu::tests
