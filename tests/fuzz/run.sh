#!/usr/bin/env bash
# Fuzzes what reads text from users, with the address and undefined-behaviour sanitizers:
#   tests/fuzz/run.sh [seconds]               a fifth of them each for expressions, listings and robots, the rest for mechanism files; 20 unless given
#   tests/fuzz/run.sh <seconds> <fuzzer>...   so many for each of those named: expression, listing, mechanism_file, robot_file
# The solver and mechanics are those of build/, without sanitizers; MECHFMU_FUZZ=all compiles them anew with them, which
# takes minutes. What the fuzzer learns stays in build/fuzz*/corpus; an input that breaks something is named.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
seconds=${1:-20}
shift $(($# > 0))
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
robots=$PWD/tests/robots/files
cd "$folder"
./seeds generated

# fuzz <fuzzer> <seconds>: its findings are what it ends with, else the numbers of its run.
fuzz() {
  local target=fuzz_$1 time=$2 longest=6000 places
  case $1 in
    expression) longest=400 places=("$seeds"/expressions) ;;
    listing) places=(generated/listings) ;;
    mechanism_file) places=(generated "$seeds"/mechanisms) ;;
    robot_file) places=("$seeds"/robots "$robots") ;;
    *) echo "fuzz: there is no fuzzer '$1', but expression, listing, mechanism_file and robot_file" >&2; return 2 ;;
  esac
  mkdir -p "corpus/$target"
  echo "fuzz: $target for $time s"
  "./$target" -max_total_time="$time" -max_len="$longest" -dict=generated/mechanism.dict -timeout=10 -rss_limit_mb=2000 \
    -print_final_stats=1 "corpus/$target" "${places[@]}" >"$target.log" 2>&1 ||
    { tail -n 60 "$target.log"; return 1; }
  grep -E 'number_of_executed_units|average_exec_per_sec' "$target.log"
}

verdict=0
if [ $# -eq 0 ]; then
  fuzz expression $((seconds / 5)) || verdict=1
  fuzz listing $((seconds / 5)) || verdict=1
  fuzz robot_file $((seconds / 5)) || verdict=1
  fuzz mechanism_file $((seconds - 3 * (seconds / 5))) || verdict=1
fi
for fuzzer in "$@"; do
  fuzz "$fuzzer" "$seconds" || verdict=1
done
exit $verdict
