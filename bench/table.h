// Results as text: aligned columns for a terminal, Markdown for the docs, CSV for other programs.

#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fstream>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace mechfmu::bench {

/// 1.234e-05 with the given digits after the point.
inline std::string scientific(double x, int digits = 3) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), x,
                                 std::chars_format::scientific, digits);
  return {text.data(), end.ptr};
}

/// 12.34 with the given digits after the point.
inline std::string fixed(double x, int digits = 2) {
  std::array<char, 64> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), x, std::chars_format::fixed, digits);
  return {text.data(), end.ptr};
}

/// With all digits needed to read the same number again.
inline std::string exactly(double x) {
  std::array<char, 64> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), x).ptr};
}

/// The number of characters, not bytes: names of columns may be Greek.
inline std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

class Table {
 public:
  explicit Table(std::vector<std::string> header) { row(std::move(header)); }

  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  /// Columns of words are aligned to the left, columns of numbers to the right.
  void print(std::ostream& out, bool markdown) const {
    std::vector<std::size_t> widths(rows_.front().size());
    for (const auto& row : rows_)
      for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      print_row(out, rows_[r], widths, markdown);
      if (r == 0 && markdown) {
        for (std::size_t i = 0; i < widths.size(); ++i)
          out << '|' << std::string(widths[i] + 1, '-') << (words(i) ? '-' : ':');
        out << "|\n";
      }
    }
  }

 private:
  bool words(std::size_t column) const {
    return rows_.size() > 1 && std::isalpha(static_cast<unsigned char>(rows_[1][column].front()));
  }

  void print_row(std::ostream& out, const std::vector<std::string>& row,
                 const std::vector<std::size_t>& widths, bool markdown) const {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - width(row[i]), ' ');
      const std::string cell = words(i) ? row[i] + padding : padding + row[i];
      if (markdown)
        out << "| " << cell << ' ';
      else
        out << (i == 0 ? "" : "  ") << cell;
    }
    out << (markdown ? "|\n" : "\n");
  }

  std::vector<std::vector<std::string>> rows_;
};

inline void write_csv(const std::string& path, const std::vector<std::vector<std::string>>& rows) {
  std::ofstream file(path);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) file << (i == 0 ? "" : ",") << row[i];
    file << '\n';
  }
  file.flush();
  if (!file) throw std::runtime_error("cannot write '" + path + "'");
}

}  // namespace mechfmu::bench
