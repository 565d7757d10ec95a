// Runs another program and waits for it: no shell in between, so that names of files are just that.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mechfmu {

struct ProcessResult {
  int status = 0;      // exit code; 128 + the signal's number where one ended it
  std::string output;  // what it wrote to both of its streams, in English
};

/// Throws std::runtime_error when the program cannot be started, Interrupted after Ctrl-C. Of a long output the end is
/// kept.
ProcessResult run_process(const std::vector<std::string>& words);

/// All of them at the same time.
std::vector<ProcessResult> run_processes(const std::vector<std::vector<std::string>>& programs);

/// The path as programs take it for one: they would read options in "-x.cpp", and compilers in what "@x.cpp" holds.
std::string operand(const std::filesystem::path& path);

/// The words as one would type them, for messages.
std::string command_line(const std::vector<std::string>& words);

}  // namespace mechfmu
