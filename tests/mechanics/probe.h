// Shared by the tests of mechanisms: random points of the motion and finite differences.

#pragma once

#include <algorithm>
#include <random>

#include "mechanics/motion.h"
#include "mechanics/system.h"
#include "model/variables.h"

namespace mechfmu::tests {

/// f'(0) of a function of one number, by central differences of order six.
template <class F>
auto slope(const F& f, double h = 4e-3) {
  auto difference = [&](double k) { return (f(k * h) - f(-k * h)).eval(); };
  return ((difference(3) - 9 * difference(2) + 45 * difference(1)) / (60 * h)).eval();
}
template <class F>
double slope_of_number(const F& f, double h = 4e-3) {
  return slope([&](double s) { return Vec<double, 1>(f(s)); }, h)[0];
}

/// ∂f/∂δ at δ = 0, column by column.
template <class F>
Matrix derivative(const F& f, Index columns, double h = 4e-3) {
  Vector delta = Vector::Zero(columns);
  Matrix result(f(delta).size(), columns);
  for (Index c = 0; c < columns; ++c) {
    result.col(c) = slope(
        [&](double s) {
          delta[c] = s;
          Vector value = f(delta);
          delta[c] = 0;
          return value;
        },
        h);
  }
  return result;
}

inline Vector random_vector(std::mt19937& numbers, Index size, double scale) {
  std::uniform_real_distribution<double> uniform(-scale, scale);
  Vector v(size);
  for (double& x : v) x = uniform(numbers);
  return v;
}

/// The initial position with everything else zero.
inline Point start_point(const System& system) {
  const Start start = system.start();
  Point p;
  p.resize(system.sizes());
  for (Index i = 0; i < p.y.size(); ++i) p.y[i] = start.y[static_cast<std::size_t>(i)];
  return p;
}

/// Any motion through a position that differs from the initial one by up to `spread` in every
/// coordinate.
inline Point random_point(const System& system, unsigned seed, double spread, double speed = 1) {
  std::mt19937 numbers(seed);
  const Sizes& n = system.sizes();
  Point p = start_point(system);
  const Vector y0 = p.y;
  system.displace(y0, random_vector(numbers, n.n, spread), p.y);
  p.t = 0.7;
  p.z = random_vector(numbers, n.n, speed);
  p.a = random_vector(numbers, n.n, 1);
  p.mu = random_vector(numbers, n.mu(), 2);
  p.x = random_vector(numbers, n.x, 1);
  p.xdot = random_vector(numbers, n.x, 1);
  return p;
}

/// The point p after the time s: y ⊕ (s z + s²/2 a), z + s a.
inline Point along(const System& system, const Point& p, double s) {
  Point q = p;
  q.t += s;
  system.displace(p.y, s * p.z + s * s / 2 * p.a, q.y);
  q.z += s * p.a;
  return q;
}

inline Values values_at(System& system, const Point& p) {
  Values v;
  v.resize(system.sizes());
  system.at(p);
  system.values(v);
  return v;
}

/// M(q) v.
inline Vector times_mass(const System& system, const Point& q, const Vector& v) {
  Vector mass(system.sizes().mass);
  system.mass(q.t, q.y, mass);
  Vector product(v.size());
  system.multiply_mass(mass, v, product);
  return product;
}

/// Largest difference, relative where numbers are large, for comparisons with finite differences.
inline double distance(const Matrix& a, const Matrix& b) {
  if (a.size() == 0 && b.size() == 0) return 0;
  return (a - b).cwiseAbs().maxCoeff() /
         std::max({1.0, a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff()});
}

}  // namespace mechfmu::tests
