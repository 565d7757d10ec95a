#!/usr/bin/env bash
# Compares mechfmu with IDA (BDF) on the belt, the track and the vehicle of models/: installs SUNDIALS if it is missing,
# builds, runs large.py. Options are those of large.py, e.g. --quick; progress goes to the error output.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export PYTHONDONTWRITEBYTECODE=1

case " $* " in *" -h "* | *" --help "*) exec build/venv/bin/python bench/large/large.py "$@" ;; esac  # installs nothing
{
  packaging/setup.sh libsundials-dev
  cmake --preset release
  cmake --build --preset release --target large
} >&2
exec build/venv/bin/python bench/large/large.py "$@"
