#include "importer/csv.h"

#include <array>
#include <charconv>
#include <stdexcept>

#include "model_desc/csv.h"

namespace mechfmu {

namespace {

constexpr std::size_t large = 1 << 16;
constexpr std::chrono::milliseconds pause(500);

}  // namespace

CsvFile::CsvFile(const std::filesystem::path& file)
    : path_(file), file_(file, std::ios::binary), flushed_(std::chrono::steady_clock::now()) {
  if (!file_) throw std::runtime_error("cannot write '" + path_.string() + "'");
}

void CsvFile::header(const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i)
    waiting_ += (i > 0 ? "," : "") + csv_name(names[i]);
  waiting_ += '\n';
  flush();
}

void CsvFile::row(std::span<const double> values) {
  std::array<char, 32> text{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) waiting_ += ',';
    waiting_.append(text.data(),
                    std::to_chars(text.data(), text.data() + text.size(), values[i]).ptr);
  }
  waiting_ += '\n';
  if (waiting_.size() > large || std::chrono::steady_clock::now() - flushed_ > pause) flush();
}

void CsvFile::flush() {
  file_.write(waiting_.data(), static_cast<std::streamsize>(waiting_.size()));
  file_.flush();
  if (!file_) throw std::runtime_error("cannot write '" + path_.string() + "'; is the disk full?");
  waiting_.clear();
  flushed_ = std::chrono::steady_clock::now();
}

void CsvFile::close() {
  flush();
  file_.close();
  if (!file_) throw std::runtime_error("cannot write '" + path_.string() + "'; is the disk full?");
}

}  // namespace mechfmu
