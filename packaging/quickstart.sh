#!/usr/bin/env bash
# From a fresh clone to a plot: sets up, builds the tool, exports models/slider_crank/slider_crank.xml as FMI 2.0 and
# FMI 3.0, validates and simulates both with FMPy, and draws the motion.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packaging/setup.sh
echo "quickstart: building build/mechfmu, which takes minutes the first time"
cmake --preset release >/dev/null
ninja_options=(--quiet)
if [ -t 1 ]; then ninja_options=(); fi # the progress, in one line
cmake --build --preset release --parallel "$(nproc)" --target mechfmu_tool -- "${ninja_options[@]}"

folder=build/quickstart
mkdir -p "$folder"
echo "quickstart: mechfmu export models/slider_crank/slider_crank.xml"
build/mechfmu export models/slider_crank/slider_crank.xml -o "$folder/slider_crank.fmu"

echo "quickstart: validating and simulating with FMPy"
build/venv/bin/python packaging/run_fmu.py "$folder/slider_crank.fmu" "$folder/slider_crank.fmi3.fmu" \
  --csv "$folder/slider_crank.csv"
build/venv/bin/python packaging/plot_csv.py "$folder/slider_crank.csv" "$folder/slider_crank.png" \
  --title "Slider-crank"
echo "quickstart: results in $folder/slider_crank.csv, plot in $PWD/$folder/slider_crank.png"
echo "quickstart: next, follow docs/tutorial.md with export PATH=\"$PWD/build:$PWD/build/venv/bin:\$PATH\""
