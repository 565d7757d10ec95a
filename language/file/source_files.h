// The files that a mechanism is read from: those in the folder of the mechanism file and below it, and no others.

#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace mechfmu::reader {

/// A text, or why there is none.
struct TextOrProblem {
  std::string text{};
  std::string problem{};
};

/// A file's content, of at most `limit` bytes.
TextOrProblem load_file(const std::filesystem::path& path, std::size_t limit);
/// The same by the path from a folder. Nothing on the way to the file leads elsewhere.
TextOrProblem load_below(const std::filesystem::path& folder, const std::string& path,
                         std::size_t limit);

/// Paths are those from the folder of the mechanism file, with / between folders.
class SourceFiles {
 public:
  using Loader = std::function<TextOrProblem(const std::string& path)>;

  /// `folder_shown` is the folder as it was given, for messages.
  SourceFiles(Loader load, std::string folder_shown, std::size_t limit);

  /// As messages have it.
  std::string shown(const std::string& path) const;
  /// The path of a file that is written in another one.
  static TextOrProblem path_from(const std::string& path, const std::string& written);
  /// The same, of the file that messages have as `shown`.
  TextOrProblem path_from_shown(const std::string& shown, const std::string& written) const;
  /// The content of a file that is `how`: included, used.
  TextOrProblem load(const std::string& path, std::string_view how);

  std::vector<std::string> read;  // all that were, as messages have them

 private:
  Loader load_;
  std::string folder_shown_;
  std::size_t limit_, count_ = 0;
};

}  // namespace mechfmu::reader
