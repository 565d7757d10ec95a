// When the library is unloaded, it gives back what its own copy of the C++ runtime has set aside for
// exceptions (72 kB); importers that load and unload FMUs again and again would lose it each time.

namespace __gnu_cxx {
void __freeres();  // NOLINT(bugprone-reserved-identifier): name of libstdc++
}

namespace {
[[gnu::destructor]] void give_back() { __gnu_cxx::__freeres(); }
}  // namespace
