// The counter of tests/solver, also for this program.

#include "tests/solver/count_allocations.cpp"  // NOLINT(bugprone-suspicious-include)
