// Runs another program and waits for it: no shell in between, so that names of files are just that.

#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace mechfmu {

struct ProcessResult {
  int status = 0;      // exit code; 128 + the signal's number where one ended it
  std::string output;  // what it wrote to both of its streams, in English
};

/// A program on its way, its output going to a file without a name. One that is not waited for is ended.
class Process {
 public:
  /// Throws std::runtime_error when the program cannot be started.
  explicit Process(const std::vector<std::string>& words);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();
  bool ended() const;
  ProcessResult wait();

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> output_;
  int pid_ = 0;
};

/// Throws std::runtime_error when the program cannot be started, Interrupted after Ctrl-C. Of a long output the end is
/// kept.
ProcessResult run_process(const std::vector<std::string>& words);

/// All of them at the same time.
std::vector<ProcessResult> run_processes(const std::vector<std::vector<std::string>>& programs);

/// A program by its path, or by its name in one of the folders of PATH.
bool can_be_run(const std::string& program);

/// The path as programs take it for one: they would read options in "-x.cpp", and compilers in what "@x.cpp" holds.
std::string operand(const std::filesystem::path& path);

/// The words as one would type them, for messages.
std::string command_line(const std::vector<std::string>& words);

}  // namespace mechfmu
