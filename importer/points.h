// The communication points of a run: the grid of steps, the grid of rows, and single ones, each
// once.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace mechfmu {

/// start + i·step, by whole numbers if step is a fraction: 0.1 gives 0.3, not 0.30000000000000004.
class Grid {
 public:
  Grid(double start, double step);
  double at(std::int64_t i) const;

 private:
  double start_, over_ = 0, under_ = 1;  // step = over / under
};

class Points {
 public:
  struct Point {
    double time;
    bool row;  // belongs to the result
  };

  /// `single` is ascending. Without an interval every step is a row.
  Points(double start, double stop, double step, std::optional<double> interval,
         std::vector<double> single);
  /// The next one; the last is stop.
  Point next();

 private:
  double stop_, near_;
  Grid steps_, rows_;
  std::int64_t step_ = 1, row_ = 1;  // of the next points
  std::vector<double> single_;
  std::size_t next_single_ = 0;
};

/// The number of steps of the run; the last one may be shorter.
double count_steps(double start, double stop, double step);
/// Whether b is a multiple of a up to rounding.
bool divides(double a, double b);

}  // namespace mechfmu
