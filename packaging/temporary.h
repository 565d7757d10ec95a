// Files and folders that nobody else can prepare, guess or meet: their names are random and they are made, never found.

#pragma once

#include <cstdio>
#include <filesystem>

namespace mechfmu {

/// $TMPDIR, or /tmp.
std::filesystem::path temporary_place();

/// A folder that is removed with all that is in it; only its owner may look into it.
class TemporaryFolder {
 public:
  /// Throws std::runtime_error that names the place where no folder can be made.
  TemporaryFolder();
  explicit TemporaryFolder(const std::filesystem::path& place);
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// A file that is at its place when it is complete, and not before: written beside it, then moved. Whoever else writes to
/// the same place at the same time does so to another file. These throw std::runtime_error that names the place.
class NewFile {
 public:
  explicit NewFile(const std::filesystem::path& place);
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();
  std::FILE* stream() const { return stream_; }
  void finish();

 private:
  std::filesystem::path place_, unfinished_;
  std::FILE* stream_ = nullptr;
};

}  // namespace mechfmu
