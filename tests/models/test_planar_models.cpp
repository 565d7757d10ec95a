// Cart and pole against its two equations, four-bar against its geometry and its one equation,
// integrated independently.

#include <numbers>

#include "tests/models/model_files.h"

namespace mechfmu::tests {
namespace {

// --- Cart and pole ---

TEST(CartPole, FallsAsTheLinearizedEquationsSay) {
  MechanismRun run(from_file("cart_pole"), converged(0.8), {{"angle_start", 1e-3}});
  const double M = 1, m = 0.1, l = 0.5, g = 9.81, J = m * l * l / 3;
  const double lambda =
      std::sqrt((M + m) * m * g * l / ((M + m) * (J + m * l * l) - m * m * l * l));
  EXPECT_NEAR(lambda, 3.97388, 1e-5);  // as in the README
  run.steps(2000, 1);
  const double start = 1e-3 * std::numbers::pi / 180;
  EXPECT_NEAR(run.read("angle") / start, std::cosh(lambda), 1e-4 * std::cosh(lambda));
  // the centre of mass keeps its place: (M + m) s + m l θ = m l θ₀
  EXPECT_NEAR(run.read("position"), m * l / (M + m) * (start - run.read("angle")), 1e-9);
}

TEST(CartPole, MovesAccordingToItsEquations) {
  const double M = 1.5, m = 0.4, L = 0.8, l = L / 2, g = 9.81, cr = 0.7, ch = 0.02;
  const double force = 3;
  MechanismRun run(from_file("cart_pole"), adaptive(1e-9),
                   {{"cart_mass", M},
                    {"pole_mass", m},
                    {"pole_length", L},
                    {"rail_friction", cr},
                    {"hinge_friction", ch},
                    {"angle_start", 40},
                    {"force", force}});
  using Y = Eigen::Vector4d;  // s, θ, s', θ'
  const auto rates = [&](const Y& y) -> Y {
    const double c = std::cos(y[1]), s = std::sin(y[1]);
    const double J = m * l * l / 3 + m * l * l;
    Eigen::Matrix2d mass;
    mass << M + m, m * l * c, m * l * c, J;
    const Eigen::Vector2d load(force - cr * y[2] + m * l * y[3] * y[3] * s,
                               m * g * l * s - ch * y[3]);
    const Eigen::Vector2d a = mass.inverse() * load;
    return {y[2], y[3], a[0], a[1]};
  };
  Y y(0, 40 * std::numbers::pi / 180, 0, 0);
  for (int i = 1; i <= 4; ++i) {
    for (int k = 0; k < 1000; ++k) y = rk4(rates, y, 5e-4);
    run.advance(0.5 * i);
    EXPECT_NEAR(run.read("position"), y[0], 1e-5);
    EXPECT_NEAR(run.read("angle"), y[1], 1e-5);
    EXPECT_NEAR(run.read("speed"), y[2], 1e-4);
    EXPECT_NEAR(run.read("angle.rate"), y[3], 1e-4);
  }
}

// --- Four-bar ---

/// The geometry of a four-bar by the circle of the coupler about B and that of the rocker about D.
struct FourBar {
  double a = 0.2, b = 0.5, c = 0.4, d = 0.5;
  double masses[3] = {0.6, 1, 1.2};
  double k = 100, damping = 15, relaxed = 0.6, friction = 0.2, torque = 5, g = 9.81;

