#include "packaging/kit.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace mechfmu {

namespace {

namespace fs = std::filesystem;

/// Replaces @/ in "@/x", "-I@/x" and "--option=@/x" by the folder of the kit.
std::string with_folder(const std::string& word, const fs::path& folder) {
  const std::size_t at = word.find("@/");
  const bool is_path =
      at == 0 || (at != std::string::npos && (word.substr(0, at) == "-I" || word[at - 1] == '='));
  return is_path ? word.substr(0, at) + (folder / word.substr(at + 2)).string() : word;
}

/// The words of CXX: "ccache g++", or a path that may contain blanks.
std::vector<std::string> command_words(const std::string& text) {
  if (fs::exists(text)) return {text};
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

fs::path kit_file(const fs::path& program) {
  if (const std::string given = variable("MECHFMU_KIT"); !given.empty()) return given;
  const fs::path folder = program.parent_path();
  const fs::path candidates[] = {folder / "mechfmu.kit",
                                 folder.parent_path() / "lib" / "mechfmu" / "mechfmu.kit"};
  for (const fs::path& candidate : candidates)
    if (fs::exists(candidate)) return candidate;
  throw std::runtime_error("there is no mechfmu.kit beside " + program.string() +
                           ", nor in ../lib/mechfmu: the program was moved without its libraries; "
                           "reinstall it, or set MECHFMU_KIT to that file");
}

/// Replaces a folder by all objects below it.
std::vector<std::string> objects_of(const std::vector<std::string>& words) {
  std::vector<std::string> made;
  for (const std::string& word : words) {
    if (!fs::is_directory(word)) {
      made.push_back(word);
      continue;
    }
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(word))
      if (entry.path().extension() == ".o") made.push_back(entry.path().string());
  }
  std::sort(made.begin(), made.end());
  return made;
}

}  // namespace

Kit find_kit() {
  Kit kit;
  kit.file = kit_file(fs::canonical("/proc/self/exe"));
  std::ifstream in(kit.file);
  if (!in) throw std::runtime_error("cannot read " + kit.file.string());
  const std::map<std::string, std::vector<std::string>*> lists = {
      {"compiler", &kit.compiler},
      {"compile", &kit.compile},
      {"link", &kit.link},
      {"objects", &kit.objects},
      {"tabled", &kit.tabled},
      {"archives", &kit.archives},
      {"describe_link", &kit.describe_link},
      {"describe_objects", &kit.describe_objects},
      {"describe_archives", &kit.describe_archives}};
  const std::map<std::string, std::string*> words = {
      {"listed", &kit.listed},       {"listed_deflated", &kit.listed_deflated},
      {"sources", &kit.sources},     {"sources_hash", &kit.sources_hash},
      {"platforms", &kit.platforms}, {"python", &kit.python},
      {"plot", &kit.plot},           {"viewer", &kit.viewer},
      {"platform2", &kit.platform2}, {"platform3", &kit.platform3}};
  for (std::string line; std::getline(in, line);) {
    std::istringstream rest(line);
    std::string key;
    std::string word;
    rest >> key >> word;  // the second is "="
    // words are separated by ;, which CMake's lists are made of
    std::getline(rest >> std::ws, line);
    std::istringstream items(line);
    while (std::getline(items, word, ';')) {
      if (word.empty()) continue;
      word = with_folder(word, kit.file.parent_path());
      if (const auto list = lists.find(key); list != lists.end()) list->second->push_back(word);
      if (const auto one = words.find(key); one != words.end()) *one->second = word;
    }
  }
  if (const auto given = command_words(variable("CXX")); !given.empty()) kit.compiler = given;
  if (const std::string given = variable("MECHFMU_PYTHON"); !given.empty()) kit.python = given;
  if (kit.compiler.empty() || kit.archives.empty())
    throw std::runtime_error(kit.file.string() + " is not a kit: it names no compiler or archives");
  for (auto* list : {&kit.objects, &kit.tabled, &kit.describe_objects}) *list = objects_of(*list);
  for (const auto* list : {&kit.objects, &kit.tabled, &kit.archives, &kit.describe_objects})
    for (const std::string& path : *list)
      if (!fs::exists(path))
        throw std::runtime_error(path + ", which " + kit.file.string() +
                                 " names, does not exist; rebuild mechfmu");
  if (!fs::exists(kit.listed) || !fs::exists(kit.listed_deflated))
    throw std::runtime_error(kit.file.string() +
                             " names no library for FMUs without a compiler, or " +
                             "one that does not exist; rebuild mechfmu");
  return kit;
}

}  // namespace mechfmu
