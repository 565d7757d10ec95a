#include "packaging/temporary.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>

#include "packaging/leftovers.h"

namespace mechfmu {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void cannot_write(const fs::path& place, int why) {
  throw std::runtime_error("cannot write '" + place.string() + "': " + std::strerror(why));
}

/// A short name, independent of the name of the file: the length of names is limited.
std::string random_name() {
  std::random_device random;
  std::string name = ".mechfmu_";
  for (int i = 0; i < 12; ++i) name += "0123456789abcdefghijklmnopqrstuv"[random() % 32];
  return name + ".part";
}

}  // namespace

fs::path temporary_place() {
  const char* given = std::getenv("TMPDIR");
  return given != nullptr && *given != '\0' ? given : "/tmp";
}

TemporaryFolder::TemporaryFolder() : TemporaryFolder(temporary_place()) {}

TemporaryFolder::TemporaryFolder(const fs::path& place) {
  path_ = make_leftover([&]() -> fs::path {
    std::string pattern = fs::absolute(place / "mechfmu_XXXXXX").string();
    return mkdtemp(pattern.data()) == nullptr ? fs::path() : fs::path(pattern);
  });
  if (path_.empty())
    throw std::runtime_error("cannot make a folder in " + place.string() + ": " +
                             std::strerror(errno) + "; set TMPDIR to another folder");
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  forget_leftover(path_);
}

NewFile::NewFile(const fs::path& place) : place_(place) {
  int descriptor = -1;
  do {
    unfinished_ = make_leftover([&] {
      const fs::path made = fs::absolute(fs::path(place).replace_filename(random_name()));
      // never through a link, never into an existing file
      descriptor = open(made.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                        S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH);
      return descriptor < 0 ? fs::path() : made;
    });
  } while (descriptor < 0 && errno == EEXIST);
  if (descriptor < 0) cannot_write(place, errno);
  stream_ = fdopen(descriptor, "w+b");
  if (stream_ == nullptr) cannot_write(place, errno);
}

NewFile::~NewFile() {
  if (stream_ != nullptr) std::fclose(stream_);
  if (unfinished_.empty()) return;
  unlink(unfinished_.c_str());
  forget_leftover(unfinished_);
}

void NewFile::finish() {
  std::FILE* stream = stream_;
  stream_ = nullptr;
  if (std::fclose(stream) != 0) cannot_write(place_, errno);
  if (std::rename(unfinished_.c_str(), place_.c_str()) != 0) cannot_write(place_, errno);
  forget_leftover(unfinished_);
  unfinished_.clear();
}

}  // namespace mechfmu
