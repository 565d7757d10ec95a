#!/bin/sh
# What takes too long for every change: an hour of attack and of each fuzzer, all of clang-tidy, sanitizers over every test.
#
#   tests/nightly.sh [seconds for each long part, by default 3600]
#
# Needs what tests/run.sh needs, and a build that has passed it. Ends with the first part that fails.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-3600}
python=build/venv/bin/python

echo "== random calls, changed states and hostile files, release, until $seconds s have passed"
begin=$(date +%s)
seed=$begin
while [ $(($(date +%s) - begin)) -lt "$seconds" ]; do
  echo "seed $seed"
  MECHFMU_ATTACK_CALLS=100000 MECHFMU_ATTACK_STATES=20000 MECHFMU_ATTACK_SEED=$seed \
    MECHFMU_HOSTILE_ARCHIVES=100000 MECHFMU_HOSTILE_FILES=100000 \
    $python -m pytest -q tests/attack -k "not planted"
  seed=$((seed + 1000000))
done

echo "== address and undefined-behaviour sanitizers: all C++ tests, attack"
cmake --preset debug > /dev/null
cmake --build --preset debug
ctest --preset debug
MECHFMU_BUILD=build/debug MECHFMU_ATTACK_SEED=$begin $python -m pytest -q tests/attack -k "not planted and not memory"

echo "== thread sanitizer"
cmake --preset tsan > /dev/null
cmake --build --preset tsan
ctest --preset tsan

echo "== fuzzers, $seconds s each"
tests/fuzz/run.sh "$seconds"

echo "== clang-tidy on every file"
MECHFMU_TIDY=all $python -m pytest -q tests/lint
echo "nightly: all parts passed"
