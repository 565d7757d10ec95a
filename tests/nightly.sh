#!/usr/bin/env bash
# Runs the checks that take too long for every change, one part after the other, and prints a summary:
#
#   tests/nightly.sh [seconds] [part...]    all parts unless some are named; parts without an end, and each fuzzer, get
#                                           3600 s unless seconds are given
#
#   attack             random calls, changed states and hostile files, with new seeds until the seconds have passed
#   sanitizers         the C++ tests of ctest, except those with threads, with the address and undefined-behaviour
#                      sanitizers; Python tests run without them
#   sanitized_attack   the attack on FMUs with these sanitizers, until the seconds have passed
#   platforms          the libraries for other platforms are made, and run under Wine and QEMU
#   subfolder          mechfmu is built as part of another project
#   sources            FMUs that carry their sources are compiled by FMPy, by g++ and by clang
#   wheel              the wheel for all of Linux is made, installed by a user without rights or compiler, and used
#   pip_wheel          `pip wheel .` in a copy of the clone makes a wheel for this machine, which is installed and used
#   robots             public robots are read, and move as in Pinocchio, MuJoCo and Drake; random robots and loops; motions;
#                      robots in FMPy
#   models             whole runs of belt and track; matrices of Nastran by pyNastran
#   java               VDMCheck checks all FMUs of models/, Maestro runs more closed loops
#   rust               a master on the crate fmi is compiled, and runs FMUs; fails without Rust 1.85 or later, see below
#   threads            the tests with threads under the thread sanitizer
#   fuzzers            expressions, listings, mechanism files and robots, from random seeds and with sanitizers also in the
#                      solver and the mechanics
#   bench              the benchmarks compile
#   tidy               lint, with clang-tidy on every file
#   site               the documentation becomes a site; links, formulas, nothing from a network
#
# Needs the requirements of tests/run.sh, and a build that has passed it. The part rust also needs cargo, in PATH or in
# ~/.cargo/bin: Debian 12 has an older one than 1.85, rustup installs a newer one without root. MECHFMU_ATTACK_SEED is the
# first seed, by default the time.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
export PYTHONDONTWRITEBYTECODE=1
. tests/steps.sh

seconds=3600
case ${1:-} in
  '' | *[!0-9]*) ;;
  *) seconds=$1; shift ;;
esac
all=(attack sanitizers sanitized_attack platforms wheel pip_wheel subfolder sources robots models java rust threads fuzzers bench tidy site)
parts=("$@")
[ $# -gt 0 ] || parts=("${all[@]}")
for part in "${parts[@]}"; do
  case " ${all[*]} " in
    *" $part "*) ;;
    *) echo "nightly: there is no part '$part', but ${all[*]}" >&2; exit 2 ;;
  esac
done

# A part installs the requirements of its tests, so that only tests named in tests/skips_night.txt are skipped.
run_pytest() { build/venv/bin/python -m pytest --quiet --color=auto --strict-skips --skips=tests/skips_night.txt "$@"; }
build() { cmake --preset "$1" >/dev/null && cmake --build --preset "$1" --parallel "$(nproc)"; }

# attack_until_late <tests>: repeats them with other seeds, until the seconds have passed or a test fails.
attack_until_late() {
  local begin=$SECONDS seed=${MECHFMU_ATTACK_SEED:-$(date +%s)}
  while :; do
    echo "seed $seed, after $((SECONDS - begin)) s"
    MECHFMU_ATTACK_SEED=$seed run_pytest tests/attack -k "$1" || return 1
    [ $((SECONDS - begin)) -lt "$seconds" ] || return 0
    seed=$((seed + 1000000))
  done
}

