// The library has its own copy of the C++ runtime, which is woken when the library is loaded and cleared when it is unloaded.
// That of libstdc++ needs help with both; libc++, which FMUs for other platforms have (packaging/platforms.py), sets nothing aside.

#include <exception>

#ifdef __GLIBCXX__

namespace __gnu_cxx {
void __freeres();  // NOLINT(bugprone-reserved-identifier): name of libstdc++
}

namespace {

/// An exception that a callback of an importer throws has to pass this library's functions, which undo their work and catch it.
/// That ends in abort() while the runtime of the library has not prepared itself; it does so when it throws for the first time.
[[gnu::constructor]] void prepare() {
  try {
    throw 0;
  } catch (int) {  // NOLINT(bugprone-empty-catch): that is all
  }
}

/// What it has set aside for exceptions (72 kB): importers that load and unload FMUs again and again would lose it each time.
[[gnu::destructor]] void give_back() { __gnu_cxx::__freeres(); }

}  // namespace

#endif
