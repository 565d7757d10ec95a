// Signals that end the program: Ctrl-C, SIGTERM, SIGHUP of a terminal that is closed, SIGPIPE of output that nobody reads.
// Nothing is left behind: temporary files and compilers go first (packaging/leftovers.h).
//
// Work that can stop by itself asks when it suits it, and closes its results:
//
//   const Interruptible interruptible;
//   while (...) if (interrupted()) break;
//
// Where it does not answer within a second, or at a second signal, the program ends in the midst of it.

#pragma once

#include <functional>

namespace mechfmu {

/// Once, before anything else: from then on signals clear up.
void watch_signals();

/// While there is one, the first signal is noted, and the work has a second to stop.
class Interruptible {
 public:
  Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;
  ~Interruptible();
};

bool interrupted();

/// What is still to be saved where the work does not stop; called beside it, in another thread.
class LastWords {
 public:
  explicit LastWords(std::function<void()> say);
  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;
  ~LastWords();
};

/// Nobody reads the output any more. Nothing is to be said then, and the program ends as others do: by the signal.
bool output_is_closed();
[[noreturn]] void end_by_signal();

/// Thrown where work cannot go on; not an error, so not a std::exception.
struct Interrupted {};

}  // namespace mechfmu
