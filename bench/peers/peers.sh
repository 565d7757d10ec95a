#!/usr/bin/env bash
# Compares mechfmu with other solvers: installs SUNDIALS and Exudyn if they are missing, builds, runs peers.py.
# Options are those of peers.py, e.g. --quick; the table goes to the standard output, all else to the error output.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export PYTHONDONTWRITEBYTECODE=1

{
  packaging/setup.sh libsundials-dev
  build/venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
    --requirement bench/peers/requirements.txt
  cmake --preset release
  cmake --build --preset release --target chain chain_reference ida_chain
} >&2
exec build/venv/bin/python bench/peers/peers.py "$@"
