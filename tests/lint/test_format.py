"""The C++ sources follow .clang-format."""

import subprocess

import pytest
from sources import ROOT, cpp_files


def test_cpp_files_are_formatted():
    files = [str(path.relative_to(ROOT)) for path in cpp_files()]
    if not files:
        return
    run = subprocess.run(
        ["clang-format", "--dry-run", "-Werror", *files], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if run.returncode != 0:
        names = sorted({line.split(":")[0] for line in run.stderr.splitlines() if ": error:" in line})
        pytest.fail(f"{run.stderr[:3000]}\nmend with: clang-format -i {' '.join(names)}", pytrace=False)
