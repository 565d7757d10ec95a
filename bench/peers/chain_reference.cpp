// The position of the chain at the end of the run, to many digits: the reference of the comparison.
//
//   chain_reference --bodies n [--tolerance e] [--end t]
//
// Minimal coordinates: the n angles, so that no constraint can drift; (θ, ω)' = (ω, α(θ, ω)) with α
// from chain.h in O(n). Integrated by extrapolation of the modified midpoint rule in h² (Gragg;
// Bulirsch & Stoer; Hairer, Nørsett & Wanner, Solving ODEs I, II.9): order 16 with K = 8 columns,
// in extended precision, the step follows the difference of the last two columns. Coordinates and
// method differ from those of the compared solvers; two tolerances show the number of correct
// digits.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <vector>

#include "bench/arguments.h"
#include "bench/peers/chain.h"
#include "bench/table.h"

namespace {

using namespace mechfmu::bench;
using Real = long double;
using State = std::vector<Real>;  // θ, then ω

constexpr std::size_t K = 8;

class Extrapolation {
 public:
  explicit Extrapolation(std::size_t n)
      : n_(n), accelerations_(n), slope_(2 * n), start_slope_(2 * n), before_(2 * n), now_(2 * n) {
    for (State& column : table_) column.resize(2 * n);
  }

  /// Integrates y from 0 to `end`; the error of a step, in any angle or rate, stays below
  /// `tolerance`.
  void run(State& y, Real end, Real tolerance) {
    Real t = 0, h = std::min(end, Real(1e-3));
    while (t < end) {
      const bool last = t + h * Real(1.001) >= end;
      if (last) h = end - t;
      const Real error = step(y, h) / tolerance;
      if (error <= 1) {
        y = table_[K - 1];
        t = last ? end : t + h;
        ++steps;
      }
      const Real factor = Real(0.9) / std::pow(std::max(error, Real(1e-20)), Real(1) / (2 * K - 1));
      h *= std::clamp(factor, Real(0.2), Real(3));
      if (!(h > Real(1e-12) * end)) throw std::runtime_error("the step became too small");
    }
  }

  long steps = 0, evaluations = 0;

 private:
  void derivative(const State& y, State& slope) {
    accelerations_.solve(y.data(), y.data() + n_);
    std::copy_n(y.begin() + static_cast<std::ptrdiff_t>(n_), n_, slope.begin());
    std::copy_n(accelerations_.alpha.begin(), n_, slope.begin() + static_cast<std::ptrdiff_t>(n_));
    ++evaluations;
  }

  /// After it table_[K−1] is the new state; returns the estimated error.
  Real step(const State& y, Real h) {
    derivative(y, start_slope_);
    Real error = 0;
    for (std::size_t j = 0; j < K; ++j) {
      const std::size_t substeps = 2 * (j + 1);
      midpoint(y, h, substeps);
      // Aitken–Neville: table_[i] holds the i-th column of the row before, and gets that of this
      // row.
      for (std::size_t k = 0; k < 2 * n_; ++k) {
        Real value = now_[k];
        for (std::size_t i = 0; i < j; ++i) {
          const Real ratio = static_cast<Real>(j + 1) / static_cast<Real>(j - i);
          const Real next = value + (value - table_[i][k]) / (ratio * ratio - 1);
          table_[i][k] = value;
          if (j + 1 == K && i + 1 == j) error = std::max(error, std::abs(next - value));
          value = next;
        }
        table_[j][k] = value;
      }
    }
    return std::isfinite(error) ? error : Real(1e20);
  }

  void midpoint(const State& y, Real h, std::size_t substeps) {
    const Real small = h / static_cast<Real>(substeps);
    before_ = y;
    for (std::size_t k = 0; k < 2 * n_; ++k) now_[k] = y[k] + small * start_slope_[k];
    for (std::size_t s = 1; s < substeps; ++s) {
      derivative(now_, slope_);
      for (std::size_t k = 0; k < 2 * n_; ++k) before_[k] += 2 * small * slope_[k];
      std::swap(before_, now_);
    }
  }

  std::size_t n_;
  peers::Accelerations<Real> accelerations_;
  State slope_, start_slope_, before_, now_;
  State table_[K];
};

int program(int argc, char** argv) {
  Arguments arguments(argc, argv);
  const auto bodies = arguments.count("--bodies", 1'000'000);
  const double tolerance = arguments.positive("--tolerance").value_or(1e-12);
  const double end = arguments.positive("--end").value_or(1);
  if (!arguments.rest().empty() || !bodies)
    throw BadArgument("chain_reference --bodies n [--tolerance e] [--end t]");

  const auto n = static_cast<std::size_t>(*bodies);
  State y(2 * n);
  Extrapolation extrapolation(n);
  const auto begin = std::chrono::steady_clock::now();
  extrapolation.run(y, Real(end), Real(tolerance));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;

  peers::Vec2<Real> tip, centre;
  for (std::size_t i = 0; i < n; ++i) {
    const auto rod = Real(peers::length) * peers::along(y[i]);
    centre = tip + Real(0.5) * rod;
    tip = tip + rod;
  }
  const auto digits = [](Real value) { return scientific(static_cast<double>(value), 14); };
  std::cout << R"({"solver": "reference", "n": )" << n << R"(, "tolerance": )" << exactly(tolerance)
            << R"(, "end": )" << exactly(end) << R"(, "steps": )" << extrapolation.steps
            << R"(, "evaluations": )" << extrapolation.evaluations << R"(, "seconds": )"
            << exactly(seconds.count()) << R"(, "x": )" << digits(centre.x) << R"(, "y": )"
            << digits(centre.y) << R"(, "tip_x": )" << digits(tip.x) << R"(, "tip_y": )"
            << digits(tip.y) << "}\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return guarded("chain_reference", [&] { return program(argc, argv); });
}
