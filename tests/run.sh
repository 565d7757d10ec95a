#!/usr/bin/env bash
# All checks, from a fresh clone: set-up, build, lint, C++ tests, Python tests, fuzzers.
# Lint runs clang-tidy on changed files; MECHFMU_TIDY=all checks all of them.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
export PYTHONDONTWRITEBYTECODE=1

. tests/steps.sh

# Checker and master from Maven Central, which the quick start does not need.
java_tools() {
  packaging/setup.sh maven default-jre-headless unzip && tests/masters/get_vdmcheck.sh && tests/masters/get_maestro.sh
}
configure() { cmake --preset release; }
build() { cmake --build --preset release --parallel "$(nproc)"; }
# ctest counts a skipped test as passed.
cpp_tests() {
  ctest --preset release --parallel "$(nproc)" --output-junit "$PWD/build/cpp_tests.xml" &&
    build/venv/bin/python tests/skipped.py build/cpp_tests.xml
}
run_pytest() { build/venv/bin/python -m pytest --quiet --color=auto --strict-skips "$@"; }

# First the tests that change build/, then the others on as many workers as there are processors. The fuzzers, which the
# next step runs, are compiled when these leave a core idle.
python_tests() {
  local verdict=0
  run_pytest -m alone tests/packaging || verdict=1
  nice -n 19 tests/fuzz/run.sh build >build/fuzz_build.log 2>&1 &
  fuzzers_build=$!
  run_pytest -n "$(nproc)" --dist loadfile -m "not slow and not alone" tests --ignore=tests/lint || verdict=1
  return "$verdict"
}
fuzzers() {
  wait "$fuzzers_build" || { cat build/fuzz_build.log; return 1; }
  tests/fuzz/run.sh
}

# Nothing can be tested without these three, so a failure here ends the run.
if ! { step set-up packaging/setup.sh && step configure configure && step build build; }; then finish; fi

step "Java tools" java_tools
step lint run_pytest tests/lint
step "C++ tests" cpp_tests
step "Python tests" python_tests
step fuzzers fuzzers
finish
