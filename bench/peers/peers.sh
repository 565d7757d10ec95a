#!/usr/bin/env bash
# Compares mechfmu with other solvers: installs SUNDIALS, Exudyn and MuJoCo if they are missing, builds, runs peers.py.
# The Python packages go to build/peers_venv, so that those of the project do not change. Options are those of peers.py,
# e.g. --quick or --spatial; the table goes to the standard output, everything else to the error output.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export PYTHONDONTWRITEBYTECODE=1

case " $* " in *" -h "* | *" --help "*) exec build/venv/bin/python bench/peers/peers.py "$@" ;; esac  # installs nothing
{
  packaging/setup.sh libsundials-dev
  [ -x build/peers_venv/bin/python ] || build/venv/bin/python -m venv build/peers_venv
  build/peers_venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
    --requirement bench/peers/requirements.txt
  cmake --preset release
  cmake --build --preset release --target fall chain_reference ida_chain
} >&2
exec build/venv/bin/python bench/peers/peers.py "$@"
