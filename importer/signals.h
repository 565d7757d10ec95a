// Inputs over time, from a table:
//
//   time,torque,brake
//   0,0,0
//   0.5,2.5,0
//   0.5,1,1          two rows of one time: a jump
//
// model_desc/csv.h has the rules of lines and cells. Between rows, values follow a straight line,
// or keep the value of the row before with `held`. Before the first row and after the last one they
// are constant.

#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace mechfmu {

struct Signals {
  std::string file;                // for messages
  std::vector<std::string> names;  // of the columns, without time
  std::vector<double> times;       // of the rows, ascending
  std::vector<double> values;      // row after row

  bool empty() const { return names.empty(); }
  double at(std::size_t row, std::size_t column) const {
    return values[row * names.size() + column];
  }

  double before(std::size_t column, double t) const;  // limit from the left
  double after(std::size_t column, double t) const;   // limit from the right
  // of the last row until t, otherwise of the first
  double held(std::size_t column, double t) const;
  double mean(std::size_t column, double from, double to) const;
};

/// Throw std::runtime_error with one line, "u.csv:3: …".
Signals read_signals(const std::filesystem::path& file);
Signals read_signals(std::string_view content, const std::string& file);

}  // namespace mechfmu
