// The library has its own copy of the C++ runtime, which starts when the library is loaded and ends
// when it is unloaded. libstdc++ needs help with both. libc++ comes with Zig
// (packaging/platforms.py), which omits the cleanup.

#include <exception>

#ifdef __GLIBCXX__

namespace __gnu_cxx {
void __freeres();  // NOLINT(bugprone-reserved-identifier): name of libstdc++
}

namespace {

/// An exception of a callback of an importer must pass through the functions of this library, which
/// undo their work and catch it. That ends in abort() unless the runtime of the library has
/// prepared itself, which it does at its first throw.
[[gnu::constructor]] void prepare() {
  try {
    throw 0;
  } catch (int) {  // NOLINT(bugprone-empty-catch): that is all
  }
}

/// Frees the memory reserved for exceptions (72 kB): importers that load and unload FMUs repeatedly
/// would lose it each time.
[[gnu::destructor]] void give_back() { __gnu_cxx::__freeres(); }

}  // namespace

#elif defined(__ELF__)

extern "C" {
extern void* __dso_handle;   // NOLINT(bugprone-reserved-identifier): name of the ABI
void __cxa_finalize(void*);  // NOLINT(bugprone-reserved-identifier)
}

namespace {

/// Runs the exit handlers of the library now, as crtbeginS.o does with other compilers (Itanium C++
/// ABI, 3.3.5): at the end of the process, their code is gone.
[[gnu::destructor]] void clear() { __cxa_finalize(&__dso_handle); }

}  // namespace

#endif
