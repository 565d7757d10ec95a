// A function given by points: monotone cubic pieces with a continuous first derivative, or straight
// lines.
//
//   y(x) = h₀₀ y_i + h₁₀ Δ_i m_i + h₀₁ y_{i+1} + h₁₁ Δ_i m_{i+1}
//   s = (x − x_i)/Δ_i,   Δ_i = x_{i+1} − x_i
//   h₀₀ = (1 + 2s)(1 − s)²,  h₁₀ = s(1 − s)²,  h₀₁ = s²(3 − 2s),  h₁₁ = s²(s − 1)
//
// The slopes m_i are the weighted harmonic means of Fritsch, Butland: SIAM J. Sci. Stat. Comput. 5
// (1984) 300–304: no overshoot, and no extremum where the points have none.
//
//                 between the points      beyond the ends: hold          extend
//   smooth        cubics, C¹              the last value                 the line of the end slope
//   linear        straight lines, C⁰      the last value                 the line of the last piece
//
// A smooth table that holds has slopes 0 at the ends, so that the whole is C¹. Other end slopes are
// those of the three-point formula, limited to keep the shape (Moler: Numerical Computing with
// MATLAB, section 3.6).
//
// Where a slope jumps, its value at the point is that on the right; at the ends it is that beyond
// them.

#pragma once

#include <cstddef>
#include <vector>

#include "model/dual_number.h"

namespace mechfmu::functions {

enum class Interpolation { smooth, linear };
enum class Beyond { hold, extend };

class Table {
 public:
  /// Throws std::invalid_argument unless there are two points or more, all finite, x ascending.
  Table(std::vector<double> x, std::vector<double> y,
        Interpolation interpolation = Interpolation::smooth, Beyond beyond = Beyond::hold);

  template <class T>
  T operator()(const T& x) const;

  const std::vector<double>& x() const { return x_; }
  const std::vector<double>& y() const { return y_; }
  Interpolation interpolation() const { return interpolation_; }
  Beyond beyond() const { return beyond_; }
  /// m_i of a smooth table.
  const std::vector<double>& slopes() const { return m_; }

 private:
  /// The piece for x, from 0 to size − 2.
  std::size_t piece(double x) const;

  std::vector<double> x_, y_, m_;
  Interpolation interpolation_;
  Beyond beyond_;
  double before_ = 0, after_ = 0;  // slopes beyond the ends
};

template <class T>
T Table::operator()(const T& x) const {
  const double at = value(x);
  if (at <= x_.front()) return (x - x_.front()) * before_ + y_.front();
  if (at >= x_.back()) return (x - x_.back()) * after_ + y_.back();
  const std::size_t i = piece(at);
  const double width = x_[i + 1] - x_[i];
  const double rise = (y_[i + 1] - y_[i]) / width;
  const T d = x - x_[i];
  if (interpolation_ == Interpolation::linear) return d * rise + y_[i];
  // y = y_i + d(m_i + d(c₂ + d c₃)) is the same cubic in d = x − x_i
  const double c2 = (3 * rise - 2 * m_[i] - m_[i + 1]) / width;
  const double c3 = (m_[i] + m_[i + 1] - 2 * rise) / (width * width);
  return d * (d * (d * c3 + c2) + m_[i]) + y_[i];
}

}  // namespace mechfmu::functions
