// A function given by points: monotone cubic pieces with a continuous first derivative.
//
//   y(x) = h₀₀ y_i + h₁₀ Δ_i m_i + h₀₁ y_{i+1} + h₁₁ Δ_i m_{i+1},   s = (x − x_i)/Δ_i,   Δ_i = x_{i+1} − x_i
//   h₀₀ = (1 + 2s)(1 − s)²,  h₁₀ = s(1 − s)²,  h₀₁ = s²(3 − 2s),  h₁₁ = s²(s − 1)
//
// The slopes m_i are the weighted harmonic means of Fritsch, Butland: SIAM J. Sci. Stat. Comput. 5 (1984) 300–304, and
// at the ends the three-point formula limited to keep the shape (Moler: Numerical Computing with MATLAB, section 3.6): no
// overshoot, and no extremum where the points have none. Beyond the ends the table goes on as a straight line.

#pragma once

#include <cstddef>
#include <vector>

#include "solver/dual.h"

namespace mechfmu::functions {

class Table {
 public:
  /// Throws std::invalid_argument unless there are two points or more, all finite, x ascending.
  Table(std::vector<double> x, std::vector<double> y);

  template <class T>
  T operator()(const T& x) const;

  const std::vector<double>& x() const { return x_; }
  const std::vector<double>& y() const { return y_; }
  const std::vector<double>& slopes() const { return m_; }

 private:
  /// The piece for x, from 0 to size − 2.
  std::size_t piece(double x) const;
  std::vector<double> x_, y_, m_;
};

template <class T>
T Table::operator()(const T& x) const {
  const double at = value(x);
  if (at <= x_.front()) return (x - x_.front()) * m_.front() + y_.front();
  if (at >= x_.back()) return (x - x_.back()) * m_.back() + y_.back();
  const std::size_t i = piece(at);
  const double width = x_[i + 1] - x_[i];
  const double rise = (y_[i + 1] - y_[i]) / width;
  // y = y_i + d(m_i + d(c₂ + d c₃)) is the same cubic in d = x − x_i
  const double c2 = (3 * rise - 2 * m_[i] - m_[i + 1]) / width;
  const double c3 = (m_[i] + m_[i + 1] - 2 * rise) / (width * width);
  const T d = x - x_[i];
  return d * (d * (d * c3 + c2) + m_[i]) + y_[i];
}

}  // namespace mechfmu::functions
