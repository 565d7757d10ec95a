#include "packaging/cache_entry.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "packaging/temporary.h"

namespace mechfmu {

namespace fs = std::filesystem;

namespace {

constexpr const char* contents_file = "contents";
constexpr std::size_t hash_size = 16;

/// Where a file system has no locks, two programs may replace an entry twice.
class Lock {
 public:
  explicit Lock(const fs::path& file)
      : file_(open(file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR)) {
    if (file_ >= 0) (void)flock(file_, LOCK_EX);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() {
    if (file_ >= 0) close(file_);
  }

 private:
  int file_;
};

void write_contents(const fs::path& entry, const std::vector<fs::path>& sources) {
  std::string lines;
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(entry))
    if (file.is_regular_file())
      lines += hash_of(content_of(file.path())) + " " +
               file.path().lexically_relative(entry).string() + "\n";
  for (const fs::path& source : sources)
    lines += hash_of(content_of(source)) + " " + fs::absolute(source).string() + "\n";
  std::ofstream file(entry / contents_file, std::ios::binary);
  file << hash_of(lines) << "\n" << lines;
  file.close();
  if (!file) throw std::runtime_error("cannot write " + (entry / contents_file).string());
}

/// What goes is moved to a folder that is removed: nobody finds half of it.
void shrink(const fs::path& cache, std::size_t most_kept, const fs::path& away) {
  std::error_code none;
  std::vector<std::pair<fs::file_time_type, fs::path>> all;
  for (const fs::directory_entry& entry : fs::directory_iterator(cache, none))
    if (entry.is_directory(none) && entry.path() != away)
      all.emplace_back(entry.last_write_time(none), entry.path());
  std::sort(all.begin(), all.end());
  for (std::size_t i = 0; i + most_kept < all.size(); ++i)
    fs::rename(all[i].second, away / std::to_string(i), none);
}

}  // namespace

std::string hash_of(const std::string& text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[(hash >> shift) & 15];
  return digits;
}

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool is_current(const fs::path& entry) {
  const std::string all = content_of(entry / contents_file);
  if (all.size() <= hash_size || all[hash_size] != '\n') return false;
  if (all.substr(0, hash_size) != hash_of(all.substr(hash_size + 1))) return false;
  std::istringstream lines(all.substr(hash_size + 1));
  for (std::string line; std::getline(lines, line);)
    if (line.size() <= hash_size + 1 ||
        line.substr(0, hash_size) != hash_of(content_of(entry / line.substr(hash_size + 1))))
      return false;
  return true;
}

std::vector<fs::path> sources_of(const fs::path& entry) {
  std::istringstream lines(content_of(entry / contents_file));
  std::vector<fs::path> found;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line))
    if (const fs::path path = line.substr(std::min(line.size(), hash_size + 1)); path.is_absolute())
      found.push_back(path);
  return found;
}

bool keep_entry(const fs::path& cache, const std::string& name, const fs::path& folder,
                const std::vector<fs::path>& sources, std::size_t most_kept) {
  try {
    const fs::path place = cache / name;
    const TemporaryFolder work(cache);
    const fs::path made = work.path() / "made";
    fs::copy(folder, made, fs::copy_options::recursive);
    write_contents(made, sources);
    const Lock lock(cache / "lock");
    if (!is_current(place)) {
      std::error_code none;
      fs::rename(place, work.path() / "damaged", none);
      fs::rename(made, place);
    }
    shrink(cache, most_kept, work.path());
    return is_current(place);
  } catch (const std::runtime_error&) {  // no space, no right to write: a cache is not needed
    return false;
  }
}

}  // namespace mechfmu
