// The files that a mechanism may read: only those in the folder of the mechanism file and below it.

#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace mechfmu::reader {

/// A text or the reason for its absence.
struct TextOrProblem {
  std::string text{};
  std::string problem{};
};

/// A file's content, of at most `limit` bytes.
TextOrProblem load_file(const std::filesystem::path& path, std::size_t limit);
/// The same by the path from a folder. No link on the path may lead elsewhere.
TextOrProblem load_below(const std::filesystem::path& folder, const std::string& path,
                         std::size_t limit);

/// Paths are those from the folder of the mechanism file, with / between folders.
class SourceFiles {
 public:
  using Loader = std::function<TextOrProblem(const std::string& path)>;

  /// `folder_shown` is the folder as given, for messages.
  SourceFiles(Loader load, std::string folder_shown, std::size_t limit);

  /// The path for messages.
  std::string shown(const std::string& path) const;
  /// The path of a file that another file names.
  static TextOrProblem path_from(const std::string& path, const std::string& written);
  /// The same, for a file that is `shown` in messages.
  TextOrProblem path_from_shown(const std::string& shown, const std::string& written) const;
  /// The content of a file; `how` is the word for messages: included, used.
  TextOrProblem load(const std::string& path, std::string_view how);

  std::vector<std::string> read;  // all files that were read, as in messages

 private:
  Loader load_;
  std::string folder_shown_;
  std::size_t limit_, count_ = 0;
};

}  // namespace mechfmu::reader
