// The mechanism files of this folder, each compiled and interpreted.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "language/meaning/plan.h"
#include "mechanics/system.h"
#include "mechanics/tables.h"

namespace mechfmu::tables {

// Generated from the files by the build
extern const Tables joints_tables, forces_tables, dependencies_tables, expressions_tables,
    rest_tables;

}  // namespace mechfmu::tables

namespace mechfmu::tests {

struct MechanismFile {
  std::string name;                        // joints: joints.xml
  const tables::Tables* tables = nullptr;  // that were compiled
};
const std::vector<MechanismFile>& mechanism_files();

std::string read(const std::string& file);  // of this folder

struct Loaded {
  MechanismText text;
  Plan plan;  // refers to the text
};
/// A file as elements and as a plan. The interpreter knows no functions in C++; formulas of their
/// values replace them.
Loaded load(const MechanismFile& file);

/// The text of a mechanism file that includes no others, interpreted.
mechanics::Mechanism from_text(const std::string& content);

std::unique_ptr<mechanics::MechanismSystem> compiled(const MechanismFile& file);
std::unique_ptr<mechanics::MechanismSystem> interpreted(const MechanismFile& file);

}  // namespace mechfmu::tests
