#!/usr/bin/env bash
# From a fresh clone to a plot: sets up, builds, simulates the slider-crank and draws its motion.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packaging/setup.sh
echo "quickstart: building"
cmake --preset release >/dev/null
cmake --build --preset release --parallel "$(nproc)" --target quickstart -- --quiet

echo "quickstart: simulating"
build/bench/quickstart build/slider_crank.csv
build/venv/bin/python packaging/plot_csv.py build/slider_crank.csv build/slider_crank.png \
  --title "Slider-crank"
echo "quickstart: results in build/slider_crank.csv, plot in $PWD/build/slider_crank.png"
