#include "language/expression/csv.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "model_desc/text.h"

namespace mechfmu::expression {

namespace {

constexpr std::string_view blanks = " \t\r";

/// The cells of a line: separated by ; or else , or else blanks.
std::vector<std::string_view> cells(std::string_view line) {
  std::string_view separator = blanks;
  if (line.find(',') != std::string_view::npos) separator = ",";
  if (line.find(';') != std::string_view::npos) separator = ";";
  std::vector<std::string_view> found;
  while (true) {
    const std::size_t end = line.find_first_of(separator);
    found.push_back(trimmed(line.substr(0, end)));
    if (end == std::string_view::npos) return found;
    line.remove_prefix(end + 1);
    if (separator == blanks) line = trimmed(line);
  }
}

std::optional<double> number_in(std::string_view cell) {
  const std::optional<double> x = parse_number(cell);
  return x && std::isfinite(*x) ? x : std::nullopt;
}

std::string quoted(std::string_view cell) {
  constexpr std::size_t longest = 40;
  return "'" + std::string(cell.substr(0, longest)) + (cell.size() > longest ? "...'" : "'");
}

class Reader {
 public:
  Reader(Report& report, int column) : report_(report), column_(static_cast<std::size_t>(column)) {}

  std::vector<double> x, y;
  bool good = true;

  void read(std::string_view line) {
    ++line_;
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) return;
    const std::vector<std::string_view> cell = cells(line);
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
      const std::string_view bad = first ? cell[column_ - 1] : cell[0];
      const bool comma = bad.find(',') != std::string_view::npos;
      return fail(quoted(bad) + " is no number" + (comma ? ": write a decimal point" : ""));
    }
    if (!x.empty() && !(*first > x.back()))
      return fail("x = " + shortest(*first) + " is not above " + shortest(x.back()) +
                  " of the point before: x has to ascend");
    x.push_back(*first);
    y.push_back(*second);
  }

 private:
  static bool starts_number(std::string_view cell) {
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
  if (csv.starts_with("\xef\xbb\xbf")) csv.remove_prefix(3);  // byte order mark
  Reader reader(report, std::max(column, 2));
  while (!csv.empty()) {
    const std::size_t end = csv.find('\n');
    reader.read(csv.substr(0, end));
    csv.remove_prefix(end == std::string_view::npos ? csv.size() : end + 1);
  }
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
