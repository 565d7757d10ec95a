#include "language/expression/csv.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "model_desc/csv.h"
#include "model_desc/text.h"

namespace mechfmu::expression {

namespace {

std::optional<double> number_in(std::string_view cell) {
  const std::optional<double> x = parse_number(cell);
  return x && std::isfinite(*x) ? x : std::nullopt;
}

std::string quoted(const std::string& cell) {
  constexpr std::size_t longest = 40;
  return "'" + cell.substr(0, longest) + (cell.size() > longest ? "...'" : "'");
}

/// Lines of numbers, after an optional heading; reports their errors.
class Lines {
 public:
  explicit Lines(Report& report) : report_(report) {}
  bool good = true;

 protected:
  /// The cells of a line with numbers.
  const std::vector<std::string>* cells(const CsvLines& line) {
    line_ = line.number();
    const std::vector<std::string>& cell = line.cells();
    if (!line.problem().empty()) return fail(line.problem()), nullptr;
    const bool heading =
        !begun_ && !number_in(cell[0]) && !cell[0].empty() && !starts_number(cell[0]);
    begun_ = true;
    return heading ? nullptr : &cell;
  }
  void no_number(const std::string& bad) {
    const bool comma = bad.find(',') != std::string::npos;
    fail(quoted(bad) + " is not a number" + (comma ? ": write a decimal point" : ""));
  }
  void fail(const std::string& what) {
    good = false;
    const long before = std::exchange(report_.place.line, line_);
    report_.error(0, what);
    report_.place.line = before;
  }

 private:
  static bool starts_number(const std::string& cell) {
    return is_digit(cell[0]) || cell[0] == '-' || cell[0] == '+' || cell[0] == '.';
  }

  Report& report_;
  long line_ = 0;
  bool begun_ = false;
};

class OutlineReader : Lines {
 public:
  explicit OutlineReader(Report& report) : Lines(report) {}
  using Lines::good;
  std::vector<double> numbers;

  void read(const CsvLines& line) {
    const std::vector<std::string>* cell = cells(line);
    if (cell == nullptr) return;
    if (cell->size() < 2) return fail("this line has 1 column; write x, y or x, y, bulge");
    for (std::size_t i = 0; i < 3; ++i) {
      const std::optional<double> number = i < cell->size() ? number_in((*cell)[i]) : 0.0;
      if (!number) return no_number((*cell)[i]);
      numbers.push_back(*number);
    }
  }
};

class Reader : Lines {
 public:
  using Lines::good;
  Reader(Report& report, int column) : Lines(report), column_(static_cast<std::size_t>(column)) {}

  std::vector<double> x, y;

  void read(const CsvLines& line) {
    const std::vector<std::string>* const there = cells(line);
    if (there == nullptr) return;
    const std::vector<std::string>& cell = *there;
    if (cell.size() < column_)
      return fail("this line has " + std::to_string(cell.size()) + " column" +
                  (cell.size() == 1 ? "" : "s") + ", " + std::to_string(column_) +
                  " are required: x, y");
    const std::optional<double> first = number_in(cell[0]);
    const std::optional<double> second = number_in(cell[column_ - 1]);
    if (!first || !second) return no_number(first ? cell[column_ - 1] : cell[0]);
    if (!x.empty() && !(*first > x.back()))
      return fail("x = " + shortest(*first) + " is not above " + shortest(x.back()) +
                  " of the previous point: x must increase");
    x.push_back(*first);
    y.push_back(*second);
  }

 private:
  std::size_t column_;
};

}  // namespace

std::vector<double> read_outline(std::string_view csv, Report& report) {
  OutlineReader reader(report);
  for (CsvLines lines(csv); lines.next();) reader.read(lines);
  if (reader.good && reader.numbers.empty())
    report.error(0, "it has no points; write x, y, bulge of one in each line");
  return reader.good ? std::move(reader.numbers) : std::vector<double>();
}

std::shared_ptr<const functions::Table> read_table(std::string_view csv, Report& report, int column,
                                                   functions::Interpolation interpolation,
                                                   functions::Beyond beyond) {
  Reader reader(report, std::max(column, 2));
  for (CsvLines lines(csv); lines.next();) reader.read(lines);
  if (!reader.good) return nullptr;
  try {
    return std::make_shared<const functions::Table>(std::move(reader.x), std::move(reader.y),
                                                    interpolation, beyond);
  } catch (const std::invalid_argument& error) {
    report.error(0, error.what());
    return nullptr;
  }
}

}  // namespace mechfmu::expression
