// Files and folders that other users can neither prepare nor guess: their names are random, and
// they are always created, never reused.

#pragma once

#include <cstdio>
#include <filesystem>

namespace mechfmu {

/// $TMPDIR, or /tmp.
std::filesystem::path temporary_place();

/// A folder that only its owner may read, removed with its contents by the destructor.
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

/// A file that appears in its place only when it is complete: written beside it, then moved.
/// Another program that writes to the same place at the same time has another file. The functions
/// throw std::runtime_error that names the place.
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
