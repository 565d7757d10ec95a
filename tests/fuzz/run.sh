#!/usr/bin/env bash
# Fuzzes what reads text from users, with the address and undefined-behaviour sanitizers:
#   tests/fuzz/run.sh [seconds]    a fifth of them each for expressions and listings, the rest for mechanism files; 20 unless given
# The solver and mechanics are those of build/, without sanitizers; MECHFMU_FUZZ=all compiles them anew with them, which
# takes minutes. What the fuzzer learns stays in build/fuzz*/corpus; an input that breaks something is named.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
seconds=${1:-20}
folder=build/fuzz all=OFF
if [ "${MECHFMU_FUZZ:-}" = all ]; then
  folder=build/fuzz_all all=ON
else
  cmake --preset release >/dev/null
  cmake --build --preset release --target mechfmu_solver mechfmu_mechanics
fi
cmake -S tests/fuzz -B "$folder" -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DINSTRUMENT_ALL=$all >/dev/null
cmake --build "$folder" --parallel "$(nproc)"
seeds=$PWD/tests/fuzz/seeds
cd "$folder"
./seeds generated

# fuzz <target> <seconds> <longest input> <dictionary> <folders with seeds>...
fuzz() {
  local target=$1 time=$2 longest=$3 dictionary=$4
  shift 4
  mkdir -p "corpus/$target"
  echo "fuzz: $target for $time s"
  "./$target" -max_total_time="$time" -max_len="$longest" -dict="$dictionary" -timeout=10 -rss_limit_mb=2000 \
    -print_final_stats=1 "corpus/$target" "$@" >"$target.log" 2>&1 ||
    { tail -n 60 "$target.log"; return 1; }
  grep -E 'number_of_executed_units|average_exec_per_sec' "$target.log"
}

fuzz fuzz_expression $((seconds / 5)) 400 generated/mechanism.dict "$seeds"/expressions
fuzz fuzz_listing $((seconds / 5)) 6000 generated/mechanism.dict generated/listings
fuzz fuzz_mechanism_file $((seconds - seconds / 5 * 2)) 6000 generated/mechanism.dict generated "$seeds"/mechanisms