  double psi(double phi) const {
    const Eigen::Vector2d DB =
        a * Eigen::Vector2d(std::cos(phi), std::sin(phi)) - Eigen::Vector2d(d, 0);
    const double r = DB.norm();
    return std::atan2(DB[1], DB[0]) - std::acos((r * r + c * c - b * b) / (2 * r * c));
  }
  struct Place {
    Eigen::Vector2d centres[3];
    double angles[3], tie;
  };
  Place place(double phi) const {
    const double second = psi(phi);
    const Eigen::Vector2d B(a * std::cos(phi), a * std::sin(phi)), D(d, 0);
    const Eigen::Vector2d C = D + c * Eigen::Vector2d(std::cos(second), std::sin(second));
    const Eigen::Vector2d BC = C - B;
    return {{B / 2, (B + C) / 2, (C + D) / 2},
            {phi, std::atan2(BC[1], BC[0]), second},
            (C - Eigen::Vector2d(2 * d, c)).norm()};
  }
  /// J(φ) φ'² = 2 T
  double inertia(double phi) const {
    const double e = 1e-5;
    const Place p = place(phi + e), q = place(phi - e);
    const double lengths[3] = {a, b, c};
    double J = 0;
    for (int i = 0; i < 3; ++i) {
      const double turn = std::remainder(p.angles[i] - q.angles[i], 2 * std::numbers::pi) / (2 * e);
      const double J_own = masses[i] * lengths[i] * lengths[i] / 12;
      J +=
          masses[i] * ((p.centres[i] - q.centres[i]) / (2 * e)).squaredNorm() + J_own * turn * turn;
    }
    return J;
  }
  double potential(double phi) const {
    const Place p = place(phi);
    double V = k / 2 * (p.tie - relaxed) * (p.tie - relaxed);
    for (int i = 0; i < 3; ++i) V += masses[i] * g * p.centres[i][1];
    return V;
  }
  /// J φ'' + J' φ'²/2 = torque − friction φ' − V' − c l'² φ'
  Eigen::Vector2d rates(const Eigen::Vector2d& y) const {
    const double e = 1e-4;
    const auto slope = [&](auto f) { return (f(y[0] + e) - f(y[0] - e)) / (2 * e); };
    const double tie = slope([&](double phi) { return place(phi).tie; });
    const double load = torque - friction * y[1] - damping * tie * tie * y[1] -
                        slope([&](double phi) { return potential(phi); }) -
                        slope([&](double phi) { return inertia(phi); }) * y[1] * y[1] / 2;
    return {y[1], load / inertia(y[0])};
  }
};

TEST(FourBar, KeepsFreudensteinsEquation) {
  MechanismRun run(from_file("four_bar"), adaptive(1e-8));
  const double a = 0.2, b = 0.5, c = 0.4, d = 0.5;
  for (int i = 0; i <= 50; ++i) {
    run.advance(0.04 * (i + 1));
    const double phi = run.read("phi"), psi = run.read("psi");
    EXPECT_NEAR(d / a * std::cos(psi) - d / c * std::cos(phi) +
                    (a * a - b * b + c * c + d * d) / (2 * a * c),
                std::cos(phi - psi), 1e-9);
    // its derivative with respect to time
    EXPECT_NEAR(-d / a * std::sin(psi) * run.read("psi.rate") +
                    d / c * std::sin(phi) * run.read("phi.rate"),
                -std::sin(phi - psi) * (run.read("phi.rate") - run.read("psi.rate")), 1e-6);
    const FourBar::Place place = FourBar{}.place(phi);
    EXPECT_NEAR(run.read("middle.x"), place.centres[1][0], 1e-10);
    EXPECT_NEAR(run.read("middle.y"), place.centres[1][1], 1e-10);
    EXPECT_NEAR(run.read("tie.length"), place.tie, 1e-10);
  }
  EXPECT_GT(run.read("phi"), 4 * std::numbers::pi);  // more than one turn
}

TEST(FourBar, MovesAccordingToItsOnlyEquation) {
  MechanismRun run(from_file("four_bar"), adaptive(1e-9));
  const FourBar bar;
  Eigen::Vector2d y(std::numbers::pi / 2, 0);
  for (int i = 1; i <= 8; ++i) {
    for (int k = 0; k < 250; ++k)
      y = rk4([&](const Eigen::Vector2d& now) { return bar.rates(now); }, y, 1e-3);
    run.advance(0.25 * i);
    EXPECT_NEAR(run.read("phi"), y[0], 2e-4);
    EXPECT_NEAR(run.read("phi.rate"), y[1], 2e-3);
  }
}

}  // namespace
}  // namespace mechfmu::tests
