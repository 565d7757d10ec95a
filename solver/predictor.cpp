// First guess of a step: polynomials through the last solutions, extrapolated to the new one.
//
//   u(τ) ≈ Σ_j L_j(τ) u_j,   L_j the Lagrange polynomials of the last degree + 1 times
//
// (Negrut et al., section 3.5: degree up to three, adjusted to the smoothness of the solution.) The
// accelerations a, ã and the rates x' live at t + αh, the multipliers at t, so each kind has its own
// times. After each step the degree that would have predicted a best is chosen for the next.

#include <array>
#include <cmath>

#include "solver/tuning.h"
#include "solver/workspace.h"

namespace mechfmu {

namespace {

using Times = std::array<double, Predictions::capacity>;
using Weights = std::array<double, Predictions::capacity>;

std::size_t slot(const Predictions& p, int age) {
  return static_cast<std::size_t>((p.newest + age) % Predictions::capacity);
}

/// L_j(τ) for the newest degree + 1 times.
Weights lagrange(const Predictions& p, const Times& times, int degree, double tau) {
  Weights weights{};
  for (int j = 0; j <= degree; ++j) {
    double weight = 1;
    for (int i = 0; i <= degree; ++i) {
      if (i == j) continue;
      const double ti = times[slot(p, i)];
      weight *= (tau - ti) / (times[slot(p, j)] - ti);
    }
    weights[static_cast<std::size_t>(j)] = weight;
  }
  return weights;
}

double sum_of_sizes(const Weights& weights) {
  double sum = 0;
  for (const double weight : weights) sum += std::abs(weight);
  return sum;
}

/// Rows of the stored unknowns: (a, ã, x') first, then (μ, μ̃).
Index shifted_rows(const Sizes& s) { return 2 * s.n + s.x; }

void combine(const Predictions& p, const Weights& weights, int degree, Index first,
             Eigen::Ref<Vector> out) {
  out.setZero();
  for (int j = 0; j <= degree; ++j)
    out += weights[static_cast<std::size_t>(j)] *
           p.u.col(static_cast<Index>(slot(p, j))).segment(first, out.size());
}

/// Makes room for the newest column and returns it.
Index push(Predictions& p, double time, double shifted) {
  p.newest = (p.newest + Predictions::capacity - 1) % Predictions::capacity;
  p.count = std::min(p.count + 1, Predictions::capacity);
  const std::size_t newest = slot(p, 0);
  p.time[newest] = time;
  p.shifted[newest] = shifted;
  return static_cast<Index>(newest);
}

}  // namespace

void predict(Workspace& w, State& s) {
  const Sizes& size = w.system.sizes();
  Predictions& p = s.predictions;
  const double shifted = w.t1 + w.c.alpha() * w.h;
  const bool compare = s.statistics.steps % tuning::predictor::compare_every == 0;
  int usable = 0;
  for (int degree = 0; degree < p.count && degree <= w.options.experiments.max_predictor_degree;
       ++degree) {
    const Weights weights = lagrange(p, p.shifted, degree, shifted);
    if (sum_of_sizes(weights) > tuning::predictor::largest_sum) break;
    if (compare) combine(p, weights, degree, 0, w.predicted_a.col(degree));
    usable = degree;
  }
  w.predicted_degrees = compare ? usable + 1 : 0;

  const int degree = std::min(p.degree, usable);
  const Weights at_shifted = lagrange(p, p.shifted, degree, shifted);
  const Weights at_end = lagrange(p, p.time, degree, w.t1);
  combine(p, at_shifted, degree, 0, w.now.a);
  combine(p, at_shifted, degree, size.n, w.now.a_tilde);
  combine(p, at_shifted, degree, 2 * size.n, w.now.xd);
  combine(p, at_end, degree, shifted_rows(size), w.now.mu);
  combine(p, at_end, degree, shifted_rows(size) + size.mu(), w.now.mu_tilde);
  if (!w.method.velocity_constraints || size.mu() == 0) w.now.a_tilde = w.now.a;
}

void remember(Workspace& w, State& s) {
  Predictions& p = s.predictions;
  // The degree that came closest to the a of this step.
  double best = std::numeric_limits<double>::infinity();
  for (int degree = 0; degree < w.predicted_degrees; ++degree) {
    const double miss = (w.now.a - w.predicted_a.col(degree)).squaredNorm();
    if (miss < best) {
      best = miss;
      p.degree = degree;
    }
  }
  // One more may be better still.
  if (w.predicted_degrees > 0 && p.degree == w.predicted_degrees - 1) ++p.degree;
  const Index column = push(p, w.t1, w.t1 + w.c.alpha() * w.h);
  p.u.col(column) << w.now.a, w.now.a_tilde, w.now.xd, w.now.mu, w.now.mu_tilde;
}

void forget(State& s) {
  s.predictions.count = 0;
  s.predictions.degree = 1;
}

void remember_line(Workspace& w, State& s, double span) {
  const Sizes& size = w.system.sizes();
  const Point& p = s.point;
  for (const double at : {-span, 0.0}) {
    const Index column = push(s.predictions, p.t + at, p.t + at);
    auto u = s.predictions.u.col(column);
    u.segment(0, size.n) = p.a + at * w.rates.head(size.n);
    u.segment(size.n, size.n) = u.segment(0, size.n);
    u.segment(2 * size.n, size.x) = p.xdot + at * w.rates.tail(size.x);
    u.segment(shifted_rows(size), size.mu()) = p.mu + at * w.rates.segment(size.n, size.mu());
    u.tail(size.mu()) = u.segment(shifted_rows(size), size.mu());
  }
}

void shift_memory(State& s, const Point& by) {
  Predictions& p = s.predictions;
  const Index n = by.a.size();
  const Index x = by.xdot.size();
  const Index mu = by.mu.size();
  for (int age = 0; age < p.count; ++age) {
    auto u = p.u.col(static_cast<Index>(slot(p, age)));
    u.segment(0, n) += by.a;
    u.segment(n, n) += by.a;
    u.segment(2 * n, x) += by.xdot;
    u.segment(2 * n + x, mu) += by.mu;
    u.tail(mu) += by.mu;
  }
}

}  // namespace mechfmu
