// What the commands of the tool share in reading their options, and how it answers to wrong ones: one line, with the
// word that was probably meant.
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

/// For paths: there has to be a file.
CLI::Validator existing_file();

/// For numbers, which are finite.
CLI::Validator positive_number();
CLI::Validator non_negative_number();

/// What is wrong with the command line, in one line. `words` are those of main.
std::string explain(const CLI::App& app, const CLI::ParseError& error, int count, char** words);

/// Name and value of --set name=value.
std::pair<std::string, std::string> assignment(const std::string& text);

/// The names in a list: "a,node[2,5].x" has two.
std::vector<std::string> names_in(const std::string& list);

/// Throws WrongUsage where a file that is read, or another output, would be written over. Of the outputs, those that are
/// empty or - are no files.
void refuse_to_overwrite(const std::vector<std::filesystem::path>& read,
                         const std::vector<std::filesystem::path>& outputs);

}  // namespace mechfmu
