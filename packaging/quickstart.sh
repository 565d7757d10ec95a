#!/usr/bin/env bash
# From a fresh clone to a plot: sets up, exports the slider-crank as FMI 2.0 and FMI 3.0, validates and
# simulates both with FMPy, and draws the motion.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packaging/setup.sh
echo "quickstart: building build/fmus/slider_crank.fmu and slider_crank.fmi3.fmu"
cmake --preset release >/dev/null
cmake --build --preset release --parallel "$(nproc)" --target slider_crank_fmu -- --quiet

echo "quickstart: validating and simulating with FMPy"
build/venv/bin/python packaging/run_fmu.py build/fmus/slider_crank.fmu build/fmus/slider_crank.fmi3.fmu \
  --csv build/slider_crank.csv
build/venv/bin/python packaging/plot_csv.py build/slider_crank.csv build/slider_crank.png \
  --title "Slider-crank"
echo "quickstart: results in build/slider_crank.csv, plot in $PWD/build/slider_crank.png"
