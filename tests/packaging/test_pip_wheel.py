"""`pip wheel .` in a clone: the wheel for machines like this one, installed in a fresh environment and used."""

import shutil
import subprocess
import sys

import pytest
from built import ROOT, run

pytestmark = pytest.mark.slow


def test_wheel_of_a_clone_is_made_installed_and_used(tmp_path):
    clone = tmp_path / "clone"
    for name in run("git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard").splitlines():
        if (ROOT / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, clone / name)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    run(*pip, "wheel", "--no-deps", clone, "-w", tmp_path / "made")
    [wheel] = (tmp_path / "made").glob("mechfmu-*-py3-none-linux_*.whl")
    run("/usr/bin/python3", "-m", "venv", tmp_path / "venv")
    run(tmp_path / "venv/bin/pip", "--disable-pip-version-check", "install", wheel)
    shutil.rmtree(clone)  # the installation does not need it

    def use(*words) -> str:
        done = subprocess.run([tmp_path / "venv/bin/mechfmu", *words], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    use("new", "four_bar")
    assert "degrees of freedom  1 = " in use("check", "four_bar.xml")
    use("export", "four_bar.xml", "--compile", "always")  # by the compiler of the machine
    use("simulate", "four_bar.fmu", "--set", "torque=2", "-o", "run.csv", "--columns", "phi,pin")
    last = (tmp_path / "run.csv").read_text().splitlines()[-1].split(",")
    assert [float(word) for word in last[1:]] == pytest.approx([-0.225171294155018, 10.0284731738255], rel=1e-6)
