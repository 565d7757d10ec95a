"""Shell scripts have no syntax errors and can be run."""

import os
import subprocess

import pytest
from sources import ROOT, all_files


def is_shell_script(path):
    with path.open("rb") as file:
        return path.suffix == ".sh" or file.readline() in (b"#!/usr/bin/env bash\n", b"#!/bin/bash\n", b"#!/bin/sh\n")


SCRIPTS = [path for path in all_files() if is_shell_script(path)]


def test_scripts_are_found():
    assert {ROOT / "tests/run.sh", ROOT / "packaging/setup.sh", ROOT / ".ci/run"} <= set(SCRIPTS)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_script_is_valid_and_executable(script):
    run = subprocess.run(["bash", "-n", script], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert os.access(script, os.X_OK), f"mend with: chmod +x {script.relative_to(ROOT)}"
