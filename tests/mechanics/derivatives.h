// Derivatives of a system against finite differences of its values.

#pragma once

#include <gtest/gtest.h>

#include "tests/mechanics/probe.h"

namespace mechfmu::tests {

/// Compares row by row, so that a stiff element does not hide the others.
inline void expect_near(const Matrix& exact, const Matrix& differences, double tolerance,
                        const char* what) {
  for (Index r = 0; r < exact.rows(); ++r) {
    Index c = 0;
    if (distance(exact.row(r), differences.row(r)) < tolerance) continue;
    (exact.row(r) - differences.row(r)).cwiseAbs().maxCoeff(&c);
    ADD_FAILURE() << what << "(" << r << ", " << c << ") is " << exact(r, c) << ", by differences "
                  << differences(r, c);
  }
}

/// All blocks at p; h is the step of the differences.
inline void expect_derivatives_of_values(System& system, const Point& p, double tolerance,
                                         double h = 4e-3) {
  const Sizes& n = system.sizes();
  DenseBlocks blocks;
  system.at(p);
  system.derivatives(1, blocks);

  const Matrix by_y = derivative(
      [&](const Vector& delta) {
        Point q = p;
        system.displace(p.y, delta, q.y);
        const Values v = values_at(system, q);
        const Vector f = v.f - times_mass(system, q, p.a);
        return (Vector(n.n + n.m + n.mu() + n.x) << f, v.position, v.velocity, v.d).finished();
      },
      n.n, h);
  expect_near(blocks.K, by_y.topRows(n.n), tolerance, "(f - M a)_y");
  expect_near(blocks.C.topRows(n.m), by_y.middleRows(n.n, n.m), tolerance, "g_y");
  expect_near(blocks.C_y, by_y.middleRows(n.n + n.m, n.mu()), tolerance, "(C z)_y");
  expect_near(blocks.d_y, by_y.bottomRows(n.x), tolerance, "d_y");

  const auto values_by = [&](Vector Point::*member) {
    return derivative(
        [&](const Vector& delta) {
          Point q = p;
          q.*member += delta;
          const Values v = values_at(system, q);
          return (Vector(n.n + n.mu() + n.x) << v.f, v.velocity, v.d).finished();
        },
        (p.*member).size(), h);
  };
  const Matrix by_z = values_by(&Point::z);
  expect_near(blocks.D, by_z.topRows(n.n), tolerance, "f_z");
  expect_near(blocks.C, by_z.middleRows(n.n, n.mu()), tolerance, "C");
  expect_near(blocks.d_z, by_z.bottomRows(n.x), tolerance, "d_z");
  const Matrix by_mu = values_by(&Point::mu);
  expect_near(blocks.F, by_mu.topRows(n.n), tolerance, "f_mu");
  expect_near(blocks.d_mu, by_mu.bottomRows(n.x), tolerance, "d_mu");
  const Matrix by_x = values_by(&Point::x);
  expect_near(blocks.X, by_x.topRows(n.n), tolerance, "f_x");
  expect_near(blocks.d_x, by_x.bottomRows(n.x), tolerance, "d_x");
  expect_near(blocks.d_xdot, values_by(&Point::xdot).bottomRows(n.x), tolerance, "d_xdot");
  expect_near(blocks.d_a, values_by(&Point::a).bottomRows(n.x), tolerance, "d_a");

  Matrix M(n.n, n.n);
  Vector mass(n.mass);
  system.mass(p.t, p.y, mass);
  for (Index c = 0; c < n.n; ++c) system.multiply_mass(mass, Vector::Unit(n.n, c), M.col(c));
  expect_near(blocks.M, M, 1e-14, "M");
  Matrix C(n.mu(), n.n);
  system.at(p);
  for (Index c = 0; c < n.n; ++c) system.multiply_constraints(Vector::Unit(n.n, c), C.col(c));
  expect_near(blocks.C, C, 1e-12, "C");
}

/// Velocity rows are the rates of position rows along a motion through p, and accelerations are
/// their rates.
inline void expect_rates_of_constraints(System& system, const Point& p, double tolerance,
                                        double h = 4e-3) {
  const Sizes& n = system.sizes();
  const Values here = values_at(system, p);
  const Vector rate =
      slope([&](double s) { return values_at(system, along(system, p, s)).position; }, h);
  expect_near(here.velocity.head(n.m), rate, tolerance, "g'");
  Vector acceleration(n.mu());
  system.at(p);
  system.constraint_acceleration(p.a, acceleration);
  const Vector expected =
      slope([&](double s) { return values_at(system, along(system, p, s)).velocity; }, h);
  expect_near(acceleration, expected, tolerance, "g'' and k'");
}

}  // namespace mechfmu::tests
