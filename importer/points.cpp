#include "importer/points.h"

#include <algorithm>
#include <cmath>

namespace mechfmu {

namespace {

constexpr double same = 1e-6;  // of a step: nearer points are merged

}  // namespace

Grid::Grid(double start, double step) : start_(start), over_(step) {
  const auto try_under = [&](double under) {
    const double over = std::round(step * under);
    if (under_ != 1 || over < 1 || over > 1e6 || over / under != step) return;
    over_ = over;
    under_ = under;
  };
  for (const double under : {1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9}) try_under(under);
  try_under(std::round(1 / step));  // 1/60
}

double Grid::at(std::int64_t i) const { return start_ + static_cast<double>(i) * over_ / under_; }

Points::Points(double start, double stop, double step, std::optional<double> interval,
               std::vector<double> single)
    : stop_(stop),
      near_(same * std::min(step, interval.value_or(step))),
      steps_(start, step),
      rows_(start, interval.value_or(step)),
      single_(std::move(single)) {
  while (next_single_ < single_.size() && single_[next_single_] <= start) ++next_single_;
}

Points::Point Points::next() {
  const double step = steps_.at(step_);
  const double row = rows_.at(row_);
  const double single = next_single_ < single_.size() ? single_[next_single_] : stop_;
  double time = std::min({step, row, single});
  const bool is_row = row <= time + near_;
  const bool is_single = single <= time + near_;
  // a single point determines the time of merged points, so that a jump has its exact time
  if (is_single) time = single;
  if (time >= stop_ - near_) return {stop_, true};

  if (step <= time + near_) ++step_;
  if (is_row) ++row_;
  while (next_single_ < single_.size() && single_[next_single_] <= time + near_) ++next_single_;
  return {time, is_row};
}

double count_steps(double start, double stop, double step) {
  return std::max(1.0, std::ceil((stop - start) / step - same));
}

bool divides(double a, double b) {
  const double ratio = b / a;
  return std::abs(ratio - std::round(ratio)) < same && std::round(ratio) >= 1;
}

}  // namespace mechfmu
