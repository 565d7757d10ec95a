// Runs another program and waits for it, without a shell that would interpret names of files.

#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace mechfmu {

struct ProcessResult {
  int status = 0;      // exit code; 128 + the number of the signal that ended it
  std::string output;  // of both of its streams, in English
};

/// A running program whose output goes to a file without a name. Its destructor ends the program.
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

/// Throws std::runtime_error if the program cannot be started, Interrupted after Ctrl-C. Keeps only
/// the end of a long output.
ProcessResult run_process(const std::vector<std::string>& words);

/// Runs all of them at the same time.
std::vector<ProcessResult> run_processes(const std::vector<std::vector<std::string>>& programs);

/// Finds a program by its path, or by its name in one of the folders of PATH.
bool can_be_run(const std::string& program);

/// The path in a form that programs do not mistake for an option ("-x.cpp") or for a file of
/// options ("@x.cpp").
std::string operand(const std::filesystem::path& path);

/// The words as a user would type them, for messages.
std::string command_line(const std::vector<std::string>& words);

}  // namespace mechfmu
