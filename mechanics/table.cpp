#include "mechanics/table.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace mechfmu::functions {

namespace {

/// Slope at an end, from the widths and rises of the two pieces next to it.
double end_slope(double h0, double h1, double d0, double d1) {
  const double m = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
  if (m * d0 <= 0) return 0;
  if (d0 * d1 <= 0 && std::abs(m) > 3 * std::abs(d0)) return 3 * d0;
  return m;
}

/// Slope between two pieces.
double inner_slope(double h0, double h1, double d0, double d1) {
  if ((d0 < 0) != (d1 < 0) || d0 == 0 || d1 == 0) return 0;
  const double w0 = h0 + 2 * h1;
  const double w1 = 2 * h0 + h1;
  return (w0 + w1) / (w0 / d0 + w1 / d1);
}

}  // namespace

Table::Table(std::vector<double> x, std::vector<double> y, Interpolation interpolation,
             Beyond beyond)
    : x_(std::move(x)), y_(std::move(y)), interpolation_(interpolation), beyond_(beyond) {
  const std::size_t n = x_.size();
  if (n != y_.size()) throw std::invalid_argument("a table needs as many values y as x");
  if (n < 2) throw std::invalid_argument("a table needs two points or more");
  std::vector<double> h(n - 1);
  std::vector<double> d(n - 1);
  for (std::size_t i = 0; i < n; ++i)
    if (!std::isfinite(x_[i]) || !std::isfinite(y_[i]))
      throw std::invalid_argument("point " + std::to_string(i + 1) + " of the table is not finite");
  for (std::size_t i = 0; i + 1 < n; ++i) {
    h[i] = x_[i + 1] - x_[i];
    if (!(h[i] > 0))
      throw std::invalid_argument("x must increase; it does not from point " +
                                  std::to_string(i + 1) + " to the next");
    d[i] = (y_[i + 1] - y_[i]) / h[i];
  }
  const bool extends = beyond == Beyond::extend;
  if (interpolation == Interpolation::smooth) {
    m_.assign(n, extends ? d[0] : 0);
    for (std::size_t i = 1; i + 1 < n; ++i) m_[i] = inner_slope(h[i - 1], h[i], d[i - 1], d[i]);
    if (extends && n > 2) {
      m_[0] = end_slope(h[0], h[1], d[0], d[1]);
      m_[n - 1] = end_slope(h[n - 2], h[n - 3], d[n - 2], d[n - 3]);
    }
  }
  if (!extends) return;
  before_ = m_.empty() ? d.front() : m_.front();
  after_ = m_.empty() ? d.back() : m_.back();
}

std::size_t Table::piece(double x) const {
  const auto above = std::upper_bound(x_.begin() + 1, x_.end() - 1, x);
  return static_cast<std::size_t>(above - x_.begin()) - 1;
}

}  // namespace mechfmu::functions
