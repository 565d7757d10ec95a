// Completions for shells, made from the commands and options of the tool.

#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace mechfmu {

/// A script for bash; zsh takes it with bashcompinit.
std::string bash_completion(const CLI::App& app);

struct CompletionCommand {
  const CLI::App& app;
  std::string shell = "bash";

  void add_to(CLI::App& command);
  int run() const;
};

}  // namespace mechfmu
