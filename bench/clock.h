// Processor time of small pieces of work.

#pragma once

#include <algorithm>
#include <ctime>
#include <limits>

namespace mechfmu::bench {

inline double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Shortest of several timings of `work`, each long enough for the clock.
template <class Work>
double seconds_of(const Work& work) {
  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 5; ++round) {
    const double begin = cpu_seconds();
    int repeats = 0;
    double passed = 0;
    do {
      work();
      ++repeats;
      passed = cpu_seconds() - begin;
    } while (passed < 0.02);
    best = std::min(best, passed / repeats);
  }
  return best;
}

}  // namespace mechfmu::bench
