// Signals that end the program: Ctrl-C, SIGTERM, SIGHUP of a closed terminal, SIGPIPE of output
// without a reader. Temporary files and compilers are removed first (packaging/leftovers.h).
//
// Work that can stop cleanly checks at intervals, and closes its results:
//
//   const Interruptible interruptible;
//   while (...) if (interrupted()) break;
//
// If it does not stop within a second, or at a second signal, the program ends in the middle of it.

#pragma once

#include <functional>

namespace mechfmu {

/// Call once, before anything else: from then on, signals remove temporary files.
void watch_signals();

/// While one exists, the first signal is noted, and the work has a second to stop.
class Interruptible {
 public:
  Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;
  ~Interruptible();
};

bool interrupted();

/// A function that saves results if the work does not stop; called concurrently, in another thread.
class LastWords {
 public:
  explicit LastWords(std::function<void()> say);
  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;
  ~LastWords();
};

/// The output has lost its reader. The program reports nothing and ends by the signal, as others
/// do.
bool output_is_closed();
[[noreturn]] void end_by_signal();

/// Thrown where work cannot continue; not an error, so not a std::exception.
struct Interrupted {};

}  // namespace mechfmu
