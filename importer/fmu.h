// An unpacked FMU: its description and its binary for this machine.
//
//   const Fmu fmu(folder);
//   fmu.description().find("stiffness");

#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "model_desc/read_description.h"

namespace mechfmu {

/// A shared library, closed in the destructor. After a fatal error its code and data must stay
/// loaded.
class Library {
 public:
  explicit Library(std::filesystem::path file);
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library();

  /// Throws std::runtime_error that names the function if it does not exist.
  template <class Function>
  Function* function(const std::string& name) const {
    return reinterpret_cast<Function*>(find(name));
  }
  void keep() { keep_ = true; }

 private:
  void* find(const std::string& name) const;

  std::filesystem::path file_;
  void* handle_;
  bool keep_ = false;
};

class Fmu {
 public:
  /// Reads the description and loads the binary. Throws std::runtime_error if there is no
  /// co-simulation or no binary for this machine; the message lists the existing ones.
  explicit Fmu(const std::filesystem::path& folder);

  const FmuDescription& description() const { return description_; }
  const std::filesystem::path& folder() const { return folder_; }  // absolute
  const std::shared_ptr<Library>& library() const { return library_; }

 private:
  std::filesystem::path folder_;
  FmuDescription description_;
  std::shared_ptr<Library> library_;
};

/// The folders below binaries/, sorted: linux64, win64.
std::vector<std::string> platforms(const std::filesystem::path& folder);

/// The names of this machine in a version of FMI, the usual name first.
std::vector<std::string> own_platforms(int major);

}  // namespace mechfmu
