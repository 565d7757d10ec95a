#include "language/file/source_files.h"

#include <algorithm>
#include <fstream>
#include <system_error>
#include <utility>

namespace mechfmu::reader {

namespace fs = std::filesystem;

namespace {

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

/// The path of a name written in a file in `folder`.
TextOrProblem resolve_path(const std::string& folder, const std::string& written) {
  if (written.starts_with('/') || written.find_first_of("\\:") != std::string::npos)
    return {{}, "it must be a path relative to this file, with / between folders"};
  std::string path = folder;
  for (std::size_t at = 0; at <= written.size();) {
    const std::size_t end = std::min(written.find('/', at), written.size());
    const std::string step = written.substr(at, end - at);
    if (step == "..")
      return {{}, "'..' is not allowed; only files in the folder of the mechanism file are read"};
    if (!step.empty() && step != ".") path += (path.empty() ? "" : "/") + step;
    at = end + 1;
  }
  return {path, {}};
}

}  // namespace

TextOrProblem load_file(const fs::path& path, std::size_t limit) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (!fs::exists(status)) return {{}, "the file does not exist"};
  if (fs::is_directory(status)) return {{}, "this is a folder, not a file"};
  if (!fs::is_regular_file(status)) return {{}, "this is not a regular file"};
  std::ifstream in(path, std::ios::binary);
  if (!in) return {{}, "the file cannot be read"};
  TextOrProblem loaded;
  loaded.text.resize(std::min(static_cast<std::size_t>(fs::file_size(path, code)), limit) + 1);
  in.read(loaded.text.data(), static_cast<std::streamsize>(loaded.text.size()));
  loaded.text.resize(static_cast<std::size_t>(in.gcount()));
  if (loaded.text.size() > limit)
    return {{},
            "the file is larger than the limit of " + std::to_string(limit / 1'000'000) + " MB"};
  return loaded;
}

TextOrProblem load_below(const fs::path& folder, const std::string& path, std::size_t limit) {
  fs::path at = folder;
  for (const fs::path& step : fs::path(path)) {
    at /= step;
    std::error_code code;
    if (fs::is_symlink(fs::symlink_status(at, code)))
      return {{},
              "a symbolic link is on its path; only files in the folder of the mechanism file "
              "are read"};
  }
  return load_file(at, limit);
}

SourceFiles::SourceFiles(Loader load, std::string folder_shown, std::size_t limit)
    : load_(std::move(load)), folder_shown_(std::move(folder_shown)), limit_(limit) {}

std::string SourceFiles::shown(const std::string& path) const {
  return folder_shown_.empty() ? path : (fs::path(folder_shown_) / path).generic_string();
}

TextOrProblem SourceFiles::path_from(const std::string& path, const std::string& written) {
  return resolve_path(folder_of(path), written);
}

TextOrProblem SourceFiles::path_from_shown(const std::string& shown,
                                           const std::string& written) const {
  std::string folder = folder_of(shown);
  if (!folder_shown_.empty())
    folder = fs::path(folder).lexically_relative(folder_shown_).generic_string();
  if (folder == ".") folder.clear();
  return resolve_path(folder, written);
}

TextOrProblem SourceFiles::load(const std::string& path, std::string_view how) {
  if (++count_ > limit_)
    return {{}, "more than " + std::to_string(limit_) + " files are " + std::string(how)};
  TextOrProblem loaded = load_(path);
  if (loaded.problem.empty()) read.push_back(shown(path));
  return loaded;
}

}  // namespace mechfmu::reader
