// Folders whose contents are run as programs may be written by their owner alone: whoever else could put a library there
// would have it run with the rights of the next user.

#pragma once

#include <filesystem>
#include <string>

namespace mechfmu {

struct PrivateFolder {
  bool usable = false;
  std::string objection{};  // why it must not be used; empty where it just cannot be made
};

/// `base` / `rest`, made where it is missing, for the owner alone. The last folder has to be a real one, ours, and closed
/// to others; those from the base on must not let others replace it.
PrivateFolder private_folder(const std::filesystem::path& base, const std::filesystem::path& rest);

}  // namespace mechfmu
