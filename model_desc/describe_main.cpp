// describe <folder> [--icon <file.png>] [--diagram <file.png>] [--sources <list.txt>]
//
// Writes <folder>/fmi2/… and <folder>/fmi3/…: the files of an FMU of this model except its
// binaries. The build links one such program for each model, from this file and the model's
// make_model() and model_name(). The list names the files of the folder sources/ to be compiled,
// one per line.

#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/factory.h"
#include "model_desc/files.h"

namespace {

using mechfmu::Pictures;
namespace fs = std::filesystem;

struct Arguments {
  fs::path folder;
  Pictures pictures;
  std::vector<std::string> sources;
};

std::vector<std::string> lines_of(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  if (lines.empty()) throw std::runtime_error("cannot read " + file.string());
  return lines;
}

Arguments read_arguments(int count, char** words) {
  const char* usage =
      "usage: describe <folder> [--icon <file.png>] [--diagram <file.png>] [--sources <list.txt>]";
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const bool is_picture = word == "--icon" || word == "--diagram";
    if (word == "--sources" && i + 1 < count) {
      arguments.sources = lines_of(words[++i]);
    } else if (is_picture && i + 1 < count) {
      std::string& picture =
          word == "--icon" ? arguments.pictures.icon : arguments.pictures.diagram;
      picture = mechfmu::read_picture(words[++i]);
    } else if (!is_picture && !word.starts_with("--") && arguments.folder.empty()) {
      arguments.folder = word;
    } else {
      throw std::invalid_argument(usage);
    }
  }
  if (arguments.folder.empty()) throw std::invalid_argument(usage);
  if (arguments.pictures.icon.empty()) arguments.pictures.icon = mechfmu::default_icon();
  return arguments;
}

}  // namespace

int main(int count, char** words) {
  std::string who = "describe";
  try {
    who = mechfmu::model_name();
    const Arguments arguments = read_arguments(count, words);
    const auto system = mechfmu::make_model();
    auto envelope = mechfmu::make_envelope(who, *system, arguments.pictures);
    envelope.sources = arguments.sources;
    mechfmu::write_files(arguments.folder / "fmi2",
                         files_of_fmu(envelope, mechfmu::FmiVersion::fmi2));
    mechfmu::write_files(arguments.folder / "fmi3",
                         files_of_fmu(envelope, mechfmu::FmiVersion::fmi3));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << who << ": " << error.what() << "\n";
    return 1;
  }
}
