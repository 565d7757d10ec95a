// The library has its own copy of the C++ runtime, which is woken when the library is loaded and cleared when it is unloaded.
// That of libstdc++ needs help with both. libc++ comes with Zig (packaging/platforms.py), which leaves the clearing out.

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

#elif defined(__ELF__)

extern "C" {
extern void* __dso_handle;   // NOLINT(bugprone-reserved-identifier): name of the ABI
void __cxa_finalize(void*);  // NOLINT(bugprone-reserved-identifier)
}

namespace {

/// What the runtime wants to do at the end of the process is done now, as other compilers see to it by crtbeginS.o (Itanium C++ ABI, 3.3.5):
/// later, the code for it is gone.
[[gnu::destructor]] void clear() { __cxa_finalize(&__dso_handle); }

}  // namespace

#endif
