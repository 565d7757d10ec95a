// What the commands of the tool share in reading their options, and how it answers to wrong ones: one line, with the
// word that was probably meant.
//
//   mechfmu: there is no command 'exprot'; did you mean 'export'?
//   mechfmu: export has no option --soruce; did you mean '--source'? (mechfmu export --help lists them)

#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>

namespace mechfmu {

/// For paths: there has to be a file.
CLI::Validator existing_file();

/// What is wrong with the command line, in one line. `words` are those of main.
std::string explain(const CLI::App& app, const CLI::ParseError& error, int count, char** words);

/// Name and value of --set name=value.
std::pair<std::string, std::string> assignment(const std::string& text);

}  // namespace mechfmu
