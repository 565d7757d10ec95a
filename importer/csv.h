// Writes results to a file row by row: after a killed run, the file contains the rows until then.

#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

namespace mechfmu {

class CsvFile {
 public:
  /// These throw std::runtime_error that names the file if it cannot be written.
  explicit CsvFile(const std::filesystem::path& file);
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;
  ~CsvFile() { file_ << waiting_; }
  void header(const std::vector<std::string>& names);
  void row(std::span<const double> values);
  void close();

 private:
  void flush();

  std::filesystem::path path_;
  std::ofstream file_;
  std::string waiting_;  // whole rows
  std::chrono::steady_clock::time_point flushed_;
};

}  // namespace mechfmu
