#!/usr/bin/env bash
# Builds the programs of bench/ and regenerates every figure of docs/figures and every table of
# docs/accuracy.md, docs/accuracy_tables.md, docs/cost.md, docs/real_time.md and docs/scaling.md. Another build folder than build can be named: figures.sh <folder>
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PYTHONDONTWRITEBYTECODE=1

build=${1:-build}
[ -x build/venv/bin/python ] || packaging/setup.sh
if [ "$build" = build ]; then
  cmake --preset release
else
  [ -f "$build/CMakeCache.txt" ] || cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release
fi
cmake --build "$build" --target bench slider_crank_binary mechfmu_tool slider_crank_fmu
build/venv/bin/python bench/figures.py --build "$build"
