// First guess of a step: polynomials through the last solutions, extrapolated to the new one.
//
//   u(τ) ≈ Σ_j L_j(τ) u_j,   L_j the Lagrange polynomials of the last degree + 1 times
//
// (Negrut et al., section 3.5: degree up to three, adjusted to the smoothness of the solution.) The
// accelerations a, ã and the rates x' belong to t + αh, the multipliers to t, so each kind has its
// own times. After each step the degree with the best prediction of a is chosen for the next one.
//
// The differences ã − a and μ̃ − μ are extrapolated with a separate degree. They are small, and
// contain the roundoff of g divided by h²: a cubic would magnify it by eight.

#include <array>
#include <cmath>

#include "solver/no_allocation.h"
#include "solver/tuning.h"
#include "solver/workspace.h"

namespace mechfmu {

namespace {

using Times = std::array<double, Predictions::capacity>;
using Weights = std::array<double, Predictions::capacity>;
using Table = std::array<Weights, Predictions::capacity>;  // weights of every degree

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

/// Rows of the stored unknowns: (a, ã − a, x') first, then (μ, μ̃ − μ).
Index shifted_rows(const Sizes& s) { return 2 * s.n + s.x; }

/// Computes Σ_j L_j u_j, j up to the degree, of the rows from `first` on.
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

/// Computes the same for every degree, as columns, in one pass.
void combine_all(const Predictions& p, const Table& table, Index first, Matrix& out) {
  constexpr int count = Predictions::capacity;
  Eigen::Matrix<double, count, count> weights;
  for (int degree = 0; degree < count; ++degree)
    for (int age = 0; age < count; ++age)
      weights(static_cast<Index>(slot(p, age)), degree) = table[ix(degree)][ix(age)];
  out = p.u.middleRows(first, out.rows()).leftCols<count>().lazyProduct(weights);
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
  const Predictions& p = s.predictions;
  const bool two = two_sets(w);
  const bool compare = s.statistics.steps % tuning::predictor::compare_every == 0;
  const int wanted = std::max(p.degree, p.degree_apart);
  int highest = std::min({p.count - 1, w.options.experiments.max_predictor_degree,
                          compare ? Predictions::capacity : wanted});
  // Weights of all degrees up to the highest one that does not magnify errors.
  const Times times = newest_first(p, p.time);
  const Times shifted_times = newest_first(p, p.shifted);
  Table shifted{};
  for (int degree = 0; degree <= highest; ++degree) {
    shifted[ix(degree)] = lagrange(shifted_times, degree, w.t1 + w.c.alpha() * w.h);
    if (sum_of_sizes(shifted[ix(degree)]) > tuning::predictor::largest_sum) highest = degree - 1;
  }
  const auto at_end = [&](int degree) { return lagrange(times, degree, w.t1); };
  const auto taken = [&](int degree) { return std::clamp(degree, 0, std::max(highest, 0)); };
  const Index mu = shifted_rows(size);
  w.candidates = compare ? highest + 1 : 0;
  if (compare) {
    combine_all(p, shifted, 0, w.predicted_a);
    if (two) combine_all(p, shifted, size.n, w.predicted_apart);
  }

  const int degree = taken(p.degree);
  combine(p, shifted[ix(degree)], degree, 0, w.now.a);
  if (size.x > 0) combine(p, shifted[ix(degree)], degree, 2 * size.n, w.now.xd);
  if (size.mu() > 0) combine(p, at_end(degree), degree, mu, w.end.mu);
  if (two) {
    const int apart = taken(p.degree_apart);
    combine(p, shifted[ix(apart)], apart, size.n, w.now.a_tilde);
    combine(p, at_end(apart), apart, mu + size.mu(), w.now.mu_tilde);
    w.now.a_tilde += w.now.a;
    w.now.mu_tilde += w.end.mu;
  } else {
    w.now.a_tilde = w.now.a;
    w.now.mu_tilde = w.end.mu;
  }
}

namespace {

/// The degree with the best guess, if that is much better than the guess of `degree`. If it is the
/// highest one, the result is one more, which may be better still.
int better_degree(const Matrix& predicted, int degrees, const Vector& found, int degree,
                  double much) {
  const auto miss = [&](int d) { return (found - predicted.col(d)).squaredNorm(); };
  int best = std::min(degree, degrees - 1);
  double least = much * miss(best);
  for (int d = 0; d < degrees; ++d) {
    const double other = miss(d);
    if (other < least) {
      least = other;
      best = d;
    }
  }
  return best == degrees - 1 ? best + 1 : best;
}

}  // namespace

void remember(Workspace& w, State& s) {
  Predictions& p = s.predictions;
  if (w.candidates > 0) {
    p.degree = better_degree(w.predicted_a, w.candidates, w.now.a, 0, 1);
    if (two_sets(w))
      p.degree_apart = better_degree(w.predicted_apart, w.candidates, w.apart, p.degree,
                                     tuning::predictor::much_better);
  }
  const Index column = push(p, w.t1, w.t1 + w.c.alpha() * w.h);
  p.u.col(column) << w.now.a, w.apart, w.now.xd, w.end.mu, w.now.mu_tilde - w.end.mu;
}

void forget(State& s) {
  s.predictions.count = 0;
  s.predictions.degree = s.predictions.degree_apart = 1;
}

void remember_line(Workspace& w, State& s, double span) {
  const Sizes& size = w.system.sizes();
  const Point& p = s.point;
  for (const double at : {-span, 0.0}) {
    const Index column = push(s.predictions, p.t + at, p.t + at);
    auto u = s.predictions.u.col(column);
    u.segment(0, size.n) = p.a + at * w.rates.head(size.n);
    u.segment(size.n, size.n).setZero();
    u.segment(2 * size.n, size.x) = p.xdot + at * w.rates.tail(size.x);
    u.segment(shifted_rows(size), size.mu()) = p.mu + at * w.rates.segment(size.n, size.mu());
    u.tail(size.mu()).setZero();
  }
}

void shift_memory(const Workspace& w, State& s, bool with_rates) {
  const Sizes& size = w.system.sizes();
  Predictions& p = s.predictions;
  for (int age = 0; age < p.count; ++age) {
    auto u = p.u.col(static_cast<Index>(slot(p, age)));
    const auto add = [&](const auto& da, const auto& dxd, const auto& dmu) {
      u.segment(0, size.n) += da;
      u.segment(2 * size.n, size.x) += dxd;
      u.segment(shifted_rows(size), size.mu()) += dmu;
    };
    const auto da = w.jump.head(size.n);
    const auto dxd = w.jump.tail(size.x);
    const auto dmu = w.jump.segment(size.n, size.mu());
    if (!with_rates) {
      add(da, dxd, dmu);
      continue;
    }
    const double shifted = p.shifted[slot(p, age)] - s.point.t;
    const double passed = p.time[slot(p, age)] - s.point.t;
    add(da + shifted * w.rates.head(size.n), dxd + shifted * w.rates.tail(size.x),
        dmu + passed * w.rates.segment(size.n, size.mu()));
  }
}

void hold_multipliers(In mu, State& s) {
  Predictions& p = s.predictions;
  for (int age = 0; age < p.count; ++age) {
    auto u = p.u.col(static_cast<Index>(slot(p, age)));
    u.tail(mu.size()).setZero();
    u.segment(u.size() - 2 * mu.size(), mu.size()) = mu;
  }
}

}  // namespace mechfmu
