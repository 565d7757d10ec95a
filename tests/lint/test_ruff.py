"""ruff finds nothing in the Python files; pyproject.toml contains its rules."""

import subprocess
import sys
from pathlib import Path

from sources import ROOT, all_files

RUFF = Path(sys.executable).with_name("ruff")  # of packaging/requirements.txt


def ruff(*words):
    return subprocess.run([RUFF, "check", "--no-cache", "--output-format=concise", *words],
                          cwd=ROOT, capture_output=True, text=True, check=False)  # fmt: skip


def test_ruff_finds_nothing():
    files = [path for path in all_files() if path.suffix == ".py"]
    assert ROOT / "python/mechfmu/fmu.py" in files
    run = ruff(*files)
    assert run.returncode == 0, run.stdout + run.stderr


def test_ruff_looks(tmp_path):
    (tmp_path / "bad.py").write_text("import os\n")
    run = ruff("--config", ROOT / "pyproject.toml", tmp_path / "bad.py")
    assert run.returncode == 1 and "F401" in run.stdout
