// What must not outlive the program, however it ends: temporary folders, unfinished files, and programs that it has
// started. Whoever makes one of them notes it here; a signal that cannot wait clears them all away.

#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>

namespace mechfmu {

/// Makes a file or a folder and notes it, with nothing in between. An empty path is none.
std::filesystem::path make_leftover(const std::function<std::filesystem::path()>& make);
void forget_leftover(const std::filesystem::path& path);

/// Starts a program that leads a group of its own, and notes it. 0 is none.
pid_t start_group(const std::function<pid_t()>& start);
/// Before its leader is waited for: then its number may be another's.
void forget_group(pid_t leader);

/// Sends a signal to all that was started and has not ended.
void signal_groups(int signal);

/// Ends the programs and removes the files. Nothing can be noted or forgotten any more: for the end of the program.
void clear_leftovers();

}  // namespace mechfmu
