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

class Reader {
 public:
  Reader(Report& report, int column) : report_(report), column_(static_cast<std::size_t>(column)) {}

  std::vector<double> x, y;
  bool good = true;

  void read(const CsvLines& line) {
    line_ = line.number();
    const std::vector<std::string>& cell = line.cells();
    if (!line.problem().empty()) return fail(line.problem());
    const bool heading =
        !begun_ && !number_in(cell[0]) && !cell[0].empty() && !starts_number(cell[0]);
    begun_ = true;
    if (heading) return;
    if (cell.size() < column_)
      return fail("this line has " + std::to_string(cell.size()) + " column" +
                  (cell.size() == 1 ? "" : "s") + ", " + std::to_string(column_) +
                  " are needed: write x, y");
    const std::optional<double> first = number_in(cell[0]);
    const std::optional<double> second = number_in(cell[column_ - 1]);
    if (!first || !second) {
      const std::string& bad = first ? cell[column_ - 1] : cell[0];
      const bool comma = bad.find(',') != std::string::npos;
      return fail(quoted(bad) + " is no number" + (comma ? ": write a decimal point" : ""));
    }
    if (!x.empty() && !(*first > x.back()))
      return fail("x = " + shortest(*first) + " is not above " + shortest(x.back()) +
                  " of the point before: x has to ascend");
    x.push_back(*first);
    y.push_back(*second);
  }

 private:
  static bool starts_number(const std::string& cell) {
    return is_digit(cell[0]) || cell[0] == '-' || cell[0] == '+' || cell[0] == '.';
  }
  void fail(const std::string& what) {
    good = false;
    const long before = std::exchange(report_.place.line, line_);
    report_.error(0, what);
    report_.place.line = before;
  }

  Report& report_;
  std::size_t column_;
  long line_ = 0;
  bool begun_ = false;
};

}  // namespace

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
