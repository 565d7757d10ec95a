#include "packaging/private_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace mechfmu {

namespace fs = std::filesystem;

namespace {

bool make(const fs::path& folder) {
  if (mkdir(folder.c_str(), S_IRWXU) == 0 || errno == EEXIST) return true;
  if (errno != ENOENT || !folder.has_relative_path() || folder == folder.parent_path())
    return false;
  return make(folder.parent_path()) && (mkdir(folder.c_str(), S_IRWXU) == 0 || errno == EEXIST);
}

/// In a sticky folder, as /tmp is, others cannot replace what is ours.
std::string objection_to_parent(const fs::path& folder) {
  struct stat found {};
  if (stat(folder.c_str(), &found) != 0) return {};  // then what is in it is not found either
  if (found.st_uid != geteuid() && found.st_uid != 0)
    return folder.string() + " belongs to another user";
  if ((found.st_mode & S_IWOTH) != 0 && (found.st_mode & S_ISVTX) == 0)
    return folder.string() + " can be written by everyone";
  return {};
}

}  // namespace

PrivateFolder private_folder(const fs::path& base, const fs::path& rest) {
  const fs::path folder = base / rest;
  fs::path parent = base;
  std::string objection;
  if (!make(folder)) return {};
  for (const fs::path& part : rest) {
    if (objection.empty()) objection = objection_to_parent(parent);
    parent /= part;
  }
  if (!objection.empty()) return {.objection = objection};
  struct stat found {};
  if (lstat(folder.c_str(), &found) != 0) return {};
  if (S_ISLNK(found.st_mode)) return {.objection = folder.string() + " is a link"};
  if (!S_ISDIR(found.st_mode)) return {};
  if (found.st_uid != geteuid()) return {.objection = folder.string() + " belongs to another user"};
  if ((found.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return {.objection = folder.string() + " can be written by others"};
  return {.usable = true};
}

}  // namespace mechfmu
