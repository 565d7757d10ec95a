// Tables as text: lines of cells, read and written. The same rules hold for inputs over time,
// tables of mechanism files and results.
//
//   # stroke and force            comments after # and empty lines are skipped
//   time, "force, left"           cells may be in quotes, in which a quote is written twice
//   0; 1.5                        cells are separated by ; or else , or else tabs or blanks
//
// Numbers have a decimal point, in every locale.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mechfmu {

class CsvLines {
 public:
  explicit CsvLines(std::string_view text);

  /// The next line that is not empty; false at the end.
  bool next();

  long number() const { return number_; }  // of the line, from 1
  const std::vector<std::string>& cells() const { return cells_; }
  /// The problem of the line; empty if it has none.
  const std::string& problem() const { return problem_; }

 private:
  void split(std::string_view line);

  std::string_view left_;
  long number_ = 0;
  std::vector<std::string> cells_;
  std::string problem_;
};

/// A cell as written: in quotes if it contains a separator, a quote, # or a blank at an end.
std::string csv_name(const std::string& name);

}  // namespace mechfmu
