#!/usr/bin/env bash
# Fuzzes the readers of text from users, with the address and undefined-behaviour sanitizers:
#   tests/fuzz/run.sh                          all fuzzers, each for a fixed number of runs from a fixed seed: the same inputs
#                                              at every call, for CI
#   tests/fuzz/run.sh build                    only compiles them, with the solver and mechanics that build/ has
#   tests/fuzz/run.sh <seconds> [fuzzer...]    new inputs for this number of seconds per fuzzer: expression, listing,
#                                              mechanism_file, robot_file; build/fuzz*/corpus keeps their findings for the
#                                              next call
# The solver and mechanics are those of build/, without sanitizers; MECHFMU_FUZZ=all compiles them again with sanitizers,
# which takes minutes. The name of an input that breaks something is printed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
mode=${1:-fixed}
shift $(($# > 0))
fuzzers=("$@")
[ $# -gt 0 ] || fuzzers=(expression listing robot_file mechanism_file)
folder=build/fuzz all=OFF
if [ "${MECHFMU_FUZZ:-}" = all ]; then
  folder=build/fuzz_all all=ON
elif [ "$mode" != build ]; then
  cmake --preset release >/dev/null
  cmake --build --preset release --target mechfmu_solver mechfmu_mechanics
fi
cmake -S tests/fuzz -B "$folder" -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DINSTRUMENT_ALL=$all >/dev/null
cmake --build "$folder" --parallel "$(nproc)"
[ "$mode" != build ] || exit 0
seeds=$PWD/tests/fuzz/seeds
robots=$PWD/tests/robots/files
cd "$folder"
./seeds generated

# A fuzzer also compares addresses: its inputs are the same only if these are.
launcher=()
if [ "$mode" = fixed ] && setarch --addr-no-randomize true 2>/dev/null; then launcher=(setarch --addr-no-randomize); fi

# fuzz <fuzzer>: prints the last lines of its log if it finds something, otherwise the numbers of its run.
fuzz() {
  local target=fuzz_$1 longest=6000 corpus=corpus/fuzz_$1 runs places limit
  case $1 in
    expression) runs=30000 longest=400 places=("$seeds"/expressions) ;;
    listing) runs=100000 places=(generated/listings) ;;
    mechanism_file) runs=6000 places=(generated "$seeds"/mechanisms) ;;
    robot_file) runs=3000 places=("$seeds"/robots "$robots") ;;
    *) echo "fuzz: there is no fuzzer '$1', but expression, listing, mechanism_file and robot_file" >&2; return 2 ;;
  esac
  if [ "$mode" = fixed ]; then
    corpus=fixed/$target limit=("-runs=$runs" -seed=1 -reload=0 -timeout=60)
    rm -rf "$corpus"
  else
    limit=("-max_total_time=$mode" -timeout=10)
  fi
  mkdir -p "$corpus"
  "${launcher[@]}" "./$target" "${limit[@]}" -max_len="$longest" -dict=generated/mechanism.dict -rss_limit_mb=2000 \
    -print_final_stats=1 "$corpus" "${places[@]}" >"$target.log" 2>&1 ||
    { echo "fuzz: $target found something"; tail -n 60 "$target.log"; return 1; }
  echo "fuzz: $target"
  grep -E 'number_of_executed_units|average_exec_per_sec' "$target.log"
}

# Two at a time if the number of runs is fixed; with new inputs each has a separate core.
verdict=0 running=()
for fuzzer in "${fuzzers[@]}"; do
  if [ "$mode" = fixed ]; then
    fuzz "$fuzzer" &
    running+=($!)
    [ ${#running[@]} -lt 2 ] || { wait "${running[0]}" || verdict=1; running=("${running[@]:1}"); }
  else
    fuzz "$fuzzer" || verdict=1
  fi
done
for process in "${running[@]}"; do
  wait "$process" || verdict=1
done
exit $verdict
