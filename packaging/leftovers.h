// Temporary folders, unfinished files and child programs, which must not outlive the program,
// however it ends. Code that makes one of them notes it here; a signal that cannot wait removes
// them all.

#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>

namespace mechfmu {

/// Makes a file or a folder and notes it, with nothing in between. An empty path stands for none.
std::filesystem::path make_leftover(const std::function<std::filesystem::path()>& make);
void forget_leftover(const std::filesystem::path& path);

/// Starts a program as the leader of its own process group, and notes it. 0 stands for none.
pid_t start_group(const std::function<pid_t()>& start);
/// Call before waiting for the leader: afterwards another process may have its number.
void forget_group(pid_t leader);

/// Sends a signal to all programs that were started and have not ended.
void signal_groups(int signal);

/// Ends the programs and removes the files. Afterwards nothing can be noted or forgotten: for the
/// end of the program.
void clear_leftovers();

}  // namespace mechfmu
