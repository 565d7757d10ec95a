// First guess of a step: polynomials through the last solutions, extrapolated to the new one.
//
//   u(τ) ≈ Σ_j L_j(τ) u_j,   L_j the Lagrange polynomials of the last degree + 1 times
//
// (Negrut et al., section 3.5: degree up to three, adjusted to the smoothness of the solution.) The
// accelerations a, ã and the rates x' live at t + αh, the multipliers at t, so each kind has its own
// times. After each step the degree that would have predicted a best is chosen for the next.

#include <array>
#include <cmath>

#include "solver/no_allocation.h"
#include "solver/tuning.h"
#include "solver/workspace.h"

namespace mechfmu {

namespace {

using Times = std::array<double, Predictions::capacity>;
using Weights = std::array<double, Predictions::capacity>;

std::size_t slot(const Predictions& p, int age) {
  return static_cast<std::size_t>((p.newest + age) % Predictions::capacity);
}

Times newest_first(const Predictions& p, const Times& times) {
  Times sorted;
  for (int age = 0; age < Predictions::capacity; ++age) sorted[ix(age)] = times[slot(p, age)];
  return sorted;
}

/// L_j(τ) for the newest degree + 1 times, zeros for the others.
Weights lagrange(const Times& times, int degree, double tau) {
  Weights weights{};
  for (int j = 0; j <= degree; ++j) {
    double above = 1;
    double below = 1;
    for (int i = 0; i <= degree; ++i) {
      if (i == j) continue;
      above *= tau - times[ix(i)];
      below *= times[ix(j)] - times[ix(i)];
    }
    weights[ix(j)] = above / below;
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

/// Σ_j L_j u_j, j up to the degree, of the rows from `first` on.
void combine(const Predictions& p, const Weights& weights, int degree, Index first, Out out) {
  const auto u = [&](int age) {
    return p.u.col(static_cast<Index>(slot(p, age))).segment(first, out.size());
  };
  static_assert(Predictions::capacity == 4);
  const auto& L = weights;
  switch (degree) {
    case 0: out = L[0] * u(0); break;
    case 1: out = L[0] * u(0) + L[1] * u(1); break;
    case 2: out = L[0] * u(0) + L[1] * u(1) + L[2] * u(2); break;
    default: out = L[0] * u(0) + L[1] * u(1) + L[2] * u(2) + L[3] * u(3);
  }
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
  const NoAllocation guard;
  const Sizes& size = w.system.sizes();
  Predictions& p = s.predictions;
  const double shifted = w.t1 + w.c.alpha() * w.h;
  const Times shifted_times = newest_first(p, p.shifted);
  const bool compare = s.statistics.steps % tuning::predictor::compare_every == 0;
  const int highest = std::min({p.count - 1, w.options.experiments.max_predictor_degree,
                                compare ? Predictions::capacity : p.degree});
  Weights at_shifted{};
  int taken = 0;  // the degree of at_shifted
  w.predicted_degrees = 0;
  for (int degree = 0; degree <= highest; ++degree) {
    const Weights weights = lagrange(shifted_times, degree, shifted);
    if (sum_of_sizes(weights) > tuning::predictor::largest_sum) break;
    if (compare) {
      combine(p, weights, degree, 0, w.predicted_a.col(degree));
      w.predicted_degrees = degree + 1;
    }
    if (degree > p.degree) continue;
    at_shifted = weights;
    taken = degree;
  }
  combine(p, at_shifted, taken, 0, w.now.a);
  if (size.x > 0) combine(p, at_shifted, taken, 2 * size.n, w.now.xd);
  if (size.mu() > 0) {
    const Weights at_end = lagrange(newest_first(p, p.time), taken, w.t1);
    combine(p, at_end, taken, shifted_rows(size), w.end.mu);
    combine(p, at_end, taken, shifted_rows(size) + size.mu(), w.now.mu_tilde);
  }
  if (two_sets(w))
    combine(p, at_shifted, taken, size.n, w.now.a_tilde);
  else
    w.now.a_tilde = w.now.a;
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
  p.u.col(column) << w.now.a, w.now.a_tilde, w.now.xd, w.end.mu, w.now.mu_tilde;
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

void shift_memory(const Workspace& w, State& s) {
  const Sizes& size = w.system.sizes();
  Predictions& p = s.predictions;
  for (int age = 0; age < p.count; ++age) {
    auto u = p.u.col(static_cast<Index>(slot(p, age)));
    const double shifted = p.shifted[slot(p, age)] - s.point.t;
    const double passed = p.time[slot(p, age)] - s.point.t;
    const auto da = w.jump.head(size.n) + shifted * w.rates.head(size.n);
    const auto dmu =
        w.jump.segment(size.n, size.mu()) + passed * w.rates.segment(size.n, size.mu());
    u.segment(0, size.n) += da;
    u.segment(size.n, size.n) += da;
    u.segment(2 * size.n, size.x) += w.jump.tail(size.x) + shifted * w.rates.tail(size.x);
    u.segment(shifted_rows(size), size.mu()) += dmu;
    u.tail(size.mu()) += dmu;
  }
}

void hold_multipliers(In mu, State& s) {
  Predictions& p = s.predictions;
  for (int age = 0; age < p.count; ++age) {
    auto u = p.u.col(static_cast<Index>(slot(p, age)));
    u.tail(mu.size()) = mu;
    u.segment(u.size() - 2 * mu.size(), mu.size()) = mu;
  }
}

}  // namespace mechfmu
