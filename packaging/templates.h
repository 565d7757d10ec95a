// Mechanism files to start from, as text in the program: the example of the reference page, and the
// models of models/.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mechfmu {

struct Template {
  std::string_view name;
  std::vector<std::pair<std::string_view, std::string_view>>
      files;  // <name>.xml, then the files that it reads

  /// The description in the mechanism file.
  std::string about() const;
  /// The files with their places when <name>.xml is to be `main`.
  std::vector<std::pair<std::filesystem::path, std::string_view>> files_at(
      const std::filesystem::path& main) const;
};

std::vector<Template> templates();
std::vector<Template> model_templates();  // those of models/; generated

}  // namespace mechfmu
