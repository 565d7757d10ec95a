#include "packaging/leftovers.h"

#include <poll.h>

#include <csignal>
#include <mutex>
#include <set>

namespace mechfmu {

namespace fs = std::filesystem;

namespace {

struct Leftovers {
  std::mutex mutex;
  std::set<fs::path> paths;
  std::set<pid_t> groups;
};

/// Never destroyed: a signal may come while the program ends.
Leftovers& all() {
  static auto& leftovers = *new Leftovers;
  return leftovers;
}

bool is_running(const std::set<pid_t>& groups) {
  for (const pid_t leader : groups)
    if (kill(-leader, 0) == 0) return true;
  return false;
}

}  // namespace

fs::path make_leftover(const std::function<fs::path()>& make) {
  const std::scoped_lock lock(all().mutex);
  fs::path made = make();
  if (!made.empty()) all().paths.insert(made);
  return made;
}

void forget_leftover(const fs::path& path) {
  const std::scoped_lock lock(all().mutex);
  all().paths.erase(path);
}

pid_t start_group(const std::function<pid_t()>& start) {
  const std::scoped_lock lock(all().mutex);
  const pid_t leader = start();
  if (leader > 0) all().groups.insert(leader);
  return leader;
}

void forget_group(pid_t leader) {
  const std::scoped_lock lock(all().mutex);
  all().groups.erase(leader);
}

void signal_groups(int signal) {
  const std::scoped_lock lock(all().mutex);
  for (const pid_t leader : all().groups) kill(-leader, signal);
}

void clear_leftovers() {
  all().mutex.lock();  // for good
  // Compilers that are asked to end remove their own temporary files; they have a fifth of a
  // second.
  for (const pid_t leader : all().groups) kill(-leader, SIGTERM);
  for (int i = 0; i < 20 && is_running(all().groups); ++i) poll(nullptr, 0, 10);
  for (const pid_t leader : all().groups) kill(-leader, SIGKILL);
  std::error_code ignored;
  for (const fs::path& path : all().paths) fs::remove_all(path, ignored);
}

}  // namespace mechfmu