# A round takes about a quarter of an hour, or less if fewer seconds are given.
attack() {
  local n=$((seconds < 1000 ? 100 * seconds + 1000 : 100000))
  MECHFMU_ATTACK_CALLS=$n MECHFMU_ATTACK_STATES=$((n / 5)) MECHFMU_HOSTILE_ARCHIVES=$n MECHFMU_HOSTILE_FILES=$n \
    attack_until_late "not planted"
}
sanitizers() { build sanitize && ctest --preset sanitize --parallel "$(nproc)"; }
# Eigen's guard against allocations in steps has one flag for all threads: tests with threads run under the thread sanitizer.
sanitized_attack() { build sanitize && MECHFMU_BUILD=$PWD/build/sanitize attack_until_late "not planted and not threads"; }
platforms() {
  packaging/setup.sh wine64 qemu-user-static libc6-arm64-cross && packaging/platforms.py &&
    run_pytest -rs tests/packaging/test_platforms.py
}
subfolder() { run_pytest -m slow tests/packaging/test_external.py; }
sources() { run_pytest -m slow tests/packaging/test_source_fmus.py; }
wheel() {
  packaging/setup.sh dpkg-dev wine64 qemu-user-static libc6-arm64-cross && packaging/platforms.py && packaging/wheel.py &&
    run_pytest -rs -m slow tests/packaging/test_wheel.py
}
pip_wheel() { run_pytest -m slow tests/packaging/test_pip_wheel.py; }
java() {
  packaging/setup.sh default-jre-headless maven unzip && tests/masters/get_vdmcheck.sh && tests/masters/get_maestro.sh &&
    run_pytest -m slow -rs tests/masters/test_vdmcheck.py tests/examples/test_maestro.py
}
rust() {
  local PATH=$PATH:$HOME/.cargo/bin
  command -v cargo >/dev/null ||
    { echo "rust: cargo was not found; rustup installs Rust 1.85 or later without root, or name the other parts" >&2; return 1; }
  cargo build --release --quiet --manifest-path tests/masters/rust/Cargo.toml --target-dir build/rust &&
    run_pytest -m slow tests/masters/test_rust.py
}
robots() {
  local venv=build/oracles robots examples
  [ -x "$venv/bin/python" ] || python3 -m venv "$venv"
  "$venv"/bin/pip install --quiet --disable-pip-version-check --requirement tests/robots/requirements.txt || return 1
  robots=$(echo "$venv"/lib/python3*/site-packages)
  examples=$robots/cmeel.prefix/share/example-robot-data/robots
  "$venv"/bin/python tests/robots/oracles.py --known tests/robots/known.txt "$examples"/*/*/*.urdf "$robots"/dm_control/suite/*.xml \
    "$robots"/gymnasium/envs/mujoco/assets/*.xml &&
    "$venv"/bin/python tests/robots/random_robots.py --count 200 &&
    "$venv"/bin/python tests/robots/loops.py --random 200 --cost &&
    "$venv"/bin/python tests/robots/trajectories.py tests/robots/files/arm.urdf tests/robots/files/arm.xml \
      "$examples"/{panda_description/urdf/panda,ur_description/urdf/ur5_robot,kinova_description/robots/kinova,xarm_description/urdf/xarm7}.urdf \
      "$robots"/dm_control/suite/{acrobot,cartpole,reacher}.xml &&
    "$venv"/bin/python tests/robots/groups.py "$examples"/*/*/*.urdf "$robots"/dm_control/suite/*.xml "$robots"/gymnasium/envs/mujoco/assets/*.xml &&
    build/venv/bin/python tests/robots/tour.py --packages "$robots"
}
models() { run_pytest -m slow tests/models/test_whole_runs.py tests/python/test_flex_nastran.py; }
threads() { build tsan && ctest --preset tsan; }
fuzzers() { MECHFMU_FUZZ=all tests/fuzz/run.sh "$seconds" expression listing mechanism_file robot_file; }
bench() { cmake --build --preset release --target bench --parallel "$(nproc)"; }
tidy() { MECHFMU_TIDY=all run_pytest tests/lint; }
site() { docs/site.py; }

for part in "${parts[@]}"; do
  step "$part" "$part"
done
finish
