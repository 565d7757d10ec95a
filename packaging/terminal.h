// Exit codes of the tool and their meaning, and a line of progress that is overwritten while it
// works.

#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

namespace mechfmu {

enum ExitCode : int {
  fine = 0,
  has_errors = 1,   // in a file that was named, or the run failed
  wrong_usage = 2,  // of the command line
  failed = 3,       // anything else: no compiler, no space, a broken installation
  stopped = 130     // by Ctrl-C
};

/// Errors that the user can correct; any other exception ends the tool with `failed`.
struct WrongFile : std::runtime_error {  // has_errors
  using std::runtime_error::runtime_error;
};
struct WrongUsage : std::runtime_error {  // wrong_usage
  using std::runtime_error::runtime_error;
};

/// Shows progress; nothing if the error stream is not a terminal.
class StatusLine {
 public:
  StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  ~StatusLine() { clear(); }

  void show(const std::string& text);
  /// [######------] 52 %  t = 5.2 s, 3 s left
  void show_progress(double fraction, const std::string& text);
  void clear();

 private:
  bool on_;
  bool shown_ = false;
  std::optional<double> begin_;  // s, of the first progress
};

/// Columns of the terminal behind a stream; 100 if it is not a terminal.
std::size_t terminal_width(int stream);

/// Writes to a file, or to the terminal if the path is empty or -.
void write_text(const std::filesystem::path& path, const std::string& text);

}  // namespace mechfmu
