// Beams against the theory of Euler and Bernoulli, and bushings with preload, free lengths, turned
// frames and a matrix.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/linear_model.h"
#include "mechanics/coordinates.h"
#include "mechanics/mechanism.h"
#include "mechanics/motion.h"
#include "tests/mechanics/mechanism_runs.h"

namespace mechfmu::tests {

namespace {

using namespace mechanics;

constexpr double E = 2e11, width = 0.02, height = 0.03, length = 1.2;
constexpr double A = width * height;
constexpr double I_y = width * height * height * height / 12;  // bending along z
constexpr double I_z = height * width * width * width / 12;    // along y
constexpr double density = 7800;

BeamData section() {
  BeamData beam;
  beam.E = E;
  beam.G = 8e10;
  beam.area = A;
  beam.i_y = I_y;
  beam.i_z = I_z;
  beam.torsion = 2e-8;
  beam.density = density;
  return beam;
}

/// n beams in a row along a slanted line from the ground; the bodies have no mass except that of
/// the beams.
Mechanism cantilever(int n, const Vec3& along, const Vec3& across, const Vec3& load) {
  Mechanism m("cantilever");
  Body last = ground;
  for (int i = 1; i <= n; ++i) {
    const Body next = m.body({.name = "node" + std::to_string(i),
                              .spins = Spins::no,
                              .mass = 0,
                              .at = Vec3(along * (length * i / n)),
                              .rotation = {0.3, -0.2, 0.1 * i}});
    BeamData beam = section();
    beam.name = "beam" + std::to_string(i);
    beam.a = last;
    beam.b = next;
    beam.from = Vec3(along * (length * (i - 1) / n));
    beam.to = Vec3(along * (length * i / n));
    beam.across = across;
    m.beam(beam);
    last = next;
  }
  m.force(VectorForceData{
      .name = "load", .at = {last, {0, 0, 0}, true}, .value = {load[0], load[1], load[2]}});
  return m;
}

struct Rest {
  explicit Rest(const Mechanism& m) : system(m), solver(system, {.tolerance = 1e-10}) {
    Result r = solver.initialize(state, 0);
    if (r.ok()) r = solver.output(state, p);
    if (r.ok()) r = trim(solver, state, candidate_coordinates(system, {}, p, Vec3::Zero()));
    if (r.ok()) r = solver.output(state, p);
    EXPECT_TRUE(r.ok()) << r.message;
  }
  MechanismSystem system;
  Solver solver;
  State state;
  Point p;
};

std::vector<double> frequencies(const Mechanism& m) {
  MechanismSystem system(m);
  Solver solver(system, {.tolerance = 1e-10});
  State state;
  Point p;
  EXPECT_TRUE(solver.initialize(state, 0).ok());
  EXPECT_TRUE(solver.output(state, p).ok());
  const LinearModel model =
      linearize(solver, state, candidate_coordinates(system, {}, p, Vec3::Zero()));
  std::vector<double> all;
  for (const std::complex<double> pole : model.poles)
    if (pole.imag() > 1) all.push_back(pole.imag());
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

TEST(Beam, ALoadAtTheTipBendsACantileverAsEulerAndBernoulliSay) {
  const Vec3 along = Vec3(0.6, 0.8, 0);
  const Vec3 across(0, 0, 1);
  const Vec3 y = across.cross(along);
  for (const int n : {1, 2, 5}) {
    const double P = 1e-2;  // small enough for the theory of small deflections
    const Rest up(cantilever(n, along, across, P * across));
    const Index at = up.system.sizes().y - 7;  // the last body
    // The centre of mass of the last body is a quarter of a beam from the tip, where
    // w = P x²(3L − x)/6EI.
    const double x = length * (1 - 0.25 / n);
    EXPECT_NEAR(up.state.point.y[at + 2],
                // its beam is straight up to the tip
                P * length * length * length / (3 * E * I_y) -
                    (length - x) * P * length * length / (2 * E * I_y),
                1e-5 * P * length * length * length / (3 * E * I_y))
        << n;
    const Rest sideways(cantilever(n, along, across, P * y));
    const Vec3 moved = Vec3(sideways.state.point.y.segment<3>(at)) - along * x;
    EXPECT_NEAR(moved.dot(y),
                P * length * length * length / (3 * E * I_z) -
                    (length - x) * P * length * length / (2 * E * I_z),
                1e-5 * P * length * length * length / (3 * E * I_z))
        << n;
  }
}

TEST(Beam, FrequenciesOfACantileverConvergeToTheExactOnes) {
  // ω = β² √(EI/ρA)/L², β² = 3.51602, 22.0345
  const double unit_y = std::sqrt(E * I_z / (density * A)) / (length * length);
  const double unit_z = std::sqrt(E * I_y / (density * A)) / (length * length);
  const auto error = [&](int n) {
    const std::vector<double> found =
        frequencies(cantilever(n, Vec3::UnitX(), Vec3::UnitZ(), Vec3::Zero()));
    const auto nearest = [&](double wanted) {
      double least = 1e30;
      for (const double omega : found) least = std::min(least, std::abs(omega / wanted - 1));
      return least;
    };
    return std::array<double, 4>{nearest(3.51602 * unit_y), nearest(3.51602 * unit_z),
                                 nearest(22.0345 * unit_y), nearest(22.0345 * unit_z)};
  };
  const auto coarse = error(6);
  const auto fine = error(12);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_LT(fine[k], k < 2 ? 5e-3 : 2e-2) << k;
    EXPECT_LT(fine[k], 0.35 * coarse[k]) << k;
  }
}

TEST(Beam, GivesItsBodiesAllOfItsMass) {
  Mechanism m = cantilever(1, Vec3::UnitX(), Vec3::UnitZ(), Vec3::Zero());
  const Body other = m.body({.name = "other",
                             .mass = 2,
                             .inertia = {1, 1, 1},
                             .at = {length, 1, 0},
                             .rotation = {0.4, 0.5, -0.3},
                             .centre = {0.1, 0.2, 0.3}});
  BeamData beam = section();
  beam.name = "second";
  beam.a = other;
  beam.b = Body{1};
  beam.from = {length, 1, 0};
  beam.to = {length, 0, 0};
  m.beam(beam);
  const MechanismSystem system(m);
  const double half = density * A * length / 2;
  const double second = density * A * 1.0 / 2;
  EXPECT_NEAR(system.geometry().bodies[1].mass, half + second, 1e-12);
  EXPECT_NEAR(system.geometry().bodies[2].mass, 2 + second, 1e-12);
  // Moment of inertia of the first body about the axis z through (L, 0, 0): two rods of half the
  // lengths.
  const BodyGeometry& body = system.geometry().bodies[1];
  const Mat3 J = body.R0 * body.J * body.R0.transpose();
  const Vec3 d = body.r0 - Vec3(length, 0, 0);
  const double thin = half * length * length / 12 + second * 1.0 / 12;
  const double thick = density * (length * I_z + 1.0 * I_z) / 2;
  EXPECT_NEAR(J(2, 2) + body.mass * (d[0] * d[0] + d[1] * d[1]), thin + thick, 1e-10);
}

TEST(Bushing, FramesApartHaveFreeLengthsAnglesAndPreloads) {
  Mechanism m("apart");
  const Body b =
      m.body({.name = "b", .inertia = {1, 1, 1}, .at = {1, 2, 3}, .rotation = {0, 0, 0.3}});
  const std::array<Spring, 6> six = m.bushing({.name = "bushing",
                                               .a = ground,
                                               .b = b,
                                               .at = {0.5, 2, 3},
                                               .to = Vec3(1.1, 2.2, 3.3),
                                               .axis2_b = Vec3(std::cos(0.2), std::sin(0.2), 0),
                                               .stiffness = {10, 20, 30},
                                               .torsion = {1, 2, 3},
                                               .length = {0.5, 0, 0},
                                               .angle = {0, 0, 0.05},
                                               .preload = {0, 7, 0},
                                               .preload_torque = {0, 0, 0.5}});
  MechanismSystem system(m);
  Point p;
  p.resize(system.sizes());
  const Start start = system.start();
  for (Index i = 0; i < p.y.size(); ++i) p.y[i] = start.y[static_cast<std::size_t>(i)];
  const Motion& motion = system.motion(p);
  const double expected[6] = {10 * (0.6 - 0.5),      20 * 0.2 + 7, 30 * 0.3, 0, 0,
                              3 * (0.2 - 0.05) + 0.5};
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(motion.tension(six[k]), expected[k], 1e-12) << k;
}

TEST(Bushing, AMatrixCouplesAllSix) {
  Mechanism m("matrix");
  const Body b = m.body(
      {.name = "b", .inertia = {1, 1, 1}, .at = {0.01, -0.02, 0.03}, .velocity = {0.1, 0, 0}});
  BushingData data;
  data.name = "bushing";
  data.a = ground;
  data.b = b;
  data.to = Vec3(0.01, -0.02, 0.03);
  data.stiffness = {5, 0, 0};
  data.matrix_damping = 0.5;
  Matrix K(6, 6);
  for (int r = 0; r < 6; ++r)
    for (int c = r; c < 6; ++c) {
      K(r, c) = K(c, r) = r == c ? 100 + r : 10 * r + c;
      data.matrix.emplace_back(K(r, c));
    }
  const std::array<Spring, 6> six = m.bushing(data);
  MechanismSystem system(m);
  Point p;
  p.resize(system.sizes());
  const Start start = system.start();
  for (Index i = 0; i < p.y.size(); ++i) p.y[i] = start.y[static_cast<std::size_t>(i)];
  for (Index i = 0; i < p.z.size(); ++i) p.z[i] = start.z[static_cast<std::size_t>(i)];
  Vector e(6), rate = Vector::Zero(6);
  e << 0.01, -0.02, 0.03, 0, 0, 0;
  rate[0] = 0.1;
  Vector expected = K * (e + 0.5 * rate);
  expected[0] += 5 * 0.01;
  const Motion& motion = system.motion(p);
  for (std::size_t k = 0; k < 6; ++k)
    EXPECT_NEAR(motion.tension(six[k]), expected[static_cast<Index>(k)], 1e-12) << k;
  EXPECT_NEAR(motion.potential_energy(), 0.5 * e.dot(K * e) + 2.5 * 0.01 * 0.01, 1e-12);
}

}  // namespace mechfmu::tests
