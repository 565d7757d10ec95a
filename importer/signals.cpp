#include "importer/signals.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "model_desc/csv.h"
#include "model_desc/text.h"

namespace mechfmu {

namespace {

class Reader {
 public:
  explicit Reader(const std::string& file) { made_.file = file; }

  Signals read(std::string_view content) {
    bool begun = false;
    for (CsvLines lines(content); lines.next(); begun = true) {
      line_ = lines.number();
      if (!lines.problem().empty()) fail(lines.problem());
      begun ? row(lines.cells()) : header(lines.cells());
    }
    line_ = 0;
    if (!begun) fail("the file is empty; it should begin with a line like time,u1,u2");
    if (made_.times.empty()) fail("there are no rows below the header");
    return std::move(made_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(made_.file + (line_ > 0 ? ":" + std::to_string(line_) : "") + ": " +
                             what);
  }

  void header(const std::vector<std::string>& cells) {
    if (cells[0] != "time")
      fail("the first column is '" + cells[0].substr(0, 40) + "', not 'time'");
    made_.names.assign(cells.begin() + 1, cells.end());
    if (made_.names.empty()) fail("there is no column besides time");
    for (auto name = made_.names.begin(); name != made_.names.end(); ++name) {
      if (name->empty())
        fail("column " + std::to_string(name - made_.names.begin() + 2) + " has no name");
      if (std::find(made_.names.begin(), name, *name) != name)
        fail("two columns are named '" + *name + "'");
    }
  }

  void row(const std::vector<std::string>& cells) {
    const std::size_t wanted = made_.names.size() + 1;
    if (cells.size() != wanted)
      fail("this row has " + std::to_string(cells.size()) + " columns, the header has " +
           std::to_string(wanted));
    for (std::size_t i = 0; i < wanted; ++i) {
      const std::optional<double> number = parse_number(cells[i]);
      if (!number || !std::isfinite(*number))
        fail("'" + cells[i].substr(0, 40) + "' in column '" +
             (i == 0 ? "time" : made_.names[i - 1]) + "' is not a finite number");
      if (i > 0) {
        made_.values.push_back(*number);
        continue;
      }
      if (!made_.times.empty() && *number < made_.times.back())
        fail("time goes back from " + shortest(made_.times.back()) + " to " + shortest(*number));
      made_.times.push_back(*number);
    }
  }

  Signals made_;
  long line_ = 0;
};

using Rows = std::vector<double>::const_iterator;

/// Value at t on the line through the rows before and at `next`.
double line(const Signals& s, std::size_t column, Rows next, double t) {
  const auto row = static_cast<std::size_t>(next - s.times.begin());
  if (row == 0) return s.at(0, column);
  const double u0 = s.at(row - 1, column);
  if (row == s.times.size()) return u0;
  return std::lerp(u0, s.at(row, column),
                   (t - s.times[row - 1]) / (s.times[row] - s.times[row - 1]));
}

}  // namespace

double Signals::before(std::size_t column, double t) const {
  const auto next = std::ranges::lower_bound(times, t);
  if (next != times.end() && *next == t)
    return at(static_cast<std::size_t>(next - times.begin()), column);
  return line(*this, column, next, t);
}

double Signals::after(std::size_t column, double t) const {
  const auto next = std::ranges::upper_bound(times, t);
  if (next != times.begin() && *std::prev(next) == t)
    return at(static_cast<std::size_t>(next - times.begin()) - 1, column);
  return line(*this, column, next, t);
}

double Signals::held(std::size_t column, double t) const {
  const auto next = std::ranges::upper_bound(times, t);
  const auto row = static_cast<std::size_t>(next - times.begin());
  return at(row == 0 ? 0 : row - 1, column);
}

double Signals::mean(std::size_t column, double from, double to) const {
  // trapezoids between the rows inside
  double integral = 0;
  double t = from;
  double u = after(column, from);
  for (auto row = std::ranges::upper_bound(times, from); row != times.end() && *row < to; ++row) {
    const double next = at(static_cast<std::size_t>(row - times.begin()), column);
    integral += (*row - t) * (u + next) / 2;
    t = *row;
    u = next;
  }
  integral += (to - t) * (u + before(column, to)) / 2;
  return integral / (to - from);
}

Signals read_signals(std::string_view content, const std::string& file) {
  return Reader(file).read(content);
}

Signals read_signals(const std::filesystem::path& file) {
  std::ifstream input(file, std::ios::binary);
  if (!input || std::filesystem::is_directory(file))
    throw std::runtime_error("cannot read '" + file.string() + "'");
  const std::string content{std::istreambuf_iterator<char>(input), {}};
  return read_signals(content, file.string());
}

}  // namespace mechfmu
