"""Shell scripts are executable, and shellcheck finds nothing in them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from sources import ROOT, all_files


def is_shell_script(path):
    with path.open("rb") as file:
        return path.suffix == ".sh" or file.readline() in (b"#!/usr/bin/env bash\n", b"#!/bin/bash\n", b"#!/bin/sh\n")


SHELLCHECK = Path(sys.executable).with_name("shellcheck")  # of packaging/requirements.txt
SCRIPTS = [path for path in all_files() if is_shell_script(path)]


def test_scripts_are_found():
    assert {ROOT / "tests/run.sh", ROOT / "packaging/setup.sh", ROOT / ".ci/run"} <= set(SCRIPTS)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_script_is_executable(script):
    assert os.access(script, os.X_OK), f"mend with: chmod +x {script.relative_to(ROOT)}"


def test_shellcheck_finds_nothing():
    """SC2329: functions that tests/steps.sh calls by their names; SC1091: sourced files of other packages."""
    words = [SHELLCHECK, "--format=gcc", "--external-sources", "--exclude=SC1091,SC2329", *SCRIPTS]
    run = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def test_shellcheck_looks(tmp_path):
    (tmp_path / "bad.sh").write_text('#!/bin/bash\nrm -r $1/build\n')
    run = subprocess.run([SHELLCHECK, "--format=gcc", tmp_path / "bad.sh"], capture_output=True, text=True, check=False)
    assert run.returncode == 1 and "SC2086" in run.stdout
