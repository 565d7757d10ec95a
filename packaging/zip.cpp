#include "packaging/zip.h"

#include <minizip/unzip.h>
#include <minizip/zip.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <limits>
#include <memory>
#include <set>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "model_desc/text.h"
#include "packaging/temporary.h"

namespace mechfmu {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

constexpr std::chrono::sys_days first_day = 1980y / 1 / 1, last_day = 2107y / 12 / 31;
constexpr std::uintmax_t size_limit = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t count_limit = 65535;
constexpr std::size_t buffer_size = 1 << 16;
constexpr uLong made_by = 3 << 8 | 20;           // Unix, version 2.0
constexpr uLong regular_file = 0100644UL << 16;  // type and permissions as Unix has them

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what); }

std::string quoted(const fs::path& path) { return "'" + path.string() + "'"; }

enum class Letters { ascii, any };

/// The reason why a name is not allowed for an entry; empty if it is.
std::string_view objection(std::string_view name, Letters letters) {
  if (name.empty()) return "is empty";
  if (name.front() == '/') return "is absolute";
  for (const char c : name) {
    if (c == '\\') return "contains a backslash; separate folders by '/'";
    if (c == ':') return "contains a colon, which some systems do not allow in file names";
    const auto code = static_cast<unsigned char>(c);
    if (code < ' ' || code == 0x7f || (code > 0x7f && letters == Letters::ascii))
      return "contains a character that is not printable ASCII";
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
    if (const std::string_view why = objection(file.name, Letters::ascii); !why.empty())
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

/// Functions with which minizip writes to a stream that is open and stays open.
zlib_filefunc64_def into(std::FILE* stream) {
  zlib_filefunc64_def functions{};
  fill_fopen64_filefunc(&functions);
  functions.opaque = stream;
  functions.zopen64_file = [](voidpf opaque, const void*, int) { return opaque; };
  functions.zclose_file = [](voidpf, voidpf opened) {
    return std::fflush(static_cast<std::FILE*>(opened));
  };
  return functions;
}

/// An archive under construction; the destructor removes it unless it is finished.
class Archive {
 public:
  Archive(const fs::path& place, std::chrono::sys_seconds time) : place_(place), file_(place) {
    zlib_filefunc64_def functions = into(file_.stream());
    zip_ = zipOpen2_64(place.c_str(), APPEND_STATUS_CREATE, nullptr, &functions);
    if (zip_ == nullptr) fail("cannot write " + quoted(place_));

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
  }

  void add(const ArchiveFile& file) {
    if (!file.entry.empty()) return copy(file);
    std::ifstream input(file.source, std::ios::binary);
    if (!input) fail("cannot read " + quoted(file.source));
    open(file.name, false);
    std::vector<char> buffer(buffer_size);
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
    if (std::fseek(file_.stream(), 0, SEEK_END) != 0 ||
        static_cast<std::uintmax_t>(std::ftell(file_.stream())) > size_limit)
      fail(quoted(place_) + " would be larger than 2 GiB, too large for an FMU");
    file_.finish();
  }

 private:
  void open(const std::string& name, bool is_deflated) {
    require(zipOpenNewFileInZip4(zip_, name.c_str(), &info_, nullptr, 0, nullptr, 0, nullptr,
                                 Z_DEFLATED, Z_DEFAULT_COMPRESSION, is_deflated ? 1 : 0, -MAX_WBITS,
                                 DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY, nullptr, 0, made_by, 0));
  }

  /// Copies an entry of another archive without inflating it.
  void copy(const ArchiveFile& file) {
    const auto damaged = [&] {
      fail(quoted(file.source) + " has no entry '" + file.entry + "', or is damaged");
    };
    const std::unique_ptr<void, int (*)(unzFile)> from(unzOpen64(file.source.c_str()), unzClose);
    unz_file_info64 info{};
    int method = 0;
    int level = 0;
    if (from == nullptr || unzLocateFile(from.get(), file.entry.c_str(), 1) != UNZ_OK ||
        unzGetCurrentFileInfo64(from.get(), &info, nullptr, 0, nullptr, 0, nullptr, 0) != UNZ_OK ||
        unzOpenCurrentFile2(from.get(), &method, &level, 1) != UNZ_OK || method != Z_DEFLATED)
      damaged();
    info_.internal_fa = info.internal_fa;  // text or not, which only deflating finds out
    open(file.name, true);
    info_.internal_fa = 0;
    std::vector<char> buffer(buffer_size);
    std::uintmax_t left = info.compressed_size;
    while (left > 0) {
      const int read =
          unzReadCurrentFile(from.get(), buffer.data(), static_cast<unsigned>(buffer.size()));
      if (read <= 0) damaged();
      require(zipWriteInFileInZip(zip_, buffer.data(), static_cast<unsigned>(read)));
      left -= static_cast<std::uintmax_t>(read);
    }
    require(zipCloseFileInZipRaw64(zip_, info.uncompressed_size, info.crc));
  }

  void require(int status) const {
    if (status != ZIP_OK) fail("cannot write " + quoted(place_) + "; is the disk full?");
  }

  fs::path place_;
  NewFile file_;
  zipFile zip_ = nullptr;
  zip_fileinfo info_{};
};

/// An archive that is read entry after entry.
class Unpacking {
 public:
  Unpacking(const fs::path& archive, fs::path folder, const UnpackLimits& limits)
      : archive_(archive), folder_(std::move(folder)), limits_(limits) {
    const fs::file_status status = fs::status(archive);
    if (!fs::exists(status)) fail(quoted(archive) + " does not exist");
    if (!fs::is_regular_file(status)) fail(quoted(archive) + " is not a file");
    bytes_allowed_ =
        std::min(limits.bytes, std::max(limits.any_ratio, limits.ratio * fs::file_size(archive)));
    zip_ = unzOpen64(archive.c_str());
    unz_global_info64 info{};
    if (zip_ == nullptr || unzGetGlobalInfo64(zip_, &info) != UNZ_OK) {
      unzClose(zip_);
      fail(quoted(archive) + " is not a zip archive, or is cut off");
    }
    count_ = info.number_entry;
  }

  Unpacking(const Unpacking&) = delete;
  Unpacking& operator=(const Unpacking&) = delete;

  ~Unpacking() {
    unzClose(zip_);
    std::error_code ignored;
    if (finished_ || !begun_) return;
    if (!existed_) {
      fs::remove_all(folder_, ignored);
      return;
    }
    for (const fs::directory_entry& made : fs::directory_iterator(folder_, ignored))
      fs::remove_all(made.path(), ignored);
  }

  void run() {
    if (count_ > limits_.entries)
      fail(quoted(archive_) + " has " + std::to_string(count_) + " entries, more than the " +
           std::to_string(limits_.entries) + " allowed");
    existed_ = fs::exists(folder_);
    if (existed_ && (!fs::is_directory(folder_) || !fs::is_empty(folder_)))
      fail(quoted(folder_) + " is not an empty folder to unpack " + quoted(archive_) + " in");
    begun_ = true;
    fs::create_directories(folder_);
    for (std::uintmax_t i = 0; i < count_; ++i) {
      if ((i == 0 ? unzGoToFirstFile(zip_) : unzGoToNextFile(zip_)) != UNZ_OK)
        fail(quoted(archive_) + " is damaged: its table of contents ends after " +
             std::to_string(i) + " of " + std::to_string(count_) + " entries");
      entry();
    }
    finished_ = true;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    constexpr std::size_t longest = 300;
    fail(quoted(archive_) + ": entry '" + plain_line(name_, longest) + "' " + why);
  }

  static bool is_full(int error) {
    return error == ENOSPC || error == EDQUOT || error == EROFS || error == EACCES;
  }
  [[noreturn]] void no_space(const fs::path& target) const {
    throw CannotUnpack(quoted(archive_) + " cannot be unpacked: " + plain_line(quoted(target)) +
                       " cannot be written; is the disk full?");
  }

  void entry() {
    unz_file_info64 info{};
    name_ = "?";
    if (unzGetCurrentFileInfo64(zip_, &info, nullptr, 0, nullptr, 0, nullptr, 0) != UNZ_OK)
      refuse("is damaged");
    std::string name(info.size_filename, '\0');
    if (unzGetCurrentFileInfo64(zip_, &info, name.data(), info.size_filename, nullptr, 0, nullptr,
                                0) != UNZ_OK)
      refuse("is damaged");
    name_ = std::move(name);

    const bool is_folder = name_.size() > 1 && name_.ends_with('/');
    const std::string_view path = std::string_view(name_).substr(0, name_.size() - is_folder);
    if (const std::string_view why = objection(path, Letters::any); !why.empty())
      refuse(std::string(why));
    // Unix and macOS keep the kind of a file in the upper half
    const uLong system = info.version >> 8;
    const uLong kind = system == 3 || system == 19 ? info.external_fa >> 28 : 0;
    if (kind == 012) refuse("is a symbolic link");
    if (kind != 0 && kind != 010 && kind != 004) refuse("is neither a file nor a folder");
    if ((info.flag & 1) != 0) refuse("is encrypted");
    if (info.compression_method != 0 && info.compression_method != Z_DEFLATED)
      refuse("is packed by method " + std::to_string(info.compression_method) +
             "; FMUs are packed by 'deflate'");
    if (!names_.emplace(path).second) refuse("appears twice");

    if (static_cast<std::size_t>(std::ranges::count(path, '/')) > limits_.depth)
      refuse("lies in more than the " + std::to_string(limits_.depth) + " folders allowed");

    const fs::path target = folder_ / path;
    const std::size_t slash = path.rfind('/');
    make_folders(path.substr(0, is_folder ? path.size() : slash == path.npos ? 0 : slash));
    if (!is_folder) unpack(target, info.uncompressed_size);
  }

  void count_one() {
    if (++made_ > limits_.entries)
      refuse("makes more than the " + std::to_string(limits_.entries) +
             " files and folders allowed");
  }

  /// Every folder counts: a long name may contain many.
  void make_folders(std::string_view path) {
    for (std::size_t end = 0; end < path.size();) {
      end = std::min(path.find('/', end + 1), path.size());
      const fs::path folder = folder_ / path.substr(0, end);
      std::error_code error;
      if (fs::create_directory(folder, error)) count_one();
      if (is_full(error.value())) no_space(folder);
      if (error) refuse("cannot be unpacked: " + error.message());
    }
  }

  void unpack(const fs::path& target, std::uintmax_t size) {
    if (unzOpenCurrentFile(zip_) != UNZ_OK) refuse("is damaged");
    count_one();
    std::ofstream output(target, std::ios::binary);
    if (!output && is_full(errno)) no_space(target);
    if (!output) refuse("cannot be unpacked: " + std::generic_category().message(errno));
    buffer_.resize(buffer_size);
    std::uintmax_t written = 0;
    while (true) {
      const int read =
          unzReadCurrentFile(zip_, buffer_.data(), static_cast<unsigned>(buffer_.size()));
      if (read < 0) refuse("is damaged");
      if (read == 0) break;
      bytes_ += static_cast<std::uintmax_t>(read);
      if (bytes_ > bytes_allowed_)
        refuse(bytes_allowed_ < limits_.bytes
                   ? "unpacks to more than " + std::to_string(limits_.ratio) +
                         " times the size of the archive"
                   : "unpacks to more than the " + std::to_string(limits_.bytes) +
                         " bytes allowed");
      output.write(buffer_.data(), read);
      written += static_cast<std::uintmax_t>(read);
    }
    // minizip looks at the checksum only where the size is right
    if (written != size) refuse("is damaged: its size is wrong");
    if (unzCloseCurrentFile(zip_) != UNZ_OK) refuse("is damaged: its checksum is wrong");
    output.close();
    if (!output) no_space(target);
  }

  const fs::path& archive_;
  fs::path folder_;
  const UnpackLimits& limits_;
  unzFile zip_ = nullptr;
  std::uintmax_t count_ = 0, bytes_ = 0, bytes_allowed_ = 0;
  std::size_t made_ = 0;  // files and folders
  bool existed_ = false, begun_ = false, finished_ = false;
  std::string name_;  // of the present entry
  std::set<std::string, std::less<>> names_;
  std::vector<char> buffer_;
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

std::vector<ArchiveFile> files_in(const fs::path& archive) {
  const std::unique_ptr<void, int (*)(unzFile)> from(unzOpen64(archive.c_str()), unzClose);
  std::vector<ArchiveFile> files;
  if (from == nullptr) fail(quoted(archive) + " cannot be read");
  int status = unzGoToFirstFile(from.get());
  for (; status == UNZ_OK; status = unzGoToNextFile(from.get())) {
    char name[1024];
    if (unzGetCurrentFileInfo64(from.get(), nullptr, name, sizeof name, nullptr, 0, nullptr, 0) !=
        UNZ_OK)
      break;
    files.push_back({name, archive, name});
  }
  if (status != UNZ_END_OF_LIST_OF_FILE) fail(quoted(archive) + " is damaged");
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

void extract(const fs::path& archive, const fs::path& folder, const UnpackLimits& limits) {
  Unpacking(archive, folder, limits).run();
}

}  // namespace mechfmu
