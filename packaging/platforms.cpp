#include "packaging/platforms.h"

#include <algorithm>

#include "model_desc/diagnostics.h"
#include "model_desc/text.h"
#include "packaging/terminal.h"

namespace mechfmu {

const std::vector<Platform>& all_platforms() {
  static const std::vector<Platform> all = {
      {"linux64", "linux64", "x86_64-linux", ".so"},
      {"win64", "win64", "x86_64-windows", ".dll"},
      {"aarch64-linux", "aarch64-linux", "aarch64-linux", ".so"},
      {"darwin64", "darwin64", "x86_64-darwin", ".dylib"},
      {"aarch64-darwin", "aarch64-darwin", "aarch64-darwin", ".dylib"},
  };
  return all;
}

std::vector<Platform> find_platforms(const std::vector<std::string>& names) {
  const std::vector<Platform>& all = all_platforms();
  std::vector<std::string> known = {"all"};
  for (const Platform& platform : all) known.emplace_back(platform.name);
  std::vector<bool> wanted(all.size());
  for (const std::string& name : names) {
    const auto found = std::ranges::find_if(all, [&](const Platform& platform) {
      return name == platform.name || name == platform.fmi3;
    });
    if (name == "all")
      wanted.assign(all.size(), true);
    else if (found != all.end())
      wanted[static_cast<std::size_t>(found - all.begin())] = true;
    else
      throw WrongUsage("unknown platform '" + name + "'" + suggestion(name, known) +
                       " (choose from " + joined(known, ", ") + ")");
  }
  std::vector<Platform> made;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (wanted[i]) made.push_back(all[i]);
  return made;
}

}  // namespace mechfmu
