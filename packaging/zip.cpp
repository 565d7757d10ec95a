#include "packaging/zip.h"

#include <minizip/zip.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string_view>

namespace mechfmu {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

constexpr std::chrono::sys_days first_day = 1980y / 1 / 1, last_day = 2107y / 12 / 31;
constexpr std::uintmax_t size_limit = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t count_limit = 65535;
constexpr uLong made_by = 3 << 8 | 20;           // Unix, version 2.0
constexpr uLong regular_file = 0100644UL << 16;  // type and permissions as Unix has them

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what); }

std::string quoted(const fs::path& path) { return "'" + path.string() + "'"; }

/// Why a name is no name for an entry; empty when it is one.
std::string_view objection(std::string_view name) {
  if (name.empty()) return "is empty";
  if (name.front() == '/') return "is absolute";
  for (const char c : name) {
    if (c == '\\') return "contains a backslash; separate folders by '/'";
    if (c == ':') return "contains a colon, which some systems do not allow in file names";
    if (c < ' ' || c > '~') return "contains a character that is not printable ASCII";
  }
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    const std::string_view part = name.substr(begin, end - begin);
    if (part.empty() || part == "." || part == "..") return "has an empty, '.' or '..' component";
    begin = end + 1;
  }
  return {};
}

void check(const std::vector<ArchiveFile>& files) {
  if (files.empty()) fail("there are no files to pack");
  if (files.size() > count_limit) fail("more files than a zip archive can hold");
  for (const ArchiveFile& file : files) {
    if (const std::string_view why = objection(file.name); !why.empty())
      fail("the name '" + file.name + "' in the archive " + std::string(why));
    const fs::file_status status = fs::symlink_status(file.source);
    if (!fs::exists(status)) fail(quoted(file.source) + " does not exist");
    if (!fs::is_regular_file(status))
      fail(quoted(file.source) + " is not a regular file; links and devices are not packed");
    if (fs::file_size(file.source) > size_limit)
      fail(quoted(file.source) + " is larger than 2 GiB, too large for an FMU");
  }
  const auto same_name = [](const auto& a, const auto& b) { return a.name == b.name; };
  const auto twin = std::adjacent_find(files.begin(), files.end(), same_name);
  if (twin != files.end())
    fail("two files would become '" + twin->name + "': " + quoted(twin->source) + " and " +
         quoted((twin + 1)->source));
}

/// An archive under construction; it vanishes unless it is finished.
class Archive {
 public:
  Archive(fs::path place, std::chrono::sys_seconds time) : place_(std::move(place)) {
    unfinished_ = place_;
    unfinished_ += ".part";
    zip_ = zipOpen64(unfinished_.c_str(), APPEND_STATUS_CREATE);
    if (zip_ == nullptr) fail("cannot write " + quoted(unfinished_));

    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(time - day);
    info_.tmz_date.tm_year = static_cast<uInt>(static_cast<int>(date.year()));
    info_.tmz_date.tm_mon = static_cast<unsigned>(date.month()) - 1;
    info_.tmz_date.tm_mday = static_cast<unsigned>(date.day());
    info_.tmz_date.tm_hour = static_cast<uInt>(clock.hours().count());
    info_.tmz_date.tm_min = static_cast<uInt>(clock.minutes().count());
    info_.tmz_date.tm_sec = static_cast<uInt>(clock.seconds().count());
    info_.external_fa = regular_file;
  }

  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  ~Archive() {
    if (zip_ != nullptr) zipClose(zip_, nullptr);
    std::error_code ignored;
    if (!unfinished_.empty()) fs::remove(unfinished_, ignored);
  }

  void add(const ArchiveFile& file) {
    std::ifstream input(file.source, std::ios::binary);
    if (!input) fail("cannot read " + quoted(file.source));
    require(zipOpenNewFileInZip4(zip_, file.name.c_str(), &info_, nullptr, 0, nullptr, 0, nullptr,
                                 Z_DEFLATED, Z_DEFAULT_COMPRESSION, 0, -MAX_WBITS, DEF_MEM_LEVEL,
                                 Z_DEFAULT_STRATEGY, nullptr, 0, made_by, 0));
    std::vector<char> buffer(1 << 16);
    while (input) {
      input.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
      require(zipWriteInFileInZip(zip_, buffer.data(), static_cast<unsigned>(input.gcount())));
    }
    if (input.bad()) fail("cannot read " + quoted(file.source));
    require(zipCloseFileInZip(zip_));
  }

  void finish() {
    const int status = zipClose(zip_, nullptr);
    zip_ = nullptr;
    require(status);
    if (fs::file_size(unfinished_) > size_limit)
      fail(quoted(place_) + " would be larger than 2 GiB, too large for an FMU");
    fs::rename(unfinished_, place_);
    unfinished_.clear();
  }

 private:
  void require(int status) const {
    if (status != ZIP_OK) fail("cannot write " + quoted(unfinished_) + "; is the disk full?");
  }

  fs::path place_, unfinished_;
  zipFile zip_ = nullptr;
  zip_fileinfo info_{};
};

}  // namespace

std::vector<ArchiveFile> files_below(const fs::path& folder) {
  if (!fs::is_directory(folder)) fail(quoted(folder) + " is not a folder");
  std::vector<ArchiveFile> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_symlink()) fail(quoted(entry.path()) + " is a link; links are not packed");
    if (!entry.is_directory())
      files.push_back({entry.path().lexically_relative(folder).generic_string(), entry.path()});
  }
  return files;
}

ArchiveFile parse_archive_file(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0)
    fail("'" + text + "' is not of the form <file>=<path in the archive>");
  return {text.substr(equals + 1), text.substr(0, equals)};
}

std::chrono::sys_seconds entry_time(const char* source_date_epoch) {
  if (source_date_epoch == nullptr) return first_day;
  const std::string_view text(source_date_epoch);
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size())
    fail("SOURCE_DATE_EPOCH must be a number of seconds, not '" + std::string(text) + "'");
  const std::chrono::sys_seconds earliest = first_day, latest = last_day;
  return std::clamp(std::chrono::sys_seconds(std::chrono::seconds(seconds)), earliest, latest);
}

void write_zip(const fs::path& archive, std::vector<ArchiveFile> files,
               std::chrono::sys_seconds time) {
  std::ranges::sort(files, {}, &ArchiveFile::name);
  check(files);
  if (archive.has_parent_path()) fs::create_directories(archive.parent_path());
  Archive unfinished(archive, time);
  for (const ArchiveFile& file : files) unfinished.add(file);
  unfinished.finish();
}

}  // namespace mechfmu
