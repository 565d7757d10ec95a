#include "packaging/cache.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

#include "model_desc/mechanism_cpp.h"
#include "model_desc/origin.h"
#include "packaging/zip.h"

namespace mechfmu {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_kept = 20;
constexpr const char* sources_file = "sources";  // written last

fs::path cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0')
    return fs::path(cache) / "mechfmu";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
    return fs::path(home) / ".cache" / "mechfmu";
  return fs::temp_directory_path() / ("mechfmu_cache_" + std::to_string(getuid()));
}

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// FNV-1a, 64 bits
std::string hash_of(const std::string& text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[(hash >> shift) & 15];
  return digits;
}

std::string key_of(const LoadedMechanism& mechanism, const Kit& kit,
                   const std::vector<fs::path>& sources) {
  std::string all = tool_name() + content_of(kit.file);
  for (const std::string& word : kit.compiler) all += word + "\n";
  for (const auto* list : {&kit.objects, &kit.archives, &kit.describe_archives})
    for (const std::string& path : *list) {
      std::error_code none;
      all += path + std::to_string(fs::last_write_time(path, none).time_since_epoch().count());
    }
  all += mechanism_cpp(mechanism.plan);
  for (const fs::path& source : sources) all += fs::absolute(source).string() + content_of(source);
  return hash_of(all);
}

/// "<hash> <path>" a line: what the sources included when they were compiled.
std::string with_hashes(const std::vector<fs::path>& files) {
  std::string text;
  for (const fs::path& file : files)
    text += hash_of(content_of(file)) + " " + fs::absolute(file).string() + "\n";
  return text;
}

bool is_current(const fs::path& place) {
  std::ifstream in(place / sources_file);
  if (!in) return false;
  for (std::string line; std::getline(in, line);)
    if (line.substr(0, 16) != hash_of(content_of(line.substr(17)))) return false;
  return true;
}

void shrink(const fs::path& cache) {
  std::error_code none;
  std::vector<std::pair<fs::file_time_type, fs::path>> all;
  for (const fs::directory_entry& entry : fs::directory_iterator(cache, none))
    all.emplace_back(entry.last_write_time(none), entry.path());
  std::sort(all.begin(), all.end());
  for (std::size_t i = 0; i + most_kept < all.size(); ++i) fs::remove_all(all[i].second, none);
}

/// Two programs may come here at once: a folder appears complete or not at all.
bool keep(const fs::path& folder, const std::string& sources, const fs::path& place) {
  std::error_code problem;
  const fs::path cache = place.parent_path();
  const fs::path fresh = cache / ("new_" + std::to_string(getpid()));
  fs::create_directories(cache, problem);
  if (problem) return false;
  fs::remove_all(fresh, problem);
  fs::copy(folder, fresh, fs::copy_options::recursive, problem);
  if (problem) return false;
  std::ofstream(fresh / sources_file, std::ios::binary) << sources;
  fs::remove_all(place, problem);
  fs::rename(fresh, place, problem);
  if (problem) fs::remove_all(fresh, problem);
  shrink(cache);
  return is_current(place);
}

}  // namespace

UnpackedFmu unpacked_fmu(const LoadedMechanism& mechanism, const Kit& kit, ExportOptions options,
                         const std::string& version) {
  const fs::path place = cache_folder() / key_of(mechanism, kit, options.sources);
  const std::string folder = "fmi" + version;
  std::error_code none;
  if (is_current(place)) {
    fs::last_write_time(place, fs::file_time_type::clock::now(), none);
    return {.folder = place / folder};
  }
  UnpackedFmu made;
  made.temporary = std::make_unique<TemporaryFolder>();
  const fs::path& work = made.temporary->path();
  options.fmi2 = work / "2.fmu";
  options.fmi3 = work / "3.fmu";
  options.with_mechanism = false;
  const std::vector<fs::path> files = export_fmus(mechanism, kit, options);
  extract(options.fmi2, work / "both" / "fmi2");
  extract(options.fmi3, work / "both" / "fmi3");
  if (keep(work / "both", with_hashes(files), place)) return {.folder = place / folder};
  made.folder = work / "both" / folder;
  return made;
}

}  // namespace mechfmu
