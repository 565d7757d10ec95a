// Ctrl-C as a question that work asks when it suits it: temporary files are removed, results are closed. The second
// Ctrl-C ends the program at once.
//
//   const Interruptible interruptible;
//   while (...) if (interrupted()) break;

#pragma once

namespace mechfmu {

/// While there is one, Ctrl-C and SIGTERM are noted only.
class Interruptible {
 public:
  Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;
  ~Interruptible();
};

bool interrupted();

/// Thrown where work cannot go on; not an error, so not a std::exception.
struct Interrupted {};

}  // namespace mechfmu
