// Unpacked FMUs for tests: those of the build, and the integrator, whose results are known.

#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "importer/run.h"
#include "packaging/export.h"

namespace mechfmu::tests {

/// build/fmus/<name>.fmu or <name>.fmi3.fmu, unpacked.
class BuiltFmu : public TemporaryFolder {
 public:
  BuiltFmu(const std::string& name, int major);
};

/// tests/importer/integrator, with its own description. `description` may change its text.
class Integrator : public TemporaryFolder {
 public:
  explicit Integrator(int major, const std::function<void(std::string&)>& description = {});
};

void replace(std::string& text, const std::string& what, const std::string& by);
std::string read_file(const std::filesystem::path& file);
void write_file(const std::filesystem::path& file, const std::string& text);

/// The message of the exception of run(); empty if there is none.
std::string message_of_run(const std::filesystem::path& folder, const RunOptions& options = {});
/// The message of the exception of any function.
std::string message_of(const std::function<void()>& function);

}  // namespace mechfmu::tests
