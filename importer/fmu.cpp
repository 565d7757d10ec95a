#include "importer/fmu.h"

#include <dlfcn.h>

#include <algorithm>
#include <stdexcept>

#include "model_desc/text.h"

namespace mechfmu {

namespace fs = std::filesystem;

namespace {

#if defined(__x86_64__)
constexpr const char* processor = "x86_64";
constexpr const char* bits = "64";
#elif defined(__i386__)
constexpr const char* processor = "x86";
constexpr const char* bits = "32";
#elif defined(__aarch64__)
constexpr const char* processor = "aarch64";
constexpr const char* bits = "";  // FMI 2.0 has no name for it
#elif defined(__riscv) && __riscv_xlen == 64
constexpr const char* processor = "riscv64";
constexpr const char* bits = "";
#else
#error "a name is needed for this processor, see FMI 3.0, 2.5.1.4.1"
#endif
#if defined(__APPLE__)
constexpr const char* system_name = "darwin";
constexpr const char* suffix = ".dylib";
#else
constexpr const char* system_name = "linux";
constexpr const char* suffix = ".so";
#endif

fs::path find_binary(const fs::path& folder, const FmuDescription& description) {
  const std::string name = description.co_simulation->identifier + suffix;
  const std::vector<std::string> own = own_platforms(description.major);
  for (const std::string& platform : own)
    if (fs::path file = folder / "binaries" / platform / name; fs::is_regular_file(file))
      return file;
  const std::vector<std::string> others = platforms(folder);
  std::string there = others.empty() ? "it has none at all" : "it has " + joined(others, ", ");
  if (std::ranges::find(others, own.front()) != others.end())
    there = "binaries/" + own.front() + " holds no " + name;
  else if (others.empty() && fs::is_directory(folder / "sources"))
    there = "it has sources only, which must be compiled first";
  throw std::runtime_error("the FMU has no binary for this machine (" + own.front() + "); " +
                           there);
}

}  // namespace

Library::Library(fs::path file)
    : file_(std::move(file)), handle_(dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ != nullptr) return;
  const char* why = dlerror();
  throw std::runtime_error("the binary of the FMU cannot be loaded: " +
                           (why != nullptr ? std::string(why) : file_.string()));
}

Library::~Library() {
  if (!keep_) dlclose(handle_);
}

void* Library::find(const std::string& name) const {
  void* address = dlsym(handle_, name.c_str());
  if (address == nullptr)
    throw std::runtime_error("'" + file_.string() + "' has no function " + name);
  return address;
}

Fmu::Fmu(const fs::path& folder)
    : folder_(fs::absolute(folder).lexically_normal()),
      description_(read_description(folder_ / "modelDescription.xml")) {
  if (!description_.co_simulation)
    throw std::runtime_error(
        "the FMU does not support co-simulation, only " +
        std::string(description_.model_exchange ? "model exchange" : "scheduled execution"));
  library_ = std::make_shared<Library>(find_binary(folder_, description_));
}

std::vector<std::string> platforms(const fs::path& folder) {
  std::vector<std::string> names;
  if (fs::is_directory(folder / "binaries"))
    for (const fs::directory_entry& entry : fs::directory_iterator(folder / "binaries"))
      if (entry.is_directory()) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> own_platforms(int major) {
  const std::string tuple = std::string(processor) + "-" + system_name;
  if (major == 2 && *bits != '\0') return {std::string(system_name) + bits, tuple};
  return {tuple};
}

}  // namespace mechfmu
