// Functions with which all commands of the tool read their options, and the answer to a wrong one:
// one line with the word that was probably meant.
//
//   mechfmu: there is no command 'exprot'; did you mean 'export'?
//   mechfmu: export has no option --soruce; did you mean '--source'? (mechfmu export --help lists them)

#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace mechfmu {

/// A check of paths: the file must exist.
CLI::Validator existing_file();

/// A check of numbers: they must be finite.
CLI::Validator positive_number();
CLI::Validator non_negative_number();

/// The error of the command line, in one line. `words` are the arguments of main.
std::string explain(const CLI::App& app, const CLI::ParseError& error, int count, char** words);

/// Name and value of --set name=value.
std::pair<std::string, std::string> assignment(const std::string& text);

/// The names in a list: "a,node[2,5].x" has two.
std::vector<std::string> names_in(const std::string& list);

/// Throws WrongUsage if a file that is read, or another output, would be overwritten. An output
/// that is empty or - is not a file.
void refuse_to_overwrite(const std::vector<std::filesystem::path>& read,
                         const std::vector<std::filesystem::path>& outputs);

}  // namespace mechfmu
