#include "packaging/options.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "model_desc/diagnostics.h"
#include "model_desc/text.h"
#include "packaging/terminal.h"

namespace mechfmu {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> names_of_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> names_of_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// A comparison would accept "nan".
CLI::Validator number_from(double least, bool inclusive, const std::string& kind) {
  return CLI::Validator(
      [=](std::string& text) -> std::string {
        const std::optional<double> x = parse_number(text);
        if (x && std::isfinite(*x) && (*x > least || (inclusive && *x == least))) return "";
        return "'" + text + "' must be a number " + (inclusive ? "from " : "above ") +
               shortest(least);
      },
      kind);
}

/// "; the command comes first: mechfmu check arm.xml" for the name of a file.
std::string command_for(const std::string& word) {
  const fs::path extension = fs::path(word).extension();
  const char* command = extension == ".xml"                           ? "check"
                        : extension == ".fmu"                         ? "info"
                        : extension == ".urdf" || extension == ".sdf" ? "import"
                                                                      : nullptr;
  return command == nullptr
             ? ""
             : "; the command comes first: mechfmu " + std::string(command) + " " + word;
}

/// Errors of CLI11 about one option, without the words of programmers.
std::string plain(const std::string& what) {
  constexpr std::string_view convert = "Could not convert: ";
  if (what.starts_with(convert)) {
    const std::size_t at = what.find(" = ");
    if (at != std::string::npos)
      return what.substr(convert.size(), at - convert.size()) + ": '" + what.substr(at + 3) +
             "' is not a number that is possible here";
  }
  if (const std::size_t at = what.find(": 1 required "); at != std::string::npos)
    return what.substr(0, at) + " needs a value";
  return what;
}

}  // namespace

CLI::Validator existing_file() {
  return CLI::Validator(
      [](std::string& path) -> std::string {
        std::error_code none;
        if (fs::is_directory(path, none)) return path + " is a folder, not a file";
        return fs::exists(path, none) ? "" : "no such file: " + path;
      },
      "FILE");
}

CLI::Validator positive_number() { return number_from(0, false, "POSITIVE"); }
CLI::Validator non_negative_number() { return number_from(0, true, "NONNEGATIVE"); }

std::string explain(const CLI::App& app, const CLI::ParseError& error, int count, char** words) {
  const std::string first = count > 1 ? words[1] : "";
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) {
    const bool is_option = first.starts_with("-");
    return std::string("unknown ") + (is_option ? "option " + first : "command '" + first + "'") +
           suggestion(first, is_option ? names_of_options(app) : names_of_commands(app)) +
           command_for(first) + " (see mechfmu --help)";
  }
  const CLI::App& command = *chosen.front();
  const std::string name = command.get_name();
  const std::string help = " (see mechfmu " + name + " --help)";
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::vector<std::string> extras = app.remaining(true);
    const auto option = std::find_if(extras.begin(), extras.end(),
                                     [](const std::string& word) { return word.starts_with("-"); });
    if (option != extras.end()) {
      const std::string written = option->substr(0, option->find('='));
      return name + " has no option " + written + suggestion(written, names_of_options(command)) +
             help;
    }
    if (!extras.empty())
      return name + " takes no further argument, such as '" + extras.front() + "'" + help;
  }
  std::string what = error.what();
  // CLI11 names the place in the usage, "file: no such file: x"
  if (const std::size_t at = what.find(": no such file: "); at != std::string::npos)
    return what.substr(at + 2);
  return name + ": " + plain(what) + help;
}

std::pair<std::string, std::string> assignment(const std::string& text) {
  const std::size_t at = text.find('=');
  if (at == std::string::npos || at == 0)
    throw WrongUsage("--set " + text + ": write --set name=value");
  return {text.substr(0, at), text.substr(at + 1)};
}

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names(1);
  bool inside = false;
  for (const char c : list) {
    inside = c == '[' || (inside && c != ']');
    if (c == ',' && !inside)
      names.emplace_back();
    else
      names.back() += c;
  }
  std::erase(names, "");
  return names;
}

void refuse_to_overwrite(const std::vector<fs::path>& read, const std::vector<fs::path>& outputs) {
  for (auto output = outputs.begin(); output != outputs.end(); ++output) {
    if (output->empty() || *output == "-") continue;
    std::error_code none;
    for (const fs::path& input : read)
      // a terminal may be both
      if (fs::is_regular_file(input, none) && fs::equivalent(*output, input, none))
        throw WrongUsage(output->string() + " would overwrite " +
                         (*output == input ? "itself" : input.string()) +
                         ", an input; name another output file");
    const fs::path place = fs::weakly_canonical(fs::absolute(*output), none);
    if (fs::exists(place, none) && !fs::is_regular_file(place, none)) continue;
    for (auto other = outputs.begin(); other != output; ++other)
      if (!other->empty() && place == fs::weakly_canonical(fs::absolute(*other), none))
        throw WrongUsage(output->string() + " is named for two outputs; use two files");
  }
}

}  // namespace mechfmu
