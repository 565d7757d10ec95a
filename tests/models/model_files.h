// Shared by the tests of mechanism files: a file of models/ as a mechanism, its reference result,
// the commands of its README.

#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "language/backend/build.h"
#include "tests/mechanics/mechanism_runs.h"

namespace mechfmu::tests {

inline std::filesystem::path model_folder(const std::string& name) {
  return std::filesystem::path(MECHFMU_MODELS) / name;
}

/// models/<name>/<name>.xml, its expressions interpreted.
inline mechanics::Mechanism from_file(const std::string& name) {
  Diagnostics diagnostics;
  const MechanismText text = read_mechanism_file(model_folder(name) / (name + ".xml"), diagnostics);
  const Plan plan = make_plan(text, diagnostics);
  EXPECT_EQ(diagnostics.text(), "");
  return build_mechanism(plan);
}

/// The names of all models that are mechanism files.
inline std::vector<std::string> file_models() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(MECHFMU_MODELS)) {
    const std::string name = entry.path().filename().string();
    if (std::filesystem::exists(entry.path() / (name + ".xml"))) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// The statement of the README about models/<name>/reference.csv: the command that made it, and how
/// well a run with the default tolerance agrees with it.
struct ReferenceRun {
  MechanismRun::Settings settings;
  double stop = 0;       // 0: that of the experiment
  double tolerance = 0;  // of the largest value in each column, or of 0.1
};
inline ReferenceRun reference_run(const std::string& name) {
  ReferenceRun run;
  std::ifstream readme(model_folder(name) / "README.md");
  const std::string wanted = "-o models/" + name + "/reference.csv";
  const std::string promise = "agrees with it within ";
  bool found = false;
  for (std::string line; std::getline(readme, line);) {
    if (const std::size_t at = line.find(promise); at != std::string::npos)
      run.tolerance = std::stod(line.substr(at + promise.size())) / 100;
    if (line.find(wanted) == std::string::npos) continue;
    found = true;
    std::istringstream words(line);
    std::string option;
    for (std::string word; words >> word;) {
      const std::size_t equals = word.find('=');
      if (word.starts_with("-"))
        option = word;
      else if (option == "--set")
        run.settings.emplace_back(word.substr(0, equals), std::stod(word.substr(equals + 1)));
      else if (option == "--stop")
        run.stop = std::stod(word);
    }
  }
  EXPECT_TRUE(found) << "the README of " << name << " has no command with " << wanted;
  EXPECT_GT(run.tolerance, 0) << "the README of " << name << " does not say: " << promise << "… %";
  return run;
}

/// Columns of numbers with names.
struct Csv {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;
};
inline Csv read_csv(const std::filesystem::path& path) {
  Csv csv;
  std::ifstream file(path);
  std::string line, cell;
  std::getline(file, line);
  for (std::istringstream cells(line); std::getline(cells, cell, ',');) csv.names.push_back(cell);
  while (std::getline(file, line)) {
    std::vector<double>& row = csv.rows.emplace_back();
    for (std::istringstream cells(line); std::getline(cells, cell, ',');)
      row.push_back(std::stod(cell));
  }
  return csv;
}

/// A classical Runge–Kutta step of y' = f(y), for equations that are integrated independently.
template <class F, class Y>
Y rk4(const F& f, const Y& y, double h) {
  const Y k1 = f(y);
  const Y k2 = f(Y(y + h / 2 * k1));
  const Y k3 = f(Y(y + h / 2 * k2));
  const Y k4 = f(Y(y + h * k3));
  return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
}

}  // namespace mechfmu::tests
