#include "packaging/completion.h"

#include <iostream>
#include <map>

#include "packaging/templates.h"

namespace mechfmu {

namespace {

/// Endings of the files that a command takes.
std::string files_of(const std::string& command) {
  static const std::map<std::string, std::string> endings = {
      {"export", "xml"},       {"check", "xml"},         {"generate", "xml"},
      {"simulate", "xml fmu"}, {"linearize", "xml fmu"}, {"info", "fmu"}};
  const auto found = endings.find(command);
  return found == endings.end() ? std::string() : found->second;
}

void add_word(std::string& words, const std::string& word) {
  words += (words.empty() ? "" : " ") + word;
}

/// Options that are followed by a value, joined by |.
std::string with_values(const CLI::App& command) {
  std::string names;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_items_expected_max() == 0) continue;
    for (const std::string& name : option->get_snames())
      names += (names.empty() ? "-" : "|-") + name;
    for (const std::string& name : option->get_lnames())
      names += (names.empty() ? "--" : "|--") + name;
  }
  return names;
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
  std::string commands;
  std::string cases;
  for (const CLI::App* command : app.get_subcommands({})) {
    const std::string name = command->get_name();
    add_word(commands, name);
    std::string words;
    for (const CLI::Option* option : command->get_options())
      for (const std::string& long_name : option->get_lnames()) add_word(words, "--" + long_name);
    std::string values;
    if (name == "new")
      for (const Template& t : templates()) add_word(values, std::string(t.name));
    if (name == "completion") values = "bash zsh";
    cases.append("    ").append(name).append(") options=\"").append(words);
    cases.append("\"; values=\"").append(values).append("\"; files=\"").append(files_of(name));
    cases.append("\"; with_value=\"").append(with_values(*command)).append("\" ;;\n");
  }
  return R"(# Completions of mechfmu; in ~/.bashrc: source <(mechfmu completion bash)
_mechfmu() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
  local options= values= files= with_value=
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W ")" +
         commands + R"( --help --version" -- "$word")
    return
  fi
  case "${COMP_WORDS[1]}" in
)" + cases +
         R"(  esac
  if [[ $before == --fmi ]]; then
    [ "${COMP_WORDS[1]}" = export ] && values="2 3 both" || values="2 3"
    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
  elif [[ -n $with_value && "|$with_value|" == *"|$before|"* ]]; then
    compopt -o filenames 2> /dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
  elif [ -n "$values" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
  elif [ -n "$files" ]; then
    compopt -o filenames 2> /dev/null
    local path all
    mapfile -t all < <(compgen -f -- "$word")
    COMPREPLY=()
    for path in "${all[@]}"; do
      if [[ -d $path || " $files " == *" ${path##*.} "* ]]; then COMPREPLY+=("$path"); fi
    done
  fi
}
complete -F _mechfmu mechfmu
)";
}

void CompletionCommand::add_to(CLI::App& command) {
  command.add_option("shell", shell, "Shell: bash or zsh")
      ->check(CLI::IsMember({"bash", "zsh"}))
      ->capture_default_str();
}

int CompletionCommand::run() const {
  if (shell == "zsh") std::cout << "autoload -U +X bashcompinit && bashcompinit\n";
  std::cout << bash_completion(app);
  return 0;
}

}  // namespace mechfmu
