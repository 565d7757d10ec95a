// The counter of tests/solver, for this program too.

#include "tests/solver/count_allocations.cpp"  // NOLINT(bugprone-suspicious-include)
