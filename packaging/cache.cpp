#include "packaging/cache.h"

#include <cstdlib>
#include <vector>

#include "model_desc/mechanism_cpp.h"
#include "model_desc/origin.h"
#include "packaging/cache_entry.h"
#include "packaging/private_folder.h"
#include "packaging/zip.h"

namespace mechfmu {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_kept = 20;

/// Where models may be kept: nowhere without a folder that is the user's alone. Libraries from there are run.
struct Cache {
  fs::path folder{};
  std::string warning{};
};

Cache find_cache() {
  const auto in = [](const char* base, const fs::path& rest) -> Cache {
    const PrivateFolder found = private_folder(base, rest);
    if (found.usable) return {.folder = fs::path(base) / rest};
    if (found.objection.empty()) return {};
    return {.warning = "simulated models are not kept: " + found.objection +
                       "; make it yours alone, or set XDG_CACHE_HOME to a folder that is"};
  };
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0')
    return in(cache, "mechfmu");
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
    return in(home, fs::path(".cache") / "mechfmu");
  return {};
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

}  // namespace

UnpackedFmu unpacked_fmu(const LoadedMechanism& mechanism, const Kit& kit, ExportOptions options,
                         const std::string& version) {
  const Cache cache = find_cache();
  const std::string key = key_of(mechanism, kit, options.sources);
  const fs::path place = cache.folder / key;
  const std::string folder = "fmi" + version;
  if (!cache.folder.empty()) {
    std::error_code none;
    // first, so that nobody takes it for old while it is read
    fs::last_write_time(place, fs::file_time_type::clock::now(), none);
    if (is_current(place)) return {.folder = place / folder, .sources = sources_of(place)};
  }
  UnpackedFmu made;
  made.warning = cache.warning;
  made.temporary = std::make_unique<TemporaryFolder>();
  const fs::path& work = made.temporary->path();
  options.fmi2 = work / "2.fmu";
  options.fmi3 = work / "3.fmu";
  options.with_mechanism = false;
  made.sources = export_fmus(mechanism, kit, options);
  extract(options.fmi2, work / "both" / "fmi2");
  extract(options.fmi3, work / "both" / "fmi3");
  if (!cache.folder.empty() &&
      keep_entry(cache.folder, key, work / "both", made.sources, most_kept))
    return {.folder = place / folder, .sources = std::move(made.sources)};
  made.folder = work / "both" / folder;
  return made;
}

}  // namespace mechfmu
