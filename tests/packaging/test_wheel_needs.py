"""packaging/wheel.py says what it lacks before it begins to build."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"


@pytest.fixture
def tree(tmp_path):
    """A clone with the scripts only, on a machine without programs."""
    (tmp_path / "packaging").mkdir()
    for name in ["wheel.py", "platforms.py", "requirements-platforms.txt", "requirements-wheel.txt"]:
        shutil.copy(PACKAGING / name, tmp_path / "packaging")
    return tmp_path


def refusal(tree: Path) -> str:
    done = subprocess.run([sys.executable, tree / "packaging/wheel.py"], env={"PATH": ""}, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and not (tree / "build/platforms").exists()
    return done.stderr


def test_set_up_comes_first(tree):
    assert refusal(tree) == "wheel: packaging/setup.sh has to be run first\n"


def test_package_that_unpacks_debian_sources_is_named(tree):
    (tree / "build/venv").mkdir(parents=True)
    assert "packaging/setup.sh dpkg-dev installs it" in refusal(tree)
