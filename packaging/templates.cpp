#include "packaging/templates.h"

#include <algorithm>

#include "language/file/example.h"
#include "language/file/reader.h"

namespace mechfmu {

namespace fs = std::filesystem;

std::string Template::about() const {
  Diagnostics ignored;
  const MechanismText text = read_mechanism_text(files[0].second, std::string(name), ignored);
  return std::string(text.root.text("about"));
}

std::vector<std::pair<fs::path, std::string_view>> Template::files_at(const fs::path& main) const {
  std::vector<std::pair<fs::path, std::string_view>> made;
  for (std::size_t i = 0; i < files.size(); ++i)
    made.emplace_back(i == 0 ? main : main.parent_path() / files[i].first, files[i].second);
  return made;
}

std::vector<Template> templates() {
  std::vector<Template> all = model_templates();
  // The example of the page comes first, and in place of a model of the same name.
  std::erase_if(all, [](const Template& t) { return t.name == "four_bar"; });
  all.insert(all.begin(), {"four_bar", {{"four_bar.xml", mechanism_example()}}});
  return all;
}

}  // namespace mechfmu
